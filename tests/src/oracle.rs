//! A plain oracle of every figure that a run prints: raw events are written down, and slow code
//! recomputes from them, by the definitions of the figures alone, what the statistics count as they
//! go. It shares no code with them.
//!
//! [`cases::case`] draws a run, [`examine`] runs it and names every figure that differs.

pub mod cases;
mod figures;
mod flow_sets;
mod history;
mod ideal;
mod latencies;
mod memory;
mod record;
mod saqs;
mod steady;
mod windows;

use crate::compare::ended;
use crate::prelude::*;
use history::History;

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
    flow_sets::check_replies(&history);
    history.compare(&record, &record::expected(&history, &record));
    Ok(history.findings.into_inner())
}
