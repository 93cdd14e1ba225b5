//! A sweep in its directory: [`run_sweep`], [`run_sweep_elsewhere`].

use crate::answer::Target;
use crate::derive::Proof;
use crate::disk::{self, Reach};
use crate::elsewhere::{Elsewhere, TaskOptions, follow};
use crate::error::StoreError;
use crate::exit::{Exit, RunFailure};
use crate::job::{Job, hash_text};
use crate::manifest::{Build, SweepManifest};
use crate::queue::Queue;
use crate::reuse;
use crate::runs::{conclude, derive, outcome_of};
use crate::side_by_side::{guarded, side_by_side, workers};
use crate::store::StoredRun;
use crate::sweep_dir::SweepDir;
use crate::table::{Outcome, RunRow, Table};
use observe::Record;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// While the sweep is under way its table is made after a run, but not before so many times the
/// time has passed that the last one took.
const TABLE_REST: f64 = 300.0;

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
    /// Runs that are there already are run again; each stays until its new one is complete.
    pub fresh: bool,
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
            fresh: false,
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
    fn of(source: StoreError, table: &Table) -> SweepError {
        if !source.is_out_of_room() {
            return source.into();
        }
        let finished = table.runs.iter().filter(|row| row.finished().is_some());
        SweepError::OutOfRoom {
            source,
            finished: finished.count(),
            runs: table.runs.len(),
        }
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

/// A sweep that is under way, in its directory: what all ways to make its runs share.
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
    /// No table is made before this time.
    next_table: f64,
    store_error: Option<StoreError>,
}

impl Underway<'_> {
    /// No further run is to start.
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

    /// Takes in how a run ended, and tells it.
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
            if let Err(e) = table.write_reaching(self.taken.dir(), Reach::Later) {
                // the runs are safe in their directories: go on
                state.store_error = Some(e);
            }
            let end = (self.options.now_seconds)();
            state.next_table = end + TABLE_REST * (end - now);
        }
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
            let _guard = queue.guard();
            while let Some(task) = queue.next(|| self.is_interrupted()) {
                let job = &jobs[task.at];
                {
                    let _told_one_at_a_time = self.lock();
                    if let Some(side_by_side) = queue.news_of_limit() {
                        self.progress.limited(side_by_side);
                    }
                    self.progress.started(job);
                }
                let start = (options.now_seconds)();
                let derived = derive(jobs, task, options, &self.taken);
                let (result, origin) = match derived {
                    Some((record, origin)) => (Ok(record), Some(origin)),
                    None => (guarded(run, job), None),
                };
                let wall_seconds = match &origin {
                    Some(_) => 0.0,
                    None => (options.now_seconds)() - start,
                };
                let proof = result.as_ref().ok().map(|r| Proof::of(&r.summary));
                let dir = self.taken.run_dir(job);
                let ended = conclude(job, options, &dir, result, wall_seconds, origin);
                let outcome = ended.unwrap_or_else(|e| {
                    let failure = RunFailure {
                        exit: Exit::Failure,
                        message: format!("not stored: {e}"),
                    };
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

/// Runs all jobs and stores each as it finishes. One that an earlier sweep of the same study left
/// finished, by the same program ([`SweepOptions::build`]), is taken as it is. A run that fails,
/// panics or cannot be stored is listed with its error and the others go on. `results.csv`,
/// `windows.csv` and `results.json` are there from the start and kept up to date, so a killed sweep
/// loses no finished run, and the same sweep again goes on from there. Results depend neither on
/// the number of workers nor on how often a sweep was cut short. `run` may return
/// [`Exit::Interrupted`] when it saw the interrupt: such a run counts as not run.
///
/// `options.out` must be empty or hold a sweep of the same study, or [`SweepOptions::force`] is
/// set: runs of the earlier sweep are then removed as soon as this one is complete. Files of others
/// stay. It is locked ([`crate::LOCK`]) for the time of the sweep.
///
/// # Errors
/// [`SweepError`]; runs that were stored stay.
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
/// runs each are written into it, `elsewhere` hands them out, and results are taken in as they
/// appear ([`TaskOptions`]). All are simulated, also those that would equal others.
///
/// # Errors
/// [`SweepError`]; tasks that were handed out go on, and the same sweep again takes in their runs.
pub fn run_sweep_elsewhere(
    jobs: &[Job],
    options: &SweepOptions<'_>,
    tasks: &TaskOptions,
    elsewhere: &mut dyn Elsewhere,
    progress: &dyn Progress,
) -> Result<SweepResult, SweepError> {
    carry_out(jobs, options, 0, progress, |sweep, _| {
        follow(sweep, tasks, elsewhere)
    })
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
    // The manifest comes first of all: a directory with it is known again after a kill.
    let manifest = manifest(&tabulate(jobs, options, &outcomes), options, workers, 0.0);
    let taken = SweepDir::take(&options.out, &manifest, jobs, options.force)?;
    let mut proofs = vec![None; jobs.len()];
    let mut put = |proofs: &mut [Option<Proof>], at: usize, run: &StoredRun| {
        outcomes[at] = outcome_of(run);
        proofs[at] = Some(Proof::of(&run.record.summary));
    };
    for (at, job) in jobs.iter().enumerate().filter(|_| !options.fresh) {
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
    reuse::take(jobs, &to_run, options, &taken, progress, |at, run| {
        put(&mut proofs, at, run);
    })?;
    let mut sweep = Underway {
        jobs,
        options,
        progress,
        taken,
        to_run: is_open(&proofs),
        state: Mutex::new(State {
            outcomes,
            next_table: f64::MIN,
            store_error: None,
        }),
    };
    let remain: Vec<&Job> = sweep.to_run.iter().map(|&at| &jobs[at]).collect();
    progress.remains(&remain);
    let first = sweep.table(&sweep.lock());
    let written = first.write_reaching(sweep.taken.dir(), Reach::Later);
    written.map_err(|e| SweepError::of(e, &first))?;
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
        table.write(taken.dir())?;
        disk::sync_all_of(taken.dir()); // before the manifest says that all is there
        if table.runs.iter().all(|row| row.finished().is_some()) {
            taken.complete(jobs)?;
        }
        taken.put_manifest(&self::manifest(&table, options, workers, wall_seconds))
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
    for job in jobs {
        let bad = |why| {
            Err(SweepError::BadJob {
                index: job.index,
                directory: job.directory.clone(),
                why,
            })
        };
        if matches!(job.directory.as_str(), "" | "." | "..")
            || job.directory.contains(['/', '\\', '\0'])
        {
            return bad("is not a single path component");
        }
        if !names.insert(&job.directory) {
            return bad("is that of an earlier job too");
        }
        if !indices.insert(job.index) {
            return bad("has the index of an earlier job");
        }
    }
    Ok(())
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
    let table = Table::new(&options.name, &options.scenario, rows.collect());
    Table {
        left_out: options.left_out,
        ..table.judged_by(options.target.clone())
    }
}

fn manifest(
    table: &Table,
    options: &SweepOptions<'_>,
    workers: usize,
    wall_seconds: f64,
) -> SweepManifest {
    let count = |f: fn(&Outcome) -> bool| table.runs.iter().filter(|row| f(&row.outcome)).count();
    SweepManifest {
        name: options.name.clone(),
        scenario: options.scenario.clone(),
        study_hash: hash_text(options.hash),
        build: options.build.clone(),
        engine: options.engine.clone(),
        workers,
        wall_seconds,
        runs: table.runs.len(),
        left_out: options.left_out,
        question: options.question.clone(),
        target: options.target.clone(),
        finished: count(|o| matches!(o, Outcome::Finished(_))),
        failed: count(|o| matches!(o, Outcome::Failed(_))),
        replaces: Vec::new(), // the directory knows them
        grows: options.grows,
        found: String::new(),
        files: SweepManifest::FILES.map(String::from).to_vec(),
    }
}
