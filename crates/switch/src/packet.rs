//! Packet records and the slab they live in. A packet is named by its slot everywhere else.

use hierarchy::Trip;
use observe::{PacketKey, PacketKind, PacketView, payload};
use std::ops::{Index, IndexMut};
use turnpool::Route;
use units::{ClassId, PacketId, PortId, Tick, VcId};

/// One packet: its header, where it is in its present hop, and what is checked at ejection.
#[derive(Debug, Clone, Default)]
pub struct Packet {
    /// Turns that remain; a switch consumes its own as the packet leaves the memory at its input.
    pub route: Route,
    /// When the head is stored in the memory that it is in or on its way to; of an end node: when
    /// the tail is ejected.
    pub stored: Tick,
    /// When the tail is in that memory.
    pub tail: Tick,
    /// Length on a link, ticks.
    pub link_ticks: u32,
    /// Length on the crossbar, overhead included, ticks.
    pub crossbar_ticks: u32,
    /// Cells that it takes in a memory.
    pub cells: u16,
    /// Credit class that it takes in the memory that it is in or on its way to.
    pub class: ClassId,
    /// VC of that memory.
    pub vc: VcId,
    /// VC of the link behind [`Packet::output`].
    pub next_vc: VcId,
    /// Output port that it requests in the switch that holds it.
    pub output: PortId,
    /// Output port that it will request in the switch behind that output (look-ahead); 0 before
    /// an end node.
    pub ahead: PortId,
    /// Ingress port through which it came into the switch that holds it.
    pub sender: PortId,
    /// What it is for.
    pub kind: PacketKind,
    /// A switch has marked it (ECN).
    pub mark: bool,
    /// Last packet of its message.
    pub last: bool,
    /// Destination node.
    pub destination: u32,
    /// Source node.
    pub source: u32,
    /// Number within its flow (source, destination), from 0; of a reply with VCs of its own from
    /// [`observe::REPLY_SEQUENCE`].
    pub sequence: u32,
    /// Length.
    pub bytes: u32,
    /// When its message was generated.
    pub born: Tick,
    /// When it started on the injection link.
    pub injected: Tick,
    /// Of a reply: when the message that it answers was generated.
    pub asked: Tick,
    /// Stand-in for the contents, checked at ejection; see [`payload`].
    pub payload: u32,
    /// Group of flows it belongs to.
    pub group: u8,
    /// Two-level routing: [`Packet::output`] was chosen; false where no output led on.
    pub assigned: bool,
    /// Two-level routing: its state in the header.
    pub trip: Trip,
}

impl Packet {
    /// A packet of a flow that is at its source, with nothing of its hops filled in.
    pub fn new(flow: Flow, bytes: u32, cells: u16) -> Packet {
        let Flow { source, destination, sequence, group } = flow;
        Packet {
            cells,
            last: true,
            destination,
            source,
            sequence,
            bytes,
            payload: payload(source, destination, sequence, bytes),
            group,
            ..Packet::default()
        }
    }

    /// Which packet it is.
    pub fn key(&self) -> PacketKey {
        PacketKey { source: self.source, destination: self.destination, sequence: self.sequence }
    }

    /// What observers see of it.
    #[inline]
    pub fn view(&self) -> PacketView {
        PacketView {
            source: self.source,
            destination: self.destination,
            sequence: self.sequence,
            payload: self.payload,
            bytes: self.bytes,
            born: self.born,
            injected: self.injected,
            asked: self.asked,
            stored: self.stored,
            output: self.output,
            vc: self.vc,
            next_vc: self.next_vc,
            group: self.group,
            kind: self.kind,
            mark: self.mark,
            last: self.last,
        }
    }
}

/// Where a packet belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flow {
    /// Source node.
    pub source: u32,
    /// Destination node.
    pub destination: u32,
    /// Number within the flow, from 0.
    pub sequence: u32,
    /// Group of flows.
    pub group: u8,
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
    pub fn insert(&mut self, packet: Packet) -> PacketId {
        match self.free.pop() {
            Some(id) => {
                self.slots[id.index()] = packet;
                id
            }
            None => {
                self.slots.push(packet);
                PacketId::at(self.slots.len() - 1)
            }
        }
    }

    /// Forgets a packet; its slot may be used again.
    pub fn remove(&mut self, id: PacketId) {
        self.free.push(id);
    }

    /// Visits every packet alive, in no order that means anything.
    pub fn for_each(&self, visit: impl FnMut(&Packet)) {
        let mut alive = vec![true; self.slots.len()];
        for &id in &self.free {
            alive[id.index()] = false;
        }
        let slots = self.slots.iter().zip(alive);
        slots.filter(|(_, alive)| *alive).map(|(p, _)| p).for_each(visit);
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
        &self.slots[id.index()]
    }
}

impl IndexMut<PacketId> for Packets {
    #[inline]
    fn index_mut(&mut self, id: PacketId) -> &mut Packet {
        &mut self.slots[id.index()]
    }
}
