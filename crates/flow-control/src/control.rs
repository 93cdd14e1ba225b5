//! Named control packets.

use hierarchy::recovery::Message;
use turnpool::Point;
use units::VcId;

use crate::PauseWord;

/// What one end of a link sends to the other beside credit: of congestion points, of faults, or
/// whether to pause. These have a size of their own (`link.named_control_bytes`; a pause
/// `pfc.pause_bytes`) and keep their order among themselves. Sources: `clock.md` (links),
/// `recn.md`, `rsi.md`, `pfc.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Control {
    /// Stop sending packets that match the point.
    Xoff(Point),
    /// Go on sending packets that match the point.
    Xon(Point),
    /// Congestion notification: set aside the packets that match the point.
    Notification(Point),
    /// The SAQ for the point was freed (deallocation from the leaves to the root).
    Token(Point),
    /// The notification for the point was refused.
    Nack(Point),
    /// FD, FR or end mark of fault discovery and recovery.
    Recovery(Message),
    /// PAUSE or RESUME of a virtual channel.
    Pause(PauseWord, VcId),
}

impl Control {
    /// The point that the packet names, if it names one.
    #[inline]
    pub const fn point(&self) -> Option<Point> {
        match *self {
            Self::Xoff(point)
            | Self::Xon(point)
            | Self::Notification(point)
            | Self::Token(point)
            | Self::Nack(point) => Some(point),
            Self::Recovery(_) | Self::Pause(..) => None,
        }
    }

    /// The packet's name in traces and result columns.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Xoff(_) => "xoff",
            Self::Xon(_) => "xon",
            Self::Notification(_) => "notification",
            Self::Token(_) => "token",
            Self::Nack(_) => "nack",
            Self::Recovery(Message::Unreachable(_) | Message::Failed(..)) => "fd",
            Self::Recovery(Message::Reachable(_) | Message::Recovered(_)) => "fr",
            Self::Recovery(Message::End) => "end-mark",
            Self::Pause(word, _) => word.name(),
        }
    }
}
