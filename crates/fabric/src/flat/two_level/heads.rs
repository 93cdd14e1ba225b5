//! Heads of ingress queues: what they request, kept in step with queues, tables and decisions.

use crate::flat::{Flat, Kind, Mode, NONE, T};
use observe::{Event, Observer, PacketView};
use units::{PortId, QueueId};

impl<M: Mode> Flat<M> {
    /// A packet is stored in a queue that was empty, in tick `t`.
    pub(crate) fn first_where_levels(&mut self, observer: &mut impl Observer, record: usize, t: T) {
        self.update_head(observer, record, t);
        self.arm(record, t);
    }

    /// A transfer starts: the packet is no longer counted, and the next head is decided. That head.
    pub(crate) fn left_where_levels(
        &mut self,
        observer: &mut impl Observer,
        record: usize,
        k: usize,
        t: T,
    ) -> u32 {
        let p = self.queues[record].port as usize;
        let (to, cells) = self.asked_for(p, k);
        self.count_assigned(to, -cells, t);
        self.head_falls(record, (to, cells), t);
        let kind = self.two_level.shapes[self.port[p].element as usize]
            .kind(PortId(self.packets.slots[k].out));
        let trip = &mut self.two_level.trips[k];
        *trip = trip.leave(kind);
        self.renew_head(observer, record, t);
        self.queues[record].head
    }

    /// Another packet has come to the head of a queue, or none.
    pub(crate) fn renew_head(&mut self, observer: &mut impl Observer, record: usize, t: T) {
        self.update_head(observer, record, t);
        if self.two_level.at_head {
            if !self.assign_head(observer, record, 0, t) {
                return self.strand(observer, record, t);
            }
            self.arm(record, t);
        }
    }

    /// Brings the request of a queue up to date. One that is raised stands from the next tick on.
    pub(crate) fn update_head(&mut self, observer: &mut impl Observer, record: usize, t: T) {
        let (p, k) = (self.queues[record].port as usize, self.queues[record].head);
        if k == NONE || !self.head_asks(record) {
            return;
        }
        if self.rare.faults && !self.leads_on(p, k as usize) {
            return self.reroute(observer, record, t);
        }
        if !self.two_level.raised[record] {
            let head = &mut self.packets.slots[k as usize];
            head.visible = head.visible.max(t + 1);
            self.head_rises(record, t);
        }
    }

    /// Whether the head of an ingress queue may request.
    fn head_asks(&self, record: usize) -> bool {
        let p = self.queues[record].port as usize;
        self.asks(p, record - self.port[p].ingress as usize)
    }

    /// The head of a queue may not go where it was assigned to any more: it goes elsewhere, or is
    /// removed.
    #[cold]
    fn reroute(&mut self, observer: &mut impl Observer, record: usize, t: T) {
        if !self.assign_head(observer, record, t + 1, t) {
            self.strand(observer, record, t);
        }
    }

    /// The head of a queue can go nowhere: it is removed at once, its credit returned.
    #[cold]
    fn strand(&mut self, observer: &mut impl Observer, record: usize, t: T) {
        let p = self.queues[record].port as usize;
        let queue = QueueId::at(record - self.port[p].ingress as usize);
        let stranded = |packet| Event::Stranded { packet, queue };
        let free = self.discard_head(observer, record, &stranded, t);
        self.renew_head(observer, record, t);
        if let Some(head) = self.packets.slots.get(self.queues[record].head as usize) {
            self.wheel.put(head.visible.max(t + 1), Kind::Head, record);
        }
        if free != NONE && free != self.queues[record].head {
            self.passes(observer, p, free, t);
        }
    }

    /// The head of a queue is removed, and its credit returned; the request is to be renewed. The
    /// packet of the input that may go from now on, or [`NONE`].
    pub(crate) fn discard_head(
        &mut self,
        observer: &mut impl Observer,
        record: usize,
        why: &dyn Fn(PacketView) -> Event,
        t: T,
    ) -> u32 {
        let (p, k) = (self.queues[record].port as usize, self.queues[record].head as usize);
        let (to, cells) = self.asked_for(p, k);
        let packet = self.packets.slots[k];
        if packet.assigned {
            self.count_assigned(to, -cells, t);
        }
        self.head_falls(record, (to, cells), t);
        if self.has_requested(record, packet.out) {
            self.withdraw_head(record, packet.out, t);
        }
        self.packets.pop(&mut self.queues[record]);
        let free = self.bypass.left(p, k);
        self.lose(observer, p, k, why(packet.view()), t);
        self.return_credit(observer, p, packet.class, cells as u16, t + 1, t);
        free
    }

    /// The output port that a packet is assigned to, and its cells.
    fn asked_for(&self, p: usize, k: usize) -> (usize, i32) {
        let packet = &self.packets.slots[k];
        let cells = packet.cells;
        let to = self.port[p].first(p) + usize::from(packet.out);
        (to, cells.into())
    }

    /// The head of a queue requests its output from now on.
    pub(crate) fn head_rises(&mut self, record: usize, t: T) {
        let (p, k) = (self.queues[record].port as usize, self.queues[record].head);
        let (to, cells) = self.asked_for(p, k as usize);
        self.two_level.raised[record] = true;
        self.count_head(to, cells, t);
    }

    /// A head requests its output no longer.
    fn head_falls(&mut self, record: usize, (to, cells): (usize, i32), t: T) {
        if std::mem::take(&mut self.two_level.raised[record]) {
            self.count_head(to, -cells, t);
        }
    }

    /// The head of a queue is decided again a packet time later.
    fn arm(&mut self, record: usize, t: T) {
        if self.two_level.at_head {
            let due = match self.queues[record].head {
                NONE => NONE,
                _ => t + self.two_level.again,
            };
            self.two_level.due[record] = due;
            self.wheel.put(due, Kind::Decide, record);
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
            if self.assign_head(observer, record, 0, t) {
                self.arm(record, t);
            } else {
                self.strand(observer, record, t);
            }
        }
        self.due[Kind::Decide as usize] = due;
    }

    /// The head of a queue, which stands from tick `since` on at the earliest, is assigned anew.
    /// Whether an output leads on.
    fn assign_head(&mut self, observer: &mut impl Observer, record: usize, since: T, t: T) -> bool {
        let (p, k) = (self.queues[record].port as usize, self.queues[record].head as usize);
        if self.queues[record].head == NONE {
            return true;
        }
        let (before, cells) = self.asked_for(p, k);
        let packet = &self.packets.slots[k];
        let (old_out, old_visible) = (packet.out, packet.visible);
        if packet.assigned {
            self.count_assigned(before, -cells, t);
        }
        let Some(output) = self.decide(observer, p, k, false, t) else {
            return false;
        };
        let (to, visible) = (self.port[p].first(p) + output, old_visible.max(since));
        let is_new = since > 0 && !self.two_level.raised[record];
        if to == before && visible == old_visible && !is_new {
            return true;
        }
        let (had_raised, had_requested) =
            (self.two_level.raised[record], self.has_requested(record, old_out));
        self.head_falls(record, (before, cells), t);
        if had_requested {
            self.withdraw_head(record, old_out, t);
        }
        self.packets.slots[k].out = output as u8;
        let next_vc = self.next_vc(p, to, k);
        let packet = &mut self.packets.slots[k];
        (packet.next_vc, packet.visible) = (next_vc, visible);
        let next_class = self.class_behind_crossbar(to, &self.packets.slots[k]);
        self.packets.slots[k].next_class = next_class;
        if had_raised || (since > 0 && self.head_asks(record)) {
            self.head_rises(record, t);
        }
        if had_requested && visible <= t {
            let queue = record - self.port[p].ingress as usize;
            self.request(self.input(p), queue, output);
            self.look_at(p, output, t + 1);
        } else if had_requested || visible != old_visible {
            self.wheel.put(visible.max(t + 1), Kind::Head, record);
        }
        true
    }

    /// Whether the head of a queue has come to request an output.
    fn has_requested(&mut self, record: usize, out: u8) -> bool {
        let (p, out) = (self.queues[record].port as usize, usize::from(out));
        let number = record - self.port[p].ingress as usize;
        if self.rare.shared {
            self.pair_queues(p, out)[number / 64] >> (number % 64) & 1 == 1
        } else {
            self.crossing[p].outputs >> out & 1 == 1
        }
    }

    /// The head of a queue requests an output no longer: others may have what it had reserved.
    fn withdraw_head(&mut self, record: usize, out: u8, t: T) {
        let p = self.queues[record].port as usize;
        let (input, queue) = (self.input(p), record - self.port[p].ingress as usize);
        let s = input.switch;
        self.withdraw(input, queue, out.into());
        if t >= self.switches[s].waiting.from {
            self.ask_crossbar(s, t + 1);
        }
    }

    /// A head requests an output: that is looked at in tick `at`, or when input and output are
    /// free.
    fn look_at(&mut self, p: usize, out: usize, at: T) {
        let input = self.input(p);
        match self.busy_output(input, out, at) {
            Some(output) => self.await_output(input.switch, output),
            None => self.ask_crossbar(input.switch, at),
        }
    }
}
