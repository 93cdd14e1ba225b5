//! Runs side by side: [`run_sweep`].
//!
//! Workers are plain threads that take the jobs in order. A work-stealing pool would let an engine
//! that uses the same pool inside a run pick up a second run below the first one on its stack.

use crate::answer::Target;
use crate::error::StoreError;
use crate::exit::{Exit, RunFailure};
use crate::job::{Job, hash_text};
use crate::manifest::{Build, Manifest, SweepManifest};
use crate::run_dir::RunDir;
use crate::store::RunFiles;
use crate::sweep_dir::SweepDir;
use crate::table::{Outcome, RunRow, Table};
use observe::Record;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// As the main thread's: an engine may rely on it.
const STACK_BYTES: usize = 8 << 20;
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

struct State {
    outcomes: Vec<Outcome>,
    since_table: usize,
    table_error: Option<StoreError>,
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
    check(jobs)?;
    let interrupted = || {
        options
            .interrupt
            .is_some_and(|flag| flag.load(Ordering::Relaxed))
    };
    let table = |state: &State| tabulate(jobs, options, &state.outcomes);

    let mut state = State {
        outcomes: vec![Outcome::NotRun; jobs.len()],
        since_table: 0,
        table_error: None,
    };
    let stride = jobs.len() / TABLES_MAX + 1;
    let workers = match options.workers {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        n => n,
    }
    .min(jobs.len().max(1));
    // The manifest comes first of all: a directory with it is known again after a kill.
    let manifest = manifest(&table(&state), options, workers, 0.0);
    let mut taken = SweepDir::take(&options.out, &manifest, jobs, options.force)?;
    let mut to_run: Vec<usize> = Vec::new();
    for (at, job) in jobs.iter().enumerate() {
        match taken.finished(job, &manifest) {
            Some(outcome) => state.outcomes[at] = outcome,
            None => to_run.push(at),
        }
    }
    let again = to_run.iter().filter(|&&at| taken.holds_run_of(&jobs[at]));
    progress.begins(jobs.len() - to_run.len(), again.count());
    table(&state).write(taken.dir())?;
    let begin = (options.now_seconds)();
    {
        let shared = Mutex::new(&mut state);
        // poisoned only where `progress` panics: outcomes are then still whole
        let lock = || shared.lock().unwrap_or_else(PoisonError::into_inner);
        let next = AtomicUsize::new(0);
        let work = || {
            while !interrupted() {
                let Some(&at) = to_run.get(next.fetch_add(1, Ordering::Relaxed)) else {
                    break;
                };
                let job = &jobs[at];
                {
                    let _told_one_at_a_time = lock();
                    progress.started(job);
                }
                let start = (options.now_seconds)();
                let result = guarded(&run, job);
                let wall_seconds = (options.now_seconds)() - start;
                let outcome = conclude(job, options, &taken, result, wall_seconds);
                let mut state = lock();
                match &outcome {
                    Outcome::Finished(_) => progress.finished(job, wall_seconds),
                    Outcome::Failed(failure) => progress.failed(job, failure),
                    Outcome::NotRun => {}
                }
                state.outcomes[at] = outcome;
                state.since_table += 1;
                if state.since_table >= stride {
                    state.since_table = 0;
                    if let Err(e) = table(&state).write(taken.dir()) {
                        // the runs are safe in their directories: go on
                        state.table_error = Some(e);
                    }
                }
            }
        };
        std::thread::scope(|scope| {
            for n in 0..workers {
                let spawned = std::thread::Builder::new()
                    .name(format!("run-{n}"))
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, work);
                if spawned.is_err() {
                    work(); // no further thread to be had: this one does the work
                    break;
                }
            }
        });
    }
    let mut table = table(&state);
    // once, at the end: it reads every run
    if let Err(e) = table.read_latencies(&taken.runs()) {
        state.table_error = Some(e);
    }
    table.write(taken.dir())?;
    if table.runs.iter().all(|row| row.finished().is_some()) {
        taken.complete(jobs)?;
    }
    let wall_seconds = (options.now_seconds)() - begin;
    taken.put_manifest(&self::manifest(&table, options, workers, wall_seconds))?;
    if let Some(e) = state.table_error {
        return Err(e.into());
    }
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

/// Runs one job; a panic becomes a failure.
fn guarded(
    run: &(impl Fn(&Job) -> Result<Record, RunFailure> + Sync),
    job: &Job,
) -> Result<Record, RunFailure> {
    // unwind safety: what a run was changing is dropped with it; nothing of it is looked at again
    catch_unwind(AssertUnwindSafe(|| run(job)))
        .unwrap_or_else(|payload| Err(RunFailure::of_panic(&*payload)))
}

/// Stores a finished run.
fn conclude(
    job: &Job,
    options: &SweepOptions<'_>,
    taken: &SweepDir,
    result: Result<Record, RunFailure>,
    wall_seconds: f64,
) -> Outcome {
    let record = match result {
        Ok(record) => record,
        Err(failure) if failure.exit == Exit::Interrupted => return Outcome::NotRun,
        Err(failure) => return Outcome::Failed(failure),
    };
    let manifest = Manifest {
        labels: job.labels.clone(),
        times: job.times.of_run(&record.summary),
        study_hash: hash_text(options.hash),
        ..Manifest::new(
            &options.name,
            &options.build,
            &options.engine,
            job.seed,
            job.hash,
            wall_seconds,
            &record,
        )
    };
    let files = RunFiles {
        scenario_text: &job.scenario_text,
        manifest: &manifest,
        record: &record,
        more: &[],
    };
    let stored = RunDir::take_point(&taken.run_dir(job), job.hash);
    match stored.and_then(|dir| dir.write(&files)) {
        Ok(()) => Outcome::of(&record.summary, job.times),
        Err(e) => Outcome::Failed(RunFailure {
            exit: Exit::Failure,
            message: format!("not stored: {e}"),
        }),
    }
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
