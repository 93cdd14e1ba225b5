//! Task files: runs that another process is to make, with all that it has to know.
//!
//! `DIR/tasks/NNNNN.json` names whole runs of the sweep in `DIR`; what failed of them for good
//! stands in `NNNNN.failed.json`. Numbers are not used twice in a directory.

use crate::disk::{self, Reach};
use crate::error::{StoreError, io_error, malformed};
use crate::exit::RunFailure;
use crate::files::{json, replace_file};
use crate::job::Job;
use crate::manifest::Build;
use crate::place;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Directory of task files in a sweep directory.
const TASKS: &str = "tasks";
/// Ending of what says which runs of a task failed.
const FAILED: &str = ".failed.json";

/// A task file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// Name of the study.
    pub name: String,
    /// Hash of the study, 16 hex digits.
    pub study_hash: String,
    /// Name of the engine.
    pub engine: String,
    /// The program that is to make the runs.
    pub build: Build,
    /// Directory that paths in scenarios (traces) are relative to; none where they read no files.
    pub base_dir: Option<PathBuf>,
    /// The runs.
    pub jobs: Vec<Job>,
}

/// A run of a task that failed; it would again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedRun {
    /// [`Job::index`].
    pub index: usize,
    /// Its run directory.
    pub directory: String,
    /// How and why.
    #[serde(flatten)]
    pub failure: RunFailure,
}

/// Path of a task file.
pub fn task_path(dir: &Path, number: usize) -> PathBuf {
    dir.join(TASKS).join(format!("{number:05}.json"))
}

/// Path of what says which runs of a task failed.
fn failed_path(task: &Path) -> PathBuf {
    let stem = task.file_stem().unwrap_or_default().to_string_lossy();
    task.with_file_name(format!("{stem}{FAILED}"))
}

/// Numbers of the task files of a sweep directory.
pub(crate) fn task_numbers(dir: &Path) -> Result<BTreeSet<usize>, StoreError> {
    let number = |path: PathBuf| {
        let name = path.file_name()?.to_str()?;
        name.strip_suffix(".json")?.parse().ok()
    };
    let dir = dir.join(TASKS);
    if !dir.is_dir() {
        return Ok(BTreeSet::new());
    }
    Ok(disk::entries(&dir)?.into_iter().filter_map(number).collect())
}

/// All runs of the sweep in `dir` that failed in tasks, by index.
///
/// # Errors
/// [`StoreError`].
pub(crate) fn failed_runs(dir: &Path) -> Result<Vec<FailedRun>, StoreError> {
    let mut all = Vec::new();
    for number in task_numbers(dir)? {
        all.extend(read_failed(&task_path(dir, number))?);
    }
    all.sort_by_key(|run| run.index);
    Ok(all)
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<T, StoreError> {
    let bytes = fs::read(path).map_err(io_error(path))?;
    serde_json::from_slice(&bytes).map_err(|e| malformed(path)(e.to_string()))
}

impl Task {
    /// Reads a task file.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn read(path: &Path) -> Result<Task, StoreError> {
        read(path)
    }

    /// Writes it as the task of this number.
    pub(crate) fn write(&self, dir: &Path, number: usize) -> Result<(), StoreError> {
        let path = task_path(dir, number);
        disk::make_dirs(&dir.join(TASKS))?;
        let bytes = json(self).map_err(|e| malformed(&path)(e.to_string()))?;
        replace_file(&path, &bytes, Reach::Now)
    }
}

/// The runs of a task that failed.
pub(crate) fn read_failed(task: &Path) -> Result<Vec<FailedRun>, StoreError> {
    let path = failed_path(task);
    match disk::there(&path)? {
        Some(_) => read(&path),
        None => Ok(Vec::new()),
    }
}

/// Says which runs of a task failed.
pub(crate) fn write_failed(task: &Path, failed: &[FailedRun]) -> Result<(), StoreError> {
    let path = failed_path(task);
    let bytes = json(&failed).map_err(|e| malformed(&path)(e.to_string()))?;
    replace_file(&path, &bytes, Reach::Now)
}

/// Removes a task file and what it says of failed runs.
pub(crate) fn remove(dir: &Path, number: usize) -> Result<(), StoreError> {
    let path = task_path(dir, number);
    for path in [failed_path(&path), path] {
        disk::remove(&place::hidden(&path, place::PARTIAL))?;
        disk::remove(&path)?;
    }
    Ok(())
}
