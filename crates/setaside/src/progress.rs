//! Progress on stderr: a bar on a terminal, plain lines elsewhere, both with the time that is left.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use study::{Job, RunFailure};

/// Parts of a run that the bar counts.
pub(crate) const STEPS: u64 = 200;
/// Plain lines come at most this often.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

struct Lines {
    done: u64,
    finished: usize,
    last: Instant,
}

/// Progress of one or many runs.
pub(crate) struct Meter {
    bar: Option<ProgressBar>,
    lines: Mutex<Lines>,
    start: Instant,
    steps: u64,
    runs: usize,
}

impl Meter {
    /// For so many runs of [`STEPS`] steps each.
    pub(crate) fn new(runs: usize) -> Meter {
        let steps = runs as u64 * STEPS;
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template(
                "{bar:24.cyan/dim} {percent:>3}%  {elapsed} elapsed, {eta} left  {wide_msg}",
            );
            bar.set_style(style.expect("a legal template"));
            bar
        });
        let now = Instant::now();
        Meter {
            bar,
            lines: Mutex::new(Lines {
                done: 0,
                finished: 0,
                last: now,
            }),
            start: now,
            steps,
            runs,
        }
    }

    /// Takes a name for what runs now.
    pub(crate) fn message(&self, text: String) {
        if let Some(bar) = &self.bar {
            bar.set_message(text);
        }
    }

    /// One step of some run is done.
    pub(crate) fn step(&self) {
        if let Some(bar) = &self.bar {
            bar.inc(1);
            return;
        }
        let mut lines = self.lines.lock().unwrap_or_else(|e| e.into_inner());
        lines.done += 1;
        if lines.last.elapsed() >= LINE_INTERVAL {
            lines.last = Instant::now();
            eprintln!(
                "{:>3} %, {} of {} runs finished, {}",
                lines.done * 100 / self.steps.max(1),
                lines.finished,
                self.runs,
                self.left(lines.done)
            );
        }
    }

    fn left(&self, done: u64) -> String {
        let elapsed = self.start.elapsed().as_secs_f64();
        if done == 0 {
            return "time left unknown".to_string();
        }
        format!(
            "about {:.0} s left",
            elapsed * (self.steps.saturating_sub(done)) as f64 / done as f64
        )
    }

    /// Prints a line above the bar.
    pub(crate) fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| eprintln!("{text}")),
            None => eprintln!("{text}"),
        }
    }

    /// Takes the bar away.
    pub(crate) fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl study::Progress for Meter {
    fn started(&self, job: &Job) {
        self.message(job.name());
    }

    fn finished(&self, job: &Job, wall_seconds: f64) {
        let mut lines = self.lines.lock().unwrap_or_else(|e| e.into_inner());
        lines.finished += 1;
        lines.last = Instant::now();
        let (finished, done) = (
            lines.finished,
            lines.done.max(lines.finished as u64 * STEPS),
        );
        drop(lines);
        let left = if self.bar.is_some() || finished == self.runs {
            String::new()
        } else {
            format!(", {}", self.left(done))
        };
        self.line(&format!(
            "[{finished}/{}] {}: {wall_seconds:.1} s{left}",
            self.runs,
            job.name()
        ));
    }

    fn failed(&self, job: &Job, failure: &RunFailure) {
        let mut lines = self.lines.lock().unwrap_or_else(|e| e.into_inner());
        lines.finished += 1;
        drop(lines);
        self.line(&format!("{}: failed: {}", job.name(), failure.message));
    }
}
