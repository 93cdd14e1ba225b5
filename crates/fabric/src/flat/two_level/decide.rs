//! Decisions: packets are assigned to outputs as they arrive, or again at the head of a queue.

use super::super::Flat;
use super::super::wheel::{Kind, NONE, T};
use hierarchy::{Counters, Trip};
use observe::{Observer, Side};
use units::PortId;

impl<const EAGER: bool> Flat<EAGER> {
    /// Step 2: a packet that arrives is assigned to the output that it will request.
    pub(crate) fn assign(&mut self, observer: &mut impl Observer, p: usize, k: usize, t: T) {
        if self.two_level.trips.len() <= k {
            self.two_level.trips.resize(k + 1, Trip::default());
        }
        let Some(output) = self.decide(observer, p, k, true, t) else {
            self.broken(p, Side::Ingress, t, "no output leads on");
        };
        self.packets.slots[k].ahead = output as u8;
    }

    /// The output of a packet, by the counters of this tick.
    fn decide(
        &mut self,
        observer: &mut impl Observer,
        p: usize,
        k: usize,
        arrives: bool,
        t: T,
    ) -> Option<usize> {
        let port = &self.port[p];
        let (s, first, number) = (port.element as usize, port.first as usize, port.number);
        let from_node = !port.to_switch;
        self.read_credit(observer, s, t);
        let levels = &mut self.two_level;
        let packet = &mut self.packets.slots[k];
        let there = levels.addresses[packet.destination as usize];
        let router = hierarchy::Router {
            routing: levels.routing,
            shape: &levels.shapes[s],
            table: &levels.tables[s],
            live: levels.live[s],
        };
        let (counters, in_use) = (&levels.counters[first..], &levels.in_use);
        let mut counters = Counters {
            queued: |port: PortId| counters[port.index()].read(t) + in_use[port.index()],
            threshold_cells: levels.threshold,
            selection: levels.selection,
            stream: &mut levels.streams[p],
        };
        let trip = &mut levels.trips[k];
        if arrives {
            *trip = if from_node {
                router.start(there, &mut counters)
            } else {
                trip.arrive(router.shape.address)
            };
        }
        let choice = router.choose(*trip, there, PortId(number), &mut counters);
        let choice = choice.filter(|c| router.vc(&c.trip, c.port).0 < levels.vcs);
        packet.assigned = choice.is_some();
        let choice = choice?;
        *trip = choice.trip;
        let cells = i32::from(self.sizes[usize::from(packet.size)].cells);
        let output = choice.port.index();
        self.count_assigned(first + output, cells, t);
        Some(output)
    }

    /// Of the outputs granted in a tick, the one that starts next: the last where the next heads
    /// are decided by what has started.
    #[inline(always)]
    pub(crate) fn next_to_start(&self, outputs: u64) -> usize {
        if self.two_level.at_head {
            63 - outputs.leading_zeros() as usize
        } else {
            outputs.trailing_zeros() as usize
        }
    }

    /// VC of the link behind an output for a packet.
    pub(crate) fn vc_of_trip(&self, output: usize, k: usize) -> u8 {
        let (vc, levels) = (self.packets.slots[k].vc, &self.two_level);
        let is_reply = self.first_reply_vc > 0 && vc >= self.first_reply_vc;
        let first = if is_reply { self.first_reply_vc } else { 0 };
        let port = &self.port[output];
        let router = levels.router(port.element as usize);
        first + router.vc(&levels.trips[k], PortId(port.number)).0
    }

    /// A packet is stored in a queue that was empty.
    pub(crate) fn first_where_levels(&mut self, p: usize, record: usize, k: usize) {
        let t = self.packets.slots[k].stored;
        if self.head_asks(record) {
            self.requests_from(p, k, t);
        }
        self.arm(record, t);
    }

    /// Whether the head of an ingress queue may request.
    fn head_asks(&self, record: usize) -> bool {
        let p = self.queues[record].port as usize;
        self.asks(p, record - self.port[p].ingress as usize)
    }

    /// The head of an ingress queue requests its output from now on.
    pub(crate) fn requests_from(&mut self, p: usize, k: usize, t: T) {
        let (to, cells) = self.asked_for(p, k);
        self.count_head(to, cells, t);
    }

    /// The output port that a packet is assigned to, and its cells.
    fn asked_for(&self, p: usize, k: usize) -> (usize, i32) {
        let packet = &self.packets.slots[k];
        let cells = self.sizes[usize::from(packet.size)].cells;
        let to = self.port[p].first as usize + usize::from(packet.out);
        (to, cells.into())
    }

    /// A transfer starts: the packet is no longer counted, and the next head is decided.
    pub(crate) fn left_where_levels(
        &mut self,
        observer: &mut impl Observer,
        p: usize,
        record: usize,
        k: usize,
        t: T,
    ) {
        let (to, cells) = self.asked_for(p, k);
        self.count_assigned(to, -cells, t);
        self.count_head(to, -cells, t);
        let kind = self.two_level.shapes[self.port[p].element as usize]
            .kind(PortId(self.packets.slots[k].out));
        let trip = &mut self.two_level.trips[k];
        *trip = trip.leave(kind);
        let next = self.queues[record].head;
        if next == NONE {
            return self.disarm(record);
        }
        if self.head_asks(record) {
            self.requests_from(p, next as usize, t);
        }
        if self.two_level.at_head {
            self.assign_again(observer, record, t);
            self.arm(record, t);
        }
    }

    /// The head of a queue is decided again a packet time later.
    fn arm(&mut self, record: usize, t: T) {
        if self.two_level.at_head {
            let due = t + self.two_level.again;
            self.two_level.due[record] = due;
            self.wheel.put(due, Kind::Decide, record);
        }
    }

    fn disarm(&mut self, record: usize) {
        if let Some(due) = self.two_level.due.get_mut(record) {
            *due = NONE;
        }
    }

    /// Step 3: heads whose time has come are decided again, those of a port in the order of their
    /// queues.
    #[inline(never)]
    pub(crate) fn decide_step(&mut self, observer: &mut impl Observer, t: T) {
        let mut due = std::mem::take(&mut self.due[Kind::Decide as usize]);
        due.sort_unstable();
        for record in due.drain(..) {
            let record = record as usize;
            if self.two_level.due[record] != t {
                continue;
            }
            let (p, k) = (self.queues[record].port as usize, self.queues[record].head);
            let before = usize::from(self.packets.slots[k as usize].out);
            self.assign_again(observer, record, t);
            self.arm(record, t);
            self.move_request(p, record, before, t);
        }
        self.due[Kind::Decide as usize] = due;
    }

    /// A head is assigned anew. Whatever it requested goes on standing.
    fn assign_again(&mut self, observer: &mut impl Observer, record: usize, t: T) {
        let queue = &self.queues[record];
        let (p, k) = (queue.port as usize, queue.head as usize);
        let (before, cells) = self.asked_for(p, k);
        self.count_assigned(before, -cells, t);
        let Some(output) = self.decide(observer, p, k, false, t) else {
            self.broken(p, Side::Ingress, t, "no output leads on");
        };
        let to = self.port[p].first as usize + output;
        if to == before {
            return;
        }
        if self.head_asks(record) {
            self.count_head(before, -cells, t);
            self.count_head(to, cells, t);
        }
        let next_vc = self.next_vc(p, to, k);
        let packet = &mut self.packets.slots[k];
        (packet.out, packet.next_vc) = (output as u8, next_vc);
        self.packets.slots[k].next_class = self.class_behind_crossbar(to, k);
    }

    /// The head of a queue that requested output `before` may request another one.
    fn move_request(&mut self, p: usize, record: usize, before: usize, t: T) {
        let port = &self.port[p];
        let head = &self.packets.slots[self.queues[record].head as usize];
        let (out, number) = (usize::from(head.out), record - port.ingress as usize);
        let s = port.element as usize;
        let has_requested = if self.shared {
            self.pair_queues(p, before)[number / 64] >> (number % 64) & 1 == 1
        } else {
            self.crossing[p].outputs >> before & 1 == 1
        };
        if out == before || !has_requested {
            return;
        }
        self.withdraw(p, record, before);
        self.request(p, record, out);
        let busy = self.busy_beyond(p, out, t + 1);
        if let Some(output) = busy {
            self.await_output(s, output);
        }
        // Others may have what it had reserved.
        if busy.is_none() || t >= self.switches[s].waiting.from {
            self.ask_crossbar(s, t + 1);
        }
    }

    /// What keeps an input from an output beyond tick `t`: the output whose transfer does.
    fn busy_beyond(&self, p: usize, out: usize, t: T) -> Option<usize> {
        let port = &self.port[p];
        let (switch, first) = (&self.switches[port.element as usize], port.first as usize);
        let mut output = out;
        if !self.multicast && switch.busy_inputs >> port.number & 1 == 1 {
            output = usize::from(self.crossing[p].output);
        }
        let is_busy = switch.busy_outputs >> output & 1 == 1;
        (is_busy && self.crossing[first + output].end > t).then_some(output)
    }
}
