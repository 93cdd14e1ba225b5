//! Runs that other processes make: [`Elsewhere`] hands tasks out, [`follow`] takes results in.
//!
//! **Result files are trusted, not the scheduler.** It is asked for one thing: which tasks are
//! still queued or running. A task that is neither any more, with runs that are not there, was
//! lost, whatever became of it: it is handed out again, and does the runs that are missing.

use crate::exit::{Exit, RunFailure};
use crate::job::{Job, hash_text};
use crate::manifest::Manifest;
use crate::run_dir::manifest_of;
use crate::runs::outcome_of;
use crate::store::MANIFEST;
use crate::sweep::{SweepError, Underway};
use crate::sweep_dir::{RUNS, whole_run};
use crate::task::{self, FailedRun, Task, read_failed, task_numbers, task_path, write_failed};
use crate::{Outcome, disk};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What a scheduler says of tasks that it was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Look {
    /// These are queued or running, and no others.
    Alive(BTreeSet<usize>),
    /// It does not answer: for now nothing is lost.
    Unknown,
    /// Nothing is to be waited for: tasks were cancelled, or others see to them.
    Over,
}

/// A scheduler, or whatever else starts tasks. Tasks are called by their numbers in the directory.
pub trait Elsewhere {
    /// How many of these runs a task is to have; called once, before tasks are written.
    fn runs_per_task(&mut self, open: &[&Job]) -> usize;

    /// Hands out these tasks of the sweep in `dir`, for the `attempt`-th time, from 1. Says how
    /// many of them, from the first on, are the scheduler's now: others are tried again later.
    ///
    /// # Errors
    /// What is wrong, where trying again is of no use.
    fn submit(&mut self, dir: &Path, tasks: &[usize], attempt: u32) -> Result<usize, String>;

    /// Which tasks are under way, those of an earlier process included.
    ///
    /// # Errors
    /// What is wrong, where asking again is of no use.
    fn look(&mut self, dir: &Path) -> Result<Look, String>;

    /// Where somebody would look for what became of a task that left no result.
    fn traces(&self, dir: &Path, task: usize) -> String;
}

/// How tasks are followed.
#[derive(Debug, Clone)]
pub struct TaskOptions {
    /// Directory that paths in scenarios are relative to.
    pub base_dir: Option<PathBuf>,
    /// How often a task is handed out before its runs count as failed.
    pub tries: u32,
    /// Time between looks.
    pub poll: Duration,
}

/// A task that is followed.
#[derive(Debug, Default)]
struct Followed {
    /// Places of its runs among the jobs; those that are settled leave.
    open: BTreeSet<usize>,
    /// How often it was handed out; 0: an earlier process did so.
    attempt: u32,
    /// To be handed out.
    is_due: bool,
    /// Was not under way at the last look.
    is_missed: bool,
}

/// Waiting is done in steps of this, to see an interrupt soon.
const STEP: Duration = Duration::from_millis(100);

/// Writes the tasks of what is to run and follows them until all runs are settled, or the sweep is
/// interrupted or over.
pub(crate) fn follow(
    sweep: &Underway<'_>,
    options: &TaskOptions,
    elsewhere: &mut dyn Elsewhere,
) -> Result<(), SweepError> {
    if sweep.to_run.is_empty() {
        return Ok(());
    }
    let dir = sweep.taken.dir();
    let mut tasks = earlier(sweep, elsewhere)?;
    add_tasks(sweep, options, elsewhere, &mut tasks)?;
    loop {
        if sweep.is_interrupted() {
            return Ok(());
        }
        hand_out(sweep, elsewhere, &mut tasks)?;
        // Asked before the results are looked at: a task that ends in between has left its own.
        let look = elsewhere.look(dir).map_err(SweepError::Elsewhere)?;
        take_in(sweep, &mut tasks)?;
        if look == Look::Over || tasks.is_empty() {
            return Ok(());
        }
        if let Look::Alive(alive) = &look {
            find_lost(sweep, options, elsewhere, alive, &mut tasks)?;
        }
        let mut waited = Duration::ZERO;
        while waited < options.poll && !sweep.is_interrupted() {
            std::thread::sleep(STEP.min(options.poll - waited));
            waited += STEP;
        }
    }
}

/// Tasks of an earlier process that are still under way, or that others see to: these are handed
/// out again, since nobody knows which were started. Task files of all others go.
fn earlier(
    sweep: &Underway<'_>,
    elsewhere: &mut dyn Elsewhere,
) -> Result<BTreeMap<usize, Followed>, SweepError> {
    let dir = sweep.taken.dir();
    let there = task_numbers(dir)?;
    let (alive, is_due) = match elsewhere.look(dir).map_err(SweepError::Elsewhere)? {
        Look::Alive(alive) => (alive, false),
        Look::Unknown => (there.clone(), false),
        Look::Over => (there.clone(), true),
    };
    let place = |at: &usize| (sweep.jobs[*at].index, *at);
    let place: BTreeMap<usize, usize> = sweep.to_run.iter().map(place).collect();
    let mut tasks = BTreeMap::new();
    for number in there.intersection(&alive) {
        let path = task_path(dir, *number);
        let task = Task::read(&path)?;
        let of_study = task.study_hash == hash_text(sweep.options.hash);
        if !of_study || !task.build.is_same_program(&sweep.options.build) {
            if is_due {
                continue;
            }
            return Err(SweepError::OtherTask { path });
        }
        let open = task
            .jobs
            .iter()
            .filter_map(|job| place.get(&job.index).copied());
        let followed = Followed {
            open: open.collect(),
            is_due,
            ..Followed::default()
        };
        tasks.insert(*number, followed);
    }
    tasks.retain(|_, task| !task.open.is_empty());
    Ok(tasks)
}

/// Writes tasks for the runs that are in none.
fn add_tasks(
    sweep: &Underway<'_>,
    options: &TaskOptions,
    elsewhere: &mut dyn Elsewhere,
    tasks: &mut BTreeMap<usize, Followed>,
) -> Result<(), SweepError> {
    let dir = sweep.taken.dir();
    let there = task_numbers(dir)?;
    let in_one: BTreeSet<usize> = tasks
        .values()
        .flat_map(|task| &task.open)
        .copied()
        .collect();
    let left = sweep
        .to_run
        .iter()
        .copied()
        .filter(|at| !in_one.contains(at));
    let left: Vec<usize> = left.collect();
    if left.is_empty() {
        return remove_others(dir, &there, tasks);
    }
    let open: Vec<&Job> = left.iter().map(|&at| &sweep.jobs[at]).collect();
    let runs = elsewhere.runs_per_task(&open).max(1);
    let first = there.last().map_or(0, |last| last + 1);
    let followed = tasks.len();
    for (number, open) in (first..).zip(left.chunks(runs)) {
        let task = Task {
            name: sweep.options.name.clone(),
            study_hash: hash_text(sweep.options.hash),
            engine: sweep.options.engine.clone(),
            build: sweep.options.build.clone(),
            base_dir: options.base_dir.clone(),
            jobs: open.iter().map(|&at| sweep.jobs[at].clone()).collect(),
        };
        task.write(dir, number)?;
        let open = open.iter().copied().collect();
        let followed = Followed {
            open,
            is_due: true,
            ..Followed::default()
        };
        tasks.insert(number, followed);
    }
    // Last, so that numbers are known to the next process.
    remove_others(dir, &there, tasks)?;
    let written = tasks.len() - followed;
    sweep.progress.note(&format!(
        "{} runs in {written} tasks of up to {runs}{}",
        left.len(),
        match followed {
            0 => String::new(),
            n => format!("; {n} earlier ones stay"),
        }
    ));
    Ok(())
}

/// Removes task files that are followed no more.
fn remove_others(
    dir: &Path,
    there: &BTreeSet<usize>,
    tasks: &BTreeMap<usize, Followed>,
) -> Result<(), SweepError> {
    for number in there.iter().filter(|number| !tasks.contains_key(number)) {
        task::remove(dir, *number)?;
    }
    Ok(())
}

/// Settles runs that are there or failed; tasks with none left go.
fn take_in(sweep: &Underway<'_>, tasks: &mut BTreeMap<usize, Followed>) -> Result<(), SweepError> {
    let (dir, hash) = (sweep.taken.dir(), hash_text(sweep.options.hash));
    let listed: BTreeSet<PathBuf> = disk::entries(&dir.join(RUNS))?.into_iter().collect();
    for (number, task) in tasks.iter_mut() {
        task.open.retain(|&at| {
            let job = &sweep.jobs[at];
            let run_dir = sweep.taken.run_dir(job);
            if !listed.contains(&run_dir) {
                return true;
            }
            let Some(run) = manifest_of::<Manifest>(&run_dir.join(MANIFEST)) else {
                return true;
            };
            match whole_run(&run_dir, &run, job, &hash, &sweep.options.build) {
                Some(whole) => {
                    sweep.settle(at, outcome_of(&whole), run.wall_seconds);
                    false
                }
                None => true,
            }
        });
        if task.open.is_empty() {
            continue;
        }
        for run in read_failed(&task_path(dir, *number))? {
            let is_it = |at: &usize| sweep.jobs[*at].index == run.index;
            if let Some(at) = task.open.iter().copied().find(is_it) {
                task.open.remove(&at);
                sweep.settle(at, Outcome::Failed(run.failure), 0.0);
            }
        }
    }
    tasks.retain(|_, task| !task.open.is_empty());
    Ok(())
}

/// Finds tasks that are not under way any more although runs are missing: they are due again, or
/// their runs have failed.
fn find_lost(
    sweep: &Underway<'_>,
    options: &TaskOptions,
    elsewhere: &dyn Elsewhere,
    alive: &BTreeSet<usize>,
    tasks: &mut BTreeMap<usize, Followed>,
) -> Result<(), SweepError> {
    let dir = sweep.taken.dir();
    let mut given_up = Vec::new();
    for (&number, task) in tasks.iter_mut() {
        let was_missed = std::mem::replace(
            &mut task.is_missed,
            !task.is_due && !alive.contains(&number),
        );
        // Once could be a file system that shows the last result late.
        if !(task.is_missed && was_missed) {
            continue;
        }
        let runs = task.open.len();
        let traces = elsewhere.traces(dir, number);
        if task.attempt >= options.tries {
            given_up.push(number);
            continue;
        }
        sweep.progress.note(&format!(
            "task {number:05} ended with {runs} of its runs missing: handed out again; see {traces}"
        ));
        (task.is_due, task.is_missed) = (true, false);
    }
    for number in given_up {
        let Some(task) = tasks.remove(&number) else {
            continue;
        };
        let (tries, traces) = (task.attempt, elsewhere.traces(dir, number));
        let mut failed = read_failed(&task_path(dir, number))?;
        for at in task.open {
            let job = &sweep.jobs[at];
            let failure = RunFailure {
                exit: Exit::Failure,
                message: format!("no result after {tries} tries; see {traces}"),
            };
            failed.push(FailedRun {
                index: job.index,
                directory: job.directory.clone(),
                failure: failure.clone(),
            });
            sweep.settle(at, Outcome::Failed(failure), 0.0);
        }
        failed.sort_by_key(|run| run.index);
        write_failed(&task_path(dir, number), &failed)?;
    }
    Ok(())
}

/// Hands out what is due, those of one attempt together.
fn hand_out(
    sweep: &Underway<'_>,
    elsewhere: &mut dyn Elsewhere,
    tasks: &mut BTreeMap<usize, Followed>,
) -> Result<(), SweepError> {
    let mut due: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (&number, task) in tasks.iter().filter(|(_, task)| task.is_due) {
        due.entry(task.attempt + 1).or_default().push(number);
    }
    for (attempt, numbers) in due {
        let submitted = elsewhere.submit(sweep.taken.dir(), &numbers, attempt);
        let submitted = submitted.map_err(SweepError::Elsewhere)?;
        for &number in numbers.iter().take(submitted) {
            let task = tasks.entry(number).or_default();
            (task.attempt, task.is_due) = (attempt, false);
        }
        if submitted < numbers.len() {
            break; // no more at this moment
        }
    }
    Ok(())
}
