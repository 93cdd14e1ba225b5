//! Markers in the queues of a memory.

use crate::{Mmu, MmuError};
use units::{LineId, QueueId};

/// A marker. Markers take no cells: each CAM line owns one record [spec page `recn.md`].
///
/// `position` is the host's count of pushed packets when the marker was placed. The marker is at
/// the head when that many packets were popped, so no pop reads markers at all. Counters wrap: one
/// left at the head while 2^31 packets pass it would be misread.
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

impl<H> Mmu<H> {
    /// Puts `marker` behind the last packet of `host`, and behind the markers there already.
    ///
    /// # Errors
    /// A marker that is placed already, no such marker, no such queue: nothing is placed.
    #[inline]
    pub fn place_marker(&mut self, marker: LineId, host: QueueId) -> Result<(), MmuError> {
        self.known(host)?;
        let markers = self.markers.len();
        let queue = &mut self.queues[host.index()].record;
        let record =
            self.markers.get_mut(marker.index()).ok_or_else(|| unknown(marker, markers))?;
        if let Some(host) = record.host {
            return Err(placed(marker, host));
        }
        *record = Marker { position: queue.pushed, host: Some(host), next: None };
        match queue.last_marker.replace(marker) {
            None => queue.first_marker = Some(marker),
            Some(last) => self.markers[last.index()].next = Some(marker),
        }
        Ok(())
    }

    /// The marker at the head of `queue`: all packets ahead of it have left.
    #[inline]
    pub fn head_marker(&self, queue: QueueId) -> Option<LineId> {
        let queue = self.queue(queue);
        let reached = |marker: &LineId| self.markers[marker.index()].is_reached(queue.popped());
        queue.first_marker.filter(reached)
    }

    /// Consumes the marker at the head of `queue`, if there is one. Whether the queue is ready to
    /// is the caller's.
    #[inline]
    pub fn take_head_marker(&mut self, queue: QueueId) -> Option<LineId> {
        let marker = self.head_marker(queue)?;
        let record = std::mem::replace(&mut self.markers[marker.index()], Marker::FREE);
        let queue = &mut self.queues[queue.index()].record;
        queue.first_marker = record.next;
        if record.next.is_none() {
            queue.last_marker = None;
        }
        Some(marker)
    }

    /// The queue that `marker` sits in, if it is placed.
    #[inline]
    pub fn marker_host(&self, marker: LineId) -> Option<QueueId> {
        self.markers[marker.index()].host
    }

    /// Whether `queue` holds markers, at its head or further back.
    #[inline]
    pub fn has_markers(&self, queue: QueueId) -> bool {
        self.queue(queue).first_marker.is_some()
    }
}

#[cold]
#[inline(never)]
fn unknown(marker: LineId, markers: usize) -> MmuError {
    MmuError(format!("no marker {marker}: legal are numbers below {markers}"))
}

#[cold]
#[inline(never)]
fn placed(marker: LineId, host: QueueId) -> MmuError {
    MmuError(format!("marker {marker} is in queue {host} already"))
}
