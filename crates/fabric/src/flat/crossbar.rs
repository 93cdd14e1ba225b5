//! The crossbar of a switch: stores at inputs, requests, arbitration, transfers.

use super::Flat;
use super::records::Packet;
use super::waiting::Waiting;
use super::wheel::{Kind, NONE, T};
use bits::ones;
use crossbar::{AnyArbiter, Arbiter, Matching, Requests};
use observe::Observer;
use observe::Side;
use units::{PortId, QueueId};

/// Registers of a crossbar.
#[derive(Debug)]
pub(crate) struct Switch {
    /// Number of its port 0.
    pub(crate) first: u32,
    pub(crate) ports: u8,
    /// It is looked at in the present tick.
    marked: bool,
    /// It is looked at then: the tick asked for last.
    asked: T,
    pub(crate) busy_inputs: u64,
    pub(crate) busy_outputs: u64,
    /// No busy input or output is free before this tick.
    next_end: T,
    /// Outputs at whose end of transfer it is looked at.
    awaited: u64,
    /// Outputs that any visible head requests.
    pub(crate) wanted: u64,
    pub(crate) arbiter: AnyArbiter,
    /// By class the longest that a head has requested.
    pub(crate) longest: [T; 2],
    pub(crate) waiting: Waiting,
}

/// By port what the crossbar knows of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Crossing {
    /// As an output: its transfer ends.
    pub(crate) end: T,
    /// As an output: the input that sends or sent.
    pub(crate) sender: u8,
    /// As an input: the output that it sends or sent to.
    pub(crate) output: u8,
    /// As an output: inputs with a visible head that requests it.
    pub(crate) inputs: u64,
    /// As an input: outputs that visible heads request.
    pub(crate) outputs: u64,
}

impl Crossing {
    pub(crate) const NONE: Crossing = Crossing {
        end: 0,
        sender: 0,
        output: 0,
        inputs: 0,
        outputs: 0,
    };
}

impl Switch {
    pub(crate) fn new(first: usize, ports: usize, arbiter: AnyArbiter, waiting: Waiting) -> Switch {
        Switch {
            first: first as u32,
            ports: ports as u8,
            marked: false,
            asked: NONE,
            busy_inputs: 0,
            busy_outputs: 0,
            next_end: NONE,
            awaited: 0,
            wanted: 0,
            arbiter,
            longest: [0; 2],
            waiting,
        }
    }
}

/// Lists of one evaluation, used again.
#[derive(Debug)]
pub(crate) struct Scratch {
    /// By output; zero between evaluations.
    pub(crate) inputs_of: [u64; 64],
    /// By input, then output.
    pub(crate) queue_of: Vec<u16>,
    pub(crate) ages: Vec<u64>,
    pub(crate) matching: Vec<Matching>,
}

impl<const EAGER: bool> Flat<EAGER> {
    /// The crossbar is looked at in a tick to come.
    #[inline(always)]
    pub(crate) fn ask_crossbar(&mut self, s: usize, at: T) {
        if self.switches[s].asked != at {
            self.switches[s].asked = at;
            self.wheel.put(at, Kind::Crossbar, s);
        }
    }

    /// It is looked at in this tick.
    #[inline(always)]
    pub(crate) fn mark(&mut self, s: usize) {
        if !std::mem::replace(&mut self.switches[s].marked, true) {
            self.crossbars.push(s as u32);
        }
    }

    /// The head comes to an input, in tick [`Packet::stored`].
    #[inline(always)]
    pub(crate) fn store(&mut self, observer: &mut impl Observer, p: usize, k: usize) {
        let port = &self.port[p];
        let (number, ingress, width) = (port.number, port.ingress as usize, port.width);
        let packet = &self.packets.slots[k];
        let (out, vc) = (packet.ahead, packet.vc);
        let output = port.first as usize + usize::from(out);
        let next_vc = self.next_vc(p, output, k);
        let ahead = self.look_ahead(output, packet, width.into());
        let packet = &mut self.packets.slots[k];
        packet.sender = number;
        packet.out = out;
        packet.next_vc = next_vc;
        packet.ahead = ahead;
        let visible = packet.stored + self.times.arbitration;
        packet.visible = visible;
        if self.is_oq {
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
        packet.next_class = next_class;
        let (view, place) = (
            Self::view_at(&self.owners, packet.stored),
            Self::place(p, Side::Ingress),
        );
        observer.stored(view, place, packet.view(), QueueId(queue as u16));
        let record = ingress + queue;
        if self.extras {
            self.extras_of_store(p, k, vc);
        }
        let first = self.push(record, k);
        if has_saqs {
            let t = self.packets.slots[k].stored;
            self.stored_at_ingress(observer, (p, k), queue, first, t);
        } else if first {
            self.wheel.put(visible, Kind::Head, record);
            if self.two_level.is_on {
                let t = self.packets.slots[k].stored;
                self.first_where_levels(observer, record, t);
            }
        }
    }

    /// `oq`: the head goes through to the output memory, in which every input has its own share.
    #[inline(never)]
    fn pass_to_output(
        &mut self,
        observer: &mut impl Observer,
        (p, output): (usize, usize),
        k: usize,
    ) {
        let packet = &mut self.packets.slots[k];
        let t = packet.stored;
        let cells = self.sizes[usize::from(packet.size)].cells;
        if self.by_turns && packet.route.consume(self.port[p].width.into()).is_err() {
            self.broken(p, Side::Ingress, t, "the route ends");
        }
        self.room[self.port[output].room as usize] -= cells;
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
        if !self.asks(p, queue - self.port[p].ingress as usize) {
            return;
        }
        self.request(p, queue, out);
        let port = &self.port[p];
        let s = port.element as usize;
        let switch = &self.switches[s];
        // Whoever is busy is looked at at its end.
        let mut output = out;
        if !self.multicast && switch.busy_inputs >> port.number & 1 == 1 {
            output = usize::from(self.crossing[p].output);
        }
        let is_busy = switch.busy_outputs >> output & 1 == 1;
        if is_busy && self.crossing[port.first as usize + output].end > t {
            self.await_output(s, output);
        } else {
            self.mark(s);
        }
    }

    /// The crossbar is looked at when the transfer to an output ends.
    #[inline(always)]
    pub(crate) fn await_output(&mut self, s: usize, output: usize) {
        let switch = &mut self.switches[s];
        if switch.awaited >> output & 1 == 0 {
            switch.awaited |= 1 << output;
            let end = self.crossing[switch.first as usize + output].end;
            self.wheel.put(end, Kind::Crossbar, s);
        }
    }

    /// A visible head requests an output.
    #[inline(always)]
    pub(crate) fn request(&mut self, p: usize, queue: usize, out: usize) {
        let port = &self.port[p];
        let number = queue - port.ingress as usize;
        if self.recn.is_on && number >= usize::from(port.ingress_queues) {
            let line = number - usize::from(port.ingress_queues);
            return self.set_saq_request(p, line, out, true);
        }
        self.crossing[port.first as usize + out].inputs |= 1 << port.number;
        self.crossing[p].outputs |= 1 << out;
        self.switches[port.element as usize].wanted |= 1 << out;
        if self.shared {
            self.pair_queues(p, out)[number / 64] |= 1 << (number % 64);
        }
    }

    /// The head of a queue requests nothing any more.
    #[inline(always)]
    pub(crate) fn withdraw(&mut self, p: usize, queue: usize, out: usize) {
        let port = &self.port[p];
        let number = queue - port.ingress as usize;
        if self.recn.is_on && number >= usize::from(port.ingress_queues) {
            let line = number - usize::from(port.ingress_queues);
            return self.set_saq_request(p, line, out, false);
        }
        let (to, input, s) = (port.first as usize + out, port.number, port.element);
        if self.shared {
            let words = self.pair_queues(p, out);
            words[number / 64] &= !(1 << (number % 64));
            if words.iter().any(|&word| word != 0) {
                return;
            }
        }
        self.crossing[p].outputs &= !(1 << out);
        let to = &mut self.crossing[to];
        to.inputs &= !(1 << input);
        if to.inputs == 0 {
            self.switches[s as usize].wanted &= !(1 << out);
        }
    }

    /// Where queues share outputs: the queues of an input with a visible head for an output.
    #[inline(always)]
    pub(crate) fn pair_queues(&mut self, p: usize, out: usize) -> &mut [u64] {
        let at = (self.pairs[p] as usize + out) * self.pair_words;
        &mut self.pair[at..at + self.pair_words]
    }

    /// Inputs and outputs of transfers that have ended are free.
    #[inline(always)]
    fn free(&mut self, s: usize, t: T) {
        let switch = &mut self.switches[s];
        if t < switch.next_end {
            return;
        }
        let first = switch.first as usize;
        let mut next_end = NONE;
        for output in ones(switch.busy_outputs) {
            let crossing = &self.crossing[first + output];
            let ended = u64::from(crossing.end <= t);
            next_end = next_end.min(if ended == 1 { NONE } else { crossing.end });
            switch.busy_outputs &= !(ended << output);
            switch.awaited &= !(ended << output);
            if !self.multicast {
                switch.busy_inputs &= !(ended << crossing.sender);
            }
        }
        switch.next_end = next_end;
    }

    /// Evaluate and step 1 of a crossbar.
    #[inline(always)]
    pub(crate) fn evaluate(&mut self, observer: &mut impl Observer, s: usize, t: T) {
        self.switches[s].marked = false;
        self.free(s, t);
        if t >= self.switches[s].waiting.from {
            return self.evaluate_where_overdue(observer, s, t);
        }
        if self.recn.is_on && self.recn.switches[s].wanted != 0 {
            self.evaluate_with_saqs(observer, s, t, false);
            return;
        }
        let any = self.candidates(observer, s, t, false);
        if any != 0 {
            self.arbitrate(observer, s, any, t);
        }
    }

    /// Collects who may go to each output: outputs that anybody may go to.
    #[inline(always)]
    pub(crate) fn candidates(
        &mut self,
        observer: &mut impl Observer,
        s: usize,
        t: T,
        overdue: bool,
    ) -> u64 {
        let switch = &self.switches[s];
        let (first, wanted) = (switch.first as usize, switch.wanted);
        let (busy_inputs, busy_outputs) = (switch.busy_inputs, switch.busy_outputs);
        let mut any = 0u64;
        for output in ones(wanted) {
            let mut inputs = self.crossing[first + output].inputs & !busy_inputs;
            if inputs == 0 {
                continue;
            }
            if busy_outputs >> output & 1 == 1 {
                self.await_output(s, output);
                continue;
            }
            let port = first + output;
            if self.is_iq && !self.is_open(observer, port, t) {
                continue;
            }
            if overdue {
                inputs &= self.switches[s].waiting.may_go(false, output);
            }
            let mut may = 0u64;
            for input in ones(inputs) {
                may |= u64::from(self.pick(observer, s, input, output, t, overdue)) << input;
            }
            self.scratch.inputs_of[output] = may;
            any |= u64::from(may != 0) << output;
        }
        any
    }

    /// `iq`: whether the link behind an output takes a packet now.
    pub(crate) fn is_open(&mut self, observer: &mut impl Observer, p: usize, t: T) -> bool {
        if self.port[p].ready <= t && !self.port[p].named {
            self.settle_back(observer, p, t + 1, t);
        }
        let busy = self.port[p].busy;
        if busy > t {
            self.ask_crossbar(self.port[p].element as usize, busy);
        }
        busy <= t
    }

    /// Whether a head of an input may go to an output now; which is kept.
    #[inline(always)]
    fn pick(
        &mut self,
        observer: &mut impl Observer,
        s: usize,
        input: usize,
        output: usize,
        t: T,
        overdue: bool,
    ) -> bool {
        let first = self.switches[s].first as usize;
        if self.shared || self.oldest_first || overdue {
            return self.pick_of_many(observer, s, input, output, t, overdue);
        }
        let p = first + input;
        let queue = if self.one_queue { 0 } else { output };
        let k = self.queues[self.port[p].ingress as usize + queue].head as usize;
        self.has_room(observer, first + output, k, t)
    }

    /// Whether there is room for a packet behind an output.
    #[inline(always)]
    pub(crate) fn has_room(
        &mut self,
        observer: &mut impl Observer,
        p: usize,
        k: usize,
        t: T,
    ) -> bool {
        let packet = &self.packets.slots[k];
        let (class, cells) = (
            packet.next_class,
            self.sizes[usize::from(packet.size)].cells,
        );
        if self.room_behind(observer, p, class, cells, t) >= cells {
            return true;
        }
        self.await_room(p, t);
        false
    }

    /// Free cells of a class behind an output, at least if they are not `enough`.
    #[inline(always)]
    pub(crate) fn room_behind(
        &mut self,
        observer: &mut impl Observer,
        p: usize,
        class: u16,
        enough: u16,
        t: T,
    ) -> u16 {
        if self.is_iq {
            let at = self.port[p].credits as usize + usize::from(class);
            if self.credits[at] < enough {
                self.settle_credit_once(observer, p, t);
            }
            return self.credits[at];
        }
        let at = self.port[p].room as usize + usize::from(class);
        if self.room[at] < enough {
            self.settle_tail(p, t);
        }
        self.room[at]
    }

    #[cold]
    #[inline(never)]
    fn settle_credit_once(&mut self, observer: &mut impl Observer, p: usize, t: T) {
        let awaited = self.port[p].awaits_credit;
        self.settle_credit(observer, p, t);
        if awaited {
            // A head of another class, or another input, may wait for it still.
            self.await_credit(p, t);
        }
    }

    /// A head lacks room behind an output: the crossbar is looked at when some comes.
    #[cold]
    #[inline(never)]
    pub(crate) fn await_room(&mut self, p: usize, t: T) {
        if self.is_iq {
            return self.await_credit(p, t);
        }
        match self.port[p].tail_end {
            NONE => self.port[p].awaits_room = true,
            end => self.ask_crossbar(self.port[p].element as usize, end),
        }
    }

    /// Of several queues of an input that request an output.
    #[inline(never)]
    fn pick_of_many(
        &mut self,
        observer: &mut impl Observer,
        s: usize,
        input: usize,
        output: usize,
        t: T,
        overdue: bool,
    ) -> bool {
        let (first, ports) = (
            self.switches[s].first as usize,
            usize::from(self.switches[s].ports),
        );
        let (p, port) = (first + input, first + output);
        let pair = input * ports + output;
        if overdue {
            self.scratch.queue_of[pair] = 0;
        }
        let holder = if overdue {
            self.switches[s].waiting.holder(false, output, input)
        } else {
            None
        };
        let (mut found, mut starved) = (None, false);
        let start = if self.shared {
            self.pointers[self.pairs[p] as usize + output]
        } else {
            0
        };
        let mut from = usize::from(start);
        let words = self.requesting(p, output);
        loop {
            let queue = match holder {
                Some(queue) => usize::from(queue),
                None => {
                    match bits::first_from_words(&self.scratch_words[..words], from, |_| true) {
                        Some(queue) => {
                            self.scratch_words[queue / 64] &= !(1 << (queue % 64));
                            queue
                        }
                        None => break,
                    }
                }
            };
            from = queue + 1;
            let k = self.queues[self.port[p].ingress as usize + queue].head;
            let fits = k != NONE && {
                let k = k as usize;
                let packet = self.packets.slots[k];
                packet.visible <= t && {
                    let fits = self.fits(observer, port, &packet, t)
                        && !(overdue && self.is_claimed(s, (input, output), queue, &packet, false));
                    starved |= !fits;
                    fits
                }
            };
            if fits {
                let age = self.packets.slots[k as usize].stored;
                if !self.oldest_first {
                    found = Some((queue, age));
                    break;
                }
                if found.is_none_or(|(_, oldest)| age < oldest) {
                    found = Some((queue, age));
                }
            }
            if holder.is_some() {
                break;
            }
        }
        match found {
            Some((queue, age)) => {
                self.scratch.queue_of[pair] = queue as u16;
                if self.oldest_first {
                    self.scratch.ages[pair] = age.into();
                }
                true
            }
            None => {
                if starved {
                    self.await_room(port, t);
                }
                false
            }
        }
    }

    /// Fills `scratch_words` with the queues of an input that request an output; how many words.
    fn requesting(&mut self, p: usize, output: usize) -> usize {
        if self.shared {
            let at = (self.pairs[p] as usize + output) * self.pair_words;
            let words = &self.pair[at..at + self.pair_words];
            self.scratch_words[..words.len()].copy_from_slice(words);
            return words.len();
        }
        let queue = if self.one_queue { 0 } else { output };
        self.scratch_words[0] = 1 << queue;
        1
    }

    pub(crate) fn fits(
        &mut self,
        observer: &mut impl Observer,
        p: usize,
        packet: &Packet,
        t: T,
    ) -> bool {
        let cells = self.sizes[usize::from(packet.size)].cells;
        self.room_behind(observer, p, packet.next_class, cells, t) >= cells
    }

    /// Matches, and starts what was granted. `any`: outputs that anybody may go to.
    #[inline(always)]
    pub(crate) fn arbitrate(&mut self, observer: &mut impl Observer, s: usize, any: u64, t: T) {
        if self.multicast {
            return self.arbitrate_each(observer, s, any, t);
        }
        if any & (any - 1) == 0 {
            let output = any.trailing_zeros() as usize;
            let inputs = std::mem::take(&mut self.scratch.inputs_of[output]);
            let granted = self.switches[s]
                .arbiter
                .grant_one(PortId(output as u8), inputs);
            if let Some(input) = granted {
                return self.granted(observer, s, input.index(), output, t);
            }
            self.scratch.inputs_of[output] = inputs;
        }
        self.arbitrate_many(observer, s, any, t);
    }

    /// An input may send to several outputs at once: they do not meet.
    #[inline(never)]
    fn arbitrate_each(&mut self, observer: &mut impl Observer, s: usize, any: u64, t: T) {
        let mut left = any;
        // As they leave an input in one tick: the last output first.
        while left != 0 {
            let output = 63 - left.leading_zeros() as usize;
            left &= !(1 << output);
            let inputs = std::mem::take(&mut self.scratch.inputs_of[output]);
            let input = self.oldest(s, output, inputs);
            self.granted(observer, s, input, output, t);
        }
    }

    /// Of these inputs that request an output the oldest: no other arbiter goes with memories that
    /// several outputs read.
    pub(crate) fn oldest(&self, s: usize, output: usize, inputs: u64) -> usize {
        let ports = usize::from(self.switches[s].ports);
        let age = |input: &usize| self.scratch.ages[input * ports + output];
        let oldest = ones(inputs).min_by_key(|input| (age(input), *input));
        oldest.expect("an input that requests")
    }

    #[inline(never)]
    fn arbitrate_many(&mut self, observer: &mut impl Observer, s: usize, any: u64, t: T) {
        let ports = usize::from(self.switches[s].ports);
        let scratch = &mut self.scratch;
        let matching = &mut scratch.matching[ports];
        matching.clear();
        let requests = Requests {
            inputs_of: &scratch.inputs_of[..ports],
            ages: &scratch.ages[..if self.oldest_first { ports * ports } else { 0 }],
        };
        self.switches[s].arbiter.arbitrate(&requests, matching);
        let taken = matching.matched_inputs();
        let (mut left, mut rest) = (false, any);
        while rest != 0 {
            let output = self.next_to_start(rest);
            rest &= !(1 << output);
            let inputs = std::mem::take(&mut self.scratch.inputs_of[output]);
            match self.scratch.matching[ports].input_of(PortId(output as u8)) {
                Some(input) => self.granted(observer, s, input.index(), output, t),
                None => left |= inputs & !taken != 0,
            }
        }
        if left {
            self.ask_crossbar(s, t + 1);
        }
    }

    /// A transfer is granted and starts.
    #[inline(always)]
    pub(crate) fn granted(
        &mut self,
        observer: &mut impl Observer,
        s: usize,
        input: usize,
        output: usize,
        t: T,
    ) {
        let (first, ports) = (
            self.switches[s].first as usize,
            usize::from(self.switches[s].ports),
        );
        let queue = if self.shared || self.oldest_first {
            usize::from(self.scratch.queue_of[input * ports + output])
        } else if self.one_queue {
            0
        } else {
            output
        };
        if self.shared {
            let pointer = &mut self.pointers[self.pairs[first + input] as usize + output];
            *pointer = queue as u16 + 1;
        }
        self.transfer(observer, s, (input, output), queue, t);
    }

    /// Step 1: a packet leaves its ingress queue over the crossbar.
    #[inline(always)]
    pub(crate) fn transfer(
        &mut self,
        observer: &mut impl Observer,
        s: usize,
        (input, output): (usize, usize),
        queue: usize,
        t: T,
    ) {
        let first = self.switches[s].first as usize;
        let (p, to) = (first + input, first + output);
        let port = &self.port[p];
        let (width, ingress_queues) = (port.width, port.ingress_queues);
        let record = port.ingress as usize + queue;
        let source = &mut self.queues[record];
        let k = source.head as usize;
        let packet = &mut self.packets.slots[k];
        let mut next = packet.next;
        source.head = next;
        source.packets -= 1;
        let (view, place) = (
            Self::view_at(&self.owners, t),
            Self::place(p, Side::Ingress),
        );
        let (number, port) = (QueueId(queue as u16), PortId(output as u8));
        observer.departed(view, place, packet.view(), number, port);
        let (since, held, class) = (packet.visible, packet.class, packet.next_class);
        let cells = self.sizes[usize::from(packet.size)].cells;
        if self.by_turns && packet.route.consume(width.into()).is_err() {
            self.broken(p, Side::Ingress, t, "the route ends");
        }
        self.withdraw(p, record, output);
        if self.extras {
            self.hear_credit(to, t);
        }
        let end = if self.is_iq {
            self.launch(observer, to, k, self.times.egress, t)
        } else {
            self.cross(observer, to, k, t)
        };
        let free = match self.extras {
            true => self.extras_of_transfer((p, to), k, (held, class), (end, t)),
            false => NONE,
        };
        let switch = &mut self.switches[s];
        let is_saq = self.recn.is_on && queue >= usize::from(ingress_queues);
        let longest = &mut switch.longest[usize::from(is_saq)];
        *longest = (t - since).max(*longest);
        switch.busy_outputs |= 1 << output;
        switch.next_end = switch.next_end.min(end);
        switch.awaited &= !(1 << output);
        if !self.multicast {
            switch.busy_inputs |= 1 << input;
        }
        let crossing = &mut self.crossing[to];
        crossing.end = end;
        crossing.sender = input as u8;
        self.crossing[p].output = output as u8;
        if self.has_credits() {
            self.owe(observer, p, held, cells, end, t);
        }
        if self.two_level.is_on {
            next = self.left_where_levels(observer, record, k, t);
        }
        let mut asks = next != NONE && self.may_pass(p, record);
        if self.has_saqs(p) {
            self.left_ingress(observer, p, queue, output, t);
            asks = self.renew(p, queue);
        }
        if asks {
            let head = &mut self.packets.slots[next as usize];
            head.visible = head.visible.max(t + 1);
            let (visible, out) = (head.visible, usize::from(head.out));
            if visible <= end && !self.multicast {
                self.request(p, record, out);
            } else {
                self.wheel.put(visible, Kind::Head, record);
            }
        }
        if free != NONE && free != next {
            self.passes(p, free, t);
        }
        let mut waiting = self.crossing[p].outputs | self.crossing[to].inputs;
        if self.recn.is_on {
            waiting |= self.recn.requests[p].outputs | self.recn.requests[to].inputs;
            if self.recn.moves {
                self.left_where_ppus_are((p, to), k, t);
            }
        }
        if waiting != 0 {
            self.await_output(s, output);
        }
    }

    /// The packet goes to the memory behind the crossbar. When its tail has left.
    #[inline(always)]
    fn cross(&mut self, observer: &mut impl Observer, to: usize, k: usize, t: T) -> T {
        let packet = &mut self.packets.slots[k];
        let size = &self.sizes[usize::from(packet.size)];
        let end = (t + size.crossbar).max(packet.tail + self.times.crossbar_phit);
        let class = packet.next_class;
        packet.class = class;
        packet.vc = packet.next_vc;
        packet.tail = end + self.times.egress;
        packet.stored = if self.store_and_forward {
            packet.tail
        } else {
            t + self.times.egress
        };
        let room = &mut self.room[self.port[to].room as usize + usize::from(class)];
        debug_assert!(*room >= size.cells);
        *room -= size.cells;
        if self.times_egress(observer, to, t) {
            let stored = self.packets.slots[k].stored;
            self.expect(to, k);
            self.wheel.put(stored, Kind::StoreEgress, to);
        } else {
            self.store_egress(observer, to, k, t);
        }
        end
    }

    /// A head comes over the crossbar.
    pub(crate) fn expect(&mut self, p: usize, k: usize) {
        self.packets.slots[k].next = NONE;
        let wire = self.arrivals[p];
        if wire.0 == NONE {
            self.arrivals[p] = (k as u32, k as u32);
        } else {
            self.packets.slots[wire.1 as usize].next = k as u32;
            self.arrivals[p].1 = k as u32;
        }
    }

    /// Step 2: the head that has crossed to an output by tick `t`.
    pub(crate) fn take_arrival(&mut self, p: usize, t: T) -> Option<usize> {
        let k = self.arrivals[p].0;
        if k == NONE || self.packets.slots[k as usize].stored > t {
            return None;
        }
        self.arrivals[p].0 = self.packets.slots[k as usize].next;
        Some(k as usize)
    }
}
