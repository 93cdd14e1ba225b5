//! Progress on stderr: a bar on a terminal, plain lines elsewhere, with the time that is left.

use crate::drive::STEPS;
use crate::log;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use scenario::Scenario;
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use study::{Job, RunFailure};

/// Plain lines come at most this often.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

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
    /// Steps done of the current runs, by index.
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

fn bar(parts: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).expect("a legal template");
    ProgressBar::with_draw_target(Some(parts), ProgressDrawTarget::stderr()).with_style(style)
}

/// Progress of one or many runs.
pub(crate) struct Meter {
    bar: Option<ProgressBar>,
    lines: Mutex<Lines>,
    start: Instant,
    runs: usize,
    /// Of these, were there before, as its caller knows.
    known: usize,
    is_logged: bool,
    is_quiet: bool,
}

impl Meter {
    /// For so many runs of [`STEPS`] steps each, of which some are known to be finished: nothing is
    /// reported of them. Without progress in a log; quiet: failures alone.
    pub(crate) fn new(runs: usize, known: usize, is_logged: bool, is_quiet: bool) -> Meter {
        let has_bar = std::io::stderr().is_terminal() && !is_logged && !is_quiet;
        let template = "{bar:24.cyan/dim} {percent:>3}%  {elapsed} elapsed  {wide_msg}";
        let bar = has_bar.then(|| bar(BAR_PARTS, template));
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
            known,
            is_logged,
            is_quiet,
        }
    }

    fn lines(&self) -> MutexGuard<'_, Lines> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A run has ended, in whatever way.
    fn ended(&self, job: &Job) -> MutexGuard<'_, Lines> {
        let mut lines = self.lines();
        lines.finished += 1;
        lines.work.ended(job.index, job.cost);
        lines
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
            log::note(&format!("{percent:>3} %, {what}{}", self.state(&lines)));
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
            None => log::note(text),
        }
    }

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
        if finished > self.known {
            let of = format!("{finished} of {} runs", self.runs);
            self.note(&format!("{of} are finished already and taken as they are"));
        }
        if again > 0 {
            let are = if again == 1 { "run is" } else { "runs are" };
            self.note(&format!(
                "{again} {are} there of another build of setaside, not whole, or to be run afresh: \
                 run again, and kept until the new one is complete"
            ));
        }
    }

    fn reused(&self, dir: &Path, runs: usize) {
        let mut lines = self.lines();
        lines.finished += runs;
        lines.taken += runs;
        drop(lines);
        let word = if runs == 1 { "run" } else { "runs" };
        self.note(&format!("{runs} {word} taken from {}", dir.display()));
    }

    fn remains(&self, jobs: &[&Job]) {
        self.lines().work.left = jobs.iter().map(|job| job.cost).sum();
    }

    fn derived(&self, job: &Job) {
        drop(self.ended(job));
    }

    fn limited(&self, side_by_side: usize) {
        let word = if side_by_side == 1 { "run" } else { "runs" };
        self.note(&format!("memory for {side_by_side} {word} side by side, no more"));
    }

    fn started(&self, job: &Job) {
        self.message(job.name());
    }

    fn finished(&self, job: &Job, wall_seconds: f64) {
        let mut lines = self.ended(job);
        lines.last = Instant::now();
        let (finished, state) = (lines.finished, self.state(&lines));
        drop(lines);
        let name = job.name();
        self.note(&match (self.bar.is_some(), finished == self.runs) {
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
        self.ended(job).failed += 1;
        self.line(&format!("{}: failed: {}", job.name(), failure.message));
    }
}

/// Nothing is shown of the check of all routes before.
const PATIENCE: Duration = Duration::from_millis(500);
/// Plain lines of it come at most this often.
const WALK_INTERVAL: Duration = Duration::from_secs(2);

struct Shown {
    start: Instant,
    last: Option<Instant>,
    bar: Option<ProgressBar>,
}

/// The walk that is being shown. Networks notify a plain function, which has no other place for it.
static SHOWN: Mutex<Option<Shown>> = Mutex::new(None);

/// Builds something of a scenario on so many threads, and shows how far the check of its routes is.
pub(crate) fn of_routes<T>(
    scenario: Scenario,
    threads: NonZeroUsize,
    build: impl FnOnce(&Scenario) -> T,
) -> T {
    let now = || SHOWN.lock().unwrap_or_else(PoisonError::into_inner);
    *now() = Some(Shown { start: Instant::now(), last: None, bar: None });
    let built = build(&scenario.with_threads(threads).with_progress(step));
    if let Some(bar) = now().take().and_then(|shown| shown.bar) {
        bar.finish_and_clear();
    }
    built
}

/// So many of the nodes are done.
fn step(done: u64, of: u64) {
    let Ok(mut shown) = SHOWN.try_lock() else {
        return; // another thread is at it
    };
    let Some(shown) = shown.as_mut() else { return };
    let since_last = shown.last.map(|last| last.elapsed());
    if !is_due(shown.start.elapsed(), since_last, shown.bar.is_some()) {
        return;
    }
    shown.last = Some(Instant::now());
    if std::io::stderr().is_terminal() {
        let template = "{bar:24.cyan/dim} {percent:>3}%  {eta} left  routes";
        let bar = shown.bar.get_or_insert_with(|| bar(of, template));
        bar.set_position(done);
    } else {
        log::line(&format!("routes: {done} of {of} end nodes checked"));
    }
}

/// Whether to show something: a bar moves at every step, lines are some time apart.
fn is_due(elapsed: Duration, since_last: Option<Duration>, bar: bool) -> bool {
    elapsed >= PATIENCE && (bar || since_last.is_none_or(|since| since >= WALK_INTERVAL))
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

    #[test]
    fn nothing_is_shown_at_once_and_lines_keep_apart() {
        let ms = Duration::from_millis;
        for (elapsed, since_last, bar, due) in [
            (499, None, false, false),
            (500, None, false, true),
            (900, Some(400), false, false),
            (2600, Some(2000), false, true),
            (501, Some(1), true, true),
        ] {
            let since = since_last.map(ms);
            assert_eq!(is_due(ms(elapsed), since, bar), due, "{elapsed} {since_last:?} {bar}");
        }
    }
}
