//! What the watchdog and its reports see: heads that stand, and what they wait for. Credit and
//! tails are to be settled first ([`Flat::settle_for_looks`]).

use super::{Flat, Mode, NONE, Packet};
use crate::waits::{At, Head, Signs, Standing};
use observe::{Owner, Side};
use units::{ClassId, QueueId, Tick};

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

    /// The side that a head of a side of a port goes to next: an egress side of its switch, or the
    /// ingress side behind a link; none for an end node, which always takes.
    fn holder(&self, p: usize, side: Side, packet: &Packet) -> Option<(usize, Side)> {
        let to = self.output_of(p, side, packet);
        if side == Side::Ingress && !self.rare.is_iq {
            return Some((to, Side::Egress));
        }
        let port = &self.port[to];
        port.to_switch.then_some((port.peer as usize, Side::Ingress))
    }

    fn visible(&self, packet: &Packet) -> Tick {
        Tick(u64::from(packet.stored) + u64::from(self.times.arbitration))
    }

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

/// The part that has a queue, the port there, and what is at its head.
fn found<M: Mode>(parts: &[Flat<M>], at: At) -> Option<(&Flat<M>, usize, &Packet)> {
    let p = parts[0].port_at(at);
    let part = &parts[parts[0].part_of(p)];
    Some((part, p, part.head_stored(p, at.side, at.queue.index())?))
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
            let sides = |p| [Side::Ingress, Side::Egress].map(|side| (p, side));
            for (p, side) in (0..part.port.len()).flat_map(sides) {
                let (first, normal, saqs) = part.queues_of(p, side);
                let is_waiting = |queue: &usize| {
                    let head = part.stored(first + queue).next();
                    head.is_some_and(|head| part.visible(head) <= before)
                };
                let waiting = (0..normal + saqs).filter(is_waiting);
                queues.extend(waiting.map(|queue| part.at(p, side, queue)));
            }
        }
        queues.sort_unstable();
    }

    fn head(&self, at: At) -> Option<Head> {
        let (part, p, packet) = found(self, at)?;
        let (side, queue) = (part.side_of(p, at.side), at.queue.index());
        let (class, free, all) = part.room_ahead(p, at.side, packet);
        let [behind_marker, is_blocked] = part.held(side, queue);
        let is_moved = at.side == Side::Ingress && part.has_saqs(p);
        Some(Head {
            unit: part.unit(p, at.side),
            packet: packet.view().key(),
            cells: packet.cells.into(),
            visible: part.visible(packet),
            behind_marker,
            is_blocked,
            is_moved: is_moved && part.saq_of_cold_head(p, queue).is_some(),
            output: part.unit(part.output_of(p, at.side, packet), Side::Egress),
            class: ClassId(class),
            free: free.into(),
            in_use: (all - free).into(),
        })
    }

    fn packets(&self, at: At) -> usize {
        found(self, at).map_or(0, |(part, p, _)| {
            part.stored(part.queues_of(p, at.side).0 + at.queue.index()).count()
        })
    }

    fn marker_host(&self, at: At) -> Option<At> {
        let (part, p, _) = found(self, at)?;
        let host = part.marker_host(part.side_of(p, at.side), at.queue.index())?;
        Some(at.queue(QueueId::at(host)))
    }

    fn xon_from(&self, at: At) -> Option<At> {
        let (part, p, packet) = found(self, at)?;
        let skip = if at.side == Side::Ingress { part.port[p].width.into() } else { 0 };
        let (holder, there) = part.holder(p, at.side, packet)?;
        let of = &self[part.part_of(holder)].recn.sides[part.side_of(holder, there)];
        let queue = part.xon_from(part.side_of(p, at.side), at.queue.index(), skip, of)?;
        Some(part.at(holder, there, queue))
    }

    fn add_holders(&self, at: At, head: &Head, list: &mut Vec<At>) -> bool {
        let found = found(self, at).and_then(|(part, p, packet)| part.holder(p, at.side, packet));
        found.is_some_and(|holder| {
            let part = &self[self[0].part_of(holder.0)];
            part.holds(holder, head.class.0, head.in_use, list)
        })
    }

    fn may_have_moved(&self, since: Tick) -> bool {
        self.iter().any(|part| {
            let crosses = part.crossing.iter().any(|c| u64::from(c.end) > since.0);
            let mut sides = part.recn.sides.iter();
            let moves = sides.any(|side| u64::from(side.next_move) > since.0);
            crosses || moves || part.has_control()
        })
    }
}
