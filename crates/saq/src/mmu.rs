//! The memory management unit of one port.

use crate::cells::{Cells, NO_CELL};
use crate::marker::{Marker, NO_HOST, NO_MARKER};
use crate::queue::{Queue, Slot};
use crate::{Item, Lease, MarkerId, MmuError, QueueId};

/// Queues and markers of one port memory over one pool of cells; see the crate page.
///
/// Every operation is constant time, but for pushes (the packet's cells) and swaps (the markers
/// inside); none allocates. After each, free + queued + leased cells are the pool, else
/// [`MmuError::Conservation`].
///
/// Queries panic on a queue or marker number that the memory was not made for; operations return an
/// error.
///
/// Beside the record of each queue is a register `H` of the user's own: what an arbiter knows of
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
    /// With more than 65535 queues or 255 markers: the highest number of each means none.
    #[must_use]
    pub fn with_registers(cells: u16, queues: usize, markers: usize, register: H) -> Self {
        assert!(
            queues <= usize::from(NO_HOST),
            "{queues} queues: legal are 0 to 65535"
        );
        assert!(
            markers <= usize::from(NO_MARKER),
            "{markers} markers: legal are 0 to 255"
        );
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
    #[must_use]
    pub fn register(&self, queue: QueueId) -> &H {
        &self.queues[usize::from(queue)].register
    }

    /// The same, to be changed.
    ///
    /// # Panics
    /// On a queue that the memory was not made for.
    #[inline(always)]
    pub fn register_mut(&mut self, queue: QueueId) -> &mut H {
        &mut self.queues[usize::from(queue)].register
    }

    /// Stores a packet of `cells` cells behind the last one of `queue`.
    ///
    /// # Errors
    /// [`MmuError::PoolExhausted`], `ZeroCells`, `UnknownQueue`: nothing is stored. `Conservation`.
    #[inline(always)]
    pub fn push(&mut self, queue: QueueId, item: Item, cells: u16) -> Result<(), MmuError> {
        let Some(Slot { record, .. }) = self.queues.get_mut(usize::from(queue)) else {
            return Err(self.unknown(queue));
        };
        if cells == 0 || cells > self.free {
            return Err(self.refused(item, cells));
        }
        let (first, last) = self.cells.store(item, cells);
        record.append(&mut self.cells, first, last, cells);
        self.free -= cells;
        self.queued = self.queued.wrapping_add(cells);
        self.conserved()
    }

    /// Takes the first packet off `queue`, as its transmission starts; the cells are held by the
    /// lease.
    ///
    /// # Errors
    /// [`MmuError::QueueEmpty`], `UnknownQueue`: nothing is taken. `Conservation`.
    #[inline(always)]
    pub fn pop(&mut self, queue: QueueId) -> Result<Lease, MmuError> {
        let Some(Slot { record, .. }) = self.queues.get_mut(usize::from(queue)) else {
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
    /// [`MmuError::ForeignLease`] where the lease cannot be of this memory: nothing is given back.
    /// `Conservation`.
    #[inline(always)]
    #[expect(
        clippy::needless_pass_by_value,
        reason = "a lease is used up: its cells come back once"
    )]
    pub fn release(&mut self, lease: Lease) -> Result<(), MmuError> {
        let Lease {
            first, last, cells, ..
        } = lease;
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
    /// [`MmuError::QueueEmpty`], `UnknownQueue`: nothing moves.
    #[inline]
    pub fn move_front(&mut self, from: QueueId, to: QueueId) -> Result<(), MmuError> {
        self.known(from)?;
        self.known(to)?;
        let Some(lease) = self.queues[usize::from(from)].record.detach(&self.cells) else {
            return Err(empty(from));
        };
        self.cells.set_next(lease.last, NO_CELL);
        let to = &mut self.queues[usize::from(to)].record;
        to.append(&mut self.cells, lease.first, lease.last, lease.cells);
        Ok(())
    }

    /// Exchanges all that two queues hold, packets and markers: the full queue becomes the SAQ.
    ///
    /// # Errors
    /// [`MmuError::UnknownQueue`]: nothing is exchanged.
    pub fn swap(&mut self, a: QueueId, b: QueueId) -> Result<(), MmuError> {
        self.known(a)?;
        self.known(b)?;
        let record = *self.queue(a);
        self.queues[usize::from(a)].record =
            std::mem::replace(&mut self.queues[usize::from(b)].record, record);
        for host in [a, b] {
            let mut marker = self.queue(host).first_marker;
            while marker != NO_MARKER {
                let record = &mut self.markers[usize::from(marker)];
                record.host = host;
                marker = record.next;
            }
        }
        Ok(())
    }

    /// Puts `marker` behind the last packet of `host`, and behind the markers there already.
    ///
    /// # Errors
    /// [`MmuError::MarkerPlaced`], `UnknownMarker`, `UnknownQueue`: nothing is placed.
    #[inline]
    pub fn place_marker(&mut self, marker: MarkerId, host: QueueId) -> Result<(), MmuError> {
        self.known(host)?;
        let markers = self.markers.len();
        let queue = &mut self.queues[usize::from(host)].record;
        let record = self
            .markers
            .get_mut(usize::from(marker))
            .ok_or(MmuError::UnknownMarker { marker, markers })?;
        if record.host != NO_HOST {
            return Err(MmuError::MarkerPlaced {
                marker,
                host: record.host,
            });
        }
        *record = Marker {
            position: queue.pushed,
            host,
            next: NO_MARKER,
        };
        let last = std::mem::replace(&mut queue.last_marker, marker);
        if last == NO_MARKER {
            queue.first_marker = marker;
        } else {
            self.markers[usize::from(last)].next = marker;
        }
        Ok(())
    }

    /// The marker at the head of `queue`: all packets ahead of it have left.
    #[inline]
    #[must_use]
    pub fn head_marker(&self, queue: QueueId) -> Option<MarkerId> {
        let queue = self.queue(queue);
        let marker = queue.first_marker;
        (marker != NO_MARKER && self.markers[usize::from(marker)].is_reached(queue.popped()))
            .then_some(marker)
    }

    /// Consumes the marker at the head of `queue`, if there is one. Whether the queue is ready to
    /// is the caller's.
    #[inline]
    pub fn take_head_marker(&mut self, queue: QueueId) -> Option<MarkerId> {
        let marker = self.head_marker(queue)?;
        let record = std::mem::replace(&mut self.markers[usize::from(marker)], Marker::FREE);
        let queue = &mut self.queues[usize::from(queue)].record;
        queue.first_marker = record.next;
        if record.next == NO_MARKER {
            queue.last_marker = NO_MARKER;
        }
        Some(marker)
    }

    /// The queue that `marker` sits in, if it is placed.
    #[inline]
    #[must_use]
    pub fn marker_host(&self, marker: MarkerId) -> Option<QueueId> {
        let host = self.markers[usize::from(marker)].host;
        (host != NO_HOST).then_some(host)
    }

    /// Whether `queue` holds markers, at its head or further back.
    #[inline]
    #[must_use]
    pub fn has_markers(&self, queue: QueueId) -> bool {
        self.queue(queue).first_marker != NO_MARKER
    }

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
    pub fn front(&self, queue: QueueId) -> Option<Item> {
        let queue = self.queue(queue);
        (queue.packets != 0).then(|| self.cells.packet(queue.head).0)
    }

    /// The packet behind the first of `queue`.
    #[inline]
    #[must_use]
    pub fn second(&self, queue: QueueId) -> Option<Item> {
        let queue = self.queue(queue);
        (queue.packets > 1).then(|| {
            let (_, cells) = self.cells.packet(queue.head);
            let last = self.cells.last(queue.head, cells);
            self.cells.packet(self.cells.next(last)).0
        })
    }

    /// Cells of the first packet of `queue`, 0 where there is none.
    #[inline]
    #[must_use]
    pub fn front_cells(&self, queue: QueueId) -> u16 {
        let queue = self.queue(queue);
        if queue.packets == 0 {
            0
        } else {
            self.cells.packet(queue.head).1
        }
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

    /// Asks for the record and the register of a queue ahead of their use.
    #[inline(always)]
    pub fn prefetch_queue(&self, queue: QueueId) {
        prefetch::nth(&self.queues, usize::from(queue));
    }

    /// Asks for the cell that is stored in next.
    #[inline(always)]
    pub fn prefetch_next_cell(&self) {
        self.cells.prefetch_next();
    }

    /// Asks for the cell that the first packet of a queue begins in.
    #[inline(always)]
    pub fn prefetch_front(&self, queue: QueueId) {
        if let Some(Slot { record, .. }) = self.queues.get(usize::from(queue)) {
            self.cells.prefetch(record.head);
        }
    }

    /// Asks for what the return of a lease touches.
    #[inline(always)]
    pub fn prefetch_lease(&self, lease: &Lease) {
        self.cells.prefetch(lease.last);
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

    #[inline]
    fn known(&self, queue: QueueId) -> Result<(), MmuError> {
        let queues = self.queues.len();
        if usize::from(queue) < queues {
            Ok(())
        } else {
            Err(self.unknown(queue))
        }
    }

    // Errors are made apart, so that what never happens costs nothing where it does not.

    #[cold]
    #[inline(never)]
    fn unknown(&self, queue: QueueId) -> MmuError {
        let queues = self.queues.len();
        MmuError::UnknownQueue { queue, queues }
    }

    /// Why a packet of `cells` cells is not stored.
    #[cold]
    #[inline(never)]
    fn refused(&self, item: Item, cells: u16) -> MmuError {
        if cells == 0 {
            return MmuError::ZeroCells { item };
        }
        MmuError::PoolExhausted {
            needed: cells,
            free: self.free_cells(),
            pool: self.pool_cells(),
        }
    }

    #[cold]
    #[inline(never)]
    fn foreign(&self, first: u16, last: u16, cells: u16) -> MmuError {
        MmuError::ForeignLease {
            first,
            last,
            cells,
            leased: self.leased_cells(),
        }
    }

    #[cold]
    #[inline(never)]
    fn not_conserved(&self) -> MmuError {
        MmuError::Conservation {
            free: self.free_cells(),
            queued: self.queued_cells(),
            leased: self.leased_cells(),
            pool: self.pool_cells(),
        }
    }

    #[inline]
    pub(crate) fn queue(&self, queue: QueueId) -> &Queue {
        &self.queues[usize::from(queue)].record
    }

    #[inline]
    pub(crate) fn conserved(&self) -> Result<(), MmuError> {
        if cfg!(setaside_unchecked) {
            return Ok(());
        }
        let counted = self.free_cells() + self.queued_cells() + self.leased_cells();
        if counted == self.pool_cells() {
            Ok(())
        } else {
            Err(self.not_conserved())
        }
    }
}

#[cold]
#[inline(never)]
fn empty(queue: QueueId) -> MmuError {
    MmuError::QueueEmpty { queue }
}
