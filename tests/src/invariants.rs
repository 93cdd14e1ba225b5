//! Invariants that hold at every tick, checked every few hundred.

use crate::prelude::*;
use fabric::stats_config;
use observe::Stats;

/// Span between two audits: a prime, so that audits do not keep step with packets and timers.
pub const AUDIT_EVERY: Span = Span(307);

/// Simulates up to tick `until` and audits the whole fabric on the way: all memories, and all
/// credits of every link.
pub fn run_audited<O: Observer>(fabric: &mut Fabric<O>, until: Tick) -> Holds {
    while fabric.now() < until {
        let next = until.min(fabric.now() + AUDIT_EVERY);
        fabric.run_until(next).map_err(|e| e.to_string())?;
        fabric.audit().map_err(|what| format!("tick {next}: {what}"))?;
    }
    Ok(())
}

/// Simulates until everything is at home or tick `limit`, with audits up to tick `until` and at the
/// end.
pub fn drain_audited<O: Observer>(fabric: &mut Fabric<O>, until: Tick, limit: Tick) -> Holds {
    run_audited(fabric, until)?;
    match fabric.drain(limit) {
        Ok(None) => fabric.audit().map_err(|what| format!("drained: {what}")),
        Ok(Some(left)) => Err(left),
        Err(error) => Err(error.to_string()),
    }
}

/// Runs a case until everything is at home, every packet in its order (checked at every ejection),
/// with audits up to tick `until`, before tick `limit`; gives the observer back.
pub fn put_away<O: Observer>(
    config: &FabricConfig,
    engine: Engine,
    (until, limit): (Tick, Tick),
    observer: O,
) -> Result<O, String> {
    let fabric = Fabric::new(config, engine, observer);
    let mut fabric = fabric.map_err(|error| error.to_string())?;
    drain_audited(&mut fabric, until, limit)?;
    Ok(fabric.observer)
}

/// Drains a case with audits of every cell and credit: every packet is delivered, lost or stranded.
/// How many are not delivered.
pub fn missing(config: &FabricConfig) -> Result<u64, String> {
    let times = (config.run.duration + Span(1_000), Tick(40_000_000));
    let stats = put_away(config, Engine::Fast, times, Stats::new(stats_config(config)))?;
    let counts = stats.counts_with_drain();
    let missing = counts.lost + counts.stranded;
    match counts.generated == counts.delivered + missing {
        true => Ok(missing),
        false => Err(format!("not all is delivered, lost or stranded: {counts:?}")),
    }
}
