//! Are the protocols of the RECN family right under pressure: in order, lossless, alive, and clean
//! when traffic stops?
//!
//! Always the same cases; `cargo xtask soak --scheme NAME` draws others, and more.

use fabric::{Engine, Fabric};
use plan::SchemeKind;
use proptest::prelude::*;
use setaside_tests::corners::{Corners, Counts};
use setaside_tests::erased::Erased;
use setaside_tests::family::{adversarial, configured_engines_agree, engines_agree, put_away};
use setaside_tests::property::fixed;
use units::Tick;

fn case_of(result: Result<(), String>, scheme: SchemeKind, seed: u64) -> Result<(), TestCaseError> {
    result.map_err(|what| TestCaseError::fail(format!("{scheme}, seed {seed}: {what}")))
}

proptest! {
    #![proptest_config(fixed(6_000, 2017))]

    /// "In-order delivery and no loss for every version under adversarial small cases"; "after
    /// traffic stops everything drains, every SAQ is freed, every token is home, every credit is
    /// back, every CAM line is invalid." (issue)
    #[test]
    fn recn_basic_is_in_order_and_put_away(seed: u64) {
        case_of(put_away(SchemeKind::RecnBasic, seed), SchemeKind::RecnBasic, seed)?;
    }

    /// Lossless, in order, and put away.
    #[test]
    fn recn_is_in_order_and_put_away(seed: u64) {
        case_of(put_away(SchemeKind::Recn, seed), SchemeKind::Recn, seed)?;
    }

    /// Lossless, in order, and put away.
    #[test]
    fn recn_dd_is_in_order_and_put_away(seed: u64) {
        case_of(put_away(SchemeKind::RecnDd, seed), SchemeKind::RecnDd, seed)?;
    }

    /// Lossless, in order, and put away.
    #[test]
    fn recn_dd_iq_is_in_order_and_put_away(seed: u64) {
        case_of(put_away(SchemeKind::RecnDdIq, seed), SchemeKind::RecnDdIq, seed)?;
    }
}

proptest! {
    #![proptest_config(fixed(300, 2017))]

    /// "Same scenario and seed => byte-identical event trace and results"; "No result depends on
    /// the order in which ports, units or switches are visited" (clock.md): for each version under
    /// the same pressure.
    #[test]
    fn engines_agree_on_every_version(seed: u64) {
        for scheme in setaside_tests::random::RECN {
            case_of(engines_agree(scheme, seed), scheme, seed)?;
        }
    }
}

// A normal queue takes the room for which a SAQ has reserved its ports: the reservation ends.
#[test]
fn room_taken_from_a_reservation_is_seen() {
    let seed = 13_850_407_191_399_499_546;
    engines_agree(SchemeKind::RecnDd, seed).unwrap();
}

// In each a head was stored late at an egress port in whose tick a token of its root came back.
#[test]
fn stores_are_told_before_the_messages_of_their_tick() {
    let cases = [
        (SchemeKind::Recn, 9_000_925),
        (SchemeKind::RecnBasic, 9_001_343),
        (SchemeKind::Recn, 9_001_420),
        (SchemeKind::RecnBasic, 9_001_478),
    ];
    for (scheme, seed) in cases {
        assert_eq!(engines_agree(scheme, seed), Ok(()), "{scheme}, seed {seed}");
    }
}

// Xoff of a root that comes before congestion is detected, and ends with fewer packets than keep a
// port from being quiet.
#[test]
fn engines_agree_where_roots_say_xoff_early() {
    for scheme in [SchemeKind::Recn, SchemeKind::RecnBasic] {
        for seed in 0..60 {
            let mut config = adversarial(scheme, seed);
            let recn = &mut config.switch.recn;
            (recn.root_xoff_packets, recn.detection_egress_packets) = match seed % 3 {
                0 => (Some(3), 2),
                1 => (Some(5), 5),
                _ => (Some(8), 5),
            };
            let agree = configured_engines_agree(&config, seed);
            assert_eq!(agree, Ok(()), "{scheme}, seed {seed}");
        }
    }
}

/// The corners that the first 400 cases of a version come to.
fn corners(scheme: SchemeKind) -> Counts {
    let mut total = Counts::default();
    for seed in 0..400 {
        let config = adversarial(scheme, seed);
        let graph = config.network.graph();
        let ports = (0..graph.switches() as u32).map(|s| graph.ports(s) as u16);
        let detection = matches!(scheme, SchemeKind::Recn | SchemeKind::RecnDd);
        let saqs = u32::from(config.switch.recn.saqs);
        let observer = Corners::new(saqs, detection, ports.collect());
        let mut fabric = Fabric::new(&config, Engine::Fast, Erased::new(observer)).expect("legal");
        let left = fabric.drain(Tick(2_000_000)).expect("no deadlock");
        assert_eq!(left, None, "{scheme}, seed {seed}");
        total.add(&fabric.observer.of::<Corners>().counts);
    }
    total
}

/// Every count is at least what is asked for; 0 asks for none at all.
fn reached(counts: &[(&str, u64, u64)]) {
    for &(name, measured, least) in counts {
        let right = if least == 0 { measured == 0 } else { measured >= least };
        assert!(right, "{name}: {measured}, at least {least} expected (0: none): {counts:?}");
    }
}

/// The cases are worth something only if they come to the corners of the protocol: `recn-basic`.
#[test]
fn cases_reach_the_corners_of_recn_basic() {
    let c = corners(SchemeKind::RecnBasic);
    reached(&[
        ("allocations", c.allocations, 30_000),
        ("no free SAQ", c.no_free_saq, 10_000),
        ("more specific refused", c.more_specific_refused, 5_000),
        ("allocated after a refusal", c.allocated_after_refusal, 800),
        ("less specific", c.less_specific, 300),
        ("tokens", c.tokens, 30_000),
        ("NACKs", c.nacks, 2),
        ("ignored", c.ignored, 2_000),
        ("nested", c.nested, 0),
        ("swaps", c.swaps, 0),
        ("repeated Xoff", c.xoff_repeats, 0),
        ("moves", c.moves, 0),
        ("SAQs at a port", u64::from(c.peak), 3),
    ]);
}

/// The cases of `recn` reach its corners.
#[test]
fn cases_reach_the_corners_of_recn() {
    let c = corners(SchemeKind::Recn);
    reached(&[
        ("allocations", c.allocations, 50_000),
        ("no free SAQ", c.no_free_saq, 20_000),
        ("allocated after a refusal", c.allocated_after_refusal, 1_000),
        ("less specific", c.less_specific, 700),
        ("nested", c.nested, 1_000),
        ("nested behind a marker", c.nested_with_marker, 700),
        ("adoptions", c.adoptions, 7_000),
        ("swaps", c.swaps, 10_000),
        ("freed unvisited", c.freed_unvisited, 20_000),
        ("tokens", c.tokens, 40_000),
        ("ignored", c.ignored, 10_000),
        ("more specific refused", c.more_specific_refused, 0),
        ("repeated Xoff", c.xoff_repeats, 0),
        ("moves", c.moves, 0),
        ("SAQs at a port", u64::from(c.peak), 3),
    ]);
}

/// The cases of `recn-dd` reach its corners.
#[test]
fn cases_reach_the_corners_of_recn_dd() {
    let c = corners(SchemeKind::RecnDd);
    reached(&[
        ("allocations", c.allocations, 100_000),
        ("no free SAQ", c.no_free_saq, 20_000),
        ("allocated after a refusal", c.allocated_after_refusal, 2_000),
        ("nested", c.nested, 900),
        ("nested behind a marker", c.nested_with_marker, 900),
        ("less specific", c.less_specific, 3_000),
        ("swaps", c.swaps, 30_000),
        ("freed unvisited", c.freed_unvisited, 40_000),
        ("repeated Xoff", c.xoff_repeats, 8_000),
        ("allocated by a repeated Xoff", c.allocated_by_repeat, 1_000),
        ("ignored", c.ignored, 1_000),
        ("tokens", c.tokens, 0),
        ("NACKs", c.nacks, 0),
        ("moves", c.moves, 0),
        ("SAQs at a port", u64::from(c.peak), 3),
    ]);
}

/// The cases of `recn-dd-iq` reach its corners.
#[test]
fn cases_reach_the_corners_of_recn_dd_iq() {
    let c = corners(SchemeKind::RecnDdIq);
    reached(&[
        ("allocations", c.allocations, 60_000),
        ("no free SAQ", c.no_free_saq, 10_000),
        ("allocated after a refusal", c.allocated_after_refusal, 2_000),
        ("nested", c.nested, 1_000),
        ("nested behind a marker", c.nested_with_marker, 900),
        ("less specific", c.less_specific, 3_000),
        ("freed unvisited", c.freed_unvisited, 20_000),
        ("repeated Xoff", c.xoff_repeats, 10_000),
        ("moves", c.moves, 60_000),
        ("tokens", c.tokens, 0),
        ("NACKs", c.nacks, 0),
        ("swaps", c.swaps, 0),
        ("SAQs at a port", u64::from(c.peak), 3),
    ]);
}
