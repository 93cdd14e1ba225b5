//! What property tests of fabrics share.

use crate::random::Draw;
use plan::FabricConfig;
use proptest::test_runner::{Config, RngSeed};
use topology::Endpoint;
use units::{Span, Tick};

/// So many cases, always the same ones of a seed: a change that passed here passes everywhere;
/// `cargo xtask soak` draws others.
pub fn fixed(cases: u32, seed: u64) -> Config {
    Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 0,
        rng_seed: RngSeed::Fixed(seed),
        ..Config::default()
    }
}

/// A case that runs on for so many ticks while it drains; half of them measure after a warm-up.
pub fn drained(mut config: FabricConfig, seed: u64, ticks: u64) -> FabricConfig {
    config.run.duration = Tick(ticks);
    config.run.warmup = Tick((seed & 1) * ticks / 6);
    config
}

/// Such a case with a wire latency of its own for every link between switches.
pub fn unequal_wires(mut config: FabricConfig, seed: u64) -> FabricConfig {
    let mut draw = Draw::new(!seed);
    for (from, to, _) in config.network.graph().links() {
        if let (Endpoint::Port { switch, port }, Endpoint::Port { switch: s, port: p }) = (from, to)
        {
            let wire = Span(draw.one(&[1, 1, 2, 7, 40, 150]));
            let both = [((switch, port), wire), ((s, p), wire)];
            config.link.wire_overrides.extend(both);
        }
    }
    config.link.wire_overrides.sort_unstable();
    config
}
