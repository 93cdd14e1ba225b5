//! The two thresholds of Xon/Xoff, and at which edge Xon fires.

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
