//! What property tests of fabrics share.

use plan::FabricConfig;
use proptest::test_runner::{Config, RngSeed};
use units::Tick;

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
