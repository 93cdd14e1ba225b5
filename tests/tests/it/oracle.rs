//! Does every printed figure follow from the raw events?

use fabric::Engine;
use proptest::prelude::*;
use setaside_tests::compare::threads;
use setaside_tests::oracle::{cases::case, examine};
use setaside_tests::property::fixed;

/// What differs in a case, with all that names it.
fn differ(seed: u64, engine: Engine) -> Option<String> {
    let findings = examine(&case(seed), engine).unwrap_or_else(|error| vec![error]);
    let shown = findings.len().min(12);
    let text = findings[..shown].join("\n  ");
    (!findings.is_empty())
        .then(|| format!("seed {seed}, {engine:?}, {} figures differ:\n  {text}", findings.len()))
}

proptest! {
    #![proptest_config(fixed(1_000, 2005))]

    /// Counts, rates, windows, groups, latencies, SAQs, fairness, links, protocol counts, memory:
    /// all of the record.
    #[test]
    fn every_figure_is_what_the_raw_events_say(seed: u64) {
        let engine = match seed % 4 {
            0 => threads(2),
            1 => Engine::Reference,
            _ => Engine::Fast,
        };
        let differ = differ(seed, engine);
        prop_assert!(differ.is_none(), "{}", differ.unwrap_or_default());
    }
}
