//! Where the runs of a sweep are made: here, by Slurm, or by whatever starts tasks.

mod arrays;
mod emit;
mod probe;
mod queue;
mod slurm;

pub(crate) use arrays::Arrays;
pub(crate) use queue::{Queue, Row};
pub(crate) use slurm::{cancel, is_cancelled};

use crate::args::{EngineArg, ExecutorArg, SweepArgs};
use crate::exit::{Exit, Failure};
use crate::progress::Meter;
use emit::Emit;
use scenario::Study;
use slurm::Slurm;
use std::path::Path;
use std::time::Duration;
use study::{Elsewhere, Job, SweepOptions, SweepResult, TaskOptions, run_sweep_elsewhere};

/// Default of `slurm.tries`, as the table of keys says.
const TRIES: u64 = 3;
/// Default of `slurm.poll_seconds`, as the table of keys says.
const POLL_SECONDS: u64 = 5;

/// Refuses options that say nothing where the runs are made elsewhere.
pub(crate) fn check(args: &SweepArgs) -> Result<(), Failure> {
    let is_local = args.executor == ExecutorArg::Local && args.emit_tasks.is_none();
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
    match &args.emit_tasks {
        Some(path) => crate::target::check("--emit-tasks", path),
        None => Ok(()),
    }
}

/// Whether runs are made by other processes.
pub(crate) fn is_elsewhere(args: &SweepArgs) -> bool {
    args.executor != ExecutorArg::Local || args.emit_tasks.is_some()
}

/// Has the runs made by other processes; see [`run_sweep_elsewhere`].
pub(crate) fn run_elsewhere(
    study: &Study,
    jobs: &[Job],
    options: &SweepOptions<'_>,
    args: &SweepArgs,
    meter: &Meter,
) -> Result<SweepResult, Failure> {
    let slurm = &study.slurm;
    // Absolute: a worker may start anywhere.
    let base_dir = study.base_dir();
    let base_dir = base_dir.map(|dir| std::fs::canonicalize(in_words(dir)));
    let tasks = TaskOptions {
        base_dir: base_dir.transpose().ok().flatten(),
        tries: u32::try_from(slurm.tries.unwrap_or(TRIES)).unwrap_or(u32::MAX),
        poll: Duration::from_secs(slurm.poll_seconds.unwrap_or(POLL_SECONDS)),
    };
    let sized = Sized {
        study,
        engine: args.engine,
        meter,
    };
    let mut emit;
    let mut on_slurm;
    let elsewhere: &mut dyn Elsewhere = match &args.emit_tasks {
        Some(path) => {
            emit = Emit::new(path, sized);
            &mut emit
        }
        None => {
            on_slurm = Slurm::new(sized);
            &mut on_slurm
        }
    };
    Ok(run_sweep_elsewhere(
        jobs, options, &tasks, elsewhere, meter,
    )?)
}

/// The directory of a file without one.
fn in_words(dir: &Path) -> &Path {
    match dir.as_os_str().is_empty() {
        true => Path::new("."),
        false => dir,
    }
}

/// How many runs a task has.
struct Sized<'a> {
    study: &'a Study,
    engine: EngineArg,
    meter: &'a Meter,
}

impl Sized<'_> {
    /// As the study says, else by a probe.
    fn runs_per_task(&self, open: &[&Job]) -> usize {
        let given = self.study.slurm.runs_per_task;
        let given = given.and_then(|runs| usize::try_from(runs).ok());
        given.unwrap_or_else(|| probe::runs_per_task(self, open))
    }
}
