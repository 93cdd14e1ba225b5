//! A sweep in its directory: [`run_sweep`], [`run_sweep_elsewhere`].

use crate::answer::Target;
use crate::elsewhere::{Elsewhere, TaskOptions, follow};
use crate::error::StoreError;
use crate::exit::{Exit, RunFailure};
use crate::job::{Job, hash_text};
use crate::manifest::{Build, SweepManifest};
use crate::side_by_side::{PointOf, guarded, side_by_side, workers};
use crate::sweep_dir::SweepDir;
use crate::table::{Outcome, RunRow, Table};
use observe::Record;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A study is tabulated at most about this many times while it runs; small ones after every run.
const TABLES_MAX: usize = 200;

/// Told what happens, from the worker's thread, one call at a time.
pub trait Progress: Sync {
    /// The sweep begins: so many of its runs are there already and stay as they are, and so many
    /// are there but run again, since another program made them or they are not whole. Each of
    /// these stays until its new run is complete.
    fn begins(&self, _finished: usize, _again: usize) {}
    /// A run begins.
    fn started(&self, _job: &Job) {}
    /// A run is finished and stored; `wall_seconds` is the time it took.
    fn finished(&self, _job: &Job, _wall_seconds: f64) {}
    /// A run failed.
    fn failed(&self, _job: &Job, _failure: &RunFailure) {}
    /// What else happens: tasks that are handed out, or are lost.
    fn note(&self, _text: &str) {}
}

/// Says nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Quiet;
impl Progress for Quiet {}

/// How to run a sweep.
#[derive(Clone)]
pub struct SweepOptions<'a> {
    /// Directory of the sweep; run directories come below its `runs/`.
    pub out: PathBuf,
    /// Runs side by side; 0: as many as the machine has cores.
    pub workers: usize,
    /// Name of the study.
    pub name: String,
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
            name: String::new(),
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
    since_table: usize,
    table_error: Option<StoreError>,
}

impl Underway<'_> {
    /// No further run is to start.
    pub(crate) fn is_interrupted(&self) -> bool {
        let flag = self.options.interrupt;
        flag.is_some_and(|flag| flag.load(Ordering::Relaxed))
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
            Outcome::Finished(_) => self.progress.finished(job, wall_seconds),
            Outcome::Failed(failure) => self.progress.failed(job, failure),
            Outcome::NotRun => {}
        }
        state.outcomes[at] = outcome;
        state.since_table += 1;
        // small studies are tabulated after every run
        if state.since_table > self.jobs.len() / TABLES_MAX {
            state.since_table = 0;
            if let Err(e) = self.table(&state).write(self.taken.dir()) {
                // the runs are safe in their directories: go on
                state.table_error = Some(e);
            }
        }
    }

    /// Makes all runs in this process.
    fn run_here(&self, workers: usize, run: &(impl Fn(&Job) -> Result<Record, RunFailure> + Sync)) {
        let point = PointOf {
            name: &self.options.name,
            engine: &self.options.engine,
            build: &self.options.build,
            study_hash: &hash_text(self.options.hash),
        };
        side_by_side(workers, self.to_run.len(), &|n| {
            if self.is_interrupted() {
                return false;
            }
            let at = self.to_run[n];
            let job = &self.jobs[at];
            {
                let _told_one_at_a_time = self.lock();
                self.progress.started(job);
            }
            let start = (self.options.now_seconds)();
            let result = guarded(run, job);
            let wall_seconds = (self.options.now_seconds)() - start;
            let outcome = match result {
                Ok(record) => {
                    match point.store(&self.taken.run_dir(job), job, wall_seconds, &record) {
                        Ok(()) => Outcome::of(&record.summary, job.times),
                        Err(e) => Outcome::Failed(RunFailure {
                            exit: Exit::Failure,
                            message: format!("not stored: {e}"),
                        }),
                    }
                }
                Err(failure) if failure.exit == Exit::Interrupted => Outcome::NotRun,
                Err(failure) => Outcome::Failed(failure),
            };
            self.settle(at, outcome, wall_seconds);
            true
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
    carry_out(jobs, options, workers, progress, |sweep| {
        sweep.run_here(workers, &run);
        Ok(())
    })
}

/// As [`run_sweep`], with the runs made by other processes that see the directory: tasks of several
/// runs each are written into it, `elsewhere` hands them out, and results are taken in as they
/// appear ([`TaskOptions`]).
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
    carry_out(jobs, options, 0, progress, |sweep| {
        follow(sweep, tasks, elsewhere)
    })
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
    let mut outcomes = vec![Outcome::NotRun; jobs.len()];
    // The manifest comes first of all: a directory with it is known again after a kill.
    let manifest = manifest(&tabulate(jobs, options, &outcomes), options, workers, 0.0);
    let taken = SweepDir::take(&options.out, &manifest, jobs, options.force)?;
    let mut to_run: Vec<usize> = Vec::new();
    for (at, job) in jobs.iter().enumerate() {
        match taken.finished(job, &manifest) {
            Some(outcome) => outcomes[at] = outcome,
            None => to_run.push(at),
        }
    }
    let again = to_run.iter().filter(|&&at| taken.holds_run_of(&jobs[at]));
    progress.begins(jobs.len() - to_run.len(), again.count());
    let mut sweep = Underway {
        jobs,
        options,
        progress,
        taken,
        to_run,
        state: Mutex::new(State {
            outcomes,
            since_table: 0,
            table_error: None,
        }),
    };
    sweep.table(&sweep.lock()).write(sweep.taken.dir())?;
    let begin = (options.now_seconds)();
    let made = make_runs(&sweep);
    let mut table = sweep.table(&sweep.lock());
    // once, at the end: it reads every run
    let read = table.read_latencies(&sweep.taken.runs());
    table.write(sweep.taken.dir())?;
    if table.runs.iter().all(|row| row.finished().is_some()) {
        sweep.taken.complete(jobs)?;
    }
    let wall_seconds = (options.now_seconds)() - begin;
    let manifest = self::manifest(&table, options, workers, wall_seconds);
    sweep.taken.put_manifest(&manifest)?;
    made?;
    let table_error = sweep.lock().table_error.take();
    table_error.map_or(read, Err)?;
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
        finished: count(|o| matches!(o, Outcome::Finished(_))),
        failed: count(|o| matches!(o, Outcome::Failed(_))),
        replaces: Vec::new(), // the directory knows them
        grows: options.grows,
        files: SweepManifest::FILES.map(String::from).to_vec(),
    }
}
