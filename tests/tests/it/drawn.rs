//! All that is legal together, drawn together: do the two implementations agree?

use fabric::Engine;
use proptest::prelude::*;
use setaside_tests::compare::results_differ;
use setaside_tests::drawn::case;
use setaside_tests::property::fixed;

proptest! {
    #![proptest_config(fixed(400, 2022))]

    /// "Same scenario and seed => byte-identical event trace and results." (clock.md)
    #[test]
    fn engines_agree_on_all_that_is_legal_together(seed: u64) {
        let config = case(seed, 1_000 + seed % 3 * 700).config;
        let in_order = seed.is_multiple_of(4);
        let differ = results_differ(&config, Engine::Fast, Engine::Reference, in_order);
        prop_assert!(differ.is_none(), "seed {seed}, {}", differ.unwrap_or_default());
    }
}
