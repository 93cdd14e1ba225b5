//! Are the protocols of the RECN family right under pressure: in order, lossless, alive, and clean
//! when traffic stops?
//!
//! Always the same cases; `cargo xtask soak --scheme NAME` draws others, and more.

use plan::SchemeKind;
use proptest::prelude::*;
use setaside_tests::family::{adversarial, configured_engines_agree, engines_agree, put_away};
use setaside_tests::property::fixed;
use setaside_tests::random::RECN;

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
