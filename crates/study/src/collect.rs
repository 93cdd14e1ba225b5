//! The table of a sweep from its run directories alone: [`collect`].

use crate::disk;
use crate::error::{StoreError, malformed};
use crate::job::Job;
use crate::lock::Lock;
use crate::manifest::{Manifest, SweepManifest};
use crate::run_dir::manifest_of;
use crate::runs::outcome_of;
use crate::store::{MANIFEST, json, read_whole_run, replace_file};
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

/// Reads every whole run of the sweep in `dir`, and writes `results.csv`, `results.json` and
/// `windows.csv` anew, at any time: also of a sweep that was killed. Of one that is complete they
/// are those of the sweep, byte for byte; a run that failed or is not there is in none of them.
///
/// # Errors
/// [`StoreError`]; [`StoreError::Malformed`] where `dir` holds no sweep.
pub fn collect(dir: &Path) -> Result<Collected, StoreError> {
    let path = dir.join(MANIFEST);
    let Some(sweep) = manifest_of::<SweepManifest>(&path) else {
        return Err(malformed(&path)("is not that of a sweep".into()));
    };
    let lock = match Lock::take(&dir.join(LOCK), dir) {
        Ok(lock) => Some(lock),
        Err(StoreError::Locked { .. }) => None,
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
    let mut table = Table {
        left_out: all.saturating_sub(table.runs.len()),
        ..table
    };
    table.read_latencies(&runs)?;
    if lock.is_some() {
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
    let path = dir.join(MANIFEST);
    let _lock = Lock::take(&dir.join(LOCK), dir)?;
    let Some(sweep) = manifest_of::<SweepManifest>(&path) else {
        return Err(malformed(&path)("is not that of a sweep".into()));
    };
    let found = found.to_string();
    let bytes = json(&SweepManifest { found, ..sweep });
    replace_file(
        &path,
        &bytes.map_err(|e| malformed(&path)(e.to_string()))?,
        disk::Reach::Now,
    )
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
