//! Progress of the check of all routes, on stderr: a bar on a terminal, plain lines elsewhere;
//! neither where it is soon done.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use scenario::Scenario;
use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Nothing is shown before.
const PATIENCE: Duration = Duration::from_millis(500);
/// Plain lines come at most this often.
const LINE_INTERVAL: Duration = Duration::from_secs(2);

struct Shown {
    start: Instant,
    last: Option<Instant>,
    bar: Option<ProgressBar>,
}

/// The walk that is being shown. Networks tell a plain function, which has no other place for it.
static SHOWN: Mutex<Option<Shown>> = Mutex::new(None);

/// Builds something of a scenario on so many threads, and shows how far the check of its routes is.
pub(crate) fn shown<T>(
    scenario: Scenario,
    threads: NonZeroUsize,
    build: impl FnOnce(&Scenario) -> T,
) -> T {
    let set = |shown| *SHOWN.lock().unwrap_or_else(|e| e.into_inner()) = shown;
    set(Some(Shown { start: Instant::now(), last: None, bar: None }));
    let built = build(&scenario.with_threads(threads).with_progress(step));
    if let Some(bar) = SHOWN.lock().unwrap_or_else(|e| e.into_inner()).take().and_then(|s| s.bar) {
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
        let bar = shown.bar.get_or_insert_with(|| {
            let bar = ProgressBar::with_draw_target(Some(of), ProgressDrawTarget::stderr());
            let style =
                ProgressStyle::with_template("{bar:24.cyan/dim} {percent:>3}%  {eta} left  routes");
            bar.with_style(style.expect("a legal template"))
        });
        bar.set_position(done);
    } else {
        crate::log::line(&format!("routes: {done} of {of} end nodes checked"));
    }
}

/// Whether to show something: a bar moves at every step, lines are some time apart.
fn is_due(elapsed: Duration, since_last: Option<Duration>, bar: bool) -> bool {
    elapsed >= PATIENCE && (bar || since_last.is_none_or(|since| since >= LINE_INTERVAL))
}

#[cfg(test)]
mod tests {
    use super::is_due;
    use std::time::Duration;

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
