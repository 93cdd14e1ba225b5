//! Why a switch cannot be built.

use crate::SchemeKind;
use flow_control::{HeadroomError, PauseError};
use units::Span;

/// A switch that cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// A queue's share of the memory does not hold enough packets.
    #[error(
        "{scheme}: {queues} queues share {memory_bytes} bytes, {share_cells} cells each; a queue needs at least {needed_cells} cells{hint}"
    )]
    ShareTooSmall {
        /// Queue scheme.
        scheme: SchemeKind,
        /// Queues of the port.
        queues: u32,
        /// Memory of the port.
        memory_bytes: u32,
        /// Cells of each queue.
        share_cells: u32,
        /// Cells it needs.
        needed_cells: u32,
        /// What may help.
        hint: &'static str,
    },
    /// The memory has more cells than next-slot registers can name.
    #[error("a port memory of {cells} cells; legal: at most {limit}")]
    TooManyCells {
        /// Cells wanted.
        cells: u64,
        /// Most cells.
        limit: u32,
    },
    /// More queues than a port can name.
    #[error("{queues} queues a port; legal: at most {limit}")]
    TooManyQueues {
        /// Queues wanted.
        queues: u32,
        /// Most queues.
        limit: u32,
    },
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
    /// Two settings that exclude each other.
    #[error("{what}")]
    Impossible {
        /// What does not go together, and what is legal.
        what: String,
    },
}
