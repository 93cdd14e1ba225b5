//! The record of one queue, and what leaves it.

use crate::cells::{Cells, NO_CELL};
use units::{LineId, PacketId};

/// The cells of a packet on its way out: it has left its queue, and its memory comes back when its
/// tail has left ([`Mmu::release`](crate::Mmu::release)). Neither copied nor cloned, so that cells
/// come back once; one that is dropped stays counted as leased. Source: spec page `recn.md`,
/// occupancy.
#[must_use = "the cells stay leased until the lease is released"]
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lease {
    /// The packet.
    pub packet: PacketId,
    /// Its first cell.
    pub first: u16,
    /// Its last cell.
    pub last: u16,
    /// How many cells it takes.
    pub cells: u16,
}

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
    pub(crate) first_marker: Option<LineId>,
    pub(crate) last_marker: Option<LineId>,
}

const _: () = assert!(size_of::<Queue>() == 16);

/// A queue and its register: in one cache line, if that has at most 16 bytes.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(32))]
pub(crate) struct Slot<H> {
    pub(crate) record: Queue,
    pub(crate) register: H,
}

impl<H> Slot<H> {
    pub(crate) fn empty(register: H) -> Self {
        Self { record: Queue::EMPTY, register }
    }
}

impl Queue {
    pub(crate) const EMPTY: Self = Self {
        head: NO_CELL,
        tail: NO_CELL,
        packets: 0,
        cells: 0,
        pushed: 0,
        first_marker: None,
        last_marker: None,
    };

    /// Packets popped so far, wrapping.
    #[inline]
    pub(crate) fn popped(&self) -> u32 {
        self.pushed.wrapping_sub(u32::from(self.packets))
    }

    /// Links the packet in `first ..= last` behind the tail.
    #[inline]
    pub(crate) fn append(&mut self, pool: &mut Cells, first: u16, last: u16, cells: u16) {
        if self.packets == 0 {
            self.head = first;
        } else {
            pool.set_next(self.tail, first);
        }
        self.tail = last;
        self.packets += 1;
        self.cells += cells;
        self.pushed = self.pushed.wrapping_add(1);
    }

    /// Unlinks the first packet; the pool's counters are the caller's.
    #[inline]
    pub(crate) fn detach(&mut self, pool: &Cells) -> Option<Lease> {
        if self.packets == 0 {
            return None;
        }
        let first = self.head;
        let (packet, cells, next) = pool.first_word(first);
        let last = pool.last(first, cells);
        self.head = if cells == 1 { next } else { pool.next(last) };
        self.packets -= 1;
        self.cells -= cells;
        if self.packets == 0 {
            self.tail = NO_CELL;
        }
        Some(Lease { packet, first, last, cells })
    }
}
