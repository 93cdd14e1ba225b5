//! How far a sweep is, from its files alone: [`Standing`].

use crate::disk;
use crate::error::{StoreError, malformed};
use crate::files::{MANIFEST, manifest_of};
use crate::lock::holder;
use crate::manifest::{Manifest, SweepManifest};
use crate::sweep_dir::{LOCK, RUNS};
use crate::task::{FailedRun, failed_runs, task_numbers};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What a sweep directory came to so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// Name of the study.
    pub name: String,
    /// Runs of the sweep.
    pub runs: usize,
    /// Runs that are there, made by the program of the sweep.
    pub finished: usize,
    /// Runs that failed; while the sweep is under way only those of tasks are known.
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
    ///
    /// # Errors
    /// [`StoreError`]: no sweep directory.
    pub fn of(dir: &Path) -> Result<Standing, StoreError> {
        let path = dir.join(MANIFEST);
        let Some(sweep) = manifest_of::<SweepManifest>(&path) else {
            return Err(malformed(&path)("not there, or not that of a sweep".into()));
        };
        let runs = dir.join(RUNS);
        let entries = match runs.is_dir() {
            true => disk::entries(&runs)?,
            false => Vec::new(),
        };
        let is_of_study = |dir: &&PathBuf| {
            let run = manifest_of::<Manifest>(&dir.join(MANIFEST));
            run.is_some_and(|run| {
                run.study_hash == sweep.study_hash && run.build.is_same_program(&sweep.build)
            })
        };
        let finished: BTreeSet<&PathBuf> = entries.iter().filter(is_of_study).collect();
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
