//! From a scenario to the end of its run, in pieces of about equal time: interrupts are seen soon.

use crate::exit::{Exit, Failure};
use fabric::{Engine, Run, RunError};
use observe::{Observer, Record};
use plan::FabricConfig;
use rustix::time::{ClockId, clock_gettime};
use scenario::Scenario;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use study::Times;
use tracing::info_span;
use units::{Ratio, Span, Tick};

/// Parts of a run that the bar counts.
pub(crate) const STEPS: u64 = 200;

/// Simulates a scenario for the time that it gives.
pub(crate) fn simulate_plain(
    scenario: &Scenario,
    engine: Engine,
    step: &dyn Fn(),
) -> Result<Record, Failure> {
    let config = build(scenario)?;
    let mut run = Run::new(&config, engine)?;
    let cpu_seconds = drive(&mut run, step, |run, until| run.advance(until))?;
    Ok(run.finish(cpu_seconds).0)
}

pub(crate) fn build(scenario: &Scenario) -> Result<FabricConfig, Failure> {
    let _span = info_span!("build", scenario = scenario.name).entered();
    Ok(scenario.build()?)
}

/// Runs to the end in pieces: `advance` simulates up to a tick. Returns the CPU time.
pub(crate) fn drive<X: Observer>(
    run: &mut Run<X>,
    step: &dyn Fn(),
    mut advance: impl FnMut(&mut Run<X>, Tick) -> Result<(), RunError>,
) -> Result<f64, Failure> {
    let _span = info_span!("run", threads = run.threads()).entered();
    let threads = run.threads();
    let mut pace = Pace::new();
    let (mut seconds, mut steps) = (0.0, 0u64);
    while let (at, ticks) = run.progress()
        && at < ticks
    {
        if is_interrupted() {
            return Err(Failure::interrupted());
        }
        let start = cpu_seconds(threads);
        pace.step(at, |until| advance(run, until))?;
        seconds += cpu_seconds(threads) - start;
        let done = u128::from(run.progress().0.0) * u128::from(STEPS) / u128::from(ticks.0);
        while u128::from(steps) < done {
            steps += 1;
            step();
        }
    }
    Ok(seconds)
}

/// Bins of the series and the measured time of a scenario.
pub(crate) fn times(scenario: &Scenario) -> Times {
    // as a resolved scenario has it: `12.5` or `"1/3"`; 0 is no ratio
    let ns = |key: &str| {
        let number = scenario.get(key)?.trim_matches('"').parse().ok();
        number.map(Ratio::to_f64)
    };
    let duration_ns = scenario.duration_ns().to_f64();
    Times {
        series_bin_ns: ns("run.series_bin_ns").unwrap_or(duration_ns),
        warmup_ns: ns("run.warmup_ns").unwrap_or(0.0),
        duration_ns,
    }
}

/// A piece should take less than this: the time until an interrupt is seen.
const PIECE_MAX: Duration = Duration::from_millis(100);
/// A piece that takes less than this is made longer.
const PIECE_MIN: Duration = Duration::from_millis(25);
const FIRST: u64 = 64;

pub(crate) struct Pace {
    ticks: u64,
}

impl Pace {
    pub(crate) fn new() -> Pace {
        Pace { ticks: FIRST }
    }

    /// Simulates a piece that starts at `now`; `advance` runs up to the tick that it is given.
    pub(crate) fn step<T>(&mut self, now: Tick, advance: impl FnOnce(Tick) -> T) -> T {
        let start = Instant::now();
        let result = advance(now.saturating_add(Span(self.ticks)));
        self.took(start.elapsed());
        result
    }

    fn took(&mut self, time: Duration) {
        if time < PIECE_MIN {
            self.ticks = self.ticks.saturating_mul(2);
        } else if time > PIECE_MAX {
            self.ticks = (self.ticks / 2).max(1);
        }
    }
}

/// CPU seconds that a run on so many threads has used so far: of this thread, or of all threads of
/// the program, which counts their waiting for each other too.
fn cpu_seconds(threads: usize) -> f64 {
    let clock = if threads > 1 { ClockId::ProcessCPUTime } else { ClockId::ThreadCPUTime };
    let time = clock_gettime(clock);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

#[cfg(unix)]
const SIGNALS: [i32; 3] = {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    [SIGINT, SIGTERM, SIGHUP]
};
#[cfg(not(unix))]
const SIGNALS: [i32; 2] = [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM];

static INTERRUPTED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// The flag that Ctrl-C, SIGTERM and SIGHUP set; a second one ends the program at once. On Linux a
/// signal that the program was started to ignore (SIGHUP under `nohup`) stays ignored; elsewhere a
/// hangup is handled as the others are.
pub(crate) fn interrupt_flag() -> &'static AtomicBool {
    INTERRUPTED.get_or_init(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let ignored = ignored();
        for signal in SIGNALS.into_iter().filter(|at| ignored >> (at - 1) & 1 == 0) {
            // Without a handler a signal ends the program at once, which loses nothing that is
            // finished. In this order: the first signal finds the flag not yet set.
            let _ = signal_hook::flag::register_conditional_shutdown(
                signal,
                Exit::Interrupted.code(),
                Arc::clone(&flag),
            );
            let _ = signal_hook::flag::register(signal, Arc::clone(&flag));
        }
        flag
    })
}

/// The signals that are ignored, number n in bit n - 1, on Linux, from /proc.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

pub(crate) fn is_interrupted() -> bool {
    INTERRUPTED.get().is_some_and(|flag| flag.load(Ordering::Relaxed))
}

#[cfg(test)]
mod tests {
    use super::*;

    // An interrupt is seen within about 100 ms of wall time, whatever a tick costs.
    #[test]
    fn pieces_come_to_take_less_than_a_tenth_of_a_second() {
        for tick_ns in [1, 1_000, 3_000_000] {
            let mut pace = Pace::new();
            for _ in 0..40 {
                pace.took(Duration::from_nanos(tick_ns * pace.ticks));
            }
            let piece = Duration::from_nanos(tick_ns * pace.ticks);
            assert!((PIECE_MIN..=PIECE_MAX).contains(&piece), "{tick_ns}: {piece:?}");
        }
    }
}
