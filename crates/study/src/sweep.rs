//! A sweep in its directory: [`run_sweep`], [`run_sweep_elsewhere`]; options, progress, results.

use crate::derive::Proof;
use crate::disk::{self, Reach};
use crate::elsewhere::{Elsewhere, TaskOptions, follow};
use crate::error::{Exit, RunFailure, StoreError};
use crate::job::Job;
use crate::manifest::SweepManifest;
use crate::queue::{Guard, Queue, guarded, side_by_side, workers};
use crate::store::{StoredRun, read_whole_run};
use crate::sweep_dir::{SweepDir, conclude, outcome_of, take_from_others};
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
    carry_out(jobs, options, workers, progress, |sweep, proofs| {
        sweep.run_here(workers, proofs, &run);
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
    carry_out(jobs, options, 0, progress, |sweep, proofs| follow(sweep, proofs, tasks, elsewhere))
}

/// Takes the directory and what is finished in it, has the other runs made, and writes the table.
fn carry_out(
    jobs: &[Job],
    options: &SweepOptions<'_>,
    workers: usize,
    progress: &dyn Progress,
    make_runs: impl FnOnce(&Underway<'_>, Vec<Option<Proof>>) -> Result<(), SweepError>,
) -> Result<SweepResult, SweepError> {
    check(jobs)?;
    let mut outcomes = vec![Outcome::NotRun; jobs.len()];
    // The manifest is first: by it a directory is recognized after a kill.
    let manifest = manifest_of(&tabulate(jobs, options, &outcomes), options, workers, 0.0);
    let taken = SweepDir::take(&options.out, &manifest, jobs, options.force)?;
    let mut proofs = vec![None; jobs.len()];
    let mut put = |proofs: &mut [Option<Proof>], at: usize, run: &StoredRun| {
        outcomes[at] = outcome_of(run);
        proofs[at] = Some(Proof::of(&run.record.summary));
    };
    let kept = options.fresh_from.unwrap_or(jobs.len());
    for (at, job) in jobs.iter().enumerate().take(kept) {
        if let Some(run) = taken.finished(job, &manifest) {
            put(&mut proofs, at, &run);
        }
    }
    let is_open = |proofs: &[Option<Proof>]| -> Vec<usize> {
        (0..jobs.len()).filter(|&at| proofs[at].is_none()).collect()
    };
    let to_run = is_open(&proofs);
    let again = to_run.iter().filter(|&&at| taken.holds_run_of(&jobs[at]));
    progress.begins(jobs.len() - to_run.len(), again.count());
    let put = |at: usize, run: &StoredRun| put(&mut proofs, at, run);
    take_from_others(jobs, &to_run, options, &taken, progress, put)?;
    let mut sweep = Underway {
        jobs,
        options,
        progress,
        taken,
        to_run: is_open(&proofs),
        state: Mutex::new(State { outcomes, next_table: f64::MIN, store_error: None }),
    };
    let remain: Vec<&Job> = sweep.to_run.iter().map(|&at| &jobs[at]).collect();
    progress.remains(&remain);
    let first = sweep.table(&sweep.lock());
    first.write(sweep.taken.dir(), Reach::Later).map_err(|e| SweepError::of(e, &first))?;
    let begin = (options.now_seconds)();
    let made = make_runs(&sweep, proofs);
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
        table.write(taken.dir(), Reach::Now)?;
        disk::sync_all_of(taken.dir()); // before the manifest states that all is there
        if table.finished() == table.runs.len() {
            taken.complete(jobs)?;
        }
        taken.put_manifest(&manifest_of(&table, options, workers, wall_seconds))
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

fn manifest_of(
    table: &Table,
    options: &SweepOptions<'_>,
    workers: usize,
    wall_seconds: f64,
) -> SweepManifest {
    SweepManifest {
        workers,
        wall_seconds,
        runs: table.runs.len(),
        finished: table.finished(),
        failed: table.failed(),
        files: SweepManifest::files_of_every(),
        ..options.manifest.clone()
    }
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
        tabulate(self.jobs, self.options, &state.outcomes)
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
            if let Err(e) = table.write(self.taken.dir(), Reach::Later) {
                // the runs are safe in their directories
                state.store_error = Some(e);
            }
            let end = (self.options.now_seconds)();
            state.next_table = end + TABLE_REST * (end - now);
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

    /// Makes all runs in this process; `proofs` are of those that are there.
    fn run_here(
        &self,
        workers: usize,
        proofs: Vec<Option<Proof>>,
        run: &(impl Fn(&Job) -> Result<Record, RunFailure> + Sync),
    ) {
        let (jobs, options) = (self.jobs, self.options);
        let queue = Queue::new(jobs, proofs, options.derive.is_some(), options.memory_bytes);
        side_by_side(workers, &|| {
            let _guard = Guard(&queue);
            while let Some(task) = queue.next(|| self.is_interrupted()) {
                let job = &jobs[task.at];
                {
                    let _one_at_a_time = self.lock();
                    if let Some(side_by_side) = queue.unreported_limit() {
                        self.progress.limited(side_by_side);
                    }
                    self.progress.started(job);
                }
                let start = (options.now_seconds)();
                let derived = task.equal_to.and_then(|from| self.derived(task.at, from));
                let (result, origin, wall_seconds) = match derived {
                    Some((record, origin)) => (Ok(record), Some(origin), 0.0),
                    None => (guarded(run, job), None, (options.now_seconds)() - start),
                };
                let proof = result.as_ref().ok().map(|r| Proof::of(&r.summary));
                let dir = self.taken.run_dir(job);
                let ended = conclude(job, options, &dir, result, wall_seconds, origin);
                let outcome = ended.unwrap_or_else(|e| {
                    let failure = RunFailure::not_stored(&e);
                    if e.is_out_of_room() {
                        queue.stop(); // nor would any other be
                        self.lock().store_error = Some(e);
                    }
                    Outcome::Failed(failure)
                });
                let is_stored = matches!(outcome, Outcome::Finished(_));
                self.settle(task.at, outcome, wall_seconds);
                queue.ended(task, proof.filter(|_| is_stored));
            }
        });
    }
}

fn tabulate(jobs: &[Job], options: &SweepOptions<'_>, outcomes: &[Outcome]) -> Table {
    let rows = jobs.iter().zip(outcomes).map(|(job, outcome)| RunRow {
        job: Job {
            scenario_text: String::new(),
            times: match outcome {
                Outcome::Finished(run) => run.times,
                _ => job.times,
            },
            ..job.clone()
        },
        outcome: outcome.clone(),
    });
    Table::of(&options.manifest, rows.collect())
}
