//! `series.csv`, `flows.csv`, `latency.csv` and `pauses.csv`. Numbers print in their shortest form
//! that reads back equal, so bytes are equal on any machine.

use observe::{FlowRow, LatencyBucket, LatencyRow, LatencySet, Record, SeriesRow};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::Write as _;

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
/// The next column, where links have pause in the place of credits.
const PAUSE_COLUMN: &str = "pause_ns";
/// Ending of the column of a group.
const GROUP_SUFFIX: &str = "_bytes_per_ns";
const FLOW_COLUMNS: [&str; 6] =
    ["source", "destination", "packets", "bytes", "bytes_measured", "starved"];

const LATENCY_COLUMNS: [&str; 7] =
    ["window", "flows", "group", "of", "latency_ns", "count", "undelivered"];

pub(crate) fn series_csv(record: &Record) -> Result<Vec<u8>, csv::Error> {
    let mut out = csv::Writer::from_writer(Vec::new());
    let mut header: Vec<String> = SERIES_COLUMNS.iter().map(|c| c.to_string()).collect();
    let victims = record.summary.victims.is_some();
    if victims {
        header.extend(VICTIMS_COLUMNS.map(String::from));
    }
    let pauses = record.summary.pause.is_some();
    header.extend(pauses.then(|| PAUSE_COLUMN.to_string()));
    header.extend(record.groups.iter().map(|g| format!("{g}{GROUP_SUFFIX}")));
    out.write_record(&header)?;
    for row in &record.series {
        let rates = [row.delivered_bytes_per_ns, row.offered_bytes_per_ns];
        let mut fields = vec![row.t_ns.to_string()];
        fields.extend(rates.map(|rate| rate.to_string()));
        fields.extend(
            [
                row.saqs_ingress,
                row.saqs_egress,
                row.saqs_ingress_max_port,
                row.saqs_egress_max_port,
            ]
            .map(|n| n.to_string()),
        );
        if victims {
            let rates = [row.victims_bytes_per_ns, row.victims_offered_bytes_per_ns];
            fields.extend(rates.map(|rate| rate.unwrap_or_default().to_string()));
        }
        fields.extend(pauses.then(|| row.pause_ns.unwrap_or_default().to_string()));
        fields.extend(row.groups.iter().map(f64::to_string));
        out.write_record(&fields)?; // refuses a row with more or fewer groups than the header
    }
    out.into_inner().map_err(|e| e.into_error().into())
}

pub(crate) fn flows_csv(record: &Record) -> Result<Vec<u8>, csv::Error> {
    let mut out = csv::Writer::from_writer(Vec::new());
    out.write_record(FLOW_COLUMNS)?;
    for flow in &record.flows {
        out.serialize((
            flow.source,
            flow.destination,
            flow.packets,
            flow.bytes,
            flow.bytes_measured,
            flow.starved,
        ))?;
    }
    out.into_inner().map_err(|e| e.into_error().into())
}

/// `latency.csv` of a run. It has thousands of lines: what those of a set share is written once,
/// and their numbers need no quotes.
pub(crate) fn latency_csv(sets: &[LatencySet]) -> Result<Vec<u8>, csv::Error> {
    let mut out = record_csv(&LATENCY_COLUMNS)?;
    for set in sets {
        let shared = record_csv(&[&set.window, &set.flows, &set.group, &set.of])?;
        for bucket in set.histogram.buckets() {
            out.extend_from_slice(shared.trim_ascii_end());
            let (latency_ns, count) = (bucket.latency_ns, bucket.count);
            writeln!(out, ",{latency_ns},{count},{}", bucket.undelivered)?;
        }
    }
    Ok(out)
}

/// A line.
fn record_csv(fields: &[&str]) -> Result<Vec<u8>, csv::Error> {
    let mut out = csv::Writer::from_writer(Vec::new());
    out.write_record(fields)?;
    out.into_inner().map_err(|e| e.into_error().into())
}

pub(crate) fn parse_latencies(text: &[u8]) -> Result<Vec<LatencySet>, String> {
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
pub(crate) fn rows_csv<T: Serialize>(rows: &[T]) -> Result<Vec<u8>, csv::Error> {
    let mut out = csv::Writer::from_writer(Vec::new());
    for row in rows {
        out.serialize(row)?;
    }
    out.into_inner().map_err(|e| e.into_error().into())
}

/// What [`rows_csv`] wrote.
pub(crate) fn parse_rows<T: DeserializeOwned>(text: &[u8]) -> Result<Vec<T>, String> {
    let mut reader = csv::Reader::from_reader(text);
    let rows = reader.deserialize();
    rows.map(|row| row.map_err(|e| e.to_string())).collect()
}

pub(crate) fn parse_series(text: &[u8]) -> Result<(Vec<String>, Vec<SeriesRow>), String> {
    let mut reader = csv::Reader::from_reader(text);
    let header = reader.headers().map_err(|e| e.to_string())?.clone();
    let names = SERIES_COLUMNS.len();
    let victims = header.get(names) == Some(VICTIMS_COLUMNS[0]);
    let pause_at = names + if victims { VICTIMS_COLUMNS.len() } else { 0 };
    let pauses = header.get(pause_at) == Some(PAUSE_COLUMN);
    let fixed = pause_at + usize::from(pauses);
    if !header.iter().take(names).eq(SERIES_COLUMNS) {
        return Err(format!(
            "columns are `{}`, expected to begin with `{}`",
            join(&header),
            SERIES_COLUMNS.join(",")
        ));
    }
    let groups = header
        .iter()
        .skip(fixed)
        .map(|c| {
            c.strip_suffix(GROUP_SUFFIX)
                .map(String::from)
                .ok_or_else(|| format!("column `{c}` does not end in `{GROUP_SUFFIX}`"))
        })
        .collect::<Result<Vec<_>, _>>()?;
    let mut series = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|e| e.to_string())?;
        let line = record.position().map_or(0, |p| p.line());
        let float = |i: usize| {
            record[i].parse::<f64>().map_err(|e| format!("line {line}: `{}`: {e}", &record[i]))
        };
        let count = |i: usize| {
            record[i].parse::<u32>().map_err(|e| format!("line {line}: `{}`: {e}", &record[i]))
        };
        series.push(SeriesRow {
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
        });
    }
    Ok((groups, series))
}

pub(crate) fn parse_flows(text: &[u8]) -> Result<Vec<FlowRow>, String> {
    let mut reader = csv::Reader::from_reader(text);
    let header = reader.headers().map_err(|e| e.to_string())?;
    if !header.iter().eq(FLOW_COLUMNS) {
        return Err(format!(
            "columns are `{}`, expected `{}`",
            join(header),
            FLOW_COLUMNS.join(",")
        ));
    }
    reader.deserialize().map(|row| row.map_err(|e| e.to_string())).collect()
}

fn join(record: &csv::StringRecord) -> String {
    record.iter().collect::<Vec<_>>().join(",")
}
