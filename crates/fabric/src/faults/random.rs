//! Faults that happen at random, from named streams of the seed of the run.

use plan::{FabricConfig, FaultEvent, FaultTarget};
use topology::Endpoint;
use units::Span;
use workload::rng::{Stream, below, stream};

/// All faults of a run: those at given times and those at random.
pub(crate) fn events(config: &FabricConfig) -> Vec<FaultEvent> {
    let mut events = config.faults.events.clone();
    let Some(random) = config.faults.random else {
        return events;
    };
    let mut process = |name: String, target, mtbf: Span, mttr: Span| {
        let mut rng = stream(config.run.seed, &name);
        let mut at = random.start;
        loop {
            at = at.saturating_add(exponential(&mut rng, mtbf));
            if at >= random.end {
                return;
            }
            let repaired = at.saturating_add(exponential(&mut rng, mttr));
            for (at, recovers) in [(at, false), (repaired, true)] {
                events.push(FaultEvent { at, target, recovers });
            }
            at = repaired;
        }
    };
    let graph = config.network.graph();
    if let Some(mtbf) = random.link_mtbf {
        for (a, b, _) in graph.links() {
            if let (Endpoint::Port { switch, port }, Endpoint::Port { .. }) = (a, b) {
                let target = FaultTarget::Link { switch, port };
                let name = format!("switch{switch}.port{port}.fault");
                process(name, target, mtbf, random.link_mttr);
            }
        }
    }
    if let Some(mtbf) = random.node_mtbf {
        for switch in 0..graph.switches() as u32 {
            let target = FaultTarget::Node { switch };
            let name = format!("switch{switch}.fault");
            process(name, target, mtbf, random.node_mttr);
        }
    }
    events
}

/// A time with an exponential distribution, at least a tick. The logarithm is computed by the
/// crate, not by the machine, so that a seed gives equal times everywhere.
fn exponential(rng: &mut Stream, mean: Span) -> Span {
    const STEPS: u64 = 1 << 53;
    let uniform = (below(rng, STEPS) + 1) as f64 / STEPS as f64;
    let ticks = -libm::log(uniform) * mean.0 as f64;
    Span((ticks as u64).max(1))
}

#[cfg(test)]
mod tests {
    use super::exponential;
    use units::Span;
    use workload::rng::stream;

    // Of an exponential distribution the mean is the deviation too.
    #[test]
    fn times_are_exponential() {
        let mut rng = stream(1, "test");
        let times: Vec<f64> =
            (0..20_000).map(|_| exponential(&mut rng, Span(10_000)).0 as f64).collect();
        let mean = times.iter().sum::<f64>() / times.len() as f64;
        let square = times.iter().map(|t| (t - mean).powi(2)).sum::<f64>() / times.len() as f64;
        assert!((mean / 10_000.0 - 1.0).abs() < 0.03, "{mean}");
        assert!((square.sqrt() / 10_000.0 - 1.0).abs() < 0.05, "{square}");
    }
}
