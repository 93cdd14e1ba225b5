//! A sweep in its directory: [`run_sweep`], [`run_sweep_elsewhere`]; options, progress, results.

use crate::derive::Order;
use crate::disk::{self, Reach};
use crate::elsewhere::{Elsewhere, TaskOptions, follow};
use crate::error::{Exit, RunFailure, StoreError};
use crate::job::{Job, hash_text};
use crate::manifest::{Manifest, SweepManifest};
use crate::queue::{Guard, Queue, guarded, side_by_side, workers};
use crate::store::read_whole_run;
use crate::sweep_dir::{SweepDir, conclude, outcome_of, runs_below, store, whole_run_of};
use crate::table::{Outcome, RunRow, Table};
use observe::Record;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Notified of what happens, from the worker's thread, one call at a time.
pub trait Progress: Sync {
    /// The sweep begins: so many of its runs are there and stay, and so many are there but run
    /// again, each until its new run is complete: made by another program, or not whole.
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

/// Reports nothing.
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
    /// What its manifest states of the study and the program; the rest of it is filled in.
    /// [`SweepManifest::study_hash`]: `out` must be empty or hold a sweep of the same one.
    pub manifest: SweepManifest,
    /// Write also where `out` holds something else; files of others stay all the same.
    pub force: bool,
    /// Set during the sweep: no further run starts.
    pub interrupt: Option<&'a AtomicBool>,
    /// The clock, s from any fixed origin; used for the manifests only.
    pub now_seconds: &'a (dyn Fn() -> f64 + Sync),
}

impl SweepOptions<'_> {
    /// Into `out`, on all cores, not to be interrupted, with a clock that does not advance.
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

/// The table is made again after so many times the time that the last one took.
const TABLE_REST: f64 = 300.0;

/// Runs all jobs and stores each as it finishes. One that an earlier sweep of the same study and
/// program left finished is taken as it is. A run that fails, panics or cannot be stored is listed
/// with its error and the others continue. The tables are there from the start and kept up to date,
/// so a killed sweep loses no finished run, and the same sweep again continues from there. `run`
/// may return [`crate::Exit::Interrupted`] when it saw the interrupt: such a run counts as not run.
///
/// `options.out` must be empty or hold a sweep of the same study, or [`SweepOptions::force`] is
/// set: runs of the earlier sweep are then removed as soon as this one is complete. Files of others
/// stay. It is locked ([`crate::LOCK`]) for the time of the sweep.
pub fn run_sweep(
    jobs: &[Job],
    options: &SweepOptions<'_>,
    run: impl Fn(&Job) -> Result<Record, RunFailure> + Sync,
    progress: &dyn Progress,
) -> Result<SweepResult, SweepError> {
    let workers = workers(options.workers, jobs.len());
    carry_out(jobs, options, workers, progress, |sweep| {
        sweep.run_here(workers, &run);
        Ok(())
    })
}

/// As [`run_sweep`], with the runs made by other processes that see the directory: tasks of several
/// runs are written into it, handed out by `elsewhere`, and results taken in as they appear. Where
/// it fails, tasks that were handed out continue, and the same sweep again takes in their runs.
pub fn run_sweep_elsewhere(
    jobs: &[Job],
    options: &SweepOptions<'_>,
    tasks: &TaskOptions,
    elsewhere: &mut dyn Elsewhere,
    progress: &dyn Progress,
) -> Result<SweepResult, SweepError> {
    carry_out(jobs, options, 0, progress, |sweep| follow(sweep, tasks, elsewhere))
}

/// Takes the directory and what is finished in it, has the other runs made, and writes the table.
fn carry_out(
    jobs: &[Job],
    options: &SweepOptions<'_>,
    workers: usize,
    progress: &dyn Progress,
    make_runs: impl FnOnce(&Underway<'_>) -> Result<(), SweepError>,
) -> Result<SweepResult, SweepError> {
    check(jobs)?;
    // The manifest is first: by it a directory is recognized after a kill.
    let manifest = SweepManifest {
        workers,
        wall_seconds: 0.0,
        runs: jobs.len(),
        finished: 0,
        failed: 0,
        files: SweepManifest::files_of_every(),
        ..options.manifest.clone()
    };
    let taken = SweepDir::take(&options.out, &manifest, jobs, options.force)?;
    let kept = options.fresh_from.unwrap_or(jobs.len());
    let outcome = |(at, job): (usize, &Job)| {
        let run = (at < kept).then(|| taken.finished(job, &manifest)).flatten();
        run.map_or(Outcome::NotRun, |run| outcome_of(&run))
    };
    let outcomes = jobs.iter().enumerate().map(outcome).collect();
    let state = Mutex::new(State { outcomes, next_table: f64::MIN, store_error: None });
    let mut sweep = Underway { jobs, options, progress, taken, to_run: Vec::new(), state };
    sweep.to_run = sweep.not_run();
    let again = sweep.to_run.iter().filter(|&&at| sweep.taken.holds_run_of(&jobs[at]));
    progress.begins(jobs.len() - sweep.to_run.len(), again.count());
    sweep.take_from_others()?;
    sweep.to_run = sweep.not_run();
    let remain: Vec<&Job> = sweep.to_run.iter().map(|&at| &jobs[at]).collect();
    progress.remains(&remain);
    let first = sweep.table(&sweep.lock());
    first.write(&sweep.taken.dir, Reach::Later).map_err(|e| SweepError::of(e, &first))?;
    let begin = (options.now_seconds)();
    let made = make_runs(&sweep);
    if let Some(lost) = sweep.taken.lost() {
        return Err(lost.into());
    }
    let (mut table, store_error) = {
        let mut state = sweep.lock();
        (sweep.table(&state), state.store_error.take())
    };
    let wall_seconds = (options.now_seconds)() - begin;
    // once, at the end: it reads every run
    let read = table.read_latencies(&sweep.taken.runs());
    let end = |taken: &mut SweepDir| {
        read?;
        table.write(&taken.dir, Reach::Now)?;
        disk::sync_all_of(&taken.dir); // before the manifest states that all is there
        if table.finished() == table.runs.len() {
            taken.complete(jobs)?;
        }
        let (finished, failed) = (table.finished(), table.failed());
        taken.put_manifest(&SweepManifest { wall_seconds, finished, failed, ..manifest })
    };
    let ended = end(&mut sweep.taken);
    made?;
    let ended = store_error.map_or(ended, Err);
    ended.map_err(|e| SweepError::of(e, &table))?;
    let interrupted = table.runs.iter().any(|row| row.outcome == Outcome::NotRun);
    Ok(SweepResult { table, interrupted })
}

fn check(jobs: &[Job]) -> Result<(), SweepError> {
    let (mut names, mut indices) = (BTreeSet::new(), BTreeSet::new());
    for Job { index, directory, .. } in jobs {
        let is_one = !matches!(directory.as_str(), "" | "." | "..")
            && !directory.contains(['/', '\\', '\0']);
        for (is_fine, why) in [
            (is_one, "is not a single path component"),
            (names.insert(directory), "is that of an earlier job too"),
            (indices.insert(index), "has the index of an earlier job"),
        ] {
            if !is_fine {
                return Err(SweepError::BadJob(*index, directory.clone(), why));
            }
        }
    }
    Ok(())
}

/// A sweep that runs, in its directory: what all ways to make its runs share.
pub(crate) struct Underway<'a> {
    pub(crate) jobs: &'a [Job],
    pub(crate) options: &'a SweepOptions<'a>,
    pub(crate) progress: &'a dyn Progress,
    pub(crate) taken: SweepDir,
    /// Places in `jobs` of those whose runs are not there, in order.
    pub(crate) to_run: Vec<usize>,
    state: Mutex<State>,
}

struct State {
    outcomes: Vec<Outcome>,
    next_table: f64,
    store_error: Option<StoreError>,
}

impl Underway<'_> {
    pub(crate) fn is_interrupted(&self) -> bool {
        let flag = self.options.interrupt;
        flag.is_some_and(|flag| flag.load(Ordering::Relaxed)) || self.taken.lost().is_some()
    }

    // poisoned only where `progress` panics: outcomes are then still whole
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn table(&self, state: &State) -> Table {
        let rows = self.jobs.iter().zip(&state.outcomes).map(|(job, outcome)| {
            let times = outcome.finished().map_or(job.times, |run| run.times);
            let job = Job { scenario_text: String::new(), times, ..job.clone() };
            RunRow { job, outcome: outcome.clone() }
        });
        Table::of(&self.options.manifest, rows.collect())
    }

    fn not_run(&self) -> Vec<usize> {
        let state = self.lock();
        (0..self.jobs.len()).filter(|&at| state.outcomes[at] == Outcome::NotRun).collect()
    }

    /// Stores what [`SweepOptions::reuse`] has of the jobs that have no run as their runs.
    fn take_from_others(&self) -> Result<(), StoreError> {
        let mut open = self.to_run.clone();
        for dir in &self.options.reuse {
            if open.is_empty() {
                break;
            }
            let (sweep, before) = (&self.options.manifest, open.len());
            let runs = runs_below(dir, &self.taken.dir, &sweep.build)?;
            for at in std::mem::take(&mut open) {
                let job = &self.jobs[at];
                let same = runs.get(&hash_text(job.hash)).into_iter().flatten();
                let Some(run) = same.filter_map(|path| whole_run_of(path, job)).next() else {
                    open.push(at);
                    continue;
                };
                // what it was derived from is not in this sweep
                let manifest = Manifest { derived_from: None, ..run.manifest };
                let stored = store(job, sweep, &self.taken.run_dir(job), manifest, &run.record)?;
                self.lock().outcomes[at] = stored;
            }
            self.progress.reused(dir, before - open.len());
        }
        Ok(())
    }

    pub(crate) fn settle(&self, at: usize, outcome: Outcome, wall_seconds: f64) {
        let job = &self.jobs[at];
        let mut state = self.lock();
        match &outcome {
            Outcome::Finished(run) if run.is_derived => self.progress.derived(job),
            Outcome::Finished(_) => self.progress.finished(job, wall_seconds),
            Outcome::Failed(failure) => self.progress.failed(job, failure),
            Outcome::NotRun => {}
        }
        state.outcomes[at] = outcome;
        let now = (self.options.now_seconds)();
        if now >= state.next_table {
            let table = self.table(&state);
            if let Err(e) = table.write(&self.taken.dir, Reach::Later) {
                // the runs are safe in their directories
                state.store_error = Some(e);
            }
            let end = (self.options.now_seconds)();
            state.next_table = end + TABLE_REST * (end - now);
        }
    }

    /// Stores a run that ended; one that cannot be stored has failed. `Err`: nor could any other.
    pub(crate) fn conclude(
        &self,
        at: usize,
        result: Result<Record, RunFailure>,
        wall_seconds: f64,
        origin: Option<String>,
    ) -> Result<Outcome, StoreError> {
        let (job, sweep) = (&self.jobs[at], &self.options.manifest);
        match conclude(job, sweep, &self.taken.run_dir(job), result, wall_seconds, origin) {
            Err(e) if e.is_out_of_room() => Err(e),
            stored => Ok(stored.unwrap_or_else(|e| Outcome::Failed(RunFailure::not_stored(&e)))),
        }
    }

    /// The record of a run that equals another, and the directory of the simulated one.
    pub(crate) fn derived(&self, at: usize, from: usize) -> Option<(Record, String)> {
        let (derive, from) = (self.options.derive?, &self.jobs[from]);
        let run = read_whole_run(&self.taken.run_dir(from))?;
        let record = derive(&self.jobs[at], run.record).ok()?;
        let origin = run.manifest.derived_from;
        Some((record, origin.unwrap_or_else(|| from.directory.clone())))
    }

    pub(crate) fn order(&self) -> Order<'_> {
        let finished = self.lock().outcomes.iter().map(Outcome::proof).collect();
        Order::new(self.jobs, finished, self.options.derive.is_some())
    }

    fn run_here(&self, workers: usize, run: &(impl Fn(&Job) -> Result<Record, RunFailure> + Sync)) {
        let (jobs, options) = (self.jobs, self.options);
        let queue = Queue::new(jobs, &self.to_run, self.order(), options.memory_bytes);
        side_by_side(workers, &|| {
            let _guard = Guard(&queue);
            while let Some((at, equal_to)) = queue.next(|| self.is_interrupted()) {
                let job = &jobs[at];
                {
                    let _one_at_a_time = self.lock();
                    if let Some(side_by_side) = queue.unreported_limit() {
                        self.progress.limited(side_by_side);
                    }
                    self.progress.started(job);
                }
                let start = (options.now_seconds)();
                let derived = equal_to.and_then(|from| self.derived(at, from));
                let (result, origin, wall_seconds) = match derived {
                    Some((record, origin)) => (Ok(record), Some(origin), 0.0),
                    None => (guarded(run, job), None, (options.now_seconds)() - start),
                };
                let ended = self.conclude(at, result, wall_seconds, origin);
                let outcome = ended.unwrap_or_else(|e| {
                    queue.stop();
                    let failure = RunFailure::not_stored(&e);
                    self.lock().store_error = Some(e);
                    Outcome::Failed(failure)
                });
                let proof = outcome.proof();
                self.settle(at, outcome, wall_seconds);
                queue.ended(at, proof);
            }
        });
    }
}
