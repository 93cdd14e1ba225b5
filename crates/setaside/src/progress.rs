//! Progress on stderr: a bar on a terminal, plain lines elsewhere, both with the time that is left.

use crate::log;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use study::{Job, RunFailure};

/// Parts of a run that the bar counts.
pub(crate) const STEPS: u64 = 200;
/// Plain lines come at most this often.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

struct Lines {
    /// Steps done of those that are to be done.
    done: u64,
    steps: u64,
    finished: usize,
    /// Of these, were there before.
    taken: usize,
    last: Instant,
    /// What runs now.
    what: String,
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
        let steps = runs as u64 * STEPS;
        let has_bar = std::io::stderr().is_terminal() && !is_logged && !is_quiet;
        let bar = has_bar.then(|| {
            let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template(
                "{bar:24.cyan/dim} {percent:>3}%  {elapsed} elapsed, {left}  {wide_msg}",
            );
            let time_left = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
                let steps = state.len().unwrap_or(0);
                // Writing to a line of text cannot fail.
                let _ = out.write_str(&left(state.elapsed(), state.pos(), steps));
            };
            let style = style.expect("a legal template");
            bar.set_style(style.with_key("left", time_left));
            bar
        });
        let now = Instant::now();
        Meter {
            bar,
            lines: Mutex::new(Lines {
                done: 0,
                steps,
                finished: 0,
                taken: 0,
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

    /// Takes a name for what runs now.
    pub(crate) fn message(&self, text: String) {
        match &self.bar {
            Some(bar) => bar.set_message(text),
            None => self.lines.lock().unwrap_or_else(|e| e.into_inner()).what = text,
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
        if !self.is_logged && !self.is_quiet && lines.last.elapsed() >= LINE_INTERVAL {
            lines.last = Instant::now();
            let percent = lines.done * 100 / lines.steps.max(1);
            let what = match self.runs {
                1 => lines.what.clone(),
                runs => format!("{} of {runs} runs finished", lines.finished),
            };
            let left = left(self.start.elapsed(), lines.done, lines.steps);
            log::say(&format!("{percent:>3} %, {what}, {left}"));
        }
    }

    /// Prints a line above the bar.
    pub(crate) fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| eprintln!("{text}")),
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

/// How long it goes on, from what it took so far; nothing is known before the first step is done.
fn left(elapsed: Duration, done: u64, steps: u64) -> String {
    if done == 0 {
        return "time left unknown".to_string();
    }
    let left = elapsed.as_secs_f64() * steps.saturating_sub(done) as f64 / done as f64;
    format!("about {left:.0} s left")
}

impl study::Progress for Meter {
    fn begins(&self, finished: usize, again: usize) {
        let steps = (self.runs - finished) as u64 * STEPS;
        let mut lines = self.lines.lock().unwrap_or_else(|e| e.into_inner());
        (lines.finished, lines.taken, lines.steps) = (finished, finished, steps);
        drop(lines);
        if let Some(bar) = &self.bar {
            bar.set_length(steps);
        }
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
                "{again} {} there of another build of setaside, or not whole: run again, and kept \
                 until the new one is complete",
                if again == 1 { "run is" } else { "runs are" }
            ));
        }
    }

    fn started(&self, job: &Job) {
        self.message(job.name());
    }

    fn finished(&self, job: &Job, wall_seconds: f64) {
        let mut lines = self.lines.lock().unwrap_or_else(|e| e.into_inner());
        lines.finished += 1;
        lines.last = Instant::now();
        let (finished, steps) = (lines.finished, lines.steps);
        let done = lines.done.max((finished - lines.taken) as u64 * STEPS);
        drop(lines);
        if self.is_quiet {
            return;
        }
        let left = if self.bar.is_some() || finished == self.runs {
            String::new()
        } else {
            format!(", {}", left(self.start.elapsed(), done, steps))
        };
        self.line(&format!(
            "[{finished}/{}] {}: {wall_seconds:.1} s{left}",
            self.runs,
            job.name()
        ));
    }

    fn note(&self, text: &str) {
        if !self.is_quiet {
            self.line(text);
        }
    }

    fn failed(&self, job: &Job, failure: &RunFailure) {
        let mut lines = self.lines.lock().unwrap_or_else(|e| e.into_inner());
        lines.finished += 1;
        drop(lines);
        self.line(&format!("{}: failed: {}", job.name(), failure.message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // "ETA at 0 % reads 0 s": without a step there is nothing to reckon from.
    #[test]
    fn time_left_is_unknown_until_there_is_a_basis() {
        let ten = Duration::from_secs(10);
        assert_eq!(left(Duration::ZERO, 0, 200), "time left unknown");
        assert_eq!(left(ten, 0, 200), "time left unknown");
        assert_eq!(left(ten, 1, 200), "about 1990 s left");
        assert_eq!(left(ten, 150, 200), "about 3 s left");
        assert_eq!(left(ten, 200, 200), "about 0 s left");
    }
}
