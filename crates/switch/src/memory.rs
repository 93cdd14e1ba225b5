//! A port memory (MMU) and the packet that is leaving it.
//!
//! A packet leaves its queue when its head does; its cells are free when its tail has left, a known
//! number of ticks later. Nobody can tell when they are put back, as long as whoever reads what a
//! tail changes finds it as of the present tick: the only way to the cells is [`PortMemory::at`],
//! and room is asked for with the tick. What a tail does not change (queues and their heads) may be
//! read at any time.

use crate::heads::Head;
use crate::params::{MemoryLayout, short};
use flow_control::ClassCredits;
use saq::{Lease, Mmu};
use units::{ClassId, LineId, PacketId, QueueId, Tick, Unit, broken};

/// The packet whose head has left and whose tail has not.
#[derive(Debug)]
struct Leaving {
    lease: Lease,
    class: ClassId,
}

/// One port memory, of an ingress or an egress port. Without cells where the organisation has none.
///
/// ```
#[doc = include_str!("of_examples.txt")]
/// // An egress port: 64 cells, 2 normal queues, 4 SAQs; room is asked for by the crossbar.
/// let mut memory = PortMemory::new(layout, 4, true, unit);
/// assert_eq!((memory.queues(), memory.pool_cells(), memory.is_there()), (6, 64, true));
/// assert!(memory.has_room() && memory.room_classes().is_some());
/// let (queue, class) = (QueueId(0), ClassId(0));
/// memory.reserve(class, 2, Tick(1)); // the grant
/// memory.push(queue, PacketId(7), 2, Tick(9)); // the head arrives
/// assert_eq!((memory.front(queue), memory.packets(queue)), (Some(PacketId(7)), 1));
/// assert_eq!((memory.cells(queue), memory.queued_cells()), (2, 2));
/// assert!(memory.items(queue).eq([PacketId(7)]));
/// let lease = memory.pop(queue, Tick(20)); // the link takes it
/// memory.leave(lease, class, Tick(52));
/// assert_eq!((memory.tail_end(), memory.leaving_cells(Tick(51))), (Some(Tick(52)), 2));
/// assert!(memory.leaving(Tick(51)).eq([(class, 2)]));
/// assert_eq!([51, 52].map(|now| memory.room(class, Tick(now))), [62, 64]);
/// assert_eq!((memory.left_over(Tick(52)), memory.audit()), (None, Ok(())));
/// assert_eq!(memory.unit(), unit);
/// ```
#[derive(Debug)]
#[repr(C)]
pub struct PortMemory {
    mmu: Mmu<Head>,
    /// The tail of the packet that is leaving has left when this tick begins; [`Tick::MAX`] if none
    /// is.
    end: Tick,
    leaving: Option<Leaving>,
    /// Those whose tails leave later, where several outputs may read this memory at once.
    later: Vec<(Tick, Leaving)>,
    /// Egress: cells that the crossbar (or admittance) may still fill, by class; taken at the
    /// grant.
    room: Option<ClassCredits>,
    unit: Unit,
}

impl PortMemory {
    /// An empty memory with `saqs` SAQs above its normal queues; `has_room`: of an egress port,
    /// whose crossbar asks for room.
    pub fn new(layout: MemoryLayout, saqs: u32, has_room: bool, unit: Unit) -> PortMemory {
        let queues = (layout.queues + saqs) as usize;
        let cells = short(layout.cells);
        PortMemory {
            mmu: Mmu::with_registers(cells, queues, saqs as usize, Head::NONE),
            end: Tick::MAX,
            leaving: None,
            later: Vec::new(),
            room: (has_room && layout.classes > 0)
                .then(|| ClassCredits::new(short(layout.class_cells), short(layout.classes))),
            unit,
        }
    }

    /// Its name in messages.
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// Queues and cells, as of tick `now`.
    ///
    /// ```
    #[doc = include_str!("of_examples.txt")]
    /// let mut memory = PortMemory::new(layout, 0, false, unit);
    /// memory.push(QueueId(0), PacketId(7), 2, Tick(9));
    /// let lease = memory.pop(QueueId(0), Tick(20));
    /// memory.leave(lease, ClassId(0), Tick(52));
    /// // Cells are free from the tick on in which the tail has left.
    /// assert_eq!(memory.at(Tick(51)).free_cells(), 62);
    /// assert_eq!(memory.at(Tick(52)).free_cells(), 64);
    /// ```
    #[inline(always)]
    pub fn at(&mut self, now: Tick) -> &mut Mmu<Head> {
        while self.end <= now {
            self.put_back();
        }
        &mut self.mmu
    }

    /// The tail has left: its cells are free, and are room again.
    #[inline(always)]
    fn put_back(&mut self) {
        let at = std::mem::replace(&mut self.end, Tick::MAX);
        let Some(Leaving { lease, class }) = self.leaving.take() else {
            return;
        };
        if !self.later.is_empty() {
            let (end, next) = self.later.remove(0);
            (self.end, self.leaving) = (end, Some(next));
        }
        let cells = u32::from(lease.cells);
        if let Err(error) = self.mmu.release(lease) {
            broken(self.unit, at.before(), &error);
        }
        if let Some(room) = &mut self.room
            && let Err(error) = room.give(class, cells)
        {
            broken(self.unit, at.before(), &error);
        }
    }

    /// Stores a head behind the last packet of `queue`.
    ///
    /// ```
    #[doc = include_str!("of_examples.txt")]
    /// let mut memory = PortMemory::new(layout, 0, false, unit);
    /// memory.push(QueueId(0), PacketId(7), 64, Tick(9));
    /// // A packet that does not fit breaks an invariant: somebody sent it without credit.
    /// let push = || memory.push(QueueId(1), PacketId(8), 1, Tick(10));
    /// let broken = std::panic::catch_unwind(std::panic::AssertUnwindSafe(push)).unwrap_err();
    /// assert!(broken.is::<Broken>());
    /// ```
    #[inline(always)]
    pub fn push(&mut self, queue: QueueId, id: PacketId, cells: u16, now: Tick) {
        if let Err(error) = self.at(now).push(queue, id, cells) {
            broken(self.unit, now, &error);
        }
    }

    /// The head of `queue` leaves; [`PortMemory::leave`] is next.
    ///
    /// ```
    #[doc = include_str!("of_examples.txt")]
    /// let mut memory = PortMemory::new(layout, 0, false, unit);
    /// memory.push(QueueId(0), PacketId(7), 2, Tick(9));
    /// let lease = memory.pop(QueueId(0), Tick(20));
    /// assert_eq!((lease.packet, lease.cells, memory.front(QueueId(0))), (PacketId(7), 2, None));
    /// memory.leave(lease, ClassId(0), Tick(52));
    /// ```
    #[inline(always)]
    pub fn pop(&mut self, queue: QueueId, now: Tick) -> Lease {
        match self.at(now).pop(queue) {
            Ok(lease) => lease,
            Err(error) => broken(self.unit, now, &error),
        }
    }

    /// The head of `queue` is removed, with its cells at once: the packet.
    ///
    /// ```
    #[doc = include_str!("of_examples.txt")]
    /// let mut memory = PortMemory::new(layout, 0, false, unit);
    /// memory.push(QueueId(0), PacketId(7), 2, Tick(9));
    /// assert_eq!(memory.discard(QueueId(0), Tick(20)), PacketId(7)); // no output leads there
    /// assert_eq!(memory.at(Tick(20)).free_cells(), 64);
    /// ```
    pub fn discard(&mut self, queue: QueueId, now: Tick) -> PacketId {
        let lease = self.pop(queue, now);
        let id = lease.packet;
        if let Err(error) = self.mmu.release(lease) {
            broken(self.unit, now, &error);
        }
        id
    }

    /// The tail of a packet of this class leaves in the tick before `end`.
    ///
    /// ```
    #[doc = include_str!("of_examples.txt")]
    /// // With memories that several outputs read at once, tails leave in the order of their ends.
    /// let mut memory = PortMemory::new(layout, 0, false, unit);
    /// for (packet, end) in [(7, 60), (8, 52)] {
    ///     memory.push(QueueId(0), PacketId(packet), 1, Tick(9));
    ///     let lease = memory.pop(QueueId(0), Tick(20));
    ///     memory.leave(lease, ClassId(0), Tick(end));
    /// }
    /// assert_eq!(memory.tail_end(), Some(Tick(52)));
    /// assert_eq!([51, 52, 60].map(|now| memory.leaving_cells(Tick(now))), [2, 1, 0]);
    /// ```
    #[inline(always)]
    pub fn leave(&mut self, lease: Lease, class: ClassId, end: Tick) {
        let leaves = Leaving { lease, class };
        if self.leaving.is_some() {
            return self.leave_beside(leaves, end);
        }
        self.end = end;
        self.leaving = Some(leaves);
    }

    /// Another is leaving already: by end.
    #[inline(never)]
    fn leave_beside(&mut self, mut leaves: Leaving, mut end: Tick) {
        if let Some(first) = &mut self.leaving
            && end < self.end
        {
            std::mem::swap(first, &mut leaves);
            std::mem::swap(&mut self.end, &mut end);
        }
        let at = self.later.partition_point(|(other, _)| *other <= end);
        self.later.insert(at, (end, leaves));
    }

    /// Takes room for a packet that is granted the hop into this memory.
    ///
    /// ```
    #[doc = include_str!("of_examples.txt")]
    /// let mut memory = PortMemory::new(layout, 0, true, unit);
    /// memory.reserve(ClassId(0), 2, Tick(1)); // granted: nobody else may fill these
    /// assert_eq!(memory.room(ClassId(0), Tick(1)), 62);
    /// ```
    #[inline(always)]
    pub fn reserve(&mut self, class: ClassId, cells: u32, now: Tick) {
        self.at(now);
        let taken = match &mut self.room {
            Some(room) => room.take(class, cells),
            None => broken(self.unit, now, &"no memory to have room in"),
        };
        if let Err(error) = taken {
            broken(self.unit, now, &error);
        }
    }

    /// Cells of a class that may still be filled in tick `now`.
    #[inline(always)]
    pub fn room(&self, class: ClassId, now: Tick) -> u32 {
        let Some(room) = &self.room else { return 0 };
        let back = match &self.leaving {
            Some(leaving) if self.end <= now && leaving.class == class => leaving.lease.cells,
            _ => 0,
        };
        room.available(class) + u32::from(back)
    }

    /// Whether the crossbar asks for room here: there is a memory behind it.
    #[inline(always)]
    pub fn has_room(&self) -> bool {
        self.room.is_some()
    }

    /// Capacity of each class, and how many there are; none without room.
    pub fn room_classes(&self) -> Option<&ClassCredits> {
        self.room.as_ref()
    }

    /// When the tail of the packet that is leaving has left, if one is.
    #[inline(always)]
    pub fn tail_end(&self) -> Option<Tick> {
        (self.end != Tick::MAX).then_some(self.end)
    }

    /// Class and cells of the packets that are leaving in tick `now`: one, unless several outputs
    /// may read this memory at once.
    pub fn leaving(&self, now: Tick) -> impl Iterator<Item = (ClassId, u32)> + '_ {
        let first = self.leaving.as_ref().map(|leaving| (self.end, leaving));
        let later = self.later.iter().map(|(end, leaving)| (*end, leaving));
        let leaving = first.into_iter().chain(later);
        leaving
            .filter(move |(end, _)| *end > now)
            .map(|(_, leaving)| (leaving.class, u32::from(leaving.lease.cells)))
    }

    /// Cells of the packets whose tails are leaving in tick `now`.
    pub fn leaving_cells(&self, now: Tick) -> u32 {
        self.leaving(now).map(|(_, cells)| cells).sum()
    }

    /// The register of the head of a queue.
    #[inline(always)]
    pub fn head(&self, queue: QueueId) -> &Head {
        self.mmu.register(queue)
    }

    /// The register of the head of a queue, to be changed.
    ///
    /// ```
    #[doc = include_str!("of_examples.txt")]
    /// let mut memory = PortMemory::new(layout, 0, false, unit);
    /// assert_eq!(memory.head(QueueId(1)).requested, Requested::Nothing);
    /// *memory.head_mut(QueueId(1)) = Head { requested: Requested::One, ..Head::NONE };
    /// assert_eq!(memory.head(QueueId(1)).requested, Requested::One);
    /// ```
    #[inline(always)]
    pub fn head_mut(&mut self, queue: QueueId) -> &mut Head {
        self.mmu.register_mut(queue)
    }

    /// The packet at the head of a queue.
    #[inline(always)]
    pub fn front(&self, queue: QueueId) -> Option<PacketId> {
        self.mmu.front(queue)
    }

    /// The packets of a queue, first to last: for audits.
    pub fn items(&self, queue: QueueId) -> impl Iterator<Item = PacketId> + '_ {
        self.mmu.items(queue).map(|(packet, _)| packet)
    }

    /// Packets in a queue.
    #[inline(always)]
    pub fn packets(&self, queue: QueueId) -> u32 {
        self.mmu.packets(queue)
    }

    /// Cells of the packets in a queue.
    pub fn cells(&self, queue: QueueId) -> u32 {
        self.mmu.cells(queue)
    }

    /// Cells of the packets in all queues.
    pub fn queued_cells(&self) -> u32 {
        self.mmu.queued_cells()
    }

    /// Cells of the memory.
    pub fn pool_cells(&self) -> u32 {
        self.mmu.pool_cells()
    }

    /// Queues, SAQs included.
    pub fn queues(&self) -> usize {
        self.mmu.queues()
    }

    /// Whether the crossbar or a link may find packets here at all.
    pub fn is_there(&self) -> bool {
        self.mmu.pool_cells() > 0
    }

    /// Whether markers are in a queue.
    #[inline(always)]
    pub fn has_markers(&self, queue: QueueId) -> bool {
        self.mmu.has_markers(queue)
    }

    /// Queues and markers, for whoever sets points aside: it changes no cells.
    ///
    /// ```
    #[doc = include_str!("of_examples.txt")]
    /// let mut memory = PortMemory::new(layout, 1, false, unit);
    /// memory.queues_mut().place_marker(LineId(0), QueueId(1))?;
    /// assert!(memory.has_markers(QueueId(1)) && memory.marker_host(LineId(0)).is_some());
    /// # Ok::<(), saq::MmuError>(())
    /// ```
    #[inline(always)]
    pub fn queues_mut(&mut self) -> &mut Mmu<Head> {
        &mut self.mmu
    }

    /// Markers that are in queues, by line: where.
    pub fn marker_host(&self, line: LineId) -> Option<QueueId> {
        self.mmu.marker_host(line)
    }

    /// Looks at every cell: for tests.
    ///
    /// # Errors
    /// What is not where it must be.
    pub fn audit(&self) -> Result<(), String> {
        self.mmu.audit().map_err(|e| format!("{}: {e}", self.unit))
    }

    /// Everything is at home in tick `now`: names what is not.
    pub fn left_over(&self, now: Tick) -> Option<String> {
        let cells = self.mmu.queued_cells() + self.leaving_cells(now);
        if cells > 0 {
            return Some(format!("{}: {cells} cells in use", self.unit));
        }
        let room = self.room.as_ref()?;
        let away = |class: &u16| {
            let class = ClassId(*class);
            self.room(class, now) < room.class(class).capacity()
        };
        let class = (0..room.len() as u16).find(away)?;
        Some(format!("{}: room of class {class} is away", self.unit))
    }

    /// Asks for what every packet touches ahead of its use.
    #[inline(always)]
    pub fn prefetch(&self) {
        prefetch::line(&self.mmu);
        prefetch::line(&self.end);
        prefetch::line(&self.unit);
    }

    /// Asks for the cell of the packet at the head of a queue.
    #[inline(always)]
    pub fn prefetch_front(&self, queue: QueueId) {
        self.mmu.prefetch_front(queue);
    }

    /// Asks for the record of a queue, and for the cell that is filled next.
    #[inline(always)]
    pub fn prefetch_queue(&self, queue: QueueId) {
        self.mmu.prefetch_queue(queue);
    }

    /// Asks for the cell that is filled next.
    #[inline(always)]
    pub fn prefetch_next_cell(&self) {
        self.mmu.prefetch_next_cell();
    }
}
