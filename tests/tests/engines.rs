//! Do the engines agree, and is everything delivered and put away?

use fabric::{Engine, Fabric, Run, Trace};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use setaside_tests::random::case;

/// Always the same cases, so that a change that passed here passes everywhere; `cargo xtask soak` draws others.
fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        max_shrink_iters: 0,
        rng_seed: RngSeed::Fixed(2005),
        ..ProptestConfig::default()
    }
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
    let context = |t: &str| {
        t.lines()
            .skip(at.saturating_sub(3))
            .take(6)
            .collect::<Vec<_>>()
            .join("\n")
    };
    format!("line {at}:\n{}\n--- against\n{}", context(a), context(b))
}

proptest! {
    #![proptest_config(config(600))]

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
    #![proptest_config(config(20_000))]

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

/// The random cases are worth something only if they reach the corners of the protocol: refusals inside switches and over
/// links, tokens, Xon and Xoff, points of several turns.
#[test]
fn random_cases_reach_the_corners_of_the_protocol() {
    let mut total = fabric::RecnCounts::default();
    let mut peak = 0;
    for seed in 0..400 {
        let config = case(seed, Some(switch::SchemeKind::Recn), 4_000);
        let mut run = Run::new(&config, Engine::Fast).expect("a legal configuration");
        run.step(u64::MAX).expect("no deadlock");
        let s = run.finish(0.0).0.summary;
        total.allocations += s.recn.allocations;
        total.refusals += s.recn.refusals;
        total.frees += s.recn.frees;
        total.early_frees += s.recn.early_frees;
        total.notifications += s.recn.notifications;
        total.xoffs += s.recn.xoffs;
        total.xons += s.recn.xons;
        total.tokens += s.recn.tokens;
        total.nacks += s.recn.nacks;
        total.ignored += s.recn.ignored;
        peak = peak.max(s.saqs_peak.ingress).max(s.saqs_peak.egress);
    }
    let least = [
        (total.allocations, 20_000),
        (total.refusals, 5_000),
        (total.frees, 20_000),
        (total.early_frees, 1_000),
        (total.notifications, 20_000),
        (total.xoffs, 5_000),
        (total.xons, 5_000),
        (total.tokens, 5_000),
        (total.ignored, 50),
        (u64::from(peak), 4),
    ];
    // An egress port holds SAQs only for those of the ingress port downstream, which has as many lines: it never has to
    // refuse. (NACKs are tested at the port itself.)
    assert_eq!(total.nacks, 0);
    for (at, (measured, least)) in least.into_iter().enumerate() {
        assert!(
            measured >= least,
            "count {at}: {measured}, at least {least} expected; {total:?}"
        );
    }
}
