//! The files of a run: what they hold, and how they are read back.

use crate::csv_files::{
    flows_csv, latency_csv, parse_flows, parse_latencies, parse_rows, parse_series, rows_csv,
    series_csv,
};
use crate::error::{StoreError, io_error, malformed};
use crate::files::{LATENCY, MANIFEST, RUN_FILES, json};
use crate::manifest::Manifest;
use crate::windows::windows_csv;
use observe::{Record, Summary};
use std::fs;
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
    /// What its files take on a disk, bytes: that of those which grow with the time that is
    /// simulated, and that of the others.
    ///
    /// # Errors
    /// Those of the writers; none for a record of a run.
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
        let at = |name: &str| malformed(&dir.join(name));
        let [scenario, series, flows, latency, windows, summary] = RUN_FILES;
        let mut files = vec![
            (scenario, self.scenario_text.as_bytes().to_vec()),
            (series, series_csv(self.record).map_err(|e| at(series)(e.to_string()))?),
            (flows, flows_csv(self.record).map_err(|e| at(flows)(e.to_string()))?),
            (latency, latency_csv(&self.record.latencies).map_err(|e| at(latency)(e.to_string()))?),
            (
                windows,
                windows_csv(&self.record.summary, self.manifest.times)
                    .map_err(|e| at(windows)(e.to_string()))?,
            ),
        ];
        if self.record.summary.pause.is_some() {
            let bytes = rows_csv(&self.record.pauses).map_err(|e| at(PAUSES)(e.to_string()))?;
            files.push((PAUSES, bytes));
        }
        files.extend(self.more.iter().cloned());
        let bytes = json(&self.record.summary).map_err(|e| at(summary)(e.to_string()))?;
        files.push((summary, bytes));
        let manifest = Manifest {
            files: files.iter().map(|(name, _)| (*name).to_string()).collect(),
            digest: digest(files.iter().map(|(_, bytes)| bytes.as_slice())),
            ..self.manifest.clone()
        };
        let bytes = json(&manifest).map_err(|e| at(MANIFEST)(e.to_string()))?;
        files.push((MANIFEST, bytes));
        Ok(files)
    }
}

/// FNV-1a over the files of a run and their sizes.
fn digest<'a>(files: impl Iterator<Item = &'a [u8]>) -> String {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = files.fold(0xcbf2_9ce4_8422_2325, |hash, bytes| {
        let size = (bytes.len() as u64).to_le_bytes();
        bytes.iter().chain(&size).fold(hash, step)
    });
    format!("{hash:016x}")
}

/// Reads the run of a directory if all that its manifest names is there as it was written; a
/// manifest of an earlier version says no more than which files there are.
pub(crate) fn read_whole_run(dir: &Path) -> Option<StoredRun> {
    let run = read_run(dir).ok()?;
    let files = run.manifest.own_files().into_iter();
    let files = files.map(|name| fs::read(dir.join(name)).ok());
    let files: Vec<Vec<u8>> = files.collect::<Option<_>>()?;
    let expected = &run.manifest.digest;
    let is_whole = expected.is_empty() || *expected == digest(files.iter().map(Vec::as_slice));
    is_whole.then_some(run)
}

/// Reads a run directory.
///
/// # Errors
/// [`StoreError::Io`] for a file that is not there, [`StoreError::Malformed`] for one that is not
/// what was written.
pub fn read_run(dir: &Path) -> Result<StoredRun, StoreError> {
    let get = |name: &str| {
        let path = dir.join(name);
        fs::read(&path).map(|bytes| (path.clone(), bytes)).map_err(io_error(&path))
    };
    // First, since without it there is no whole run.
    let (path, bytes) = get(MANIFEST)?;
    let manifest: Manifest =
        serde_json::from_slice(&bytes).map_err(|e| malformed(&path)(e.to_string()))?;
    let (path, bytes) = get("scenario.toml")?;
    let scenario_text = String::from_utf8(bytes).map_err(|e| malformed(&path)(e.to_string()))?;
    let (path, bytes) = get("summary.json")?;
    let summary: Summary =
        serde_json::from_slice(&bytes).map_err(|e| malformed(&path)(e.to_string()))?;
    let (path, bytes) = get("series.csv")?;
    let (groups, series) = parse_series(&bytes).map_err(malformed(&path))?;
    let (path, bytes) = get("flows.csv")?;
    let flows = parse_flows(&bytes).map_err(malformed(&path))?;
    let mut latencies = Vec::new();
    if manifest.files.iter().any(|name| name == LATENCY) {
        let (path, bytes) = get(LATENCY)?;
        latencies = parse_latencies(&bytes).map_err(malformed(&path))?;
    }
    let mut pauses = Vec::new();
    if summary.pause.is_some() {
        let (path, bytes) = get(PAUSES)?;
        pauses = parse_rows(&bytes).map_err(malformed(&path))?;
    }
    let ticks = manifest.ticks;
    Ok(StoredRun {
        scenario_text,
        manifest,
        record: Record { summary, groups, series, flows, latencies, pauses, ticks },
    })
}
