//! Where the runs of a sweep are made: here, by Slurm, or by whatever starts tasks.

mod arrays;
mod queue;
mod slurm;

pub(crate) use arrays::Arrays;
pub(crate) use queue::{Row, rows};
pub(crate) use slurm::{cancel, is_cancelled};

use crate::exit::{Exit, Failure};
use crate::forecast;
use crate::options::{ExecutorArg, StudyArgs};
use crate::progress::Meter;
use crate::run::simulate;
use crate::sweep::derive;
use observe::Record;
use scenario::{Scenario, Study};
use slurm::{Slurm, quoted};
use std::ffi::OsStr;
use std::path::Path;
use std::time::Duration;
use study::{
    Elsewhere, Job, Polled, Progress as _, RunFailure, SweepError, SweepOptions, SweepResult,
    TaskOptions, run_sweep, run_sweep_elsewhere, task_path,
};
use tracing::info_span;

/// Default of `slurm.tries`, as in the table of keys.
const TRIES: u64 = 3;
/// Default of `slurm.poll_seconds`, as in the table of keys.
const POLL_SECONDS: u64 = 5;

/// Refuses options without effect where the runs are made elsewhere.
pub(crate) fn check(args: &StudyArgs, emit_tasks: Option<&Path>) -> Result<(), Failure> {
    let is_local = args.executor == ExecutorArg::Local && emit_tasks.is_none();
    if let (Some(jobs), false) = (args.jobs, is_local) {
        let legal = "legal: runs on this machine; a task of Slurm has slurm.cpus";
        return Err(Failure::error(Exit::Usage, format!("--jobs: {jobs}; {legal}")));
    }
    if args.fresh && !is_local {
        let what = "--fresh: legal: runs on this machine; another --out begins anew";
        return Err(Failure::error(Exit::Usage, what));
    }
    match emit_tasks {
        Some(path) => crate::target::check("--emit-tasks", path),
        None => Ok(()),
    }
}

/// Runs that are probed: the first, the last and some between.
const PROBES: usize = 4;
/// Some minutes a task: it is worth a scheduler's while, and no more than that is lost with a node.
const TASK_SECONDS_MAX: f64 = 300.0;
/// Shorter tasks cost the scheduler more than the runs take.
const TASK_SECONDS_MIN: f64 = 10.0;
/// So many tasks at least, where they are not too short for it, to have something for all nodes.
const TASKS_WANTED: f64 = 64.0;

/// Runs of a study, and how they are made.
pub(crate) struct Runs<'a> {
    /// Of which they are: its keys of Slurm, and where its files are.
    pub(crate) study: &'a Study,
    pub(crate) jobs: &'a [Job],
    pub(crate) scenarios: &'a [&'a Scenario],
    pub(crate) meter: &'a Meter,
    pub(crate) args: &'a StudyArgs,
    pub(crate) emit_tasks: Option<&'a Path>,
}

impl Runs<'_> {
    /// Has them made, here or elsewhere, with the derived ones unless they are not wanted.
    pub(crate) fn make(&self, options: &SweepOptions<'_>) -> Result<SweepResult, Failure> {
        let derive = |job: &Job, record: Record| derive(self.scenarios[job.index], record);
        let options =
            SweepOptions { derive: (!self.args.no_derive).then_some(&derive), ..options.clone() };
        let made = match (self.emit_tasks, self.args.executor) {
            (Some(path), _) => self.elsewhere(&options, &mut Emit { path, runs: self }),
            (None, ExecutorArg::Slurm) => self.elsewhere(&options, &mut Slurm::new(self)),
            (None, ExecutorArg::Local) => {
                run_sweep(self.jobs, &options, |job| self.simulated(job), self.meter)
            }
        };
        self.meter.clear();
        Ok(made?)
    }

    fn simulated(&self, job: &Job) -> Result<Record, RunFailure> {
        let _span = info_span!("point", directory = job.directory, seed = job.seed).entered();
        let step = || self.meter.step_of(job.index, job.cost);
        let engine = self.args.engine.engine();
        simulate(self.scenarios[job.index], engine, &step).map_err(RunFailure::from)
    }

    /// Runs for each task: as the study gives them, else by short probes of some.
    fn per_task(&self, open: &[&Job]) -> usize {
        let given = self.study.slurm.runs_per_task;
        if let Some(given) = given.and_then(|runs| usize::try_from(runs).ok()) {
            return given;
        }
        let stride = open.len().div_ceil(PROBES).max(1);
        let probed = open.iter().step_by(stride).chain(open.last());
        // One that cannot begin reports it in its task.
        let seconds = probed.filter_map(|job| {
            let probe = forecast::probe(self.scenarios[job.index], self.args.engine).ok()?;
            Some(probe.seconds(job.cost))
        });
        let longest = seconds.fold(0.0, f64::max);
        let runs = runs_of(longest, open.len());
        self.meter.note(&format!("probe: a run takes up to about {longest:.1} s, {runs} a task"));
        runs
    }

    /// Has them made by other processes; see [`run_sweep_elsewhere`].
    fn elsewhere(
        &self,
        options: &SweepOptions<'_>,
        elsewhere: &mut dyn Elsewhere,
    ) -> Result<SweepResult, SweepError> {
        let slurm = &self.study.slurm;
        // Absolute: a worker may start anywhere.
        let base_dir = self.study.base_dir().and_then(|dir| {
            let dir = if dir.as_os_str().is_empty() { Path::new(".") } else { dir };
            std::fs::canonicalize(dir).ok()
        });
        let tasks = TaskOptions {
            base_dir,
            tries: u32::try_from(slurm.tries.unwrap_or(TRIES)).unwrap_or(u32::MAX),
            poll: Duration::from_secs(slurm.poll_seconds.unwrap_or(POLL_SECONDS)),
        };
        run_sweep_elsewhere(self.jobs, options, &tasks, elsewhere, self.meter)
    }
}

/// `--emit-tasks`: one command a line, for whatever starts them.
struct Emit<'a> {
    path: &'a Path,
    runs: &'a Runs<'a>,
}

impl Elsewhere for Emit<'_> {
    fn runs_per_task(&mut self, open: &[&Job]) -> usize {
        self.runs.per_task(open)
    }

    fn may_wait(&self) -> bool {
        false
    }

    fn submit(&mut self, dir: &Path, tasks: &[usize], _attempt: u32) -> Result<usize, String> {
        let program = std::env::current_exe().map_err(|e| format!("own path: {e}"))?;
        let command = |task: &usize| {
            let task = task_path(dir, *task);
            let words = [program.as_os_str(), OsStr::new("work"), task.as_os_str()];
            [words.map(quoted).join(&b' '), b"\n".to_vec()].concat()
        };
        let lines: Vec<u8> = tasks.iter().flat_map(command).collect();
        std::fs::write(self.path, lines)
            .map_err(|e| crate::target::failure("--emit-tasks", self.path, &e).message)?;
        Ok(tasks.len())
    }

    fn poll(&mut self, _dir: &Path) -> Result<Polled, String> {
        Ok(Polled::Over)
    }
}

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

/// As many runs as come to the wanted time of a task.
fn runs_of(seconds: f64, runs: usize) -> usize {
    let all = seconds * runs as f64;
    let task = (all / TASKS_WANTED).clamp(TASK_SECONDS_MIN, TASK_SECONDS_MAX);
    let count = (task / seconds.max(1e-6)).floor();
    // a quotient of 1e7 at most
    (count as usize).clamp(1, runs.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    // "sized by a short probe of what a run takes (aim at some minutes a task)"
    #[test]
    fn tasks_take_some_minutes_and_short_studies_are_still_spread() {
        for (seconds, runs, expected) in [
            (0.01, 48, 48),      // under 10 s in all: one task
            (1.0, 640, 10),      // 64 tasks of 10 s
            (1.0, 100_000, 300), // 5 minutes
            (60.0, 100_000, 5),  // 5 minutes
            (7_200.0, 1_000, 1), // no less than a run
            (0.0, 10, 10),       // nothing known
        ] {
            assert_eq!(runs_of(seconds, runs), expected, "{seconds} s, {runs} runs");
        }
    }
}
