//! Stores at inputs, and what the heads of their queues request.

use super::Input;
use crate::flat::{Flat, Kind, Mode, NONE, T};
use observe::{Event, Observer, Side};
use units::QueueId;

impl<M: Mode> Flat<M> {
    /// The head comes to an input, in tick [`Packet::stored`].
    #[inline(always)]
    pub(crate) fn store(&mut self, observer: &mut impl Observer, p: usize, k: usize) {
        let (port, packet) = (&self.port[p], &self.packets.slots[k]);
        let (ingress, width) = (port.ingress as usize, port.width.into());
        let (out, vc) = (packet.ahead, packet.vc);
        let output = port.first(p) + usize::from(out);
        let next_vc = self.next_vc(p, output, k);
        let ahead = self.look_ahead(output, &packet.route, packet.destination, width);
        let packet = &mut self.packets.slots[k];
        packet.sender = port.number;
        packet.out = out;
        packet.next_vc = next_vc;
        packet.ahead = ahead;
        let visible = packet.stored + self.times.arbitration;
        packet.visible = visible;
        if self.rare.is_oq {
            return self.pass_to_output(observer, (p, output), k);
        }
        let packet = &self.packets.slots[k];
        let next_class = self.class_behind_crossbar(output, packet);
        let mut queue = self.ingress_queue(p, packet);
        let has_saqs = self.has_saqs(p);
        if has_saqs {
            queue = self.queue_on_arrival(p, k, queue);
        }
        let packet = &mut self.packets.slots[k];
        packet.next = NONE;
        packet.next_class = next_class;
        let stored = Event::Stored { packet: packet.view(), queue: QueueId(queue as u16) };
        let t = packet.stored;
        self.observe(observer, (p, Side::Ingress), stored, t);
        let record = ingress + queue;
        if self.rare.extras {
            self.extras_of_store(p, k, vc);
        }
        let first = self.packets.push(&mut self.queues[record], k);
        if has_saqs {
            self.stored_at_ingress(observer, (p, k), queue, first, t);
        } else if first {
            self.wheel.put(visible, Kind::Head, record);
            if self.rare.two_level {
                self.first_where_levels(observer, record, t);
            }
        }
    }

    /// `oq`: the head goes through to the output memory, in which every input has its own share.
    #[inline(never)]
    pub(super) fn pass_to_output(
        &mut self,
        observer: &mut impl Observer,
        (p, output): (usize, usize),
        k: usize,
    ) {
        let packet = &mut self.packets.slots[k];
        let t = packet.stored;
        let cells = packet.cells;
        if !self.rare.tables && packet.route.consume(self.port[p].width.into()).is_err() {
            self.broken(p, Side::Ingress, t, "the route ends");
        }
        self.counters[self.port[output].room as usize] -= cells;
        self.store_egress(observer, output, k, t);
    }

    /// The head of an ingress queue may have become visible.
    #[inline(always)]
    pub(crate) fn head(&mut self, queue: usize, t: T) {
        let record = &self.queues[queue];
        let (p, k) = (record.port as usize, record.head);
        if k == NONE {
            return;
        }
        let packet = &self.packets.slots[k as usize];
        if packet.visible > t {
            return;
        }
        let out = usize::from(packet.out);
        let input = self.input(p);
        let (s, queue) = (input.switch, queue - self.port[p].ingress as usize);
        if !self.asks(p, queue) {
            return;
        }
        self.request(input, queue, out);
        match self.busy_output(input, out, t) {
            Some(output) => self.await_output(s, output),
            None => self.mark(s),
        }
    }

    /// The output at the end of whose transfer a head of an input that requests `out` is looked at:
    /// the one that the input sends to in tick `t`, or `out`; none if both are free.
    #[inline(always)]
    pub(crate) fn busy_output(&self, input: Input, out: usize, t: T) -> Option<usize> {
        let is_sending = self.sends_until[input.port] > t;
        let output = if is_sending { self.crossing[input.port].output.into() } else { out };
        (self.crossing[input.first + output].end > t).then_some(output)
    }

    /// The input that a port is.
    #[inline(always)]
    pub(crate) fn input(&self, p: usize) -> Input {
        let port = &self.port[p];
        Input {
            port: p,
            first: port.first(p),
            switch: port.element as usize,
            number: port.number,
            queues: port.ingress_queues,
        }
    }

    /// A visible head of a queue, or SAQ, of an input requests an output.
    #[inline(always)]
    pub(crate) fn request(&mut self, input: Input, queue: usize, out: usize) {
        let Input { port: p, queues, .. } = input;
        if self.rare.saqs && queue >= usize::from(queues) {
            return self.set_saq_request(p, queue - usize::from(queues), out, true);
        }
        self.crossing[input.first + out].inputs |= 1 << input.number;
        self.crossing[p].outputs |= 1 << out;
        self.switches[input.switch].wanted |= 1 << out;
        if self.rare.shared {
            self.pair_queues(p, out)[queue / 64] |= 1 << (queue % 64);
        }
    }

    /// The head of a queue, or SAQ, requests nothing any more.
    pub(crate) fn withdraw(&mut self, input: Input, queue: usize, out: usize) {
        if self.drop_request(input, queue, out) {
            self.crossing[input.port].outputs &= !(1 << out);
            let to = &mut self.crossing[input.first + out];
            to.inputs &= !(1 << input.number);
            self.switches[input.switch].wanted &= !(u64::from(to.inputs == 0) << out);
        }
    }

    /// The head of a queue, or SAQ, requests nothing any more. Whether no normal queue of the input
    /// requests the output then, and one did.
    #[inline(always)]
    pub(super) fn drop_request(&mut self, input: Input, queue: usize, out: usize) -> bool {
        let Input { port: p, queues, .. } = input;
        if self.rare.saqs && queue >= usize::from(queues) {
            self.set_saq_request(p, queue - usize::from(queues), out, false);
            return false;
        }
        if !self.rare.shared {
            return true;
        }
        if self.rare.many {
            self.many.unlist(p, queue);
        }
        let words = self.pair_queues(p, out);
        words[queue / 64] &= !(1 << (queue % 64));
        words.iter().all(|&word| word == 0)
    }

    /// Where queues share outputs: the queues of an input with a visible head for an output.
    #[inline(always)]
    pub(crate) fn pair_queues(&mut self, p: usize, out: usize) -> &mut [u64] {
        let at = (self.pairs[p] as usize + out) * self.pair_words;
        &mut self.pair[at..at + self.pair_words]
    }
}
