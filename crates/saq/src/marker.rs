//! The record of one marker.

use units::{LineId, QueueId};

/// A marker. Markers take no cells: each CAM line owns one record [spec page `recn.md`].
///
/// `position` is the host's count of pushed packets when the marker was placed. The marker is at
/// the head when that many packets were popped, so no pop looks at markers at all. The comparison
/// is one of wrapping counters: a marker left at the head while 2^31 packets pass it would be
/// misread.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Marker {
    pub(crate) position: u32,
    /// The queue that it sits in; none where it is not placed.
    pub(crate) host: Option<QueueId>,
    /// The marker behind this one in its host.
    pub(crate) next: Option<LineId>,
}

impl Marker {
    pub(crate) const FREE: Self = Self { position: 0, host: None, next: None };

    /// Whether all packets ahead of the marker have left, `popped` packets having left its host.
    #[inline]
    pub(crate) fn is_reached(&self, popped: u32) -> bool {
        popped.wrapping_sub(self.position) as i32 >= 0
    }
}
