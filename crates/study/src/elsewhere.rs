//! Runs that other processes make: [`Elsewhere`] hands tasks out, [`follow`] takes results in.
//! **Result files are trusted, not the scheduler**: a task that is neither queued nor running, with
//! runs missing, was lost, and is handed out again for those.

use crate::derive::Order;
use crate::error::{Exit, RunFailure};
use crate::job::Job;
use crate::sweep::{SweepError, Underway};
use crate::sweep_dir::{RUNS, outcome_of, whole_run};
use crate::task::{self, FailedRun, Task, read_failed, task_numbers, task_path, write_failed};
use crate::{Outcome, disk};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What a scheduler reports of its tasks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Polled {
    /// These are queued or running, and no others.
    Alive(BTreeSet<usize>),
    /// It does not answer: for now nothing is lost.
    Unknown,
    /// Nothing is to be waited for: tasks were cancelled, or others see to them.
    Over,
}

/// A scheduler, or whatever else starts tasks. Tasks are called by their numbers in the directory.
pub trait Elsewhere {
    /// Runs of a task, where these are the first; called once, before tasks are written.
    fn runs_per_task(&mut self, open: &[&Job]) -> usize;

    /// Whether tasks may be handed out later: runs then wait for those that they may equal.
    fn may_wait(&self) -> bool {
        true
    }

    /// Hands out these tasks of the sweep in `dir`, for the `attempt`-th time, from 1. Returns how
    /// many of them, from the first on, are the scheduler's now: others are tried again later.
    /// `Err`: what is wrong, where trying again is of no use.
    fn submit(&mut self, dir: &Path, tasks: &[usize], attempt: u32) -> Result<usize, String>;

    /// Which tasks are queued or running, those of an earlier process included. `Err`: what is
    /// wrong, where asking again is of no use. Where others see to them, nothing is to be waited
    /// for.
    fn poll(&mut self, dir: &Path) -> Result<Polled, String>;

    /// Where the traces of a task without a result would be.
    fn traces(&self, _task: usize) -> String {
        String::new()
    }
}

/// How tasks are followed.
#[derive(Debug, Clone)]
pub struct TaskOptions {
    /// Directory that paths in scenarios are relative to.
    pub base_dir: Option<PathBuf>,
    /// How often a task is handed out before its runs count as failed.
    pub tries: u32,
    /// Time between polls.
    pub poll: Duration,
}

#[derive(Debug, Default)]
struct Followed {
    /// Places of its runs among the jobs; those that are settled leave.
    open: BTreeSet<usize>,
    /// How often it was handed out; 0: an earlier process did so.
    attempt: u32,
    is_due: bool,
    /// Was not queued or running at the last poll.
    is_missed: bool,
}

impl Followed {
    fn new(open: BTreeSet<usize>, is_due: bool) -> Followed {
        Followed { open, is_due, ..Followed::default() }
    }
}

/// Waiting is done in steps of this, to see an interrupt soon.
const STEP: Duration = Duration::from_millis(100);

/// Has all runs settled, or follows until the sweep is interrupted or over.
pub(crate) fn follow(
    sweep: &Underway<'_>,
    options: &TaskOptions,
    elsewhere: &mut dyn Elsewhere,
) -> Result<(), SweepError> {
    if sweep.to_run.is_empty() {
        return Ok(());
    }
    let tasks = earlier(sweep, elsewhere)?;
    let in_one: BTreeSet<usize> = tasks.values().flat_map(|task| &task.open).copied().collect();
    let left = sweep.to_run.iter().copied();
    let left: Vec<usize> = left.filter(|at| !in_one.contains(at)).collect();
    let mut follower = Follower {
        next_task: task_numbers(&sweep.taken.dir)?.last().map_or(0, |last| last + 1),
        runs_per_task: 1,
        sweep,
        options,
        elsewhere,
        order: sweep.order(),
        tasks,
        left,
    };
    follower.follow()
}

/// Tasks of an earlier process still under way, or that others see to: handed out again.
fn earlier(
    sweep: &Underway<'_>,
    elsewhere: &mut dyn Elsewhere,
) -> Result<BTreeMap<usize, Followed>, SweepError> {
    let dir = &sweep.taken.dir;
    let there = task_numbers(dir)?;
    let (alive, is_due) = match elsewhere.poll(dir).map_err(SweepError::Elsewhere)? {
        Polled::Alive(alive) => (alive, false),
        Polled::Unknown => (there.clone(), false),
        Polled::Over => (there.clone(), true),
    };
    let place = |at: &usize| (sweep.jobs[*at].index, *at);
    let place: BTreeMap<usize, usize> = sweep.to_run.iter().map(place).collect();
    let mut tasks = BTreeMap::new();
    for number in there.intersection(&alive) {
        let path = task_path(dir, *number);
        let task = Task::read(&path)?;
        let own = &sweep.options.manifest;
        if task.study_hash != own.study_hash || !task.build.is_same_program(&own.build) {
            if is_due {
                continue;
            }
            return Err(SweepError::OtherTask(path));
        }
        let open = task.jobs.iter().filter_map(|job| place.get(&job.index).copied());
        tasks.insert(*number, Followed::new(open.collect(), is_due));
    }
    tasks.retain(|_, task| !task.open.is_empty());
    Ok(tasks)
}

struct Follower<'a> {
    sweep: &'a Underway<'a>,
    options: &'a TaskOptions,
    elsewhere: &'a mut dyn Elsewhere,
    order: Order<'a>,
    tasks: BTreeMap<usize, Followed>,
    /// Places of runs that are in no task yet.
    left: Vec<usize>,
    runs_per_task: usize,
    /// Number of the next task: none is used twice.
    next_task: usize,
}

impl Follower<'_> {
    fn follow(&mut self) -> Result<(), SweepError> {
        let dir = &self.sweep.taken.dir;
        self.size_tasks();
        self.add_tasks()?;
        self.remove_others()?;
        loop {
            if self.sweep.is_interrupted() {
                return Ok(());
            }
            self.hand_out()?;
            // Polled before the results are read: a task that ends in between has left its own.
            let polled = self.elsewhere.poll(dir).map_err(SweepError::Elsewhere)?;
            self.take_in()?;
            if polled == Polled::Over || self.tasks.is_empty() && self.left.is_empty() {
                return Ok(());
            }
            if let Polled::Alive(alive) = &polled {
                self.find_lost(alive)?;
            }
            let mut waited = Duration::ZERO;
            while waited < self.options.poll && !self.sweep.is_interrupted() {
                std::thread::sleep(STEP.min(self.options.poll - waited));
                waited += STEP;
            }
            self.add_tasks()?;
        }
    }

    fn is_ready(&self, at: usize) -> bool {
        !self.elsewhere.may_wait() || self.order.is_ready(at)
    }

    /// By those of the first round: later ones are like it.
    fn size_tasks(&mut self) {
        let is_any_ready = self.left.iter().any(|&at| self.is_ready(at));
        let first = self.left.iter().filter(|&&at| !is_any_ready || self.is_ready(at));
        let first: Vec<&Job> = first.map(|&at| &self.sweep.jobs[at]).collect();
        if !first.is_empty() {
            self.runs_per_task = self.elsewhere.runs_per_task(&first).max(1);
        }
    }

    /// Removes task files that are not followed, but the last: no number is used twice.
    fn remove_others(&self) -> Result<(), SweepError> {
        let dir = &self.sweep.taken.dir;
        let mut there = task_numbers(dir)?;
        there.pop_last();
        let mut others = there.into_iter().filter(|number| !self.tasks.contains_key(number));
        Ok(others.try_for_each(|number| task::remove(dir, number))?)
    }

    /// Takes over the runs that equal others, and writes tasks for the others that wait for none.
    fn add_tasks(&mut self) -> Result<(), SweepError> {
        let (followed, mut runs) = (self.tasks.len(), 0);
        loop {
            let left = std::mem::take(&mut self.left).into_iter();
            let (ready, left): (Vec<usize>, _) = left.partition(|&at| self.is_ready(at));
            self.left = left;
            if ready.is_empty() {
                break;
            }
            let mut open = Vec::new();
            for at in ready {
                if self.sweep.is_interrupted() {
                    return Ok(());
                }
                if !self.take_over(at)? {
                    open.push(at);
                }
            }
            runs += open.len();
            for open in open.chunks(self.runs_per_task) {
                self.write(open)?;
            }
        }
        if runs > 0 {
            let tasks = self.tasks.len() - followed;
            let mut text = format!("{runs} runs in {tasks} tasks of up to {}", self.runs_per_task);
            if followed > 0 {
                let _ = write!(text, "; {followed} earlier ones stay");
            }
            if !self.left.is_empty() {
                let left = self.left.len();
                let _ = write!(text, "; {left} wait for runs that they may equal");
            }
            self.sweep.progress.note(&text);
        }
        Ok(())
    }

    /// Whether the run equals one that is there, and is made of it.
    fn take_over(&mut self, at: usize) -> Result<bool, SweepError> {
        let sweep = self.sweep;
        let equal_to = self.order.equal_to(at);
        let Some((record, origin)) = equal_to.and_then(|from| sweep.derived(at, from)) else {
            return Ok(false);
        };
        let outcome = sweep.conclude(at, Ok(record), 0.0, Some(origin))?;
        self.settle(at, outcome, 0.0);
        Ok(true)
    }

    fn settle(&mut self, at: usize, outcome: Outcome, wall_seconds: f64) {
        self.order.end(at, outcome.proof());
        self.sweep.settle(at, outcome, wall_seconds);
    }

    fn write(&mut self, open: &[usize]) -> Result<(), SweepError> {
        let (jobs, sweep) = (self.sweep.jobs, &self.sweep.options.manifest);
        let task = Task {
            name: sweep.name.clone(),
            study_hash: sweep.study_hash.clone(),
            engine: sweep.engine.clone(),
            build: sweep.build.clone(),
            base_dir: self.options.base_dir.clone(),
            jobs: open.iter().map(|&at| jobs[at].clone()).collect(),
        };
        task.write(&self.sweep.taken.dir, self.next_task)?;
        let followed = Followed::new(open.iter().copied().collect(), true);
        self.tasks.insert(self.next_task, followed);
        self.next_task += 1;
        Ok(())
    }

    /// Settles runs that are there or failed; tasks with none left go.
    fn take_in(&mut self) -> Result<(), SweepError> {
        let (sweep, own) = (self.sweep, &self.sweep.options.manifest);
        let dir = &sweep.taken.dir;
        let listed: BTreeSet<PathBuf> = disk::entries(&dir.join(RUNS))?.into_iter().collect();
        let mut ended = Vec::new();
        for (number, task) in &mut self.tasks {
            for at in task.open.clone() {
                let job = &sweep.jobs[at];
                let run_dir = Some(sweep.taken.run_dir(job)).filter(|dir| listed.contains(dir));
                if let Some(run) = run_dir.and_then(|dir| whole_run(&dir, job, own)) {
                    task.open.remove(&at);
                    ended.push((at, outcome_of(&run), run.manifest.wall_seconds));
                }
            }
            if task.open.is_empty() {
                continue;
            }
            for run in read_failed(&task_path(dir, *number))? {
                let is_it = |at: &usize| sweep.jobs[*at].index == run.index;
                if let Some(at) = task.open.iter().copied().find(is_it) {
                    task.open.remove(&at);
                    ended.push((at, Outcome::Failed(run.failure), 0.0));
                }
            }
        }
        for (at, outcome, wall_seconds) in ended {
            self.settle(at, outcome, wall_seconds);
        }
        self.tasks.retain(|_, task| !task.open.is_empty());
        Ok(())
    }

    /// Tasks that ended with runs missing are due again, or their runs have failed.
    fn find_lost(&mut self, alive: &BTreeSet<usize>) -> Result<(), SweepError> {
        let (sweep, dir) = (self.sweep, &self.sweep.taken.dir);
        for (number, mut task) in std::mem::take(&mut self.tasks) {
            let is_missed = !task.is_due && !alive.contains(&number);
            // Once could be a file system that shows the last result late.
            if !(std::mem::replace(&mut task.is_missed, is_missed) && is_missed) {
                self.tasks.insert(number, task);
                continue;
            }
            let traces = self.elsewhere.traces(number);
            if task.attempt < self.options.tries {
                let runs = task.open.len();
                sweep.progress.note(&format!(
                    "task {number:05} ended with {runs} of its runs missing: handed out again; \
                     see {traces}"
                ));
                (task.is_due, task.is_missed) = (true, false);
                self.tasks.insert(number, task);
                continue;
            }
            let mut failed = read_failed(&task_path(dir, number))?;
            for at in task.open {
                let job = &sweep.jobs[at];
                let failure = RunFailure {
                    exit: Exit::Failure,
                    message: format!("no result after {} tries; see {traces}", task.attempt),
                };
                failed.push(FailedRun::of(job, failure.clone()));
                self.settle(at, Outcome::Failed(failure), 0.0);
            }
            write_failed(&task_path(dir, number), &mut failed)?;
        }
        Ok(())
    }

    fn hand_out(&mut self) -> Result<(), SweepError> {
        let mut due: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (&number, task) in self.tasks.iter().filter(|(_, task)| task.is_due) {
            due.entry(task.attempt + 1).or_default().push(number);
        }
        for (attempt, numbers) in due {
            let submitted = self.elsewhere.submit(&self.sweep.taken.dir, &numbers, attempt);
            let submitted = submitted.map_err(SweepError::Elsewhere)?;
            for &number in numbers.iter().take(submitted) {
                let task = self.tasks.entry(number).or_default();
                (task.attempt, task.is_due) = (attempt, false);
            }
            if submitted < numbers.len() {
                break; // no more at this moment
            }
        }
        Ok(())
    }
}
