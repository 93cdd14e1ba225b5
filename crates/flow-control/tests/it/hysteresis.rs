//! Xon/Xoff: exactly when the register sets and clears.

use flow_control::{Edge, ThresholdError, Thresholds, XoffRegister};
use proptest::prelude::*;

// "`below` needs Xon >= 1; Xon above Xoff is refused"; an empty queue is never at Xoff.
#[test]
fn senseless_thresholds_are_refused() {
    assert_eq!(
        Thresholds::new(5, 6, Edge::Reached),
        Err(ThresholdError::XonAboveXoff { xon: 6, xoff: 5 })
    );
    assert_eq!(Thresholds::new(0, 0, Edge::Reached), Err(ThresholdError::XoffZero));
    assert_eq!(Thresholds::new(5, 0, Edge::Below), Err(ThresholdError::XonNeverBelow));
}

proptest! {
    #![proptest_config(crate::fixed::fixed(300, 2005))]

    // Xoff and Xon alternate, and each is true to the occupancy it was checked with.
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
