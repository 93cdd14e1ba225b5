//! A sweep in its directory: [`run_sweep`], [`run_sweep_elsewhere`].

use crate::derive::Proof;
use crate::disk::{self, Reach};
use crate::elsewhere::{Elsewhere, TaskOptions, follow};
use crate::error::{RunFailure, StoreError};
use crate::job::Job;
use crate::manifest::SweepManifest;
use crate::queue::{Queue, guarded, side_by_side, workers};
use crate::runs::{conclude, outcome_of, take_from_others};
use crate::store::{StoredRun, read_whole_run};
use crate::sweep_dir::SweepDir;
use crate::sweep_options::{Progress, SweepError, SweepOptions, SweepResult};
use crate::table::{Outcome, RunRow, Table};
use observe::Record;
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The table is made again after so many times the time that the last one took.
const TABLE_REST: f64 = 300.0;

/// Runs all jobs and stores each as it finishes. One that an earlier sweep of the same study and
/// program left finished is taken as it is. A run that fails, panics or cannot be stored is listed
/// with its error and the others go on. The tables are there from the start and kept up to date, so
/// a killed sweep loses no finished run, and the same sweep again goes on from there. `run` may
/// return [`crate::Exit::Interrupted`] when it saw the interrupt: such a run counts as not run.
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
/// runs each are written into it, `elsewhere` hands them out, and results are taken in as they
/// appear ([`TaskOptions`]). Runs that equal others are derived here. Where it fails tasks that
/// were handed out go on, and the same sweep again takes in their runs.
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
    // The manifest comes first of all: a directory with it is known again after a kill.
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
        disk::sync_all_of(taken.dir()); // before the manifest says that all is there
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
                // the runs are safe in their directories: go on
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
            let _guard = queue.guard();
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
    let SweepManifest { name, scenario, target, left_out, .. } = &options.manifest;
    let table = Table::new(name, scenario, rows.collect()).judged_by(target.clone());
    Table { left_out: *left_out, ..table }
}
