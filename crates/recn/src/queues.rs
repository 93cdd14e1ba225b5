//! What RECN needs of a memory: who is empty, and markers. The MMU is one; a model checker has its
//! own.

use saq::{Mmu, MmuError};
use units::{LineId, QueueId};

/// Queues with markers in them.
pub trait MarkedQueues {
    /// No packets.
    fn is_empty(&self, queue: QueueId) -> bool;
    /// No packets and no markers.
    fn is_vacant(&self, queue: QueueId) -> bool;
    /// How many packets.
    fn packets(&self, queue: QueueId) -> u32;
    /// Holds markers.
    fn has_markers(&self, queue: QueueId) -> bool;
    /// Puts a marker behind the last packet.
    ///
    /// # Errors
    /// A marker that is placed already.
    fn place_marker(&mut self, marker: LineId, host: QueueId) -> Result<(), MmuError>;
    /// Consumes the marker at the head, if one is there.
    fn take_head_marker(&mut self, queue: QueueId) -> Option<LineId>;
    /// Exchanges all that two queues hold, packets and markers.
    ///
    /// # Errors
    /// A queue that does not exist.
    fn swap(&mut self, a: QueueId, b: QueueId) -> Result<(), MmuError>;
}

impl<H> MarkedQueues for Mmu<H> {
    #[inline]
    fn is_empty(&self, queue: QueueId) -> bool {
        Mmu::is_empty(self, queue)
    }
    #[inline]
    fn is_vacant(&self, queue: QueueId) -> bool {
        Mmu::is_vacant(self, queue)
    }
    #[inline]
    fn packets(&self, queue: QueueId) -> u32 {
        Mmu::packets(self, queue)
    }
    #[inline]
    fn has_markers(&self, queue: QueueId) -> bool {
        Mmu::has_markers(self, queue)
    }
    fn place_marker(&mut self, marker: LineId, host: QueueId) -> Result<(), MmuError> {
        Mmu::place_marker(self, marker, host)
    }
    #[inline]
    fn take_head_marker(&mut self, queue: QueueId) -> Option<LineId> {
        Mmu::take_head_marker(self, queue)
    }
    fn swap(&mut self, a: QueueId, b: QueueId) -> Result<(), MmuError> {
        Mmu::swap(self, a, b)
    }
}
