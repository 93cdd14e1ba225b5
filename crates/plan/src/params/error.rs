//! Why a switch cannot be built.

use flow_control::{HeadroomError, PauseError};
use units::Span;

/// A switch that cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// A watchdog that would take a healthy network for a dead one.
    #[error("a watchdog of {given} ticks; legal: at least {least} ticks")]
    ShortWatchdog {
        /// Span wanted.
        given: Span,
        /// The least.
        least: Span,
    },
    /// End nodes would be notified so late that the watchdog takes their waiting for a standstill.
    #[error("end nodes hear of what is lost every {given} ticks; legal: 1 to {most} ticks")]
    LateNotice {
        /// Span wanted.
        given: Span,
        /// The most: that of the watchdog.
        most: Span,
    },
    /// Thresholds of pause.
    #[error(transparent)]
    Pause(#[from] PauseError),
    /// A memory that pause would let overflow.
    #[error(transparent)]
    Headroom(#[from] HeadroomError),
    /// Settings that exclude each other, or a memory that cannot be.
    #[error("{what}")]
    Impossible {
        /// What is not legal, and what is.
        what: String,
    },
}
