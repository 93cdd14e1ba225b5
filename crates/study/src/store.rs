//! The files of a run, and how they are read; numbers print in the shortest form that reads back.

use crate::disk::{LATENCY, MANIFEST, RUN_FILES, csv_of, json, read_as, read_json};
use crate::error::{StoreError, malformed};
use crate::job::{fnv_1a, hash_text};
use crate::manifest::{Manifest, own_files};
use crate::windows::windows_csv;
use observe::{FlowRow, LatencyBucket, LatencyRow, LatencySet, Record, SeriesRow, Summary};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::io::Write as _;
use std::path::Path;

/// The file of a run whose links have pause in the place of credits.
const PAUSES: &str = "pauses.csv";

/// A run as it was stored.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredRun {
    /// `scenario.toml`.
    pub scenario_text: String,
    /// `manifest.json`.
    pub manifest: Manifest,
    /// `summary.json`, `series.csv`, `flows.csv`, `latency.csv`, `pauses.csv`.
    pub record: Record,
}

/// What a run directory is to hold.
#[derive(Debug, Clone, Copy)]
pub struct RunFiles<'a> {
    /// The resolved scenario, TOML.
    pub scenario_text: &'a str,
    /// How the run came about; [`Manifest::files`] is filled in.
    pub manifest: &'a Manifest,
    /// The results.
    pub record: &'a Record,
    /// Further files: name, bytes.
    pub more: &'a [(&'static str, Vec<u8>)],
}

impl RunFiles<'_> {
    /// Bytes on a disk of the files that grow with the simulated time, and of the others.
    pub fn sizes(&self) -> Result<[u64; 2], StoreError> {
        let mut sizes = [0; 2];
        for (name, bytes) in self.bytes(Path::new(""))? {
            let grows = name == RUN_FILES[1] || name == PAUSES;
            sizes[usize::from(!grows)] += bytes.len() as u64;
        }
        Ok(sizes)
    }

    /// Name and bytes of every file, the manifest last; `dir` is for messages.
    pub(crate) fn bytes(&self, dir: &Path) -> Result<Vec<(&'static str, Vec<u8>)>, StoreError> {
        let Record { summary, flows, latencies, pauses, .. } = self.record;
        let of = |name: &'static str, bytes: csv::Result<Vec<u8>>| {
            Ok((name, bytes.map_err(malformed(&dir.join(name)))?))
        };
        let of_json = |name: &'static str, bytes: serde_json::Result<Vec<u8>>| {
            Ok((name, bytes.map_err(malformed(&dir.join(name)))?))
        };
        let flows_csv = match flows.as_slice() {
            [] => csv_of(&FLOW_COLUMNS, std::iter::empty()),
            flows => rows_csv(flows),
        };
        let mut files = vec![
            (RUN_FILES[0], self.scenario_text.as_bytes().to_vec()),
            of(RUN_FILES[1], series_csv(self.record))?,
            of(RUN_FILES[2], flows_csv)?,
            of(LATENCY, latency_csv(latencies))?,
            of(RUN_FILES[4], windows_csv(summary, self.manifest.times))?,
        ];
        if summary.pause.is_some() {
            files.push(of(PAUSES, rows_csv(pauses))?);
        }
        files.extend(self.more.iter().cloned());
        files.push(of_json(RUN_FILES[5], json(summary))?);
        let manifest = Manifest {
            files: files.iter().map(|(name, _)| (*name).to_string()).collect(),
            digest: digest(files.iter().map(|(_, bytes)| bytes.as_slice())),
            ..self.manifest.clone()
        };
        files.push(of_json(MANIFEST, json(&manifest))?);
        Ok(files)
    }
}

/// FNV-1a over the files of a run and their sizes.
fn digest<'a>(files: impl Iterator<Item = &'a [u8]>) -> String {
    let bytes = files.flat_map(|bytes| {
        let size = (bytes.len() as u64).to_le_bytes();
        bytes.iter().copied().chain(size)
    });
    hash_text(fnv_1a(bytes.map(u64::from)))
}

/// Reads a run whose files are all as written; earlier manifests list them without a digest.
pub(crate) fn read_whole_run(dir: &Path) -> Option<StoredRun> {
    let run = read_run(dir).ok()?;
    let files = own_files(&run.manifest.files).into_iter();
    let files = files.map(|name| fs::read(dir.join(name)).ok());
    let files: Vec<Vec<u8>> = files.collect::<Option<_>>()?;
    let expected = &run.manifest.digest;
    let is_whole = expected.is_empty() || *expected == digest(files.iter().map(Vec::as_slice));
    is_whole.then_some(run)
}

/// Reads a run directory; a file that is not there or not what was written is an error.
pub fn read_run(dir: &Path) -> Result<StoredRun, StoreError> {
    let path = |name: &str| dir.join(name);
    // First, since without it there is no whole run.
    let manifest: Manifest = read_json(&path(MANIFEST))?;
    let scenario_text = read_as(&path("scenario.toml"), |bytes| String::from_utf8(bytes.to_vec()))?;
    let summary: Summary = read_json(&path("summary.json"))?;
    let (groups, series) = read_as(&path("series.csv"), parse_series)?;
    let flows = read_as(&path("flows.csv"), parse_flows)?;
    let latencies = match manifest.files.iter().any(|name| name == LATENCY) {
        true => read_as(&path(LATENCY), parse_latencies)?,
        false => Vec::new(),
    };
    let pauses = match summary.pause.is_some() {
        true => read_as(&path(PAUSES), parse_rows)?,
        false => Vec::new(),
    };
    let ticks = manifest.ticks;
    let record = Record { summary, groups, series, flows, latencies, pauses, ticks };
    Ok(StoredRun { scenario_text, manifest, record })
}

/// First columns of `series.csv`; one a group follows.
const SERIES_COLUMNS: [&str; 7] = [
    "t_ns",
    "delivered_bytes_per_ns",
    "offered_bytes_per_ns",
    "saqs_ingress",
    "saqs_egress",
    "saqs_ingress_max_port",
    "saqs_egress_max_port",
];
/// The next columns, where a destination is hot.
const VICTIMS_COLUMNS: [&str; 2] = ["victims_bytes_per_ns", "victims_offered_bytes_per_ns"];
const PAUSE_COLUMN: &str = "pause_ns";
const GROUP_SUFFIX: &str = "_bytes_per_ns";
const FLOW_COLUMNS: [&str; 6] =
    ["source", "destination", "packets", "bytes", "bytes_measured", "starved"];
const LATENCY_COLUMNS: [&str; 7] =
    ["window", "flows", "group", "of", "latency_ns", "count", "undelivered"];

fn series_csv(record: &Record) -> csv::Result<Vec<u8>> {
    let victims = record.summary.victims.is_some();
    let pauses = record.summary.pause.is_some();
    let mut header = SERIES_COLUMNS.map(String::from).to_vec();
    header.extend(VICTIMS_COLUMNS.map(String::from).into_iter().filter(|_| victims));
    header.extend(pauses.then(|| PAUSE_COLUMN.to_string()));
    header.extend(record.groups.iter().map(|g| format!("{g}{GROUP_SUFFIX}")));
    let line = |row: &SeriesRow| {
        let rates = [row.t_ns, row.delivered_bytes_per_ns, row.offered_bytes_per_ns];
        let all = [row.saqs_ingress, row.saqs_egress];
        let ports = [row.saqs_ingress_max_port, row.saqs_egress_max_port];
        let of_victims = [row.victims_bytes_per_ns, row.victims_offered_bytes_per_ns];
        let more = of_victims.into_iter().filter(|_| victims).chain(pauses.then_some(row.pause_ns));
        let mut fields = rates.map(|rate| rate.to_string()).to_vec();
        fields.extend([all, ports].as_flattened().iter().map(u32::to_string));
        fields.extend(more.map(|value| value.unwrap_or_default().to_string()));
        fields.extend(row.groups.iter().map(f64::to_string));
        fields
    };
    csv_of(&header, record.series.iter().map(line))
}

/// `latency.csv`: of thousands of lines, so what those of a set share is written once.
fn latency_csv(sets: &[LatencySet]) -> csv::Result<Vec<u8>> {
    let line = |fields: &[&str]| csv_of(fields, std::iter::empty());
    let mut out = line(&LATENCY_COLUMNS)?;
    for set in sets {
        let shared = line(&[&set.window, &set.flows, &set.group, &set.of])?;
        for LatencyBucket { latency_ns, count, undelivered } in set.histogram.buckets() {
            out.extend_from_slice(shared.trim_ascii_end());
            writeln!(out, ",{latency_ns},{count},{undelivered}")?;
        }
    }
    Ok(out)
}

fn parse_latencies(text: &[u8]) -> Result<Vec<LatencySet>, csv::Error> {
    let rows: Vec<LatencyRow> = parse_rows(text)?;
    let is_same = |a: &LatencyRow, b: &LatencyRow| {
        (&a.window, &a.flows, &a.group, &a.of) == (&b.window, &b.flows, &b.group, &b.of)
    };
    let bucket = |row: &LatencyRow| LatencyBucket {
        latency_ns: row.latency_ns,
        count: row.count,
        undelivered: row.undelivered,
    };
    let set = |rows: &[LatencyRow]| LatencySet {
        window: rows[0].window.clone(),
        flows: rows[0].flows.clone(),
        group: rows[0].group.clone(),
        of: rows[0].of.clone(),
        histogram: rows.iter().map(bucket).collect(),
    };
    Ok(rows.chunk_by(is_same).map(set).collect())
}

/// Lines of which each has its own columns; none without lines.
fn rows_csv<T: Serialize>(rows: &[T]) -> csv::Result<Vec<u8>> {
    let mut out = csv::Writer::from_writer(Vec::new());
    rows.iter().try_for_each(|row| out.serialize(row))?;
    out.into_inner().map_err(|e| e.into_error().into())
}

fn parse_rows<T: DeserializeOwned>(text: &[u8]) -> csv::Result<Vec<T>> {
    csv::Reader::from_reader(text).into_deserialize().collect()
}

fn parse_series(text: &[u8]) -> Result<(Vec<String>, Vec<SeriesRow>), String> {
    let mut reader = csv::Reader::from_reader(text);
    let header = reader.headers().map_err(|e| e.to_string())?.clone();
    let names = SERIES_COLUMNS.len();
    let victims = header.get(names) == Some(VICTIMS_COLUMNS[0]);
    let pause_at = names + if victims { VICTIMS_COLUMNS.len() } else { 0 };
    let pauses = header.get(pause_at) == Some(PAUSE_COLUMN);
    let fixed = pause_at + usize::from(pauses);
    if !header.iter().take(names).eq(SERIES_COLUMNS) {
        let (found, expected) = (join(&header), SERIES_COLUMNS.join(","));
        return Err(format!("columns are `{found}`, expected to begin with `{expected}`"));
    }
    let group = |column: &str| match column.strip_suffix(GROUP_SUFFIX) {
        Some(group) => Ok(group.to_string()),
        None => Err(format!("column `{column}` does not end in `{GROUP_SUFFIX}`")),
    };
    let groups = header.iter().skip(fixed).map(group).collect::<Result<_, _>>()?;
    let row = |record: csv::Result<csv::StringRecord>| {
        let record = record.map_err(|e| e.to_string())?;
        let float = |at: usize| field::<f64>(&record, at);
        let count = |at: usize| field::<u32>(&record, at);
        Ok(SeriesRow {
            t_ns: float(0)?,
            delivered_bytes_per_ns: float(1)?,
            offered_bytes_per_ns: float(2)?,
            saqs_ingress: count(3)?,
            saqs_egress: count(4)?,
            saqs_ingress_max_port: count(5)?,
            saqs_egress_max_port: count(6)?,
            victims_bytes_per_ns: victims.then(|| float(names)).transpose()?,
            victims_offered_bytes_per_ns: victims.then(|| float(names + 1)).transpose()?,
            pause_ns: pauses.then(|| float(pause_at)).transpose()?,
            groups: (fixed..record.len()).map(float).collect::<Result<_, _>>()?,
        })
    };
    Ok((groups, reader.records().map(row).collect::<Result<_, String>>()?))
}

fn field<T>(record: &csv::StringRecord, at: usize) -> Result<T, String>
where
    T: std::str::FromStr<Err: std::fmt::Display>,
{
    let line = record.position().map_or(0, |p| p.line());
    record[at].parse().map_err(|e| format!("line {line}: `{}`: {e}", &record[at]))
}

fn parse_flows(text: &[u8]) -> Result<Vec<FlowRow>, String> {
    let mut reader = csv::Reader::from_reader(text);
    let header = reader.headers().map_err(|e| e.to_string())?;
    if !header.iter().eq(FLOW_COLUMNS) {
        let (found, expected) = (join(header), FLOW_COLUMNS.join(","));
        return Err(format!("columns are `{found}`, expected `{expected}`"));
    }
    parse_rows(text).map_err(|e| e.to_string())
}

fn join(record: &csv::StringRecord) -> String {
    record.iter().collect::<Vec<_>>().join(",")
}
