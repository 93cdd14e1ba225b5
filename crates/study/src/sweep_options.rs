//! What a sweep is told, tells, and comes to.

use crate::error::StoreError;
use crate::exit::{Exit, RunFailure};
use crate::job::Job;
use crate::manifest::Build;
use crate::table::{Outcome, RunRow, Table};
use crate::target::Target;
use observe::Record;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Told what happens, from the worker's thread, one call at a time.
pub trait Progress: Sync {
    /// The sweep begins: so many of its runs are there already and stay as they are, and so many
    /// are there but run again, since another program made them or they are not whole. Each of
    /// these stays until its new run is complete.
    fn begins(&self, _finished: usize, _again: usize) {}
    /// So many runs are taken from the runs below a directory ([`SweepOptions::reuse`]).
    fn reused(&self, _dir: &Path, _runs: usize) {}
    /// These are left to be run.
    fn remains(&self, _jobs: &[&Job]) {}
    /// A run begins.
    fn started(&self, _job: &Job) {}
    /// A run is finished and stored; `wall_seconds` is the time it took.
    fn finished(&self, _job: &Job, _wall_seconds: f64) {}
    /// A run was not simulated: it provably equals another one, and is stored.
    fn derived(&self, _job: &Job) {}
    /// A run failed.
    fn failed(&self, _job: &Job, _failure: &RunFailure) {}
    /// With so many side by side memory let no more begin.
    fn limited(&self, _side_by_side: usize) {}
    /// What else happens: tasks that are handed out, or are lost.
    fn note(&self, _text: &str) {}
}

/// Says nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Quiet;
impl Progress for Quiet {}

/// Makes the record of a job of that of a run which it provably equals: memory and timing differ.
pub type Derive<'a> = dyn Fn(&Job, Record) -> Result<Record, RunFailure> + Sync + 'a;

/// How to run a sweep.
#[derive(Clone)]
pub struct SweepOptions<'a> {
    /// Directory of the sweep; run directories come below its `runs/`.
    pub out: PathBuf,
    /// Runs side by side; 0: as many as the machine has cores.
    pub workers: usize,
    /// Memory that the runs which are side by side may take together ([`Job::memory_bytes`]); one
    /// may run in any case.
    pub memory_bytes: u64,
    /// Jobs from this place on are run again, also where a finished run is there; each stays until
    /// its new one is complete.
    pub fresh_from: Option<usize>,
    /// A run below one of these directories that is that of a job, made by the same program, is
    /// taken into the sweep.
    pub reuse: Vec<PathBuf>,
    /// Runs that provably equal others ([`crate::Kin`]) are made by this and not simulated; `None`:
    /// all are simulated.
    pub derive: Option<&'a Derive<'a>>,
    /// Name of the study.
    pub name: String,
    /// The line above its answer.
    pub question: String,
    /// Scenario that the study varies.
    pub scenario: String,
    /// What its points are judged by.
    pub target: Target,
    /// Runs of the study that are not among the jobs.
    pub left_out: usize,
    /// More jobs come in later calls: runs of the same study that are none of these jobs stay.
    pub grows: bool,
    /// Hash of the whole study, see [`crate::study_hash`]: `out` must be empty or hold a sweep of
    /// the same one.
    pub hash: u64,
    /// Write also where `out` holds something else; files of others stay all the same.
    pub force: bool,
    /// Which program runs.
    pub build: Build,
    /// Name of the engine.
    pub engine: String,
    /// Set while the sweep is under way: no further run starts.
    pub interrupt: Option<&'a AtomicBool>,
    /// The clock, s from any fixed origin; used for the manifests only.
    pub now_seconds: &'a (dyn Fn() -> f64 + Sync),
}

impl SweepOptions<'_> {
    /// Into `out`, on all cores, not to be interrupted, with a clock that stands still.
    pub fn new(out: PathBuf) -> Self {
        SweepOptions {
            out,
            workers: 0,
            memory_bytes: u64::MAX,
            fresh_from: None,
            reuse: Vec::new(),
            derive: None,
            name: String::new(),
            question: String::new(),
            scenario: String::new(),
            target: Target::default(),
            left_out: 0,
            grows: false,
            hash: 0,
            force: false,
            build: Build::default(),
            engine: String::new(),
            interrupt: None,
            now_seconds: &|| 0.0,
        }
    }
}

/// A sweep that could not begin, or whose table could not be written.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// Files.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The disk is full, or a file may not grow any further.
    #[error(
        "{source}\nno room left: {finished} of {runs} runs are finished and stay; with room, the same command again goes on with the others"
    )]
    OutOfRoom {
        /// What the system said.
        source: StoreError,
        /// Runs that are stored.
        finished: usize,
        /// Runs of the sweep.
        runs: usize,
    },
    /// Two jobs with one directory or one index, or a directory that is not a single path
    /// component.
    #[error("job {index}: directory `{directory}` {why}")]
    BadJob {
        /// Index of the job.
        index: usize,
        /// Its directory.
        directory: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// Tasks could not be handed out.
    #[error("{0}")]
    Elsewhere(String),
    /// Runs of another study or program are still being made for the directory.
    #[error("{}: a task of another study, or of another build of setaside, is queued or running; `setaside cancel` ends what is", path.display())]
    OtherTask {
        /// The task.
        path: PathBuf,
    },
}

impl SweepError {
    /// Of a sweep that came so far.
    pub(crate) fn of(source: StoreError, table: &Table) -> SweepError {
        if !source.is_out_of_room() {
            return source.into();
        }
        let finished = table.runs.iter().filter(|row| row.finished().is_some());
        SweepError::OutOfRoom { source, finished: finished.count(), runs: table.runs.len() }
    }
}

/// What a sweep came to.
#[derive(Debug, Clone, PartialEq)]
pub struct SweepResult {
    /// All runs, by index.
    pub table: Table,
    /// Some run did not start, or was interrupted.
    pub interrupted: bool,
}

impl SweepResult {
    /// Interrupted, else that of the failed run with the lowest index, else done.
    pub fn exit(&self) -> Exit {
        if self.interrupted {
            return Exit::Interrupted;
        }
        let failed = |row: &RunRow| match &row.outcome {
            Outcome::Failed(failure) => Some(failure.exit),
            _ => None,
        };
        self.table.runs.iter().find_map(failed).unwrap_or(Exit::Ok)
    }
}
