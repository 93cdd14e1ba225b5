//! Queries of a memory's queues and cells, and what is prefetched.

use crate::Mmu;
use units::{PacketId, QueueId};

impl<H> Mmu<H> {
    /// Whether `queue` holds no packets; it may hold markers.
    #[inline]
    #[must_use]
    pub fn is_empty(&self, queue: QueueId) -> bool {
        self.queue(queue).packets == 0
    }

    /// Whether `queue` holds neither packets nor markers.
    #[inline]
    #[must_use]
    pub fn is_vacant(&self, queue: QueueId) -> bool {
        self.is_empty(queue) && !self.has_markers(queue)
    }

    /// The first packet of `queue`.
    #[inline]
    #[must_use]
    pub fn front(&self, queue: QueueId) -> Option<PacketId> {
        let queue = self.queue(queue);
        (queue.packets != 0).then(|| self.cells.packet(queue.head).0)
    }

    /// The packet behind the first of `queue`.
    #[inline]
    #[must_use]
    pub fn second(&self, queue: QueueId) -> Option<PacketId> {
        let queue = self.queue(queue);
        (queue.packets > 1).then(|| {
            let (_, cells) = self.cells.packet(queue.head);
            let last = self.cells.last(queue.head, cells);
            self.cells.packet(self.cells.next(last)).0
        })
    }

    /// Occupancy of `queue`, in packets.
    #[inline]
    #[must_use]
    pub fn packets(&self, queue: QueueId) -> u32 {
        u32::from(self.queue(queue).packets)
    }

    /// Cells of the packets in `queue`.
    #[inline]
    #[must_use]
    pub fn cells(&self, queue: QueueId) -> u32 {
        u32::from(self.queue(queue).cells)
    }

    /// Cells that no packet holds.
    #[inline]
    #[must_use]
    pub const fn free_cells(&self) -> u32 {
        self.free as u32
    }

    /// Cells of the memory.
    #[inline]
    #[must_use]
    pub fn pool_cells(&self) -> u32 {
        u32::from(self.cells.len())
    }

    /// Cells of packets in queues.
    #[inline]
    #[must_use]
    pub const fn queued_cells(&self) -> u32 {
        self.queued as u32
    }

    /// Cells of packets that have left their queue, their tail still here.
    #[inline]
    #[must_use]
    pub const fn leased_cells(&self) -> u32 {
        self.leased as u32
    }

    /// Queues of this memory.
    #[must_use]
    pub const fn queues(&self) -> usize {
        self.queues.len()
    }

    /// Marker records of this memory.
    #[must_use]
    pub const fn markers(&self) -> usize {
        self.markers.len()
    }
}
