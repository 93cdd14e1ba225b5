//! Xon/Xoff: exactly when the register sets and clears.

use flow_control::{Edge, ThresholdError, Thresholds, XoffRegister};
use proptest::prelude::*;

/// Occupancies at which a queue that fills one by one to `top` and empties again sends (Xoff, Xon).
fn fires(thresholds: &Thresholds, top: u32) -> (Vec<u32>, Vec<u32>) {
    let mut register = XoffRegister::default();
    let rises = (1..=top)
        .filter(|&n| register.rise(n, thresholds))
        .collect();
    let falls = (0..top)
        .rev()
        .filter(|&n| register.fall(n, thresholds))
        .collect();
    assert!(!register.is_set());
    (rises, falls)
}

// "set when occupancy >= `xoff`, cleared when it falls to `xon`"; priya: "once the threshold is
// reached".
#[test]
fn reached_clears_at_xon() {
    let thresholds = Thresholds::new(10, 5, Edge::Reached).unwrap();
    assert_eq!(fires(&thresholds, 14), (vec![10], vec![5]));
}

// garcia-mesh: "goes below".
#[test]
fn below_clears_under_xon() {
    let thresholds = Thresholds::new(10, 5, Edge::Below).unwrap();
    assert_eq!(fires(&thresholds, 14), (vec![10], vec![4]));
}

// "Xon above Xoff is refused": equal is legal, and so are the smallest thresholds.
#[test]
fn smallest_thresholds_fire_once_each_way() {
    let cases = [
        (1, 0, Edge::Reached, 0),
        (1, 1, Edge::Below, 0),
        (4, 4, Edge::Below, 3),
    ];
    for (xoff, xon, edge, falls_at) in cases {
        let thresholds = Thresholds::new(xoff, xon, edge).unwrap();
        assert_eq!(fires(&thresholds, 6), (vec![xoff], vec![falls_at]));
    }
}

// A move of several packets, or a swap, may jump over the threshold.
#[test]
fn jumps_over_a_threshold_fire() {
    let thresholds = Thresholds::new(10, 5, Edge::Reached).unwrap();
    let mut register = XoffRegister::default();
    assert!(register.rise(37, &thresholds));
    assert!(register.fall(0, &thresholds));
}

// "`below` needs Xon >= 1; Xon above Xoff is refused"; an empty queue is never at Xoff.
#[test]
fn senseless_thresholds_are_refused() {
    assert_eq!(
        Thresholds::new(5, 6, Edge::Reached),
        Err(ThresholdError::XonAboveXoff { xon: 6, xoff: 5 })
    );
    assert_eq!(
        Thresholds::new(0, 0, Edge::Reached),
        Err(ThresholdError::XoffZero)
    );
    assert_eq!(
        Thresholds::new(5, 0, Edge::Below),
        Err(ThresholdError::XonNeverBelow)
    );
}

#[test]
fn edges_are_read_and_written_by_name() {
    for edge in [Edge::Reached, Edge::Below] {
        assert_eq!(edge.to_string().parse(), Ok(edge));
    }
    let error = "under".parse::<Edge>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown Xon edge \"under\": legal are \"reached\" and \"below\""
    );
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300,
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(2005),
        ..ProptestConfig::default()
    })]

    // Xoff and Xon alternate, and each is true to the occupancy it was looked at with.
    #[test]
    fn register_follows_its_definition(
        xoff in 1u32..12,
        xon_below_xoff in 0u32..12,
        below in any::<bool>(),
        steps in prop::collection::vec((any::<bool>(), 0u32..16), 0..100),
    ) {
        let edge = if below { Edge::Below } else { Edge::Reached };
        let xon = xoff.saturating_sub(xon_below_xoff).max(u32::from(below));
        let thresholds = Thresholds::new(xoff, xon, edge).unwrap();
        let mut register = XoffRegister::default();
        let mut set = false;
        for (rise, occupancy) in steps {
            if rise {
                let becomes = !set && occupancy >= xoff;
                prop_assert_eq!(register.rise(occupancy, &thresholds), becomes);
                set = set || becomes;
            } else {
                let low = if below { occupancy < xon } else { occupancy <= xon };
                prop_assert_eq!(register.fall(occupancy, &thresholds), set && low);
                set = set && !low;
            }
            prop_assert_eq!(register.is_set(), set);
        }
    }
}
