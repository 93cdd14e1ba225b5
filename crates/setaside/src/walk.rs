//! Progress of the check of all routes, on stderr: a bar on a terminal, plain lines elsewhere; neither where it is soon done.

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
    set(Some(Shown {
        start: Instant::now(),
        last: None,
        bar: None,
    }));
    let built = build(&scenario.with_threads(threads).with_progress(step));
    if let Some(bar) = SHOWN
        .lock()
        .unwrap_or_else(|e| e.into_inner())
        .take()
        .and_then(|s| s.bar)
    {
        bar.finish_and_clear();
    }
    built
}

/// So many of the nodes are done.
fn step(done: u64, of: u64) {
    let Ok(mut shown) = SHOWN.try_lock() else {
        return; // another thread is at it
    };
    let Some(shown) = shown
        .as_mut()
        .filter(|shown| shown.start.elapsed() > PATIENCE)
    else {
        return;
    };
    if std::io::stderr().is_terminal() {
        let bar = shown.bar.get_or_insert_with(|| {
            let bar = ProgressBar::with_draw_target(Some(of), ProgressDrawTarget::stderr());
            let style =
                ProgressStyle::with_template("{bar:24.cyan/dim} {percent:>3}%  {eta} left  routes");
            bar.with_style(style.expect("a legal template"))
        });
        bar.set_position(done);
    } else if shown
        .last
        .is_none_or(|last| last.elapsed() >= LINE_INTERVAL)
    {
        shown.last = Some(Instant::now());
        eprintln!("routes: {done} of {of} end nodes checked");
    }
}
