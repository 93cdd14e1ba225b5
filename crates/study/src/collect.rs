//! The table of a sweep from its run directories alone: [`collect`].

use crate::disk;
use crate::error::StoreError;
use crate::job::Job;
use crate::lock::Lock;
use crate::manifest::{Manifest, SweepManifest};
use crate::runs::outcome_of;
use crate::store::read_whole_run;
use crate::sweep_dir::{LOCK, RUNS};
use crate::table::{RunRow, Table};
use std::path::Path;

/// What the directory of a sweep holds.
#[derive(Debug)]
pub struct Collected {
    /// Its runs that finished.
    pub table: Table,
    /// The line above its answer.
    pub question: String,
    /// What a search found, in words: its answer, in the place of that of the study.
    pub found: String,
    /// The files were rebuilt; else another process writes the sweep, and with it those files.
    pub is_written: bool,
}

/// Which tables [`collect`] writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tables {
    /// The CSV files and `results.json`.
    Csv,
    /// These, and `results.parquet`, `windows.parquet` and `latency.parquet`: feature `parquet`.
    CsvAndParquet,
}

/// Reads every whole run of the sweep in `dir`, and writes `results.csv`, `results.json` and
/// `windows.csv` anew, at any time: also of a sweep that was killed. Of one that is complete they
/// are those of the sweep, byte for byte; a run that failed or is not there is in none of them.
/// With Parquet files it is refused while another process writes the sweep.
///
/// # Errors
/// [`StoreError`]; [`StoreError::Malformed`] where `dir` holds no sweep, [`StoreError::NoParquet`]
/// for [`Tables::CsvAndParquet`] without the feature `parquet`.
pub fn collect(dir: &Path, tables: Tables) -> Result<Collected, StoreError> {
    if tables == Tables::CsvAndParquet && !cfg!(feature = "parquet") {
        return Err(StoreError::NoParquet);
    }
    let sweep = SweepManifest::read(dir)?;
    let lock = match Lock::take(&dir.join(LOCK), dir) {
        Ok(lock) => Some(lock),
        Err(StoreError::Locked { .. }) if tables == Tables::Csv => None,
        Err(e) => return Err(e),
    };
    let runs = dir.join(RUNS);
    let entries = match disk::there(&runs)? {
        Some(_) => disk::entries(&runs)?,
        None => Vec::new(),
    };
    let mut rows = Vec::new();
    for (place, entry) in entries.iter().enumerate() {
        let Some(run) = read_whole_run(entry) else {
            continue;
        };
        if run.manifest.study_hash == sweep.study_hash {
            rows.push(RunRow {
                job: job_of(&run.manifest, entry, place),
                outcome: outcome_of(&run),
            });
        }
    }
    let all = sweep.runs + sweep.left_out;
    let table = Table::new(&sweep.name, &sweep.scenario, rows).judged_by(sweep.target);
    let mut table = Table { left_out: all.saturating_sub(table.runs.len()), ..table };
    table.read_latencies(&runs)?;
    if lock.is_some() {
        #[cfg(feature = "parquet")]
        if tables == Tables::CsvAndParquet {
            crate::parquet::write(&table, dir)?;
        }
        table.write(dir)?;
    }
    Ok(Collected {
        is_written: lock.is_some(),
        question: sweep.question,
        found: sweep.found,
        table,
    })
}

/// Puts what a search found into the manifest of its directory, for the page and [`collect`].
///
/// # Errors
/// [`StoreError`]; [`StoreError::Malformed`] where `dir` holds no sweep.
pub fn put_found(dir: &Path, found: &str) -> Result<(), StoreError> {
    let _lock = Lock::take(&dir.join(LOCK), dir)?;
    let sweep = SweepManifest::read(dir)?;
    let found = found.to_string();
    SweepManifest { found, ..sweep }.put(dir)
}

/// The job of a run, as far as tables go. Directories are in the order of the jobs: where a
/// manifest does not know its place (earlier versions), that is it.
fn job_of(run: &Manifest, dir: &Path, place: usize) -> Job {
    let name = dir.file_name().unwrap_or_default();
    Job {
        index: run.index.unwrap_or(place),
        directory: name.to_string_lossy().into_owned(),
        labels: run.labels.clone(),
        replica: run.replica,
        replicas: run.replicas,
        seed: run.seed,
        hash: u64::from_str_radix(&run.hash, 16).unwrap_or_default(),
        times: run.times,
        ..Job::default()
    }
}
