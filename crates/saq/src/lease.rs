//! Cells of a packet that has left its queue.

use crate::Item;

/// The cells of a packet on its way out: it has left its queue, and its memory comes back when its
/// tail has left ([`Mmu::release`](crate::Mmu::release)). Neither copied nor cloned, so that cells
/// come back once; one that is dropped stays counted as leased. Source: spec page `recn.md`,
/// occupancy.
#[must_use = "the cells stay leased until the lease is released"]
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lease {
    /// The packet.
    pub item: Item,
    /// Its first cell.
    pub first: u16,
    /// Its last cell.
    pub last: u16,
    /// How many cells it takes.
    pub cells: u16,
}
