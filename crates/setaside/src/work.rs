//! `setaside work`.

use crate::built_in::build_info;
use crate::drive::{interrupt_flag, is_interrupted, times};
use crate::exit::{Exit, Failure};
use crate::log;
use crate::options::EngineArg;
use crate::run::simulate;
use clap::ValueEnum as _;
use observe::Record;
use scenario::Scenario;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Instant;
use study::{Job, RunFailure, Task};

pub(crate) fn work(path: &Path, jobs: NonZeroUsize) -> Result<(), Failure> {
    interrupt_flag();
    let start = Instant::now();
    let now = move || start.elapsed().as_secs_f64();
    let worked = study::work(path, &build_info(), jobs.get(), &now, run_job)?;
    for failed in &worked.failed {
        log::note(&format!("{}: failed: {}", failed.directory, failed.failure.message));
    }
    for why in &worked.not_stored {
        log::note(&format!("not stored: {why}"));
    }
    let study::Worked { finished, taken, failed, .. } = &worked;
    log::note(&format!("{finished} runs finished, {taken} were there, {} failed", failed.len()));
    if worked.interrupted {
        return Err(Failure::interrupted());
    }
    if !worked.not_stored.is_empty() {
        return Err(Failure::new(Exit::Failure, "some runs are not stored"));
    }
    match failed.first() {
        Some(failed) => Err(Failure::new(failed.failure.exit, "some runs failed")),
        None => Ok(()),
    }
}

/// One run, from its resolved scenario alone.
fn run_job(task: &Task, job: &Job) -> Result<Record, RunFailure> {
    let refuse = |message: String| RunFailure { exit: Exit::Failure, message };
    if is_interrupted() {
        return Err(Failure::interrupted().into());
    }
    let engine = EngineArg::from_str(&task.engine, false)
        .map_err(|_| refuse(format!("no engine {}", task.engine)))?;
    let base = task.base_dir.as_deref();
    let scenario =
        Scenario::parse(&job.scenario_text, &job.directory, base, &[]).map_err(Failure::from)?;
    if scenario.hash() != job.hash || times(&scenario) != job.times {
        return Err(refuse("the scenario in the task is another one".to_string()));
    }
    Ok(simulate(&scenario, engine.engine(), &|| {})?)
}
