//! Progress on stderr: a bar on a terminal, plain lines elsewhere, both with the time that is left.

use crate::drive::STEPS;
use crate::log;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use study::{Job, RunFailure};

/// Plain lines come at most this often.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Parts of the bar.
const BAR_PARTS: u64 = 1_000;

struct Lines {
    work: Work,
    finished: usize,
    /// Of these, were there before.
    taken: usize,
    failed: usize,
    last: Instant,
    /// What runs now.
    what: String,
}

/// What is done and what is left, in units of [`Job::cost`].
#[derive(Debug, Default)]
struct Work {
    /// Simulated since the start.
    done: f64,
    left: f64,
    /// Steps done of the runs under way, by index.
    under_way: BTreeMap<usize, u64>,
}

impl Work {
    fn step(&mut self, index: usize, cost: f64) {
        *self.under_way.entry(index).or_default() += 1;
        self.done += cost / STEPS as f64;
        self.left -= cost / STEPS as f64;
    }

    /// A run has ended: what it did not do is not left any more.
    fn ended(&mut self, index: usize, cost: f64) {
        let steps = self.under_way.remove(&index).unwrap_or(0);
        self.left -= cost * STEPS.saturating_sub(steps) as f64 / STEPS as f64;
    }

    /// How far it is, from 0 to 1.
    fn share(&self) -> f64 {
        let left = self.left.max(0.0);
        match self.done + left {
            0.0 => 0.0,
            all => self.done / all,
        }
    }

    /// How long what is left takes, at the pace of what is done; nothing is known before that.
    fn time_left(&self, elapsed: Duration) -> String {
        if self.done == 0.0 {
            return "time left unknown".to_string();
        }
        let left = elapsed.as_secs_f64() * self.left.max(0.0) / self.done;
        format!("about {left:.0} s left")
    }
}

/// Progress of one or many runs.
pub(crate) struct Meter {
    bar: Option<ProgressBar>,
    lines: Mutex<Lines>,
    start: Instant,
    runs: usize,
    /// Of these, were there before as its caller knows.
    known: usize,
    is_logged: bool,
    is_quiet: bool,
}

impl Meter {
    /// For so many runs of [`STEPS`] steps each. Where something is logged
    /// nothing comes between: how far runs are is not told. A quiet one tells failures alone.
    pub(crate) fn new(runs: usize, is_logged: bool, is_quiet: bool) -> Meter {
        let has_bar = std::io::stderr().is_terminal() && !is_logged && !is_quiet;
        let bar = has_bar.then(|| {
            let target = ProgressDrawTarget::stderr();
            let bar = ProgressBar::with_draw_target(Some(BAR_PARTS), target);
            let style = ProgressStyle::with_template(
                "{bar:24.cyan/dim} {percent:>3}%  {elapsed} elapsed  {wide_msg}",
            );
            bar.set_style(style.expect("a legal template"));
            bar
        });
        let now = Instant::now();
        Meter {
            bar,
            lines: Mutex::new(Lines {
                work: Work { left: runs as f64, ..Work::default() },
                finished: 0,
                taken: 0,
                failed: 0,
                last: now,
                what: String::new(),
            }),
            start: now,
            runs,
            known: 0,
            is_logged,
            is_quiet,
        }
    }

    /// So many of the runs are known to be finished: nothing is told of them.
    pub(crate) fn knowing(mut self, runs: usize) -> Meter {
        self.known = runs;
        self
    }

    fn lines(&self) -> MutexGuard<'_, Lines> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a name for what runs now.
    pub(crate) fn message(&self, text: String) {
        self.lines().what = text;
    }

    /// One step of the only run is done.
    pub(crate) fn step(&self) {
        self.step_of(0, 1.0);
    }

    /// One step of the run with this index and cost is done.
    pub(crate) fn step_of(&self, index: usize, cost: f64) {
        let mut lines = self.lines();
        lines.work.step(index, cost);
        if let Some(bar) = &self.bar {
            bar.set_position((lines.work.share() * BAR_PARTS as f64) as u64);
            let now = self.state(&lines);
            bar.set_message(format!("{now}  {}", lines.what));
            return;
        }
        if !self.is_logged && !self.is_quiet && lines.last.elapsed() >= LINE_INTERVAL {
            lines.last = Instant::now();
            let percent = (lines.work.share() * 100.0) as u64;
            let what = match self.runs {
                1 => format!("{}, ", lines.what),
                _ => String::new(),
            };
            log::say(&format!("{percent:>3} %, {what}{}", self.state(&lines)));
        }
    }

    /// Runs that are done, their rate, those that failed, and the time that is left.
    fn state(&self, lines: &Lines) -> String {
        let left = lines.work.time_left(self.start.elapsed());
        if self.runs == 1 {
            return left;
        }
        let seconds = self.start.elapsed().as_secs_f64();
        let rate = (lines.finished - lines.taken) as f64 / seconds.max(1e-3);
        let failed = match lines.failed {
            0 => String::new(),
            failed => format!(", {failed} failed"),
        };
        let (finished, runs) = (lines.finished, self.runs);
        format!("{finished} of {runs} runs{failed}, {} runs/s, {left}", figures(rate))
    }

    /// Prints a line above the bar.
    pub(crate) fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| log::line(text)),
            None => log::say(text),
        }
    }

    /// Takes the bar away.
    pub(crate) fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Two figures at least.
fn figures(rate: f64) -> String {
    match rate {
        rate if rate >= 10.0 => format!("{rate:.0}"),
        rate if rate >= 1.0 => format!("{rate:.1}"),
        rate => format!("{rate:.2}"),
    }
}

impl study::Progress for Meter {
    fn begins(&self, finished: usize, again: usize) {
        let mut lines = self.lines();
        (lines.finished, lines.taken) = (finished, finished);
        drop(lines);
        if self.is_quiet {
            return;
        }
        if finished > self.known {
            let runs = self.runs;
            self.line(&format!(
                "{finished} of {runs} runs are finished already and taken as they are"
            ));
        }
        if again > 0 {
            self.line(&format!(
                "{again} {} there of another build of setaside, not whole, or to be run afresh: run \
                 again, and kept until the new one is complete",
                if again == 1 { "run is" } else { "runs are" }
            ));
        }
    }

    fn reused(&self, dir: &Path, runs: usize) {
        let mut lines = self.lines();
        lines.finished += runs;
        lines.taken += runs;
        drop(lines);
        if !self.is_quiet {
            let word = if runs == 1 { "run" } else { "runs" };
            self.line(&format!("{runs} {word} taken from {}", dir.display()));
        }
    }

    fn remains(&self, jobs: &[&Job]) {
        self.lines().work.left = jobs.iter().map(|job| job.cost).sum();
    }

    fn derived(&self, job: &Job) {
        let mut lines = self.lines();
        lines.finished += 1;
        lines.work.ended(job.index, job.cost);
    }

    fn limited(&self, side_by_side: usize) {
        if !self.is_quiet {
            self.line(&format!(
                "memory for {side_by_side} {} side by side, no more",
                if side_by_side == 1 { "run" } else { "runs" }
            ));
        }
    }

    fn started(&self, job: &Job) {
        self.message(job.name());
    }

    fn finished(&self, job: &Job, wall_seconds: f64) {
        let mut lines = self.lines();
        lines.finished += 1;
        lines.last = Instant::now();
        lines.work.ended(job.index, job.cost);
        let (finished, state) = (lines.finished, self.state(&lines));
        drop(lines);
        if self.is_quiet {
            return;
        }
        let name = job.name();
        self.line(&match (self.bar.is_some(), finished == self.runs) {
            (false, false) => format!("{name}: {wall_seconds:.1} s; {state}"),
            _ => format!("[{finished}/{}] {name}: {wall_seconds:.1} s", self.runs),
        });
    }

    fn note(&self, text: &str) {
        if !self.is_quiet {
            self.line(text);
        }
    }

    fn failed(&self, job: &Job, failure: &RunFailure) {
        let mut lines = self.lines();
        lines.finished += 1;
        lines.failed += 1;
        lines.work.ended(job.index, job.cost);
        drop(lines);
        self.line(&format!("{}: failed: {}", job.name(), failure.message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // "ETA at 0 % reads 0 s": without a step there is nothing to reckon from. "ETA from what is
    // left, not a mean over finished ones": a large run that is left counts as such, and one that
    // is derived takes no time.
    #[test]
    fn time_left_is_that_of_what_is_left() {
        let ten = Duration::from_secs(10);
        let mut work = Work { left: 1.0 + 5.0 + 30.0, ..Work::default() };
        assert_eq!(work.time_left(ten), "time left unknown");
        (0..STEPS).for_each(|_| work.step(0, 1.0));
        work.ended(0, 1.0);
        assert_eq!(work.time_left(ten), "about 350 s left");
        work.ended(2, 30.0);
        assert_eq!(work.time_left(ten), "about 50 s left");
        (0..STEPS / 2).for_each(|_| work.step(1, 5.0));
        assert_eq!(work.time_left(Duration::from_secs(35)), "about 25 s left");
        work.ended(1, 5.0); // ended before its time
        assert_eq!(work.time_left(ten), "about 0 s left");
        assert_eq!(work.share(), 1.0);
    }
}
