//! A sweep that is under way.

use crate::derive::Proof;
use crate::disk::Reach;
use crate::error::StoreError;
use crate::exit::RunFailure;
use crate::job::Job;
use crate::queue::Queue;
use crate::runs::{conclude, not_stored};
use crate::side_by_side::{guarded, side_by_side};
use crate::store::read_whole_run;
use crate::sweep_dir::SweepDir;
use crate::sweep_options::{Progress, SweepOptions};
use crate::table::{Outcome, RunRow, Table};
use observe::Record;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// While the sweep is under way its table is made after a run, but not before so many times the
/// time has passed that the last one took.
const TABLE_REST: f64 = 300.0;

/// A sweep that is under way, in its directory: what all ways to make its runs share.
pub(crate) struct Underway<'a> {
    pub(crate) jobs: &'a [Job],
    pub(crate) options: &'a SweepOptions<'a>,
    pub(crate) progress: &'a dyn Progress,
    pub(crate) taken: SweepDir,
    /// Places in `jobs` of those whose runs are not there, in order.
    pub(crate) to_run: Vec<usize>,
    pub(crate) state: Mutex<State>,
}

pub(crate) struct State {
    pub(crate) outcomes: Vec<Outcome>,
    /// No table is made before this time.
    pub(crate) next_table: f64,
    pub(crate) store_error: Option<StoreError>,
}

impl Underway<'_> {
    /// No further run is to start.
    pub(crate) fn is_interrupted(&self) -> bool {
        let flag = self.options.interrupt;
        flag.is_some_and(|flag| flag.load(Ordering::Relaxed)) || self.taken.lost().is_some()
    }

    // poisoned only where `progress` panics: outcomes are then still whole
    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn table(&self, state: &State) -> Table {
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

    /// The record of a run that equals another one, and the directory of the one that was
    /// simulated; `None` where it is to be simulated itself.
    pub(crate) fn derived(&self, at: usize, from: usize) -> Option<(Record, String)> {
        let (derive, from) = (self.options.derive?, &self.jobs[from]);
        let run = read_whole_run(&self.taken.run_dir(from))?;
        let record = derive(&self.jobs[at], run.record).ok()?;
        let origin = run.manifest.derived_from;
        Some((record, origin.unwrap_or_else(|| from.directory.clone())))
    }

    /// Makes all runs in this process; `proofs` are of those that are there.
    pub(crate) fn run_here(
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
                let derived = task.equal_to.and_then(|from| self.derived(task.at, from));
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
                    let failure = not_stored(&e);
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

/// The table of what is there.
pub(crate) fn tabulate(jobs: &[Job], options: &SweepOptions<'_>, outcomes: &[Outcome]) -> Table {
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
    Table { left_out: options.left_out, ..table.judged_by(options.target.clone()) }
}
