//! From a scenario to the end of its run.

use crate::exit::Failure;
use crate::pace::Pace;
use crate::{cpu, interrupt};
use fabric::{Engine, Run, RunError};
use observe::{Observer, Record};
use plan::FabricConfig;
use scenario::Scenario;
use study::Times;
use tracing::info_span;
use units::Tick;

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
    let cpu_seconds = drive(&mut run, step, |run, until| run.step(until))?;
    Ok(run.finish(cpu_seconds).0)
}

/// All that a run is made of.
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
    let cpu_time = cpu::clock(run.threads());
    let mut pace = Pace::new();
    let (mut cpu_seconds, mut steps) = (0.0, 0u64);
    while let (at, ticks) = run.progress()
        && at < ticks
    {
        if interrupt::is_set() {
            return Err(Failure::interrupted());
        }
        let start = cpu_time();
        pace.step(at, |until| advance(run, until))?;
        cpu_seconds += cpu_time() - start;
        let done = u128::from(run.progress().0.0) * u128::from(STEPS) / u128::from(ticks.0);
        while u128::from(steps) < done {
            steps += 1;
            step();
        }
    }
    Ok(cpu_seconds)
}

/// Bins of the series and the measured time of a scenario.
pub(crate) fn times(scenario: &Scenario) -> Times {
    let ns = |key: &str| {
        let text = scenario.get(key)?;
        decimal(text.trim_matches('"'))
    };
    let duration_ns = scenario.duration_ns().to_f64();
    Times {
        series_bin_ns: ns("run.series_bin_ns").unwrap_or(duration_ns),
        warmup_ns: ns("run.warmup_ns").unwrap_or(0.0),
        duration_ns,
    }
}

/// A number as a resolved scenario has it: `12.5` or `1/3`.
fn decimal(text: &str) -> Option<f64> {
    match text.split_once('/') {
        Some((over, under)) => {
            Some(over.trim().parse::<f64>().ok()? / under.trim().parse::<f64>().ok()?)
        }
        None => text.parse().ok(),
    }
}
