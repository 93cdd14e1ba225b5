//! Where the runs of a sweep are made: here, by Slurm, or by whatever starts tasks.

mod arrays;
mod emit;
mod probe;
mod queue;
mod runs;
mod slurm;

pub(crate) use arrays::Arrays;
pub(crate) use queue::{Queue, Row};
pub(crate) use runs::Runs;
pub(crate) use slurm::{cancel, is_cancelled};

use crate::exit::{Exit, Failure};
use crate::kin;
use crate::options::{ExecutorArg, StudyArgs};
use crate::progress::Meter;
use crate::run::simulate;
use emit::Emit;
use fabric::Engine;
use observe::Record;
use runs::Sized;
use scenario::Scenario;
use slurm::Slurm;
use std::path::Path;
use std::time::Duration;
use study::{
    Elsewhere, Job, RunFailure, SweepError, SweepOptions, SweepResult, TaskOptions, run_sweep,
    run_sweep_elsewhere,
};
use tracing::info_span;

/// Default of `slurm.tries`, as the table of keys says.
const TRIES: u64 = 3;
/// Default of `slurm.poll_seconds`, as the table of keys says.
const POLL_SECONDS: u64 = 5;

/// Refuses options that say nothing where the runs are made elsewhere.
pub(crate) fn check(args: &StudyArgs, emit_tasks: Option<&Path>) -> Result<(), Failure> {
    let is_local = args.executor == ExecutorArg::Local && emit_tasks.is_none();
    if let (Some(jobs), false) = (args.jobs, is_local) {
        let message = format!(
            "error: --jobs: {jobs}; legal: runs on this machine; a task of Slurm has slurm.cpus"
        );
        return Err(Failure::new(Exit::Usage, message));
    }
    if args.fresh && !is_local {
        let message = "error: --fresh: legal: runs on this machine; another --out begins anew";
        return Err(Failure::new(Exit::Usage, message));
    }
    match emit_tasks {
        Some(path) => crate::target::check("--emit-tasks", path),
        None => Ok(()),
    }
}

/// Simulates the scenario of a job.
fn simulated(
    scenario: &Scenario,
    job: &Job,
    engine: Engine,
    meter: &Meter,
) -> Result<Record, RunFailure> {
    let _span = info_span!("point", directory = job.directory, seed = job.seed).entered();
    simulate(scenario, engine, &|| meter.step_of(job.index, job.cost)).map_err(RunFailure::from)
}

impl Runs<'_> {
    /// Has them made, here or elsewhere, with the derived ones unless they are not wanted.
    pub(crate) fn make(
        &self,
        options: &SweepOptions<'_>,
        args: &StudyArgs,
    ) -> Result<SweepResult, Failure> {
        let derive = |job: &Job, record: Record| kin::derive(self.scenarios[job.index], record);
        let options =
            SweepOptions { derive: (!args.no_derive).then_some(&derive), ..options.clone() };
        let run = |job: &Job| {
            let scenario = self.scenarios[job.index];
            simulated(scenario, job, args.engine.engine(), self.meter)
        };
        let sized = Sized { runs: self, engine: args.engine };
        let made = match (self.emit_tasks, args.executor) {
            (Some(path), _) => self.elsewhere(&options, &mut Emit::new(path, sized)),
            (None, ExecutorArg::Slurm) => self.elsewhere(&options, &mut Slurm::new(sized)),
            (None, ExecutorArg::Local) => run_sweep(self.jobs, &options, run, self.meter),
        };
        self.meter.clear();
        Ok(made?)
    }

    /// Has them made by other processes; see [`run_sweep_elsewhere`].
    fn elsewhere(
        &self,
        options: &SweepOptions<'_>,
        elsewhere: &mut dyn Elsewhere,
    ) -> Result<SweepResult, SweepError> {
        let slurm = &self.study.slurm;
        // Absolute: a worker may start anywhere.
        let base_dir = self.study.base_dir();
        let base_dir = base_dir.map(|dir| std::fs::canonicalize(in_words(dir)));
        let tasks = TaskOptions {
            base_dir: base_dir.transpose().ok().flatten(),
            tries: u32::try_from(slurm.tries.unwrap_or(TRIES)).unwrap_or(u32::MAX),
            poll: Duration::from_secs(slurm.poll_seconds.unwrap_or(POLL_SECONDS)),
        };
        run_sweep_elsewhere(self.jobs, options, &tasks, elsewhere, self.meter)
    }
}

/// How a sweep ended whose runs were made so.
pub(crate) fn ended(
    result: &SweepResult,
    executor: ExecutorArg,
    out: &Path,
) -> Result<(), Failure> {
    let (word, rest) = match executor {
        ExecutorArg::Slurm if is_cancelled(out) => ("cancelled", ""),
        ExecutorArg::Slurm => {
            ("interrupted", "; tasks in Slurm go on: `setaside cancel` ends them")
        }
        ExecutorArg::Local => ("interrupted", ""),
    };
    match result.exit() {
        Exit::Ok => Ok(()),
        Exit::Interrupted => {
            let runs = &result.table.runs;
            let finished = runs.iter().filter(|run| run.finished().is_some()).count();
            let message = format!(
                "{word}: {finished} of {} runs are finished and stay; the same command again goes \
                 on with the others{rest}",
                runs.len()
            );
            Err(Failure::new(Exit::Interrupted, message))
        }
        exit => Err(Failure::new(exit, "some runs failed")),
    }
}

/// The directory of a file without one.
fn in_words(dir: &Path) -> &Path {
    match dir.as_os_str().is_empty() {
        true => Path::new("."),
        false => dir,
    }
}
