//! Queries of a memory's queues and cells, and what is prefetched.

use crate::Mmu;
use units::{PacketId, QueueId};

impl<H> Mmu<H> {
    /// Whether `queue` holds no packets; it may hold markers.
    #[inline]
    pub fn is_empty(&self, queue: QueueId) -> bool {
        self.queue(queue).packets == 0
    }

    /// Whether `queue` holds neither packets nor markers.
    #[inline]
    pub fn is_vacant(&self, queue: QueueId) -> bool {
        self.is_empty(queue) && !self.has_markers(queue)
    }

    /// The first packet of `queue`.
    #[inline]
    pub fn front(&self, queue: QueueId) -> Option<PacketId> {
        let queue = self.queue(queue);
        (queue.packets != 0).then(|| self.cells.packet(queue.head).0)
    }

    /// The packet behind the first of `queue`.
    #[inline]
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
    pub fn packets(&self, queue: QueueId) -> u32 {
        u32::from(self.queue(queue).packets)
    }

    /// Cells of the packets in `queue`.
    #[inline]
    pub fn cells(&self, queue: QueueId) -> u32 {
        u32::from(self.queue(queue).cells)
    }

    /// Cells that no packet holds.
    #[inline]
    pub const fn free_cells(&self) -> u32 {
        self.free as u32
    }

    /// Cells of the memory.
    #[inline]
    pub fn pool_cells(&self) -> u32 {
        u32::from(self.cells.len())
    }

    /// Cells of packets in queues.
    #[inline]
    pub const fn queued_cells(&self) -> u32 {
        self.queued as u32
    }

    /// Cells of packets that have left their queue, their tail still here.
    #[inline]
    pub const fn leased_cells(&self) -> u32 {
        self.leased as u32
    }

    /// Queues of this memory.
    pub const fn queues(&self) -> usize {
        self.queues.len()
    }

    /// Marker records of this memory.
    pub const fn markers(&self) -> usize {
        self.markers.len()
    }
}
