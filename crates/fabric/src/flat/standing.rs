//! What the watchdog and its reports see: heads that stand, and what they wait for. Credit and
//! tails are to be settled first ([`Flat::settle_for_looks`]).

use super::{Flat, Mode, NONE, Packet};
use crate::waits::{At, Head, Needed, Signs, Standing, Why};
use observe::{Owner, Side};
use units::{ClassId, Tick};

impl<M: Mode> Flat<M> {
    /// Counts all that has come to ports, or left them, before the present tick.
    pub(crate) fn settle_for_looks(&mut self) {
        for p in 0..self.port.len() {
            self.settle_unseen(p);
        }
    }

    /// The port of a queue.
    pub(super) fn port_at(&self, at: At) -> usize {
        let (element, port) = (at.element, at.port);
        self.port_of(Owner { element, port })
    }

    /// The number of a side.
    pub(super) fn side_of(&self, p: usize, side: Side) -> usize {
        match side {
            Side::Ingress => p,
            Side::Egress => self.egress_side(p),
        }
    }

    /// The first queue of a side, its normal queues, and its SAQs.
    pub(super) fn queues_of(&self, p: usize, side: Side) -> (usize, usize, usize) {
        let port = &self.port[p];
        let (first, normal) = match side {
            Side::Ingress => (port.ingress, port.ingress_queues),
            Side::Egress => (port.egress, port.egress_queues),
        };
        let saqs = match normal {
            0 => 0,
            _ => self.saqs(self.side_of(p, side)),
        };
        (first as usize, normal.into(), saqs)
    }

    /// A packet, and those behind it in its queue or on its wire.
    pub(super) fn chain(&self, first: u32) -> impl Iterator<Item = &Packet> {
        let packet = |k: u32| self.packets.slots.get(k as usize);
        std::iter::successors(packet(first), move |before| packet(before.next))
    }

    /// The packets of a queue that are there, the first one first.
    pub(super) fn stored(&self, record: usize) -> impl Iterator<Item = &Packet> {
        let all = self.chain(self.queues[record].head);
        all.take_while(|packet| packet.stored < self.now)
    }

    /// The packet at the head of a queue.
    pub(super) fn head_stored(&self, p: usize, side: Side, queue: usize) -> Option<&Packet> {
        let (first, _, _) = self.queues_of(p, side);
        self.stored(first + queue).next()
    }

    /// The class that a head takes in the memory that it goes to next from a side of a port, how
    /// many cells of it are free, and how many there are.
    pub(super) fn room_ahead(&self, p: usize, side: Side, packet: &Packet) -> (u16, u16, u16) {
        let class = packet.next_class;
        let to = self.output_of(p, side, packet);
        let there = &self.port[to];
        if side == Side::Ingress && !self.rare.is_iq {
            let room = self.counters[there.room as usize + usize::from(class)];
            (class, room, there.room_cells)
        } else {
            let credit = self.counters[there.credits as usize + usize::from(class)];
            (class, credit, there.credit_cells)
        }
    }

    /// The port through which a head of a side of a port leaves the switch.
    pub(super) fn output_of(&self, p: usize, side: Side, packet: &Packet) -> usize {
        match side {
            Side::Ingress => self.port[p].first(p) + usize::from(packet.out),
            Side::Egress => p,
        }
    }

    fn visible(&self, packet: &Packet) -> Tick {
        Tick(u64::from(packet.stored) + u64::from(self.times.arbitration))
    }
}

/// The parts of a fabric.
impl<M: Mode> Standing for Vec<Flat<M>> {
    fn signs(&self) -> Signs {
        let alive: i64 = self.iter().map(|part| part.alive).sum();
        Signs {
            sent: self.iter().map(|part| part.sent).sum(),
            ejected: self.iter().map(|part| part.ejected).sum(),
            in_network: alive as usize,
        }
    }

    fn add_queues(&self, before: Tick, queues: &mut Vec<At>) {
        for part in self {
            part.add_queues(before, queues);
        }
        queues.sort_unstable();
    }

    fn visible(&self, at: At) -> Option<Tick> {
        let part = part_of(self, at);
        let head = part.head_stored(part.port_at(at), at.side, at.queue.index());
        head.map(|head| part.visible(head))
    }

    fn needs(&self, at: At, list: &mut Vec<At>, visit: &mut dyn FnMut(Needed<'_>)) {
        part_of(self, at).needs_of(self, at, list, visit);
    }

    fn head(&self, at: At) -> Option<Head> {
        part_of(self, at).waiting_head(at)
    }

    fn may_have_moved(&self, since: Tick) -> bool {
        self.iter().any(|part| part.may_have_moved(since))
    }
}

/// The part that has a queue.
fn part_of<M: Mode>(parts: &[Flat<M>], at: At) -> &Flat<M> {
    &parts[parts[0].part_of(parts[0].port_at(at))]
}

impl<M: Mode> Flat<M> {
    fn add_queues(&self, before: Tick, queues: &mut Vec<At>) {
        for p in 0..self.port.len() {
            for side in [Side::Ingress, Side::Egress] {
                let (first, normal, saqs) = self.queues_of(p, side);
                let is_waiting = |queue: &usize| {
                    let head = self.stored(first + queue).next();
                    head.is_some_and(|head| self.visible(head) <= before)
                };
                let waiting = (0..normal + saqs).filter(is_waiting);
                queues.extend(waiting.map(|queue| self.at(p, side, queue)));
            }
        }
    }

    fn waiting_head(&self, at: At) -> Option<Head> {
        let (p, queue) = (self.port_at(at), at.queue.index());
        let (first, _, _) = self.queues_of(p, at.side);
        let packet = self.head_stored(p, at.side, queue)?;
        let output = self.unit(self.output_of(p, at.side, packet), Side::Egress);
        let cells = u32::from(packet.cells);
        let (class, available, _) = self.room_ahead(p, at.side, packet);
        let (class, available) = (ClassId(class), u32::from(available));
        let lacks = available < cells;
        let why = match (self.held(self.side_of(p, at.side), queue), at.side) {
            ([true, _], _) => Why::Marker,
            ([_, true], _) => Why::Xon,
            (_, Side::Ingress) if lacks => Why::Room(output, available, class),
            (_, Side::Ingress) => Why::Crossbar(output),
            (_, Side::Egress) if lacks => Why::Credit(available, class),
            (_, Side::Egress) => Why::Link,
        };
        Some(Head {
            unit: self.unit(p, at.side),
            packets: self.stored(first + queue).count() as u32,
            packet: packet.view().key(),
            cells,
            why,
        })
    }

    fn may_have_moved(&self, since: Tick) -> bool {
        let crosses = self.crossing.iter().any(|c| u64::from(c.end) > since.0);
        let mut sides = self.recn.sides.iter();
        let moves = sides.any(|side| u64::from(side.next_move()) > since.0);
        crosses || moves || self.has_control()
    }
}

impl<M: Mode> Flat<M> {
    /// Whether a control packet is on a link, or waits for one.
    fn has_control(&self) -> bool {
        let waits = |p: &super::Port| p.named || p.ready != NONE && p.ready <= self.now;
        self.is_control_on_wires() || self.port.iter().any(waits)
    }

    /// Whether a control packet is on a link.
    pub(super) fn is_control_on_wires(&self) -> bool {
        self.port.iter().any(|port| port.flying > 0)
            || self.recn.wires.iter().any(|wire| !wire.is_empty())
    }
}
