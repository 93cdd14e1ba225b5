//! A plain oracle of every figure that a run prints: raw events are written down, and slow code
//! recomputes from them, by the definitions of the figures alone, what the statistics count as they
//! go. It shares no code with them.
//!
//! [`cases::case`] draws a run, [`examine`] runs it and names every figure that differs.

pub mod cases;
mod drain;
mod figures;
mod flow_sets;
mod history;
mod ideal;
mod latencies;
mod memory;
mod protocol;
mod rates;
mod raw;
mod round_trips;
mod saqs;
mod steady;
mod windows;

pub use figures::Findings;
pub use history::{History, Message, SentPacket};
pub use raw::Raw;

use crate::erased::Erased;
use fabric::{Engine, Run};
use observe::{Record, Timing};
use plan::FabricConfig;
use std::num::NonZeroUsize;
use units::Tick;

/// Runs a case and recomputes every figure of its record. Returns what differs, a figure a line;
/// nothing if all is well.
///
/// There are two runs: raw events need one thread. Their records must agree.
///
/// # Errors
/// What locked.
pub fn examine(config: &FabricConfig, engine: Engine) -> Result<Vec<String>, String> {
    let raw = Erased::new(Raw::new(config.network.switches(), config.run.duration));
    let (raw, told) = outcome(config, Engine::Fast, raw)?;
    let ((), alone) = outcome(config, engine, ())?;
    let mut findings = Findings::default();
    let (a, b) = (format!("{told:?}"), format!("{alone:?}"));
    findings.exact("record beside an observer of all events", &a, &b);
    compare(config, raw.of(), &told, &mut findings);
    Ok(findings.0)
}

/// On so many threads.
pub fn threads(count: usize) -> Engine {
    Engine::Parallel(NonZeroUsize::new(count).expect("at least one"))
}

fn outcome<X: observe::Observer>(
    config: &FabricConfig,
    engine: Engine,
    extra: X,
) -> Result<(X, Record), String> {
    let mut run = Run::with(config, engine, extra).map_err(|e| e.to_string())?;
    run.step(Tick::MAX).map_err(|e| e.to_string())?;
    let (mut record, extra) = run.finish(0.0);
    record.summary.timing = Timing::default();
    Ok((extra, record))
}

/// Recomputes every figure of a record from the raw events of its run.
pub fn compare(config: &FabricConfig, raw: &Raw, record: &Record, findings: &mut Findings) {
    let history = History::of(config, raw, Tick(record.ticks), findings);
    round_trips::check_replies(&history, findings);
    drain::compare(&history, findings);
    rates::compare(&history, record, findings);
    latencies::compare(&history, record, findings);
    flow_sets::compare(&history, record, findings);
    windows::compare(&history, record, findings);
    steady::compare(&history, record, findings);
    // The bound of a workload counts no replies.
    if !history.any_asks() {
        ideal::compare(&history, record, findings);
    }
    saqs::compare(&history, record, findings);
    protocol::compare(&history, record, findings);
    memory::compare(config, record, findings);
}
