//! Do the engines agree, and is everything delivered and put away? A row a suite of random cases,
//! a test a question. `cargo xtask soak` draws others.

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use setaside_tests::compare::{results_differ, threads_differ};
use setaside_tests::family::adversarial;
use setaside_tests::invariants::put_away;
use setaside_tests::pfc::{large_pfc_case, pfc_case};
use setaside_tests::prelude::*;
use setaside_tests::property::{drained, unequal_wires};
use setaside_tests::rack::{case as rack_case, faulty_case, storm};
use setaside_tests::random::{case, large_case};
use setaside_tests::{ecn, wide};

/// Name, how many cases and from which seed of the draws, how one is drawn.
pub(crate) type Suite = (&'static str, (u32, u64), fn(u64) -> FabricConfig);

/// What is wrong with no case; the second number of a case shuffles visits.
pub(crate) fn in_none(suites: &[Suite], wrong: impl Fn(&FabricConfig, u64) -> Option<String>) {
    for &(name, (cases, seed), draw) in suites {
        let ran = TestRunner::new(fixed(cases, seed)).run(&(any::<u64>(), any::<u64>()), |case| {
            let what = wrong(&draw(case.0), case.1);
            prop_assert!(what.is_none(), "{name}, seed {}, {}", case.0, what.unwrap_or_default());
            Ok(())
        });
        assert_eq!(ran, Ok(()), "{name}");
    }
}

pub(crate) fn for_ticks(mut config: FabricConfig, ticks: u64) -> FabricConfig {
    config.run.duration = Tick(ticks);
    config
}

pub(crate) fn any_case(seed: u64) -> FabricConfig {
    drained(case(seed, None, 2_000), seed, 6_000)
}

/// In a fabric that can mostly be cut into eight parts; shorter, since it costs more.
pub(crate) fn large(seed: u64) -> FabricConfig {
    let config = drained(large_case(seed, 1_000), seed, 3_000);
    match seed & 2 {
        0 => config,
        _ => unequal_wires(config, seed),
    }
}

pub(crate) fn ecn_case(seed: u64) -> FabricConfig {
    drained(ecn::case(seed, 2_000), seed, 6_000)
}

pub(crate) fn pfc(seed: u64) -> FabricConfig {
    drained(pfc_case(seed, 2_000), seed, 6_000)
}

/// A third of them with tables.
fn wide_case(seed: u64) -> FabricConfig {
    let case = wide::case(seed, 1_500);
    let config = match case.has_tables() && seed.is_multiple_of(3) {
        true => case.with_tables(),
        false => case.config,
    };
    let mut config = for_ticks(config, 5_000);
    config.run.warmup = Tick((seed & 1) * 1_000);
    config
}

fn rack(seed: u64) -> FabricConfig {
    for_ticks(rack_case(seed, 1_000), 3_000)
}

fn faults(seed: u64) -> FabricConfig {
    for_ticks(faulty_case(seed, 1_500), 3_000)
}

/// Reorder buffers wait for what is lost in another part.
fn faults_and_buffers(seed: u64) -> FabricConfig {
    let mut config = faults(seed);
    config.endnode.reorder_buffer = true;
    config
}

/// SAQs run out.
fn family(seed: u64) -> FabricConfig {
    adversarial(RECN[seed as usize % RECN.len()], seed)
}

/// The RECN family under pressure: each version.
fn versions(cases: u32) -> [Suite; 4] {
    let draws = (cases, 2017);
    [
        ("recn-basic", draws, |seed| adversarial(SchemeKind::RecnBasic, seed)),
        ("recn", draws, |seed| adversarial(SchemeKind::Recn, seed)),
        ("recn-dd", draws, |seed| adversarial(SchemeKind::RecnDd, seed)),
        ("recn-dd-iq", draws, |seed| adversarial(SchemeKind::RecnDdIq, seed)),
    ]
}

/// "Same scenario and seed => byte-identical event trace and results." (clock.md)
#[test]
fn fast_and_reference_engine_write_the_same_trace_and_record() {
    let suites: [Suite; 7] = [
        ("any", (600, 2005), any_case),
        ("ecn", (400, 2002), ecn_case),
        ("pfc", (300, 802), pfc),
        ("wide", (250, 2005), wide_case),
        ("rack", (100, 2024), rack),
        ("faults", (100, 2024), faults),
        // Something fails all the time.
        ("storms", (100, 2024), |seed| for_ticks(storm(seed, 1_500), 3_000)),
    ];
    in_none(&suites, |config, _| difference(config, Engine::Fast, Engine::Reference));
}

/// The same where observers need no order.
#[test]
fn engines_write_the_same_record_where_stores_are_told_ahead() {
    let suites: [Suite; 4] = [
        ("any", (600, 2005), any_case),
        ("ecn", (400, 2002), ecn_case),
        ("rack", (100, 2024), rack),
        ("faults", (100, 2024), faults),
    ];
    in_none(&suites, |config, _| results_differ(config, Engine::Fast, Engine::Reference, false));
}

/// "No result depends on the order in which ports, units or switches are visited; a test shuffles
/// it." (clock.md)
#[test]
fn the_order_of_visiting_does_not_show() {
    let suites: [Suite; 5] = [
        ("any", (600, 2005), any_case),
        ("ecn", (400, 2002), ecn_case),
        ("pfc", (300, 802), pfc),
        ("wide", (250, 2005), wide_case),
        ("faults", (100, 2024), faults),
    ];
    let differ = |config: &_, order| difference(config, Engine::Fast, Engine::Shuffled(order));
    in_none(&suites, differ);
    in_none(&versions(300), |config, order| differ(&for_ticks(config.clone(), 9_000), order));
}

/// "deterministic, byte-identical to one thread for any thread count" (issue), however short the
/// shortest wire between two parts is, and whatever crosses from thread to thread.
#[test]
fn any_number_of_threads_writes_the_same_trace_and_record() {
    let suites: [Suite; 9] = [
        ("any", (300, 2005), any_case),
        ("unequal wires", (300, 2005), |seed| unequal_wires(any_case(seed), seed)),
        ("recn family", (300, 2005), |seed| for_ticks(family(seed), 9_000)),
        ("ecn", (200, 2002), ecn_case),
        ("pfc", (300, 802), pfc),
        ("large pfc", (60, 802), |seed| for_ticks(large_pfc_case(seed, 1_000), 3_000)),
        ("wide", (250, 2005), wide_case),
        ("faults", (100, 2024), faults),
        ("buffers", (100, 2024), faults_and_buffers),
    ];
    in_none(&suites, |config, _| threads_differ(config));
}

/// Few of the small fabrics above have parts for eight threads; most of these have.
#[test]
fn eight_threads_write_the_same_trace_and_record() {
    in_none(&[("large", (200, 2005), large)], |config, _| {
        difference(config, Engine::Fast, threads(8))
    });
}

fn left(config: &FabricConfig, engine: Engine) -> Option<String> {
    put_away(config, engine, (config.run.duration + Span(1_000), Tick(4_000_000)), ()).err()
}

/// Lossless, in order (checked at every ejection), cells and credits conserved at every audit
/// ("credits at the sender + cells of packets on the wire + cells in the memory there + credits on
/// their way back = capacity"), and
/// after traffic stops everything drains: every cell, credit, SAQ and token is home (issue: zero
/// loss and zero reordering; recn.md). With pause every memory is the least that the check lets
/// pass: an overflow ends the run.
#[test]
fn everything_is_delivered_in_order_and_put_away() {
    let suites: [Suite; 2] = [
        ("any", (20_000, 2005), |seed| case(seed, None, 4_000)),
        ("pfc", (300, 802), |seed| pfc_case(seed, 2_000)),
    ];
    in_none(&suites, |config, _| left(config, Engine::Fast));
}

/// "In-order delivery and no loss for every version under adversarial small cases"; "after traffic
/// stops everything drains, every SAQ is freed, every token is home, every credit is back, every
/// CAM line is invalid." (issue)
#[test]
fn every_version_of_recn_is_in_order_and_put_away() {
    let times = (Tick(0), Tick(2_000_000));
    in_none(&versions(6_000), |config, _| put_away(config, Engine::Fast, times, ()).err());
}

/// Audits see cells and credits of all parts, those on wires between them too, and everything
/// drains.
#[test]
fn everything_is_put_away_on_three_threads() {
    let suites: [Suite; 2] = [
        ("any", (1_000, 2005), |seed| unequal_wires(case(seed, None, 4_000), seed)),
        ("wide", (200, 2005), wide_case),
    ];
    in_none(&suites, |config, _| left(config, threads(3)));
}
