//! A sweep in its directory: [`run_sweep`], [`run_sweep_elsewhere`].

use crate::derive::Proof;
use crate::disk::{self, Reach};
use crate::elsewhere::{Elsewhere, TaskOptions, follow};
use crate::exit::RunFailure;
use crate::job::{Job, hash_text};
use crate::manifest::SweepManifest;
use crate::reuse;
use crate::runs::outcome_of;
use crate::side_by_side::workers;
use crate::store::StoredRun;
use crate::sweep_dir::SweepDir;
use crate::sweep_options::{Progress, SweepError, SweepOptions, SweepResult};
use crate::table::{Outcome, Table};
use crate::underway::{State, Underway, tabulate};
use observe::Record;
use std::collections::BTreeSet;
use std::sync::Mutex;

/// Runs all jobs and stores each as it finishes. One that an earlier sweep of the same study left
/// finished, by the same program ([`SweepOptions::build`]), is taken as it is. A run that fails,
/// panics or cannot be stored is listed with its error and the others go on. `results.csv`,
/// `windows.csv` and `results.json` are there from the start and kept up to date, so a killed sweep
/// loses no finished run, and the same sweep again goes on from there. Results depend neither on
/// the number of workers nor on how often a sweep was cut short. `run` may return
/// [`crate::Exit::Interrupted`] when it saw the interrupt: such a run counts as not run.
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
/// appear ([`TaskOptions`]). Runs that equal others are derived here.
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
    let manifest = manifest(&tabulate(jobs, options, &outcomes), options, workers, 0.0);
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
    reuse::take(jobs, &to_run, options, &taken, progress, |at, run| {
        put(&mut proofs, at, run);
    })?;
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
            Err(SweepError::BadJob { index: job.index, directory: job.directory.clone(), why })
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
