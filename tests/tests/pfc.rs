//! Pause per VC in the place of credits: nothing is lost at the least memory, whatever the traffic,
//! and all engines do the same.

use fabric::{Engine, Fabric, FabricConfig};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use setaside_tests::compare::{difference, threads_differ};
use setaside_tests::invariants::drain_audited;
use setaside_tests::pfc::{large_pfc_case, pfc_case};
use units::{Span, Tick};

/// Always the same cases.
fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        max_shrink_iters: 0,
        rng_seed: RngSeed::Fixed(802),
        ..ProptestConfig::default()
    }
}

fn drained_case(seed: u64) -> FabricConfig {
    let mut config = pfc_case(seed, 2_000);
    config.run.duration = Tick(6_000);
    config.run.warmup = Tick((seed & 1) * 1_000);
    config
}

proptest! {
    #![proptest_config(config(300))]

    /// Every memory is the least that the check lets pass: an overflow ends the run.
    #[test]
    fn nothing_overflows_at_the_least_memory_and_everything_comes_home(seed: u64) {
        let config = pfc_case(seed, 2_000);
        let mut fabric = Fabric::new(&config, Engine::Fast, ()).expect("a legal configuration");
        let until = config.run.duration + Span(1_000);
        let drained = drain_audited(&mut fabric, until, Tick(4_000_000));
        prop_assert!(drained.is_ok(), "seed {seed}: {}", drained.unwrap_err());
    }

    #[test]
    fn fast_and_reference_engine_write_the_same_trace_and_record(seed: u64) {
        let differ = difference(&drained_case(seed), Engine::Fast, Engine::Reference);
        prop_assert!(differ.is_none(), "seed {seed}, {}", differ.unwrap_or_default());
    }

    #[test]
    fn the_order_of_visiting_does_not_show(seed: u64, order: u64) {
        let differ = difference(&drained_case(seed), Engine::Reference, Engine::Shuffled(order));
        prop_assert!(differ.is_none(), "seed {seed}, {}", differ.unwrap_or_default());
    }

    #[test]
    fn any_number_of_threads_writes_the_same_trace_and_record(seed: u64) {
        let differ = threads_differ(&drained_case(seed));
        prop_assert!(differ.is_none(), "seed {seed}, {}", differ.unwrap_or_default());
    }
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn eight_threads_write_the_same_trace_and_record(seed: u64) {
        let mut config = large_pfc_case(seed, 1_000);
        config.run.duration = Tick(3_000);
        let differ = threads_differ(&config);
        prop_assert!(differ.is_none(), "seed {seed}, {}", differ.unwrap_or_default());
    }
}
