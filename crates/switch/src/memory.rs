//! A port memory (MMU). A packet leaves its queue when its head does; its cells are free when its
//! tail has left.

use crate::must;
use flow_control::ClassCredits;
use plan::{MemoryLayout, short};
use saq::{Lease, Mmu};
use std::collections::VecDeque;
use std::ops::Deref;
use units::{ClassId, PacketId, PortId, QueueId, Tick, Unit, broken};

/// Register of the head of a queue, as the arbiters of the crossbar and of the link see it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Head {
    /// From this tick on; at an ingress queue also since when this packet may request.
    pub visible: Tick,
    /// Class that it takes in the next memory.
    pub class: ClassId,
    /// Cells that it takes there.
    pub cells: u16,
    /// Output that an ingress queue requests.
    pub output: PortId,
    /// It requests: the output, or at an egress queue the link.
    pub requests: bool,
}

/// A packet whose head has left and whose tail has not.
#[derive(Debug)]
struct Leaving {
    /// Its tail leaves in the tick before.
    end: Tick,
    lease: Lease,
    class: ClassId,
}

/// One port memory, of an ingress or an egress port. Without cells where the organisation has none.
///
/// ```
#[doc = include_str!("of_examples.txt")]
/// // An egress port: 64 cells, 2 normal queues, 4 SAQs; room is asked for by the crossbar.
/// let mut memory = PortMemory::new(layout, 4, true, unit);
/// let (queue, class) = (QueueId(0), ClassId(0));
/// memory.reserve(class, 2, Tick(1)); // the grant
/// memory.push(queue, PacketId(7), 2, Tick(9)); // the head arrives
/// assert_eq!((memory.front(queue), memory.cells(queue)), (Some(PacketId(7)), 2));
/// let lease = memory.pop(queue, Tick(20)); // the link takes it
/// memory.leave(lease, class, Tick(52));
/// assert_eq!((memory.tail_end(), memory.leaving_cells()), (Some(Tick(52)), 2));
/// assert_eq!((memory.tail_leaves(Tick(50)), memory.room(class)), (None, 62));
/// assert_eq!((memory.tail_leaves(Tick(51)), memory.room(class)), (Some((class, 2)), 64));
/// ```
#[derive(Debug)]
pub struct PortMemory {
    mmu: Mmu<Head>,
    /// By end: one, unless several outputs may read this memory at once.
    leaving: VecDeque<Leaving>,
    /// Egress: cells that the crossbar (or admittance) may fill; taken at the grant.
    room: Option<ClassCredits>,
    unit: Unit,
}

/// What its cells and queues are asked, its MMU answers.
impl Deref for PortMemory {
    type Target = Mmu<Head>;

    #[inline]
    fn deref(&self) -> &Mmu<Head> {
        &self.mmu
    }
}

impl PortMemory {
    /// An empty memory with `saqs` SAQs; `has_room`: the crossbar asks an egress port for room.
    pub fn new(layout: MemoryLayout, saqs: u32, has_room: bool, unit: Unit) -> PortMemory {
        let queues = (layout.queues + saqs) as usize;
        let cells = short(layout.cells);
        PortMemory {
            mmu: Mmu::with_registers(cells, queues, saqs as usize, Head::default()),
            leaving: VecDeque::new(),
            room: (has_room && layout.classes > 0)
                .then(|| ClassCredits::new(short(layout.class_cells), short(layout.classes))),
            unit,
        }
    }

    /// Its name in messages.
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// Step 1: the tail of a packet leaves and its cells are free, and room: class and cells.
    #[inline]
    pub fn tail_leaves(&mut self, now: Tick) -> Option<(ClassId, u32)> {
        let left = self.leaving.pop_front_if(|leaving| leaving.end <= now.next());
        let Leaving { lease, class, .. } = left?;
        let cells = u32::from(lease.cells);
        must(self.mmu.release(lease), self.unit, now);
        if let Some(room) = &mut self.room {
            must(room.give(class, cells), self.unit, now);
        }
        Some((class, cells))
    }

    /// Stores a head behind the last packet of `queue`.
    #[inline]
    pub fn push(&mut self, queue: QueueId, id: PacketId, cells: u16, now: Tick) {
        must(self.mmu.push(queue, id, cells), self.unit, now);
    }

    /// The head of `queue` leaves; [`PortMemory::leave`] is next.
    #[inline]
    pub fn pop(&mut self, queue: QueueId, now: Tick) -> Lease {
        must(self.mmu.pop(queue), self.unit, now)
    }

    /// The head of `queue` is removed, with its cells at once: the packet.
    pub fn discard(&mut self, queue: QueueId, now: Tick) -> PacketId {
        let lease = self.pop(queue, now);
        let id = lease.packet;
        must(self.mmu.release(lease), self.unit, now);
        id
    }

    /// The tail of a packet of this class leaves in the tick before `end`.
    #[inline]
    pub fn leave(&mut self, lease: Lease, class: ClassId, end: Tick) {
        let at = self.leaving.partition_point(|other| other.end <= end);
        self.leaving.insert(at, Leaving { end, lease, class });
    }

    /// Takes room for a packet that is granted the hop into this memory.
    pub fn reserve(&mut self, class: ClassId, cells: u32, now: Tick) {
        let taken = match &mut self.room {
            Some(room) => room.take(class, cells),
            None => broken(self.unit, now, &"no memory to have room in"),
        };
        must(taken, self.unit, now);
    }

    /// Cells of a class that may still be filled.
    #[inline]
    pub fn room(&self, class: ClassId) -> u32 {
        self.room.as_ref().map_or(0, |room| room.available(class))
    }

    /// Whether the crossbar asks for room here: there is a memory behind it.
    #[inline]
    pub fn has_room(&self) -> bool {
        self.room.is_some()
    }

    /// Capacity of each class, and how many there are; none without room.
    pub fn room_classes(&self) -> Option<&ClassCredits> {
        self.room.as_ref()
    }

    /// When the next tail has left, if a packet is leaving.
    #[inline]
    pub fn tail_end(&self) -> Option<Tick> {
        Some(self.leaving.front()?.end)
    }

    /// Class and cells of the packets that are leaving.
    pub fn leaving(&self) -> impl Iterator<Item = (ClassId, u32)> + '_ {
        let leaving = self.leaving.iter();
        leaving.map(|leaving| (leaving.class, u32::from(leaving.lease.cells)))
    }

    /// Cells of the packets that are leaving.
    pub fn leaving_cells(&self) -> u32 {
        self.leaving().map(|(_, cells)| cells).sum()
    }

    /// The register of the head of a queue.
    #[inline]
    pub fn head(&self, queue: QueueId) -> &Head {
        self.mmu.register(queue)
    }

    /// The register of the head of a queue, to be changed.
    #[inline]
    pub fn head_mut(&mut self, queue: QueueId) -> &mut Head {
        self.mmu.register_mut(queue)
    }

    /// The packets of a queue, first to last: for audits.
    pub fn items(&self, queue: QueueId) -> impl Iterator<Item = PacketId> + '_ {
        self.mmu.items(queue).map(|(packet, _)| packet)
    }

    /// Whether the crossbar or a link may find packets here at all.
    pub fn is_there(&self) -> bool {
        self.mmu.pool_cells() > 0
    }

    /// Queues and markers, for RECN, which changes no cells.
    pub fn queues_mut(&mut self) -> &mut Mmu<Head> {
        &mut self.mmu
    }

    /// Checks every cell: for tests.
    /// Errors: What is not where it must be.
    pub fn audit(&self) -> Result<(), String> {
        self.mmu.audit().map_err(|e| format!("{}: {e}", self.unit))
    }

    /// Everything is at home: names what is not.
    pub fn left_over(&self) -> Option<String> {
        let cells = self.mmu.queued_cells() + self.leaving_cells();
        if cells > 0 {
            return Some(format!("{}: {cells} cells in use", self.unit));
        }
        let class = self.room.as_ref()?.iter().position(|class| !class.is_home())?;
        Some(format!("{}: room of class {class} is away", self.unit))
    }
}
