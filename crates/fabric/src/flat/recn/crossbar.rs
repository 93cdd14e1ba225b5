//! The crossbar where SAQs request it: normal queues first, then SAQs, one arbiter each.

use crate::flat::{Flat, Mode, T};
use crossbar::{Arbiter, Requests};
use observe::Observer;
use units::PortId;
use units::bits::ones;

impl<M: Mode> Flat<M> {
    /// The head of a SAQ requests an output, or does no more.
    pub(crate) fn set_saq_request(&mut self, p: usize, line: usize, out: usize, on: bool) {
        let port = &self.port[p];
        let (to, s) = (port.first(p) + out, port.element as usize);
        let (input, recn) = (port.number, &mut self.recn);
        let word = &mut recn.saqs_of[recn.pairs[p] as usize + out];
        *word = *word & !(1 << line) | u64::from(on) << line;
        let any = u64::from(*word != 0);
        let requests = &mut recn.requests;
        requests[p].outputs = requests[p].outputs & !(1 << out) | any << out;
        requests[to].inputs = requests[to].inputs & !(1 << input) | any << input;
        let any = u64::from(requests[to].inputs != 0);
        let wanted = &mut recn.switches[s].wanted;
        *wanted = *wanted & !(1 << out) | any << out;
    }

    /// Evaluate and step 1 of a crossbar that SAQs request. Whether anything goes.
    #[inline(never)]
    pub(crate) fn evaluate_with_saqs(
        &mut self,
        observer: &mut impl Observer,
        s: usize,
        t: T,
        overdue: bool,
    ) -> bool {
        if self.rare.multicast {
            return self.evaluate_each_with_saqs(observer, s, t);
        }
        let ports = usize::from(self.switches[s].ports);
        self.scratch.matching[ports].clear();
        let any = self.candidates(observer, s, t, overdue);
        if any != 0 {
            let scratch = &mut self.scratch;
            let requests = Requests {
                inputs_of: &scratch.inputs_of[..ports],
                ages: &scratch.ages[..if self.rare.oldest_first { ports * ports } else { 0 }],
            };
            let arbiter = &mut self.switches[s].arbiter;
            arbiter.arbitrate(&requests, &mut scratch.matching[ports]);
        }
        let normal = self.scratch.matching[ports].matched_outputs();
        let mut left = self.left_aside(any, ports, |flat, output| flat.scratch.inputs_of[output]);
        let taken = self.scratch.matching[ports].matched_inputs();
        let saqs = self.saqs_that_may_go(observer, s, (taken, normal), t, overdue);
        if saqs != 0 {
            let scratch = &mut self.scratch;
            let requests = Requests {
                inputs_of: &self.recn.inputs_of[..ports],
                ages: &scratch.ages[..if self.rare.oldest_first { ports * ports } else { 0 }],
            };
            let arbiter = &mut self.recn.switches[s].arbiter;
            arbiter.arbitrate(&requests, &mut scratch.matching[ports]);
            left |= self.left_aside(saqs, ports, |flat, output| flat.recn.inputs_of[output]);
        }
        let matched = self.scratch.matching[ports].matched_outputs();
        for output in ones(matched) {
            let input = self.scratch.matching[ports].input_of(PortId(output as u8));
            let input = input.expect("matched").index();
            // A normal queue that its arbiter left aside still goes before a SAQ.
            let is_normal = normal >> output & 1 == 1
                || any >> output & 1 == 1 && self.scratch.inputs_of[output] >> input & 1 == 1;
            if is_normal {
                self.granted_apart(observer, s, (input, output), t);
            } else {
                self.granted_to_saq(observer, s, input, output, t);
            }
        }
        for output in ones(any | saqs) {
            self.scratch.inputs_of[output] = 0;
            self.recn.inputs_of[output] = 0;
        }
        if left & !matched != 0 {
            self.ask_crossbar(s, t + 1);
        }
        matched != 0
    }

    /// Of these outputs those that an arbiter left aside though an input was free.
    fn left_aside(&self, any: u64, ports: usize, inputs: impl Fn(&Self, usize) -> u64) -> u64 {
        let matching = &self.scratch.matching[ports];
        let taken = matching.matched_inputs();
        ones(any & !matching.matched_outputs())
            .filter(|&output| inputs(self, output) & !taken != 0)
            .fold(0, |left, output| left | 1 << output)
    }

    /// The same where an input may send to several outputs at once: they do not meet.
    fn evaluate_each_with_saqs(&mut self, observer: &mut impl Observer, s: usize, t: T) -> bool {
        let normal = self.candidates(observer, s, t, false);
        let saqs = self.saqs_that_may_go(observer, s, (0, normal), t, false);
        let mut left = normal | saqs;
        // As they leave an input in one tick: the last output first.
        while left != 0 {
            let output = 63 - left.leading_zeros() as usize;
            left &= !(1 << output);
            if normal >> output & 1 == 1 {
                let inputs = std::mem::take(&mut self.scratch.inputs_of[output]);
                let input = self.oldest(s, output, inputs);
                self.granted_apart(observer, s, (input, output), t);
            } else {
                let inputs = std::mem::take(&mut self.recn.inputs_of[output]);
                let input = self.oldest(s, output, inputs);
                self.granted_to_saq(observer, s, input, output, t);
            }
        }
        normal | saqs != 0
    }

    /// Collects the inputs of which a SAQ may go to each output that the normal queues have left:
    /// outputs that any may go to.
    fn saqs_that_may_go(
        &mut self,
        observer: &mut impl Observer,
        s: usize,
        (inputs_taken, outputs_taken): (u64, u64),
        t: T,
        overdue: bool,
    ) -> u64 {
        let first = self.switches[s].first as usize;
        let taken = self.busy_inputs(&self.switches[s], t) | inputs_taken;
        let wanted = self.recn.switches[s].wanted & !outputs_taken;
        let mut any = 0u64;
        for output in ones(wanted) {
            let port = first + output;
            let mut inputs = self.recn.requests[port].inputs & !taken;
            if inputs == 0 {
                continue;
            }
            if self.crossing[port].end > t {
                self.await_output(s, output);
                continue;
            }
            if self.rare.is_iq && !self.is_open(observer, port, t) {
                continue;
            }
            if overdue {
                inputs &= self.switches[s].waiting.may_go(true, output);
            }
            let mut may = 0u64;
            for input in ones(inputs) {
                let found = self.pick_saq(observer, s, (input, output), t, overdue);
                may |= u64::from(found) << input;
            }
            self.recn.inputs_of[output] = may;
            any |= u64::from(may != 0) << output;
        }
        any
    }

    /// Whether a SAQ of an input may go to an output now; which is kept.
    fn pick_saq(
        &mut self,
        observer: &mut impl Observer,
        s: usize,
        (input, output): (usize, usize),
        t: T,
        overdue: bool,
    ) -> bool {
        let first = self.switches[s].first as usize;
        let (p, port) = (first + input, first + output);
        let pair = self.recn.pairs[p] as usize + output;
        let base = usize::from(self.port[p].ingress_queues);
        let mut word = self.recn.saqs_of[pair];
        if overdue && let Some(queue) = self.switches[s].waiting.holder(true, output, input) {
            word = 1 << (usize::from(queue) - base);
        }
        let (mut found, mut starved) = (None, false);
        let mut from = u32::from(self.recn.pointers[pair]);
        while let Some(line) = units::bits::first_from(word, from, |_| true) {
            word &= !(1 << line);
            from = line as u32 + 1;
            let k = self.queues[self.port[p].ingress as usize + base + line].head as usize;
            let stored = self.packets.slots[k].stored;
            let claimed = overdue && self.is_claimed(s, (input, output), base + line, k, true);
            if claimed || !self.fits(observer, port, k, t) {
                starved = true;
                continue;
            }
            if !self.rare.oldest_first {
                found = Some((line, stored));
                break;
            }
            if found.is_none_or(|(_, oldest)| stored < oldest) {
                found = Some((line, stored));
            }
        }
        let Some((line, age)) = found else {
            if starved {
                self.await_room(port, t);
            }
            return false;
        };
        self.recn.saq_of[pair] = line as u8;
        if self.rare.oldest_first {
            let ports = usize::from(self.switches[s].ports);
            self.scratch.ages[input * ports + output] = age.into();
        }
        true
    }

    /// A SAQ is granted the crossbar, and starts.
    fn granted_to_saq(
        &mut self,
        observer: &mut impl Observer,
        s: usize,
        input: usize,
        output: usize,
        t: T,
    ) {
        let first = self.switches[s].first as usize;
        let p = first + input;
        let pair = self.recn.pairs[p] as usize + output;
        let line = self.recn.saq_of[pair];
        self.recn.pointers[pair] = line + 1;
        let queue = usize::from(self.port[p].ingress_queues) + usize::from(line);
        self.transfer(observer, (s, first), (input, output), queue, t);
    }
}
