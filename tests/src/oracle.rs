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
mod round_trips;
mod saqs;
mod steady;
mod windows;

use figures::Findings;
use history::History;

use crate::compare::ended;
use crate::watch::Watch;
use fabric::Engine;
use observe::Record;
use plan::FabricConfig;
use units::Tick;

/// Runs a case and recomputes every figure of its record. Returns what differs, a figure a line;
/// nothing if all is well, and what locked as an error.
///
/// There are two runs: raw events need one thread. Their records must agree.
pub fn examine(config: &FabricConfig, engine: Engine) -> Result<Vec<String>, String> {
    let (watch, record) = ended(config, Engine::Fast, Watch::with_events())?;
    let ((), alone) = ended(config, engine, ())?;
    let history = History::of(config, &watch, Tick(record.ticks));
    let (a, b) = (format!("{record:?}"), format!("{alone:?}"));
    history.exact("record beside an observer of all events", &a, &b);
    compare(&history, &record);
    Ok(history.findings.into_inner().0)
}

/// Recomputes every figure of a record from the raw events of its run.
fn compare(history: &History<'_>, record: &Record) {
    round_trips::check_replies(history);
    drain::compare(history);
    rates::compare(history, record);
    latencies::compare(history, record);
    flow_sets::compare(history, record);
    windows::compare(history, record);
    steady::compare(history, record);
    // The bound of a workload counts no replies.
    if !history.any_asks() {
        ideal::compare(history, record);
    }
    saqs::compare(history, record);
    protocol::compare(history, record);
    memory::compare(history, record);
}
