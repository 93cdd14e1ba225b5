//! Admittance and injection: packets of the messages that wait.

use super::{NOT_KNOWN, Waiting};
use crate::flat::mapping::Map;
use crate::flat::{Flat, Kind, Mode, NONE, Packet, T};
use observe::{Observer, PacketKind, payload};
use plan::AdmittanceArbiter;
use turnpool::Route;
use units::draw::below;

impl<M: Mode> Flat<M> {
    pub(crate) fn ask_to_admit_now(&mut self, n: usize) {
        self.admits.push(n as u32);
    }

    /// Admittance is looked at in a tick to come, if anything waits.
    pub(crate) fn ask_to_admit(&mut self, n: usize, at: T) {
        let node = &mut self.nodes[n];
        if node.waiting_count > 0 && at < node.admit_asked {
            node.admit_asked = at;
            self.wheel.put(at, Kind::Admit, n);
        }
    }

    /// A message of one packet that nobody else waits with goes to injection in the tick in which
    /// it enters admittance.
    #[inline(always)]
    pub(super) fn admit_at_once(
        &mut self,
        observer: &mut impl Observer,
        n: usize,
        message: &Waiting,
        t: T,
    ) -> bool {
        if message.bytes > self.packet_bytes
            || self.nodes[n].admitted == t
            || self.admittance != AdmittanceArbiter::RoundRobin
            || self.rare.answers
        {
            return false;
        }
        let mut packet = self.header(n, message);
        let Some(queue) = self.injection_queue(n, &packet, t) else {
            return false;
        };
        let node = &mut self.nodes[n];
        let destination = message.destination as usize;
        packet.sequence = node.number(destination, message.kind);
        node.pointer = destination + 1;
        node.pointers[queue] = message.destination + 1;
        node.admitted = t;
        self.inject(observer, n, packet, true, t);
        true
    }

    /// Step 3: at most one packet moves from admittance to injection.
    #[inline(never)]
    pub(crate) fn admit(&mut self, observer: &mut impl Observer, n: usize, t: T) {
        let node = &mut self.nodes[n];
        if node.admit_asked <= t {
            node.admit_asked = NONE;
        }
        if node.admitted == t || node.waiting_count == 0 {
            return;
        }
        node.admitted = t;
        if self.rare.answers && self.admit_answer(observer, n, t) {
            return;
        }
        let Some(destination) = self.choose(n, t) else {
            if self.rare.answers {
                self.await_start(n);
            }
            return self.await_injection(n, t + 1);
        };
        let (message, number, last) = self.nodes[n].take(destination, self.packet_bytes);
        if self.rare.answers {
            self.sent(n, destination, message.bytes, t);
        }
        let mut packet = self.header(n, &message);
        packet.sequence = number;
        self.inject(observer, n, packet, last, t);
        self.retry_delayed(observer, n, t);
        self.ask_to_admit(n, t + 1);
    }

    /// The destination that is served, of those whose next packet injection takes.
    pub(super) fn choose(&mut self, n: usize, t: T) -> Option<usize> {
        match self.admittance {
            AdmittanceArbiter::RoundRobin => self.take_turn(n, t),
            rule => {
                let waiting = self.nodes[n].waiting.clone();
                let mut movable = Vec::new();
                for destination in units::bits::ones_of(&waiting) {
                    if self.queue_of_next(n, destination, t).is_some() {
                        movable.push(destination);
                    }
                }
                if rule == AdmittanceArbiter::Random {
                    if movable.is_empty() {
                        return None;
                    }
                    let at = below(&mut self.nodes[n].stream, movable.len() as u64);
                    return Some(movable[at as usize]);
                }
                let born =
                    |destination: &usize| (self.nodes[n].front(*destination).born, *destination);
                movable.into_iter().min_by_key(born)
            }
        }
    }

    /// Round robin over the destinations that may move, which says what injection queue is next; of
    /// the destinations of that queue its own round robin chooses.
    pub(super) fn take_turn(&mut self, n: usize, t: T) -> Option<usize> {
        let waiting = std::mem::take(&mut self.nodes[n].waiting);
        let chosen = self.turn_of(n, &waiting, t);
        self.nodes[n].waiting = waiting;
        chosen
    }

    pub(super) fn turn_of(&mut self, n: usize, waiting: &[u64], t: T) -> Option<usize> {
        let p = self.first_node + n;
        let has_one_queue = self.egress_map == Map::ONE && !self.rare.saqs;
        if self.rare.vcs || self.rare.answers && !has_one_queue {
            return self.turn_by(n, waiting, |flat, to| flat.queue_of_next(n, to, t));
        }
        if self.is_paced() && !self.takes_paced(p, 0) {
            return None;
        }
        // A tail that leaves in this tick has made room.
        self.settle_tail(p, t + 1);
        if !self.per_queue_credits && self.counters[self.port[p].room as usize] == 0 {
            return None;
        }
        if self.rare.answers {
            return self.turn_by(n, waiting, |flat, to| {
                let may = flat.may_start(n, to, t);
                may.then(|| flat.queue_to(n, to))?
            });
        }
        self.turn_by(n, waiting, |flat, to| flat.queue_to(n, to))
    }

    #[inline(always)]
    fn turn_by(
        &mut self,
        n: usize,
        waiting: &[u64],
        mut queue_of: impl FnMut(&mut Self, usize) -> Option<usize>,
    ) -> Option<usize> {
        let pointer = self.nodes[n].pointer;
        let mut queue = None;
        let first = units::bits::first_from_words(waiting, pointer, |destination| {
            queue = queue_of(self, destination);
            queue.is_some()
        })?;
        let queue = queue?;
        let own = self.nodes[n].pointers[queue] as usize;
        let chosen = if own == pointer {
            first
        } else {
            units::bits::first_from_words(waiting, own, |destination| {
                queue_of(self, destination) == Some(queue)
            })?
        };
        let node = &mut self.nodes[n];
        node.pointer = first + 1;
        node.pointers[queue] = chosen as u32 + 1;
        Some(chosen)
    }

    /// As [`Self::queue_of_next`], with one virtual channel, for a destination to which a packet
    /// may start: all packets for it go the same way, and no header is made to find it.
    #[inline(always)]
    fn queue_to(&mut self, n: usize, destination: usize) -> Option<usize> {
        let (p, queue) = (self.first_node + n, self.mapped(n, destination));
        let class = match self.rare.saqs {
            true if !self.takes_another(self.egress_side(p), queue) => return None,
            true => 0,
            false => queue,
        };
        let room = self.counters[self.port[p].room as usize + class];
        if room == 0 {
            return None;
        }
        let waiting = self.nodes[n].front(destination);
        let size = self.size_of(waiting.bytes.min(self.packet_bytes));
        (self.sizes[usize::from(size)].cells <= room).then_some(queue)
    }

    /// The queue of a destination by the CAM, or by its class.
    #[inline(always)]
    fn mapped(&mut self, n: usize, destination: usize) -> usize {
        if !self.rare.saqs {
            if !self.per_queue_credits {
                return 0;
            }
            if self.egress_map != Map::OUTPUT {
                return self.queue_by(self.egress_map, 0, destination as u32);
            }
        }
        match self.nodes[n].queues_to.get(destination) {
            Some(&queue) if queue != NOT_KNOWN => queue.into(),
            _ => self.find_queue_to(n, destination),
        }
    }

    #[inline(never)]
    fn find_queue_to(&mut self, n: usize, destination: usize) -> usize {
        let queue = self.look_up(n, destination);
        if let Some(known) = self.nodes[n].queues_to.get_mut(destination) {
            *known = queue as u8;
        }
        queue
    }

    fn look_up(&self, n: usize, destination: usize) -> usize {
        let (p, to) = (self.first_node + n, destination as u32);
        let route = self.route(n as u32, to);
        match self.rare.saqs {
            true => self.queue_by_cam(self.egress_side(p), &route, 0),
            false => self.look_ahead(p, &route, to, 0).into(),
        }
    }

    /// Whether the queues that a node remembers are those that its packets take.
    pub(crate) fn audit_queues_to(&self, n: usize) -> Result<(), String> {
        let known = self.nodes[n].queues_to.iter().enumerate();
        let mut known = known.filter(|(_, queue)| **queue != NOT_KNOWN);
        let wrong = known.find(|(to, queue)| self.look_up(n, *to) != usize::from(**queue));
        match wrong {
            Some((to, queue)) => Err(format!("node {n} remembers queue {queue} for {to}")),
            None => Ok(()),
        }
    }

    /// The injection queue that takes the next packet for a destination, if one does.
    pub(super) fn queue_of_next(&mut self, n: usize, destination: usize, t: T) -> Option<usize> {
        if self.rare.answers && !self.may_start(n, destination, t) {
            return None;
        }
        let message = *self.nodes[n].front(destination);
        let bytes = message.bytes.min(self.packet_bytes);
        let packet = self.header(n, &Waiting { bytes, ..message });
        if self.is_paced() && !self.queue_takes_another(n, &packet) {
            return None;
        }
        self.injection_queue(n, &packet, t)
    }

    /// The queue that takes a packet; where queues share room, that of their class.
    #[inline(always)]
    pub(crate) fn injection_queue(&mut self, n: usize, packet: &Packet, t: T) -> Option<usize> {
        let p = self.first_node + n;
        // A tail that leaves in this tick has made room.
        self.settle_tail(p, t + 1);
        let room = self.counters[self.port[p].room as usize + usize::from(packet.class)];
        let cells = packet.cells;
        if cells > room {
            return None;
        }
        if self.rare.saqs {
            return self.injection_queue_of(p, &packet.route);
        }
        Some(usize::from(packet.class))
    }

    /// The packet of a message, as far as its way goes; its number is not known yet.
    #[inline(always)]
    pub(crate) fn header(&mut self, n: usize, message: &Waiting) -> Packet {
        let p = self.first_node + n;
        let destination = message.destination;
        let vc = match message.kind {
            PacketKind::Reply => self.first_reply_vc,
            PacketKind::Data | PacketKind::Ack | PacketKind::Cnp => 0,
        };
        let size = self.size_of(message.bytes);
        let mut packet = Packet {
            route: self.route(n as u32, destination),
            next: NONE,
            visible: 0,
            stored: 0,
            tail: 0,
            payload: 0,
            destination,
            size,
            cells: self.sizes[usize::from(size)].cells,
            class: 0,
            next_class: 0,
            out: 0,
            ahead: 0,
            sender: 0,
            vc,
            next_vc: vc,
            mark: false,
            assigned: false,
            kind: message.kind,
            source: n as u32,
            sequence: 0,
            bytes: message.bytes,
            born: message.born,
            injected: 0,
            asked: message.asked,
            group: message.group,
            last: true,
        };
        packet.ahead = self.look_ahead(p, &packet.route, destination, 0);
        packet.class = self.class_of_egress(p, &packet);
        packet
    }

    /// Step 3: stores a packet for which there is room.
    #[inline(always)]
    pub(crate) fn inject(
        &mut self,
        observer: &mut impl Observer,
        n: usize,
        mut packet: Packet,
        last: bool,
        t: T,
    ) {
        let p = self.first_node + n;
        let cells = packet.cells;
        self.counters[self.port[p].room as usize + usize::from(packet.class)] -= cells;
        packet.payload = payload(packet.source, packet.destination, packet.sequence, packet.bytes);
        packet.last = last;
        packet.stored = t;
        packet.tail = t;
        let k = self.packets.insert(packet) as usize;
        self.alive += 1;
        self.store_egress(observer, p, k, t);
    }

    /// A packet of a node starts on its link, whose tail leaves before `end`.
    #[inline(always)]
    pub(crate) fn injection_started(&mut self, p: usize, end: T, t: T) {
        let n = p - self.first_node;
        if (self.rare.saqs || self.is_paced()) && self.nodes[n].waiting_count > 0 {
            // A SAQ may have fallen below Xoff, or a queue takes another packet.
            self.ask_to_admit_now(n);
        }
        if end > t && self.nodes[n].waiting_count > 0 {
            let at = end - 1;
            if at == t {
                self.ask_to_admit_now(n);
            } else {
                self.ask_to_admit(n, at);
            }
        }
    }

    /// The tail that leaves in tick `from` or later may make room.
    pub(super) fn await_injection(&mut self, n: usize, from: T) {
        let end = self.port[self.first_node + n].tail_end;
        if end != NONE && end > from {
            self.ask_to_admit(n, end - 1);
        }
    }

    /// Turns from a source to a destination.
    #[inline(always)]
    pub(super) fn route(&self, source: u32, destination: u32) -> Route {
        if self.rare.tables {
            return Route::EMPTY;
        }
        self.routing.route(source, destination)
    }
}
