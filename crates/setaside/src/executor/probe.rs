//! What a run takes, from a short look at some of them.

use super::runs::Sized;
use crate::forecast;
use study::{Job, Progress as _};

/// Runs that are looked at: the first, the last and some between.
const LOOKS: usize = 4;
/// Some minutes a task: it is worth a scheduler's while, and no more than that is lost with a node.
const TASK_SECONDS_MAX: f64 = 300.0;
/// Shorter tasks cost the scheduler more than the runs take.
const TASK_SECONDS_MIN: f64 = 10.0;
/// So many tasks at least, where they are not too short for it, to have something for all nodes.
const TASKS_WANTED: f64 = 64.0;

impl Sized<'_> {
    /// How many of these runs a task is to have.
    pub(super) fn runs_per_task(&self, open: &[&Job]) -> usize {
        let given = self.runs.study.slurm.runs_per_task;
        let given = given.and_then(|runs| usize::try_from(runs).ok());
        given.unwrap_or_else(|| self.probed(open))
    }

    fn probed(&self, open: &[&Job]) -> usize {
        let stride = open.len().div_ceil(LOOKS).max(1);
        let looked_at = open.iter().step_by(stride).chain(open.last());
        // One that cannot begin says so in its task.
        let seconds = looked_at.filter_map(|job| {
            let probe = forecast::probe(self.runs.scenarios[job.index], self.engine).ok()?;
            Some(probe.seconds(job.cost))
        });
        let longest = seconds.fold(0.0, f64::max);
        let runs = runs_of(longest, open.len());
        let text = format!("probe: a run takes up to about {longest:.1} s, {runs} a task");
        self.runs.meter.note(&text);
        runs
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
