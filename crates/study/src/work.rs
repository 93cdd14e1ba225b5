//! The other end of a task file: [`work`].

use crate::error::{StoreError, malformed};
use crate::exit::RunFailure;
use crate::files::{MANIFEST, manifest_of};
use crate::job::Job;
use crate::manifest::{Build, Manifest, SweepManifest};
use crate::runs::conclude;
use crate::side_by_side::{guarded, side_by_side, workers};
use crate::sweep_dir::{RUNS, whole_run};
use crate::sweep_options::SweepOptions;
use crate::table::Outcome;
use crate::task::{FailedRun, Task, read_failed, write_failed};
use observe::Record;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Why no run of a task can be made.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// Files.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The task is for another program.
    #[error("{}: is for setaside {}, and this is {}; start the build that wrote it", path.display(), said(task), said(program))]
    OtherBuild {
        /// The task.
        path: PathBuf,
        /// What it is for.
        task: Box<Build>,
        /// What was started.
        program: Box<Build>,
    },
    /// The path is not that of a task file in a sweep directory, or the sweep there is another.
    #[error("{}: is no task of the study in {}", path.display(), dir.display())]
    OtherStudy {
        /// The task.
        path: PathBuf,
        /// The directory that it lies in.
        dir: PathBuf,
    },
}

/// A build in words.
fn said(build: &Build) -> String {
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

/// Makes the runs of a task file and stores each in its run directory, with the same bytes as a
/// sweep in one process. Runs that are whole there are left, and those that failed are not made
/// again: a task may be started any number of times, also twice at a time.
///
/// `run` gets the directory that paths in scenarios are relative to, and may return
/// [`crate::Exit::Interrupted`] when it saw that the program is to end.
///
/// # Errors
/// [`WorkError`]: not a task for this program.
pub fn work(
    path: &Path,
    build: &Build,
    asked: usize,
    now_seconds: &(dyn Fn() -> f64 + Sync),
    run: impl Fn(&Task, &Job) -> Result<Record, RunFailure> + Sync,
) -> Result<Worked, WorkError> {
    let task = Task::read(path)?;
    if !task.build.is_same_program(build) {
        return Err(WorkError::OtherBuild {
            path: path.to_path_buf(),
            task: Box::new(task.build),
            program: Box::new(build.clone()),
        });
    }
    let inside = std::fs::canonicalize(path).map_err(crate::error::io_error(path))?;
    let dir = inside.parent().and_then(Path::parent).unwrap_or(&inside);
    let is_here = || {
        let sweep = manifest_of::<SweepManifest>(&dir.join(MANIFEST));
        sweep.is_some_and(|sweep| sweep.study_hash == task.study_hash)
    };
    let other = || WorkError::OtherStudy { path: path.to_path_buf(), dir: dir.to_path_buf() };
    if !is_here() {
        return Err(other());
    }
    let hash = u64::from_str_radix(&task.study_hash, 16);
    let options = SweepOptions {
        name: task.name.clone(),
        engine: task.engine.clone(),
        build: build.clone(),
        hash: hash.map_err(|e| malformed(path)(format!("study_hash: {e}")))?,
        ..SweepOptions::new(dir.to_path_buf())
    };
    let worked = Mutex::new(Worked { failed: read_failed(path)?, ..Worked::default() });
    let lock = || worked.lock().unwrap_or_else(PoisonError::into_inner);
    let workers = workers(asked, task.jobs.len());
    let make = |job: &Job| {
        let run_dir = dir.join(RUNS).join(&job.directory);
        let held = manifest_of::<Manifest>(&run_dir.join(MANIFEST));
        let whole = held.and_then(|held| whole_run(&run_dir, &held, job, &task.study_hash, build));
        if whole.is_some() {
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
        let concluded = conclude(job, &options, &run_dir, result, wall_seconds, None);
        let mut worked = lock();
        let stored = concluded.and_then(|outcome| match outcome {
            Outcome::Finished(_) => {
                worked.finished += 1;
                Ok(())
            }
            Outcome::NotRun => {
                worked.interrupted = true;
                Ok(())
            }
            Outcome::Failed(failure) => {
                worked.failed.push(FailedRun {
                    index: job.index,
                    directory: job.directory.clone(),
                    failure,
                });
                worked.failed.sort_by_key(|run| run.index);
                write_failed(path, &worked.failed)
            }
        });
        if let Err(e) = stored {
            worked.not_stored.push(e.to_string());
        }
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
