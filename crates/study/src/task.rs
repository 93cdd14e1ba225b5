//! Task files, `DIR/tasks/NNNNN.json`: runs of the sweep in `DIR` that another process is to make,
//! by [`work`]. What failed of them for good is in `NNNNN.failed.json`; numbers are not used twice.

use crate::disk::{self, manifest_of, put_json, read_json};
use crate::error::{RunFailure, StoreError, io_error, malformed};
use crate::job::Job;
use crate::manifest::{Build, SweepManifest};
use crate::queue::{guarded, side_by_side, workers};
use crate::sweep_dir::{RUNS, conclude, whole_run};
use crate::table::Outcome;
use observe::Record;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

const TASKS: &str = "tasks";
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

impl FailedRun {
    pub(crate) fn of(job: &Job, failure: RunFailure) -> FailedRun {
        FailedRun { index: job.index, directory: job.directory.clone(), failure }
    }
}

/// Path of a task file.
pub fn task_path(dir: &Path, number: usize) -> PathBuf {
    dir.join(TASKS).join(format!("{number:05}.json"))
}

fn failed_path(task: &Path) -> PathBuf {
    let stem = task.file_stem().unwrap_or_default().to_string_lossy();
    task.with_file_name(format!("{stem}{FAILED}"))
}

pub(crate) fn task_numbers(dir: &Path) -> Result<BTreeSet<usize>, StoreError> {
    let number = |path: PathBuf| {
        let name = path.file_name()?.to_str()?;
        name.strip_suffix(".json")?.parse().ok()
    };
    Ok(disk::entries_if_there(&dir.join(TASKS))?.into_iter().filter_map(number).collect())
}

pub(crate) fn failed_runs(dir: &Path) -> Result<Vec<FailedRun>, StoreError> {
    let mut all = Vec::new();
    for number in task_numbers(dir)? {
        all.extend(read_failed(&task_path(dir, number))?);
    }
    all.sort_by_key(|run| run.index);
    Ok(all)
}

impl Task {
    /// Reads a task file.
    pub fn read(path: &Path) -> Result<Task, StoreError> {
        read_json(path)
    }

    pub(crate) fn write(&self, dir: &Path, number: usize) -> Result<(), StoreError> {
        disk::make_dirs(&dir.join(TASKS))?;
        put_json(&task_path(dir, number), self)
    }
}

pub(crate) fn read_failed(task: &Path) -> Result<Vec<FailedRun>, StoreError> {
    let path = failed_path(task);
    match disk::there(&path)? {
        Some(_) => read_json(&path),
        None => Ok(Vec::new()),
    }
}

pub(crate) fn write_failed(task: &Path, failed: &mut [FailedRun]) -> Result<(), StoreError> {
    failed.sort_by_key(|run| run.index);
    put_json(&failed_path(task), &failed)
}

/// Removes a task file and that of its failed runs.
pub(crate) fn remove(dir: &Path, number: usize) -> Result<(), StoreError> {
    let path = task_path(dir, number);
    for path in [failed_path(&path), path] {
        disk::remove_partial(&path)?;
        disk::remove(&path)?;
    }
    Ok(())
}

/// Why no run of a task can be made.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// Files.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The task is for another program.
    #[error("{}: is for setaside {}, and this is {}; start the build that wrote it", .0.display(), .1, .2)]
    OtherBuild(PathBuf, String, String),
    /// The path is not that of a task file in a sweep directory, or the sweep there is another.
    #[error("{}: is no task of the study in {}", .0.display(), .1.display())]
    OtherStudy(PathBuf, PathBuf),
}

fn in_words(build: &Build) -> String {
    let Build { version, commit, dirty, sources } = build;
    let commit: String = commit.chars().take(12).collect();
    let more = if *dirty { "+" } else { "" };
    format!("{version} (commit {commit}{more}, sources {sources})")
}

/// What came of a task.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Worked {
    /// Runs that were made and stored.
    pub finished: usize,
    /// Runs that were there.
    pub taken: usize,
    /// Runs that failed, those of an earlier try included; the controller reads of them in a file.
    pub failed: Vec<FailedRun>,
    /// Runs that were made and could not be stored: another try may.
    pub not_stored: Vec<String>,
    /// Not all was done: the program was asked to end.
    pub interrupted: bool,
}

/// Makes the runs of a task file and stores each, with the bytes of a sweep in one process. Runs
/// that are whole or failed are not made again: a task may be started any number of times, also
/// twice at a time. `run` gets the directory that paths in scenarios are relative to, and may
/// return [`crate::Exit::Interrupted`] when it saw that the program is to end.
pub fn work(
    path: &Path,
    build: &Build,
    asked: usize,
    now_seconds: &(dyn Fn() -> f64 + Sync),
    run: impl Fn(&Task, &Job) -> Result<Record, RunFailure> + Sync,
) -> Result<Worked, WorkError> {
    let task = Task::read(path)?;
    if !task.build.is_same_program(build) {
        let (path, other, own) = (path.to_path_buf(), in_words(&task.build), in_words(build));
        return Err(WorkError::OtherBuild(path, other, own));
    }
    let inside = std::fs::canonicalize(path).map_err(io_error(path))?;
    let dir = inside.parent().and_then(Path::parent).unwrap_or(&inside);
    let is_here = || {
        let sweep: Option<SweepManifest> = manifest_of(dir);
        sweep.is_some_and(|sweep| sweep.study_hash == task.study_hash)
    };
    let other = || WorkError::OtherStudy(path.to_path_buf(), dir.to_path_buf());
    if !is_here() {
        return Err(other());
    }
    let hash = u64::from_str_radix(&task.study_hash, 16);
    hash.map_err(|e| format!("study_hash: {e}")).map_err(malformed(path))?;
    let sweep = SweepManifest {
        name: task.name.clone(),
        engine: task.engine.clone(),
        build: build.clone(),
        study_hash: task.study_hash.clone(),
        ..SweepManifest::default()
    };
    let worked = Mutex::new(Worked { failed: read_failed(path)?, ..Worked::default() });
    let lock = || worked.lock().unwrap_or_else(PoisonError::into_inner);
    let workers = workers(asked, task.jobs.len());
    let make = |job: &Job| {
        let run_dir = dir.join(RUNS).join(&job.directory);
        if whole_run(&run_dir, job, &sweep).is_some() {
            lock().taken += 1;
            return true;
        }
        if lock().failed.iter().any(|run| run.index == job.index) {
            return true;
        }
        if !is_here() {
            lock().not_stored.push(other().to_string()); // replaced in the meantime
            return false;
        }
        let start = now_seconds();
        let result = guarded(&|job: &Job| run(&task, job), job);
        let wall_seconds = now_seconds() - start;
        let concluded = conclude(job, &sweep, &run_dir, result, wall_seconds, None);
        let mut worked = lock();
        let stored = concluded.and_then(|outcome| {
            match outcome {
                Outcome::Finished(_) => worked.finished += 1,
                Outcome::NotRun => worked.interrupted = true,
                Outcome::Failed(failure) => {
                    worked.failed.push(FailedRun::of(job, failure));
                    write_failed(path, &mut worked.failed)?;
                }
            }
            Ok(())
        });
        worked.not_stored.extend(stored.err().map(|e| e.to_string()));
        !worked.interrupted
    };
    let next = AtomicUsize::new(0);
    side_by_side(workers, &|| {
        while let Some(job) = task.jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            if !make(job) {
                break;
            }
        }
    });
    Ok(worked.into_inner().unwrap_or_else(PoisonError::into_inner))
}
