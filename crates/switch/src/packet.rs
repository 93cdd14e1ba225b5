//! Packet records and the slab they live in. A packet is named by its slot everywhere else.

use hierarchy::Trip;
use observe::{PacketKey, PacketView};
use std::ops::{Deref, DerefMut, Index, IndexMut};
use turnpool::Route;
use units::{ClassId, PacketId, PortId, Tick};

/// One packet: what observers see of it, and what only the units do.
#[derive(Debug, Clone, Default)]
pub struct Packet {
    /// Its header and times. [`PacketView::stored`]: when the head is stored in the memory that it
    /// is in or on its way to; of an end node: when the tail is ejected. [`PacketView::output`] is
    /// that of the switch that holds it.
    view: PacketView,
    /// Turns that remain; a switch consumes its own as the packet leaves the memory at its input.
    pub route: Route,
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
    /// Output port that it will request in the next switch (look-ahead); 0 before an end node.
    pub ahead: PortId,
    /// Ingress port through which it came into the switch that holds it.
    pub sender: PortId,
    /// Two-level routing: [`PacketView::output`] was chosen; false where no output led on.
    pub assigned: bool,
    /// Two-level routing: its state in the header.
    pub trip: Trip,
}

impl Packet {
    /// A packet of a flow that is at its source, with nothing of its hops filled in.
    pub fn new(flow: Flow, bytes: u32, cells: u16) -> Packet {
        let Flow { source, destination, sequence, group } = flow;
        let key = PacketKey { source, destination, sequence };
        let view = PacketView { group, ..PacketView::new(key, bytes) };
        Packet { view, cells, ..Packet::default() }
    }

    /// What observers see of it.
    #[inline]
    pub fn view(&self) -> PacketView {
        self.view
    }
}

impl Deref for Packet {
    type Target = PacketView;
    #[inline]
    fn deref(&self) -> &PacketView {
        &self.view
    }
}

impl DerefMut for Packet {
    #[inline]
    fn deref_mut(&mut self) -> &mut PacketView {
        &mut self.view
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
