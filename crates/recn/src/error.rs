//! What breaks the protocol.

use crate::Illegal;
use turnpool::Point;

/// A broken invariant of the protocol. The caller adds unit and tick.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProtocolError {
    /// A transition that the life cycle does not have.
    #[error(transparent)]
    Illegal(#[from] Illegal),
    /// A second notification for a point that is set aside for the same notifier.
    #[error("second notification for {0:?}")]
    Duplicate(Point),
    /// A token or NACK for a point that has no SAQ.
    #[error("answer for {0:?}, which has no SAQ")]
    Unknown(Point),
    /// A token or NACK where no child is away.
    #[error("answer for {0:?}, which has no such child")]
    NoChild(Point),
    /// An Xoff or Xon for a child that has no SAQ for it.
    #[error("child SAQ {0:?} is missing")]
    MissingChild(Point),
    /// A control packet that is not for this side of a port.
    #[error("{0} at a port that it is not for")]
    Misdirected(&'static str),
    /// A marker or queue that is not what it should be.
    #[error(transparent)]
    Memory(#[from] saq::MmuError),
    /// A line that is not valid.
    #[error(transparent)]
    Cam(#[from] cam::CamError),
}
