//! Control packets.

use turnpool::Point;

/// A control packet: what one end of a link tells the other. Sources: spec pages `clock.md`
/// (links), `recn.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Control {
    /// Cells of a memory that are free again.
    Credit {
        /// Class of credits: queue or VC of a split memory, 0 for a shared one.
        class: u16,
        /// Cells given back.
        cells: u32,
    },
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
}

impl Control {
    /// Whether the packet names a point: all but credits. These have a size of their own
    /// (`link.named_control_bytes`) and keep their order among themselves.
    #[inline]
    #[must_use]
    pub const fn is_named(&self) -> bool {
        !matches!(self, Self::Credit { .. })
    }

    /// The point that the packet names, if it does.
    #[inline]
    #[must_use]
    pub const fn point(&self) -> Option<Point> {
        match *self {
            Self::Credit { .. } => None,
            Self::Xoff(point)
            | Self::Xon(point)
            | Self::Notification(point)
            | Self::Token(point)
            | Self::Nack(point) => Some(point),
        }
    }

    /// The packet's name in traces and result columns.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Credit { .. } => "credit",
            Self::Xoff(_) => "xoff",
            Self::Xon(_) => "xon",
            Self::Notification(_) => "notification",
            Self::Token(_) => "token",
            Self::Nack(_) => "nack",
        }
    }
}
