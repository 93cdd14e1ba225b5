//! `setaside run --record`: congestion trees, CAM lines and ports over time, beside the results in
//! the run directory.

use crate::cpu;
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::progress::STEPS;
use fabric::{Engine, FabricConfig, Run};
use observe::{Record, Recording};
use scenario::Scenario;
use units::{Span, Tick, TimeBase};

/// What was recorded, and the time base that makes ns of its ticks.
pub struct Recorded {
    /// The observers.
    pub recording: Recording,
    /// For conversions.
    pub time_base: TimeBase,
}

/// Time between looks: as given, else about a hundredth of a bin of the series, odd, so that it
/// drifts through the packets of a steady flow.
pub fn interval_of(config: &FabricConfig, ns: Option<u64>) -> Span {
    let hundredth = Span((config.run.series_bin.0 / 100) | 1);
    let interval = ns.map_or(hundredth, |ns| config.time_base.ns_to_ticks_ceil(ns));
    interval.max(Span(2))
}

/// Simulates a scenario with both recorders; `step` is called 200 times on the way. Results are
/// those of a run without them.
///
/// # Errors
/// Configuration, deadlock, interrupt.
///
/// # Panics
/// When an invariant of the model is broken.
pub fn simulate_recorded(
    scenario: &Scenario,
    engine: Engine,
    interval_ns: Option<u64>,
    step: &dyn Fn(),
) -> Result<(Record, Recorded), Failure> {
    let config = scenario.build()?;
    let recording = fabric::recording(&config, interval_of(&config, interval_ns));
    let mut run = Run::with(&config, engine, recording)?;
    let (_, ticks) = run.progress();
    let mut cpu_seconds = 0.0;
    for k in 1..=STEPS {
        if interrupt::is_set() {
            return Err(Failure::interrupted());
        }
        let until = Tick((u128::from(ticks.0) * u128::from(k) / u128::from(STEPS)) as u64);
        let start = cpu::thread_seconds();
        run.step_recorded(until)?;
        cpu_seconds += cpu::thread_seconds() - start;
        step();
    }
    run.end_recording();
    let (record, recording) = run.finish(cpu_seconds);
    let recorded = Recorded {
        recording,
        time_base: config.time_base,
    };
    Ok((record, recorded))
}

/// Names of the four files.
pub(crate) const FILES: [&str; 4] = ["trees.json", "trees.csv", "cam.csv", "ports.csv"];

/// The four files of a run directory.
pub(crate) fn files(recorded: &Recorded) -> Result<Vec<(&'static str, Vec<u8>)>, Failure> {
    let Recorded {
        recording,
        time_base,
    } = recorded;
    let trees = &recording.trees;
    let mut json = serde_json::to_vec(&trees.record(time_base))
        .map_err(|e| Failure::new(Exit::Failure, format!("error: trees.json: {e}")))?;
    json.push(b'\n');
    let bytes = [
        json,
        trees.csv(time_base).into_bytes(),
        recording.recorder.cam_csv().as_bytes().to_vec(),
        recording.recorder.ports_csv().as_bytes().to_vec(),
    ];
    Ok(FILES.into_iter().zip(bytes).collect())
}
