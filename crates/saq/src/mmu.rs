//! The memory management unit of one port.

use crate::Lease;
use crate::cells::{Cells, NO_CELL};
use crate::markers::Marker;
use crate::queue::{Queue, Slot};
use units::{PacketId, QueueId};

/// A broken invariant or a wrong call of a port memory, in words: the caller adds unit and tick and
/// ends the run.
///
/// Overflow is a bug of the model, never a drop [spec page `switch.md`]: credits must have kept the
/// packet away.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct MmuError(pub String);

/// Queues and markers of one port memory over one pool of cells; see the crate page.
///
/// Every operation is constant time, but for pushes (the packet's cells) and swaps (the markers
/// inside). After each, free + queued + leased cells are the pool, else it is an error. On a number
/// that the memory was not made for queries panic, operations return an error.
///
/// Beside the record of each queue is a register `H` of the user's own: what an arbiter needs of
/// the packet at its head. It stays with the queue whatever happens to the packets.
// What every packet touches comes first: 48 bytes.
#[derive(Debug)]
#[repr(C)]
pub struct Mmu<H = ()> {
    pub(crate) cells: Cells,
    pub(crate) free: u16,
    pub(crate) queued: u16,
    pub(crate) leased: u16,
    pub(crate) queues: Box<[Slot<H>]>,
    pub(crate) markers: Box<[Marker]>,
}

impl Mmu {
    /// An empty memory of `cells` cells with `queues` queues and `markers` marker records (one per
    /// CAM line), without registers.
    ///
    /// # Panics
    /// As [`Mmu::with_registers`].
    #[must_use]
    pub fn new(cells: u16, queues: usize, markers: usize) -> Self {
        Self::with_registers(cells, queues, markers, ())
    }
}

impl<H: Copy> Mmu<H> {
    /// An empty memory of `cells` cells with `queues` queues, each with a register that holds
    /// `register`, and `markers` marker records (one per CAM line).
    ///
    /// # Panics
    /// With more than 65536 queues or 256 markers: more than their ids can number.
    #[must_use]
    pub fn with_registers(cells: u16, queues: usize, markers: usize, register: H) -> Self {
        assert!(queues <= 1 << 16, "{queues} queues: legal are 0 to 65536");
        assert!(markers <= 1 << 8, "{markers} markers: legal are 0 to 256");
        Self {
            cells: Cells::new(cells),
            queues: vec![Slot::empty(register); queues].into_boxed_slice(),
            markers: vec![Marker::FREE; markers].into_boxed_slice(),
            free: cells,
            queued: 0,
            leased: 0,
        }
    }
}

impl<H> Mmu<H> {
    /// The register of a queue.
    ///
    /// # Panics
    /// On a queue that the memory was not made for.
    #[inline(always)]
    pub fn register(&self, queue: QueueId) -> &H {
        &self.queues[queue.index()].register
    }

    /// The register of a queue, to be changed.
    ///
    /// # Panics
    /// On a queue that the memory was not made for.
    #[inline(always)]
    pub fn register_mut(&mut self, queue: QueueId) -> &mut H {
        &mut self.queues[queue.index()].register
    }

    /// Stores a packet of `cells` cells behind the last one of `queue`.
    ///
    /// # Errors
    /// No room, no cells, no such queue: nothing is stored. Cells that are not conserved.
    #[inline(always)]
    pub fn push(&mut self, queue: QueueId, packet: PacketId, cells: u16) -> Result<(), MmuError> {
        let Some(Slot { record, .. }) = self.queues.get_mut(queue.index()) else {
            return Err(self.unknown(queue));
        };
        if cells == 0 || cells > self.free {
            return Err(self.refused(packet, cells));
        }
        let (first, last) = self.cells.store(packet, cells);
        record.append(&mut self.cells, first, last, cells);
        self.free -= cells;
        self.queued = self.queued.wrapping_add(cells);
        self.conserved()
    }

    /// Takes the first packet off `queue`, as its transmission starts; the lease holds its cells.
    ///
    /// # Errors
    /// No packet, no such queue: nothing is taken. Cells that are not conserved.
    #[inline(always)]
    pub fn pop(&mut self, queue: QueueId) -> Result<Lease, MmuError> {
        let Some(Slot { record, .. }) = self.queues.get_mut(queue.index()) else {
            return Err(self.unknown(queue));
        };
        let Some(lease) = record.detach(&self.cells) else {
            return Err(empty(queue));
        };
        self.queued = self.queued.wrapping_sub(lease.cells);
        self.leased = self.leased.wrapping_add(lease.cells);
        self.conserved()?;
        Ok(lease)
    }

    /// Gives the cells of a packet back, as its tail has left. Leases come back in any order.
    ///
    /// # Errors
    /// A lease that cannot be of this memory: nothing is given back. Cells that are not conserved.
    #[inline(always)]
    #[expect(
        clippy::needless_pass_by_value,
        reason = "a lease is used up: its cells come back once"
    )]
    pub fn release(&mut self, lease: Lease) -> Result<(), MmuError> {
        let Lease { first, last, cells, .. } = lease;
        if cells > self.leased || first.max(last) >= self.cells.fresh() {
            return Err(self.foreign(first, last, cells));
        }
        self.cells.put(first, last);
        self.leased -= cells;
        self.free = self.free.wrapping_add(cells);
        self.conserved()
    }

    /// Moves the first packet of `from` behind the last one of `to`, as the PPU does: relinked,
    /// contents untouched. To the markers of both queues this is a departure and an arrival.
    ///
    /// # Errors
    /// No packet, no such queue: nothing moves.
    #[inline]
    pub fn move_front(&mut self, from: QueueId, to: QueueId) -> Result<(), MmuError> {
        self.known(from)?;
        self.known(to)?;
        let Some(lease) = self.queues[from.index()].record.detach(&self.cells) else {
            return Err(empty(from));
        };
        self.cells.set_next(lease.last, NO_CELL);
        let to = &mut self.queues[to.index()].record;
        to.append(&mut self.cells, lease.first, lease.last, lease.cells);
        Ok(())
    }

    /// Exchanges all that two queues hold, packets and markers: the full queue becomes the SAQ.
    ///
    /// # Errors
    /// No such queue: nothing is exchanged.
    pub fn swap(&mut self, a: QueueId, b: QueueId) -> Result<(), MmuError> {
        self.known(a)?;
        self.known(b)?;
        let record = *self.queue(a);
        self.queues[a.index()].record =
            std::mem::replace(&mut self.queues[b.index()].record, record);
        for host in [a, b] {
            let mut next = self.queue(host).first_marker;
            while let Some(marker) = next {
                let record = &mut self.markers[marker.index()];
                record.host = Some(host);
                next = record.next;
            }
        }
        Ok(())
    }

    #[inline]
    pub(crate) fn known(&self, queue: QueueId) -> Result<(), MmuError> {
        let queues = self.queues.len();
        if queue.index() < queues { Ok(()) } else { Err(self.unknown(queue)) }
    }

    // Errors are made apart, so that what never happens costs nothing where it does not.

    #[cold]
    #[inline(never)]
    fn unknown(&self, queue: QueueId) -> MmuError {
        let queues = self.queues.len();
        MmuError(format!("no queue {queue}: legal are numbers below {queues}"))
    }

    /// Why a packet of `cells` cells is not stored.
    #[cold]
    #[inline(never)]
    fn refused(&self, packet: PacketId, cells: u16) -> MmuError {
        if cells == 0 {
            return MmuError(format!("packet {packet} has 0 cells: at least 1 is needed"));
        }
        let (free, pool) = (self.free, self.cells.len());
        MmuError(format!("cell pool exhausted: {cells} cells needed, {free} free of {pool}"))
    }

    #[cold]
    #[inline(never)]
    fn foreign(&self, first: u16, last: u16, cells: u16) -> MmuError {
        let leased = self.leased;
        MmuError(format!(
            "lease of {cells} cells from {first} to {last} is not of this memory: {leased} cells are \
             leased"
        ))
    }

    #[cold]
    #[inline(never)]
    fn not_conserved(&self) -> MmuError {
        not_conserved(
            self.free_cells(),
            self.queued_cells(),
            self.leased_cells(),
            self.pool_cells(),
        )
    }

    #[inline]
    pub(crate) fn queue(&self, queue: QueueId) -> &Queue {
        &self.queues[queue.index()].record
    }

    #[inline]
    pub(crate) fn conserved(&self) -> Result<(), MmuError> {
        if cfg!(setaside_unchecked) {
            return Ok(());
        }
        let counted = self.free_cells() + self.queued_cells() + self.leased_cells();
        if counted == self.pool_cells() { Ok(()) } else { Err(self.not_conserved()) }
    }
}

#[cold]
#[inline(never)]
fn empty(queue: QueueId) -> MmuError {
    MmuError(format!("queue {queue} has no packet"))
}

pub(crate) fn not_conserved(free: u32, queued: u32, leased: u32, pool: u32) -> MmuError {
    MmuError(format!(
        "cells not conserved: {free} free + {queued} queued + {leased} leased is not the pool of \
         {pool}"
    ))
}
