//! The `xoff_sent` register of a SAQ.

use crate::{Edge, Thresholds};

/// Register `xoff_sent`: whether Xoff was the last word to this SAQ's sender. Reset state: clear.
///
/// The two edges are separate calls because they are checked on different events:
/// [`rise`](Self::rise) on arrivals, swaps and moves in, [`fall`](Self::fall) on departures and
/// moves out. Source: spec page `recn.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct XoffRegister {
    set: bool,
}

impl XoffRegister {
    /// Sets the register at an `occupancy` (packets) of Xoff or more; true when set: send Xoff.
    #[inline]
    pub const fn rise(&mut self, occupancy: u32, thresholds: &Thresholds) -> bool {
        let rises = !self.set && occupancy >= thresholds.xoff;
        self.set |= rises;
        rises
    }

    /// Clears the register at an `occupancy` (packets) of Xon or less; true when cleared: send Xon.
    #[inline]
    pub const fn fall(&mut self, occupancy: u32, thresholds: &Thresholds) -> bool {
        let low = match thresholds.edge {
            Edge::Reached => occupancy <= thresholds.xon,
            Edge::Below => occupancy < thresholds.xon,
        };
        let falls = self.set && low;
        self.set &= !falls;
        falls
    }

    /// Whether the sender is at Xoff.
    #[inline]
    pub const fn is_set(&self) -> bool {
        self.set
    }
}
