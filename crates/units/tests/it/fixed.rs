//! Draws of property tests; other crates have this file as a module of their tests.

use proptest::test_runner::{Config, RngSeed};

/// So many cases, always the same ones of a seed: a change that passed here passes everywhere.
pub(crate) fn fixed(cases: u32, seed: u64) -> Config {
    Config { cases, failure_persistence: None, rng_seed: RngSeed::Fixed(seed), ..Config::default() }
}
