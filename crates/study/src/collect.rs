//! A sweep from its files alone: its table, [`collect`]; how far it is, [`Standing`].

use crate::disk::{self, MANIFEST, Reach, manifest_of};
use crate::error::{StoreError, malformed};
use crate::job::Job;
use crate::lock::{Lock, holder};
use crate::manifest::{Manifest, SweepManifest};
use crate::store::{StoredRun, read_whole_run};
use crate::sweep_dir::{LOCK, RUNS, outcome_of};
use crate::table::{RunRow, Table};
use crate::task::{FailedRun, failed_runs, task_numbers};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

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

/// Reads every whole run of the sweep in `dir`, and writes its tables anew, at any time: byte for
/// byte those of the sweep once it is complete; a run that failed or is not there is in none.
///
/// `has_parquet`: as Parquet too (feature `parquet`), refused while another process writes the
/// sweep.
pub fn collect(dir: &Path, has_parquet: bool) -> Result<Collected, StoreError> {
    if has_parquet && !cfg!(feature = "parquet") {
        return Err(StoreError::NoParquet);
    }
    let sweep = SweepManifest::read(dir)?;
    let lock = match Lock::take(&dir.join(LOCK), dir) {
        Ok(lock) => Some(lock),
        Err(StoreError::Locked(..)) if !has_parquet => None,
        Err(e) => return Err(e),
    };
    let runs = dir.join(RUNS);
    let entries = match disk::there(&runs)? {
        Some(_) => disk::entries(&runs)?,
        None => Vec::new(),
    };
    let mut rows = Vec::new();
    for (place, entry) in entries.iter().enumerate() {
        let is_of_study = |run: &StoredRun| run.manifest.study_hash == sweep.study_hash;
        if let Some(run) = read_whole_run(entry).filter(is_of_study) {
            let job = job_of(&run.manifest, entry, place);
            rows.push(RunRow { job, outcome: outcome_of(&run) });
        }
    }
    let left_out = (sweep.runs + sweep.left_out).saturating_sub(rows.len());
    let sweep = SweepManifest { left_out, ..sweep };
    let mut table = Table::of(&sweep, rows);
    table.read_latencies(&runs)?;
    if lock.is_some() {
        #[cfg(feature = "parquet")]
        if has_parquet {
            crate::parquet::write(&table, dir)?;
        }
        table.write(dir, Reach::Now)?;
    }
    let SweepManifest { question, found, .. } = sweep;
    Ok(Collected { is_written: lock.is_some(), question, found, table })
}

/// Puts what a search found into the manifest of its directory, for the page and [`collect`].
pub fn put_found(dir: &Path, found: &str) -> Result<(), StoreError> {
    let _lock = Lock::take(&dir.join(LOCK), dir)?;
    let sweep = SweepManifest::read(dir)?;
    let found = found.to_string();
    SweepManifest { found, ..sweep }.put(dir)
}

/// The job of a run, as far as tables go; `place` is for manifests of earlier versions.
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

/// What a sweep directory came to so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// Name of the study.
    pub name: String,
    /// Runs of the sweep.
    pub runs: usize,
    /// Runs that are there, made by the program of the sweep.
    pub finished: usize,
    /// Runs that failed; during the sweep only those of tasks are known.
    pub failed: usize,
    /// Runs that failed in tasks, by index.
    pub failed_runs: Vec<FailedRun>,
    /// Task files.
    pub tasks: usize,
    /// The process that carries the sweep out or follows it at this moment.
    pub holder: Option<String>,
}

impl Standing {
    /// Reads it; the directory may be in use.
    pub fn of(dir: &Path) -> Result<Standing, StoreError> {
        let absent = || malformed(&dir.join(MANIFEST))("not there, or not that of a sweep");
        let sweep: SweepManifest = manifest_of(dir).ok_or_else(absent)?;
        let runs = dir.join(RUNS);
        let is_of_study = |run: Manifest| {
            run.study_hash == sweep.study_hash && run.build.is_same_program(&sweep.build)
        };
        let is_finished = |dir: &PathBuf| manifest_of(dir).is_some_and(is_of_study);
        let entries = disk::entries_if_there(&runs)?.into_iter();
        let finished: BTreeSet<PathBuf> = entries.filter(is_finished).collect();
        let mut failed_runs = failed_runs(dir)?;
        // Those that were made since, by another command.
        failed_runs.retain(|run| !finished.contains(&runs.join(&run.directory)));
        Ok(Standing {
            finished: finished.len().min(sweep.runs),
            failed: sweep.failed.max(failed_runs.len()),
            failed_runs,
            name: sweep.name,
            runs: sweep.runs,
            tasks: task_numbers(dir)?.len(),
            holder: holder(&dir.join(LOCK)),
        })
    }
}
