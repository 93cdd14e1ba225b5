//! Hierarchical networks with two-level tables: do the engines agree, whatever is chosen and
//! whatever fails; is everything delivered, or accounted for; does nothing ever lock?

use fabric::{Engine, FabricConfig};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use setaside_tests::compare::{difference, threads_differ};
use setaside_tests::rack::{case, faulty_case, put_away};
use units::Tick;

/// Always the same cases, so that a change that passed here passes everywhere.
fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        max_shrink_iters: 0,
        rng_seed: RngSeed::Fixed(2024),
        ..ProptestConfig::default()
    }
}

/// It runs on while it drains.
fn drained(mut config: FabricConfig) -> FabricConfig {
    config.run.duration = Tick(3_000);
    config
}

proptest! {
    #![proptest_config(config(100))]

    /// "both engines byte-equal with adaptive choices (named streams) and faults"
    #[test]
    fn fast_and_reference_engine_agree(seed: u64) {
        let differ = difference(&drained(case(seed, 1_000)), Engine::Fast, Engine::Reference);
        prop_assert!(differ.is_none(), "seed {seed}, {}", differ.unwrap_or_default());
        let faulty = drained(faulty_case(seed, 1_500));
        let differ = difference(&faulty, Engine::Fast, Engine::Reference);
        prop_assert!(differ.is_none(), "faults, seed {seed}, {}", differ.unwrap_or_default());
    }

    /// "No result depends on the order in which ports, units or switches are visited; a test
    /// shuffles it." (clock.md)
    #[test]
    fn the_order_of_visiting_does_not_show(seed: u64, order: u64) {
        let faulty = drained(faulty_case(seed, 1_500));
        let differ = difference(&faulty, Engine::Fast, Engine::Shuffled(order));
        prop_assert!(differ.is_none(), "seed {seed}, {}", differ.unwrap_or_default());
    }

    /// Parts meet at links that fail, and the two halves of a packet may be in different ones.
    #[test]
    fn any_number_of_threads_agrees(seed: u64) {
        let differ = threads_differ(&drained(faulty_case(seed, 1_500)));
        prop_assert!(differ.is_none(), "seed {seed}, {}", differ.unwrap_or_default());
    }
}

proptest! {
    #![proptest_config(config(600))]

    /// "random traffic with memories of one packet never deadlocks on them"; without faults nothing
    /// is lost.
    #[test]
    fn everything_arrives(seed: u64) {
        let counts = put_away(&case(seed, 2_000));
        let counts = counts.map_err(|what| TestCaseError::fail(format!("seed {seed}: {what}")))?;
        let [generated, delivered, lost, stranded] = counts;
        prop_assert_eq!((generated, 0, 0), (delivered, lost, stranded), "seed {}", seed);
    }

    /// "generated = delivered + in flight + lost to the fault + stranded", audited to the cell and
    /// credit, and nothing in flight in the end.
    #[test]
    fn faults_lose_what_is_counted_and_nothing_else(seed: u64) {
        let counts = put_away(&faulty_case(seed, 3_000));
        let counts = counts.map_err(|what| TestCaseError::fail(format!("seed {seed}: {what}")))?;
        let [generated, delivered, lost, stranded] = counts;
        prop_assert_eq!(generated, delivered + lost + stranded, "seed {}", seed);
    }
}
