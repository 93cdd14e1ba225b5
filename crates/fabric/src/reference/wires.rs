//! The wires: packets and control packets on their way, by the port at which they will arrive.

use flow_control::Control;
use std::collections::VecDeque;
use switch::Packets;
use units::{ClassId, PacketId, Tick, WireId};

/// A credit packet on its way.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Credit {
    pub(crate) due: Tick,
    pub(crate) cells: u32,
    pub(crate) class: ClassId,
}

/// One wire.
#[derive(Debug, Clone, Default)]
struct Wire {
    packets: VecDeque<PacketId>,
    /// Apart: their stage at the receiver makes them later than a named packet sent after them.
    credits: VecDeque<Credit>,
    named: VecDeque<(Tick, Control)>,
}

/// Everything on wires.
#[derive(Debug, Clone)]
pub(crate) struct Wires {
    wires: Box<[Wire]>,
}

impl Wires {
    /// So many wires, with nothing on them.
    pub(crate) fn new(count: usize) -> Wires {
        Wires { wires: vec![Wire::default(); count].into() }
    }

    /// Puts a packet on a wire.
    #[inline]
    pub(crate) fn send(&mut self, wire: WireId, id: PacketId) {
        self.wires[wire.index()].packets.push_back(id);
    }

    /// When the packet that arrives next does.
    #[inline]
    pub(crate) fn packet_due(&self, wire: WireId, packets: &Packets) -> Option<Tick> {
        let next = self.wires[wire.index()].packets.front()?;
        Some(packets[*next].stored)
    }

    /// When anything arrives next; [`Tick::MAX`]: nothing is on it.
    pub(crate) fn next_due(&self, wire: WireId, packets: &Packets) -> Tick {
        let wire = &self.wires[wire.index()];
        let packet = wire.packets.front().map_or(Tick::MAX, |id| packets[*id].stored);
        let credit = wire.credits.front().map_or(Tick::MAX, |credit| credit.due);
        let named = wire.named.front().map_or(Tick::MAX, |(due, _)| *due);
        packet.min(credit).min(named)
    }

    /// Takes the packet that arrives next.
    #[inline]
    pub(crate) fn take(&mut self, wire: WireId) -> Option<PacketId> {
        self.wires[wire.index()].packets.pop_front()
    }

    /// Puts a credit packet on a wire.
    #[inline]
    pub(crate) fn send_credit(&mut self, wire: WireId, credit: Credit) {
        self.wires[wire.index()].credits.push_back(credit);
    }

    /// Takes a credit packet that is due by `now`.
    #[inline]
    pub(crate) fn take_credit(&mut self, wire: WireId, now: Tick) -> Option<Credit> {
        let credits = &mut self.wires[wire.index()].credits;
        credits.front().filter(|credit| credit.due <= now)?;
        credits.pop_front()
    }

    /// Puts another control packet on a wire.
    pub(crate) fn send_named(&mut self, wire: WireId, due: Tick, control: Control) {
        self.wires[wire.index()].named.push_back((due, control));
    }

    /// Takes another control packet that is due by `now`.
    #[inline]
    pub(crate) fn take_named(&mut self, wire: WireId, now: Tick) -> Option<Control> {
        let named = &mut self.wires[wire.index()].named;
        named.front().filter(|(due, _)| *due <= now)?;
        named.pop_front().map(|(_, control)| control)
    }

    /// Packets on a wire.
    pub(crate) fn packets_to(&self, wire: WireId) -> impl Iterator<Item = PacketId> + '_ {
        self.wires[wire.index()].packets.iter().copied()
    }

    /// Credit on a wire: class and cells.
    pub(crate) fn credits_to(&self, wire: WireId) -> impl Iterator<Item = (ClassId, u32)> + '_ {
        let credits = self.wires[wire.index()].credits.iter();
        credits.map(|credit| (credit.class, credit.cells))
    }

    /// Control packets on all wires.
    pub(crate) fn control_packets(&self) -> usize {
        let of = |wire: &Wire| wire.credits.len() + wire.named.len();
        self.wires.iter().map(of).sum()
    }

    /// A link is cut: packets and credit on the wire are lost. Other control packets arrive, as if
    /// the link layer had sent them again: what RECN does without them is not specified. Those
    /// packets, still among the packets, and class and cells of that credit.
    pub(crate) fn cut(&mut self, wire: WireId) -> (Vec<PacketId>, Vec<(ClassId, u32)>) {
        let wire = &mut self.wires[wire.index()];
        let credits = wire.credits.drain(..).map(|credit| (credit.class, credit.cells));
        (wire.packets.drain(..).collect(), credits.collect())
    }

    /// What was told of faults over a wire that was cut does not arrive.
    pub(crate) fn forget_recovery(&mut self, wire: WireId) {
        let named = &mut self.wires[wire.index()].named;
        named.retain(|(_, control)| !matches!(control, Control::Recovery(_)));
    }
}
