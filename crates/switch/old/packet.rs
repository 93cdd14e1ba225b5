//! Packet records and the slab they live in. A packet is named by its slot everywhere else.

use std::ops::{Index, IndexMut};
use turnpool::Route;
use units::Tick;

/// Slot of a packet in [`Packets`].
pub type PacketId = u32;

/// "No packet".
pub const NO_PACKET: PacketId = u32::MAX;

/// One packet: its header, where it is in its present hop, and what is checked at ejection. Two cache lines: what a hop
/// needs, then what the ends need.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
pub struct Packet {
    /// Turns that remain; a switch consumes its own when the head is stored (RU).
    pub route: Route,
    /// On its way: when the head is stored next. In a memory: from when the head may be granted (stored + arbitration stage).
    pub due: Tick,
    /// When the tail is in the memory that holds the head.
    pub tail: Tick,
    /// Next packet on the same wire.
    pub next: PacketId,
    /// Stand-in for the contents, checked at ejection; see [`payload`].
    pub payload: u32,
    /// Length on a link, ticks.
    pub link_ticks: u32,
    /// Length on the crossbar, overhead included, ticks.
    pub crossbar_ticks: u32,
    /// Cells it takes in a memory.
    pub cells: u16,
    /// Credit class it takes in the next memory.
    pub class: u16,
    /// Requested output port of the switch that holds it.
    pub output: u8,
    /// Output port that it will request in the next switch (look-ahead); 0 before an end node.
    pub ahead: u8,
    /// Ingress port through which it came into the switch that holds it.
    pub sender: u8,
    /// Last packet of its message.
    pub last: bool,
    /// Destination node.
    pub destination: u32,
    /// Source node.
    pub source: u32,
    /// Number within its flow (source, destination), from 0.
    pub sequence: u32,
    /// Length.
    pub bytes: u32,
    /// When its message was generated.
    pub born: Tick,
    /// When it started on the injection link.
    pub injected: Tick,
    /// Group of flows it belongs to.
    pub group: u8,
}

// A hop touches the first cache line only, unless its scheme queues by destination.
const _: () = assert!(std::mem::offset_of!(Packet, destination) == 64);

impl Packet {
    /// The packet behind it on the same wire or in the same pipeline.
    #[inline]
    pub fn behind(&self) -> Option<PacketId> {
        (self.next != NO_PACKET).then_some(self.next)
    }

    /// Asks for both lines ahead of their use.
    #[inline(always)]
    pub fn prefetch(&self) {
        prefetch::line(self);
        prefetch::line(&self.destination);
    }
}

/// What the contents of a packet are taken to be: a mix of all that identifies it.
pub fn payload(source: u32, destination: u32, sequence: u32, bytes: u32) -> u32 {
    let mut x = (u64::from(source) << 32 | u64::from(destination))
        ^ (u64::from(sequence) << 17 | u64::from(bytes));
    x = (x ^ (x >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (x >> 32) as u32
}

/// All packets alive, in slots that are used again last-in first-out.
#[derive(Debug, Default)]
pub struct Packets {
    slots: Vec<Packet>,
    free: Vec<PacketId>,
}

impl Packets {
    /// No packets.
    pub fn new() -> Packets {
        Packets::default()
    }

    /// Stores a packet and names it.
    #[inline]
    pub fn insert(&mut self, packet: Packet) -> PacketId {
        match self.free.pop() {
            Some(id) => {
                self.slots[id as usize] = packet;
                id
            }
            None => {
                self.slots.push(packet);
                (self.slots.len() - 1) as PacketId
            }
        }
    }

    /// Forgets a packet; its slot may be used again.
    #[inline]
    pub fn remove(&mut self, id: PacketId) {
        self.free.push(id);
    }

    /// Visits every packet alive, in no order that means anything.
    pub fn for_each(&self, visit: impl FnMut(&Packet)) {
        let mut alive = vec![true; self.slots.len()];
        for &id in &self.free {
            alive[id as usize] = false;
        }
        let slots = self.slots.iter().zip(alive);
        slots
            .filter(|(_, alive)| *alive)
            .map(|(p, _)| p)
            .for_each(visit);
    }

    /// Packets alive.
    pub fn alive(&self) -> usize {
        self.slots.len() - self.free.len()
    }
}

impl Index<PacketId> for Packets {
    type Output = Packet;
    #[inline]
    fn index(&self, id: PacketId) -> &Packet {
        &self.slots[id as usize]
    }
}

impl IndexMut<PacketId> for Packets {
    #[inline]
    fn index_mut(&mut self, id: PacketId) -> &mut Packet {
        &mut self.slots[id as usize]
    }
}

/// Packets on their way, in the order in which they will arrive: a wire or a pipeline. Linked through [`Packet::next`].
#[derive(Debug, Clone, Copy)]
pub struct Fifo {
    head: PacketId,
    tail: PacketId,
}

impl Default for Fifo {
    fn default() -> Fifo {
        Fifo {
            head: NO_PACKET,
            tail: NO_PACKET,
        }
    }
}

impl Fifo {
    /// Adds a packet at the end.
    #[inline]
    pub fn push(&mut self, packets: &mut Packets, id: PacketId) {
        packets[id].next = NO_PACKET;
        if self.head == NO_PACKET {
            self.head = id;
        } else {
            packets[self.tail].next = id;
        }
        self.tail = id;
    }

    /// Adds a packet in the order of senders, among packets that are all due at once (`oq`).
    pub fn insert_by_sender(&mut self, packets: &mut Packets, id: PacketId) {
        let sender = packets[id].sender;
        let (mut before, mut at) = (NO_PACKET, self.head);
        while at != NO_PACKET && packets[at].sender < sender {
            (before, at) = (at, packets[at].next);
        }
        packets[id].next = at;
        if at == NO_PACKET {
            self.tail = id;
        }
        if before == NO_PACKET {
            self.head = id;
        } else {
            packets[before].next = id;
        }
    }

    /// The packet that arrives next.
    #[inline]
    pub fn front(&self) -> Option<PacketId> {
        (self.head != NO_PACKET).then_some(self.head)
    }

    /// When the packet that arrives next is due.
    #[inline]
    pub fn due(&self, packets: &Packets) -> Option<Tick> {
        self.front().map(|id| packets[id].due)
    }

    /// Takes the packet that arrives next.
    #[inline]
    pub fn pop(&mut self, packets: &Packets) -> Option<PacketId> {
        let id = self.front()?;
        self.head = packets[id].next;
        Some(id)
    }
}
