//! The two thresholds of Xon/Xoff, at which edge Xon fires, and the register `xoff_sent` of a SAQ.

use thiserror::Error;

units::named! {
    /// When a falling occupancy lets the sender go again (key `recn.xon_edge`).
    ///
    /// The papers differ: priya-recn-iq-2017 "once the threshold is reached", garcia-mesh-2005
    /// "goes below".
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum Edge: "Xon edge" {
        /// Xon at occupancy <= `xon`.
        #[default]
        Reached = "reached",
        /// Xon at occupancy < `xon`.
        Below = "below",
    }
}

/// Thresholds that [`Thresholds::new`] refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ThresholdError {
    /// Xon must not be above Xoff.
    #[error("Xon {xon} packets is above Xoff {xoff}: legal are 0 to {xoff}")]
    XonAboveXoff {
        /// Xon given, in packets.
        xon: u32,
        /// Xoff given, in packets.
        xoff: u32,
    },
    /// An empty queue must never be at Xoff: nothing would ever leave it and send Xon.
    #[error("Xoff 0 packets would stop an empty queue for ever: at least 1 is needed")]
    XoffZero,
    /// An occupancy below 0 does not exist.
    #[error("Xon 0 packets can never be gone below: edge \"below\" needs Xon of at least 1")]
    XonNeverBelow,
}

/// Xoff and Xon thresholds of a SAQ, in packets; made by the checked [`Thresholds::new`] only.
///
/// Xon equal to Xoff is legal: rises are checked on arrivals and falls on departures, so the two
/// do not chase each other. Source: spec page `recn.md`, flow control of SAQs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Thresholds {
    /// Packets from which the sender is stopped.
    pub xoff: u32,
    /// Packets at which (or below which, see `edge`) the sender is let go.
    pub xon: u32,
    /// At which edge of `xon` the sender is let go.
    pub edge: Edge,
}

impl Thresholds {
    /// Checks and keeps the thresholds, in packets.
    /// Errors: [`ThresholdError`]: Xoff 0, Xon above Xoff, or Xon 0 with [`Edge::Below`].
    pub const fn new(xoff: u32, xon: u32, edge: Edge) -> Result<Self, ThresholdError> {
        if xoff == 0 {
            return Err(ThresholdError::XoffZero);
        }
        if xon > xoff {
            return Err(ThresholdError::XonAboveXoff { xon, xoff });
        }
        if xon == 0 && matches!(edge, Edge::Below) {
            return Err(ThresholdError::XonNeverBelow);
        }
        Ok(Self { xoff, xon, edge })
    }
}

/// Register `xoff_sent`: whether Xoff was the last word to this SAQ's sender. Reset state: clear.
/// [`rise`](Self::rise) is asked on arrivals, swaps and moves in, [`fall`](Self::fall) on
/// departures and moves out. Source: spec page `recn.md`.
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
