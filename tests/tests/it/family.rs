//! Are the protocols of the RECN family right under pressure: in order, lossless, alive, and clean
//! when traffic stops?
//!
//! Always the same cases; `cargo xtask soak --scheme NAME` draws others, and more.

use fabric::Engine;
use observe::RecnCounts;
use plan::{FabricConfig, SchemeKind};
use proptest::prelude::*;
use setaside_tests::compare::outcome_with;
use setaside_tests::family::{adversarial, configured_engines_agree, engines_agree, put_away};
use setaside_tests::property::fixed;
use setaside_tests::random::{RECN, case};
use units::Span;

fn case_of(result: Result<(), String>, scheme: SchemeKind, seed: u64) -> Result<(), TestCaseError> {
    result.map_err(|what| TestCaseError::fail(format!("{scheme}, seed {seed}: {what}")))
}

proptest! {
    #![proptest_config(fixed(6_000, 2017))]

    /// "In-order delivery and no loss for every version under adversarial small cases"; "after
    /// traffic stops everything drains, every SAQ is freed, every token is home, every credit is
    /// back, every CAM line is invalid." (issue)
    #[test]
    fn every_version_is_in_order_and_put_away(seed: u64) {
        for scheme in RECN {
            case_of(put_away(scheme, seed), scheme, seed)?;
        }
    }
}

proptest! {
    #![proptest_config(fixed(300, 2017))]

    /// "Same scenario and seed => byte-identical event trace and results"; "No result depends on
    /// the order in which ports, units or switches are visited" (clock.md): for each version under
    /// the same pressure.
    #[test]
    fn engines_agree_on_every_version(seed: u64) {
        for scheme in RECN {
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
            let agree = configured_engines_agree(config, seed);
            assert_eq!(agree, Ok(()), "{scheme}, seed {seed}");
        }
    }
}

/// What 400 cases do, until all is at home.
fn counts(case: impl Fn(u64) -> FabricConfig) -> (RecnCounts, u32) {
    let (mut total, mut peak) = (RecnCounts::default(), 0);
    for seed in 0..400 {
        let mut config = case(seed);
        config.run.drain = Span(2_000_000);
        let summary = outcome_with(&config, Engine::Fast, ()).1.summary;
        let drain = summary.drain.expect("it drains");
        for c in [summary.recn, drain.recn] {
            total.allocations += c.allocations;
            total.refusals += c.refusals;
            total.frees += c.frees;
            total.xoffs += c.xoffs + c.internal_xoffs;
            total.xons += c.xons + c.internal_xons;
            total.tokens += c.tokens + c.internal_tokens;
            total.nacks += c.nacks;
            total.ignored += c.ignored;
        }
        for peaks in [summary.saqs_peak, drain.saqs_peak] {
            peak = peak.max(peaks.ingress).max(peaks.egress);
        }
    }
    (total, peak)
}

/// The cases are worth something only if they come to the corners of the protocols. An egress port
/// holds SAQs only for those of the ingress port downstream, which has as many lines: only
/// `recn-basic`, which refuses more specific points, sends NACKs.
#[test]
fn cases_reach_the_corners_of_the_protocols() {
    // SAQs at a port; allocations, refusals, tokens, NACKs, ignored: as many at least, 0 none at
    // all.
    let recn = |seed| case(seed, Some(SchemeKind::Recn), 4_000);
    let of = |scheme| move |seed| adversarial(scheme, seed);
    for (name, (c, peak), saqs, least) in [
        ("any", counts(recn), 4, [20_000, 5_000, 5_000, 0, 50]),
        ("recn-basic", counts(of(SchemeKind::RecnBasic)), 3, [20_000, 10_000, 20_000, 1, 1_000]),
        ("recn", counts(of(SchemeKind::Recn)), 3, [30_000, 10_000, 20_000, 0, 5_000]),
        ("recn-dd", counts(of(SchemeKind::RecnDd)), 3, [50_000, 10_000, 0, 0, 500]),
        ("recn-dd-iq", counts(of(SchemeKind::RecnDdIq)), 3, [30_000, 5_000, 0, 0, 1]),
    ] {
        let reached = [c.allocations, c.refusals, c.tokens, c.nacks, c.ignored];
        let mut pairs = reached.iter().zip(&least);
        let all = pairs.all(|(n, least)| if *least == 0 { *n == 0 } else { n >= least });
        assert!(all && peak >= saqs, "{name}: {reached:?}, at least {least:?}; {peak} SAQs");
        let others = [c.frees, c.xoffs, c.xons];
        assert!(others.iter().all(|&count| count > 1_000), "{name}: {c:?}");
    }
}
