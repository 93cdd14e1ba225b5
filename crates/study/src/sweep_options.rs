//! What a sweep is told, tells, and comes to.

use crate::error::{Exit, RunFailure, StoreError};
use crate::job::Job;
use crate::manifest::SweepManifest;
use crate::table::{Outcome, RunRow, Table};
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
    /// Memory for runs that are side by side ([`Job::memory_bytes`]); one may always run.
    pub memory_bytes: u64,
    /// Jobs from this place on are run again; each old run stays until its new one is whole.
    pub fresh_from: Option<usize>,
    /// Runs of jobs below these directories, by the same program, are taken.
    pub reuse: Vec<PathBuf>,
    /// Makes runs that provably equal others ([`crate::Kin`]); `None`: all are simulated.
    pub derive: Option<&'a Derive<'a>>,
    /// What its manifest says of the study and the program; the rest of it is filled in.
    /// [`SweepManifest::study_hash`]: `out` must be empty or hold a sweep of the same one.
    pub manifest: SweepManifest,
    /// Write also where `out` holds something else; files of others stay all the same.
    pub force: bool,
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
            manifest: SweepManifest::default(),
            force: false,
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
    /// The disk is full, or a file may not grow any further: runs that are stored, and all.
    #[error(
        "{0}\nno room left: {1} of {2} runs are finished and stay; with room, the same command again goes on with the others"
    )]
    OutOfRoom(#[source] Box<StoreError>, usize, usize),
    /// The job of this index shares its directory or index, or the directory is no path component.
    #[error("job {0}: directory `{1}` {2}")]
    BadJob(usize, String, &'static str),
    /// Tasks could not be handed out.
    #[error("{0}")]
    Elsewhere(String),
    /// Runs of another study or program are still being made for the directory.
    #[error("{}: a task of another study, or of another build of setaside, is queued or running; `setaside cancel` ends what is", .0.display())]
    OtherTask(PathBuf),
}

impl SweepError {
    /// Of a sweep that came so far.
    pub(crate) fn of(source: StoreError, table: &Table) -> SweepError {
        if !source.is_out_of_room() {
            return source.into();
        }
        SweepError::OutOfRoom(Box::new(source), table.finished(), table.runs.len())
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
