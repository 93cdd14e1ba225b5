//! The record of one queue.

use crate::cells::NO_CELL;
use crate::marker::NO_MARKER;

/// Head, tail and counters of a queue: 16 bytes.
///
/// Packets and cells fit 16 bits because a pool has at most 65535 cells.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Queue {
    /// First cell of the first packet.
    pub(crate) head: u16,
    /// Last cell of the last packet.
    pub(crate) tail: u16,
    pub(crate) packets: u16,
    pub(crate) cells: u16,
    /// Packets pushed so far, wrapping.
    pub(crate) pushed: u32,
    pub(crate) first_marker: u8,
    pub(crate) last_marker: u8,
}

impl Queue {
    pub(crate) const EMPTY: Self = Self {
        head: NO_CELL,
        tail: NO_CELL,
        packets: 0,
        cells: 0,
        pushed: 0,
        first_marker: NO_MARKER,
        last_marker: NO_MARKER,
    };

    /// Packets popped so far, wrapping.
    #[inline]
    pub(crate) fn popped(&self) -> u32 {
        self.pushed.wrapping_sub(u32::from(self.packets))
    }
}
