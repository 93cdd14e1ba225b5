//! Runs beside each other: where do the traces and records of two engines differ?

use fabric::{Engine, Run};
use observe::{Observer, Record, Timing, Trace};
use plan::FabricConfig;
use std::fmt::Debug;
use std::num::NonZeroUsize;
use units::Tick;

/// Must see everything in order, and keeps nothing.
struct InOrder;

impl Observer for InOrder {
    fn fork(&self) -> Option<InOrder> {
        Some(InOrder)
    }
}

/// On so many threads.
pub fn threads(count: usize) -> Engine {
    Engine::Parallel(NonZeroUsize::new(count).expect("at least one"))
}

/// The trace, and the record without the time that it took.
pub fn outcome(config: &FabricConfig, engine: Engine) -> (String, Record) {
    let (trace, record) = outcome_with(config, engine, Trace::default());
    (trace.text(), record)
}

/// A further observer at the end of a run, and the record without the time that it took.
pub fn outcome_with<X: Observer>(config: &FabricConfig, engine: Engine, extra: X) -> (X, Record) {
    ended(config, engine, extra).unwrap_or_else(|what| panic!("{what}"))
}

/// The same, or what is illegal, stopped the run or is amiss where its measured time ends.
pub fn ended<X: Observer>(
    config: &FabricConfig,
    engine: Engine,
    extra: X,
) -> Result<(X, Record), String> {
    let mut run = Run::with(config, engine, extra).map_err(|e| e.to_string())?;
    run.step(config.run.duration).map_err(|e| e.to_string())?;
    run.audit().map_err(|what| format!("{engine:?}: {what}"))?;
    run.step(Tick::MAX).map_err(|e| e.to_string())?;
    let (mut record, extra) = run.finish(0.0);
    record.summary.timing = Timing::default();
    Ok((extra, record))
}

/// Where runs on 2, 3 or 8 threads differ from one on one thread, if they do: their traces, or
/// their records where stores may be reported ahead of their ticks (with pauses none are).
pub fn threads_differ(config: &FabricConfig) -> Option<String> {
    [2, 3, 8].into_iter().find_map(|count| {
        let what = difference(config, Engine::Fast, threads(count));
        let what = what.or_else(|| results_differ(config, Engine::Fast, threads(count), false))?;
        Some(format!("{count} threads, {what}"))
    })
}

/// Where two engines differ, if they do.
pub fn difference(config: &FabricConfig, a: Engine, b: Engine) -> Option<String> {
    outcomes_differ(outcome(config, a), outcome(config, b))
}

/// Where two engines differ that may both fail, if they do, in records or in what stops them;
/// `in_order`: beside an observer that sees everything in order, else stores may be reported
/// ahead of their ticks.
pub fn results_differ(
    config: &FabricConfig,
    a: Engine,
    b: Engine,
    in_order: bool,
) -> Option<String> {
    texts_differ(&result(config, a, in_order), &result(config, b, in_order))
}

/// What comes of a run with one engine, for [`texts_differ`].
pub fn result(config: &FabricConfig, engine: Engine, in_order: bool) -> Result<Record, String> {
    match in_order {
        true => ended(config, engine, InOrder).map(|ended| ended.1),
        false => ended(config, engine, ()).map(|ended| ended.1),
    }
}

/// Where two values differ, if they do. As text: what is no number equals itself, and 0 is not -0.
pub fn texts_differ<T: Debug>(a: &T, b: &T) -> Option<String> {
    // In one line first, which is sooner written.
    (format!("{a:?}") != format!("{b:?}"))
        .then(|| first_difference(&format!("{a:#?}"), &format!("{b:#?}")))
}

/// Where two outcomes differ, if they do.
pub fn outcomes_differ(
    (a_trace, a_record): (String, Record),
    (b_trace, b_record): (String, Record),
) -> Option<String> {
    if a_trace != b_trace {
        return Some(first_difference(&a_trace, &b_trace));
    }
    texts_differ(&a_record, &b_record).map(|what| format!("records, {what}"))
}

/// The lines about the first one that differs.
pub fn first_difference(a: &str, b: &str) -> String {
    let at = a.lines().zip(b.lines()).position(|(x, y)| x != y);
    let at = at.unwrap_or_else(|| a.lines().count().min(b.lines().count()));
    let context = |t: &str| {
        let lines = t.lines().skip(at.saturating_sub(3)).take(6);
        lines.collect::<Vec<_>>().join("\n")
    };
    format!("line {at}:\n{}\n--- against\n{}", context(a), context(b))
}
