//! Do the engines agree, and is everything delivered and put away?

use fabric::{Engine, Fabric, Trace};
use proptest::prelude::*;
use setaside_tests::random::case;

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, max_shrink_iters: 0, ..ProptestConfig::default() }
}

fn trace(seed: u64, engine: Engine) -> String {
    let config = case(seed, None, 2_000);
    let mut fabric = Fabric::new(&config, engine, Trace::default()).expect("a legal configuration");
    fabric.run_until(6_000).expect("no deadlock");
    fabric.observer.text()
}

fn first_difference(a: &str, b: &str) -> String {
    let at = a.lines().zip(b.lines()).position(|(x, y)| x != y);
    let at = at.unwrap_or_else(|| a.lines().count().min(b.lines().count()));
    let context = |t: &str| t.lines().skip(at.saturating_sub(3)).take(6).collect::<Vec<_>>().join("\n");
    format!("line {at}:\n{}\n--- against\n{}", context(a), context(b))
}

proptest! {
    #![proptest_config(config(300))]

    /// "Same scenario and seed => byte-identical event trace and results." (clock.md)
    #[test]
    fn fast_and_reference_engine_write_the_same_trace(seed: u64) {
        let (fast, reference) = (trace(seed, Engine::Fast), trace(seed, Engine::Reference));
        prop_assert!(fast == reference, "seed {seed}, {}", first_difference(&fast, &reference));
    }

    /// "No result depends on the order in which ports, units or switches are visited; a test shuffles it." (clock.md)
    #[test]
    fn the_order_of_visiting_does_not_show(seed: u64, order: u64) {
        let (plain, shuffled) = (trace(seed, Engine::Reference), trace(seed, Engine::Shuffled(order)));
        prop_assert!(plain == shuffled, "seed {seed}, {}", first_difference(&plain, &shuffled));
    }
}

proptest! {
    #![proptest_config(config(3000))]

    /// Lossless, in order (checked at every ejection), and after traffic stops everything drains: every cell, credit,
    /// SAQ and token is home (issue: zero loss and zero reordering; recn.md).
    #[test]
    fn everything_is_delivered_in_order_and_put_away(seed: u64) {
        let config = case(seed, None, 4_000);
        let mut fabric = Fabric::new(&config, Engine::Fast, ()).expect("a legal configuration");
        let left = fabric.drain(4_000_000).map_err(|e| TestCaseError::fail(format!("seed {seed}: {e}")))?;
        prop_assert!(left.is_none(), "seed {seed}: {}", left.unwrap_or_default());
    }
}
