//! Evaluate: matches requests with free inputs and outputs that have room, normal queues before
//! SAQs. Changes only registers of the arbiters.

use super::{Class, CrossbarGrant, Ports, Scheduler};
use bits::ones;
use crossbar::{Arbiter, Requests};
use units::{PortId, QueueId, Tick};

/// The number of the only bit that is set.
#[inline(always)]
fn single_bit(word: u64) -> Option<usize> {
    (word != 0 && word & (word - 1) == 0).then(|| word.trailing_zeros() as usize)
}

impl Scheduler {
    /// Evaluates the outputs that were marked, or all; both find the same grants.
    ///
    /// ```
    #[doc = include_str!("../of_examples.txt")]
    /// // Heads that are visible from tick 10 on, and room for 8 cells behind each output.
    /// let ports = Standing { head, room: 8 };
    /// let mut scheduler = Scheduler::new(&params(|_| {}), 4, 1, 7);
    /// scheduler.request(PortId(1), QueueId(0), 0, 1 << 3);
    /// scheduler.request(PortId(2), QueueId(0), 0, 1 << 3);
    /// scheduler.evaluate(Tick(9), true, &ports);
    /// assert!(scheduler.grants().is_empty());
    /// scheduler.evaluate(Tick(10), true, &ports);
    /// // An output takes from one input at a time.
    /// let (input, output, queue) = (PortId(1), PortId(3), QueueId(0));
    /// assert_eq!(scheduler.grants(), [CrossbarGrant { input, output, queue }]);
    /// ```
    #[inline(always)]
    pub fn evaluate(&mut self, now: Tick, all: bool, ports: &impl Ports) {
        self.grants.clear();
        if now >= self.waiting.from() {
            return self.evaluate_where_overdue(now, all, ports);
        }
        let outputs = self.outputs_to_evaluate(now, all, ports);
        match single_bit(outputs) {
            Some(output) => {
                if let Some(grant) = self.evaluate_one(PortId(output as u8), now, ports) {
                    self.grants.push(grant);
                }
            }
            None if self.multicast_read => self.evaluate_each(outputs, now, ports),
            None => self.evaluate_many::<false>(outputs, now, ports),
        }
    }

    /// Where heads may be overdue: whatever changes who has reserved what concerns all outputs.
    #[inline(never)]
    fn evaluate_where_overdue(&mut self, now: Tick, all: bool, ports: &impl Ports) {
        let changed = self.reserve(now, ports);
        let outputs = self.outputs_to_evaluate(now, all || changed, ports);
        self.evaluate_many::<true>(outputs, now, ports);
        // Others may reserve now what an overdue head had.
        let frees = |grant: &&CrossbarGrant| {
            let since = ports.head(grant.input, grant.queue).visible;
            self.waiting.overdue_at(since) <= now
        };
        if let Some(output) = self.grants.iter().find(frees).map(|grant| grant.output) {
            let again = self.arm(1 << output.0, now);
            self.again.extend(again);
        }
    }

    /// The outputs that are looked at: free, and in `iq` with a link that is.
    #[inline(always)]
    fn outputs_to_evaluate(&mut self, now: Tick, all: bool, ports: &impl Ports) -> u64 {
        self.free(now);
        // A busy output is looked at again when its transfer ends.
        for output in ones(self.marked & self.crossings.busy_outputs()) {
            let output = PortId(output as u8);
            if let Some(input) = self.crossings.last_sender(output) {
                let again = self.crossings.awaited(self.transfer(input, output));
                self.again.extend(again);
            }
        }
        let marked = if all { self.mask } else { self.marked };
        self.marked = 0;
        ports.open(marked & !self.crossings.busy_outputs())
    }

    /// Where an input may send to several outputs at once, outputs do not meet.
    #[inline(never)]
    fn evaluate_each(&mut self, outputs: u64, now: Tick, ports: &impl Ports) {
        for output in ones(outputs) {
            if let Some(grant) = self.evaluate_one(PortId(output as u8), now, ports) {
                self.grants.push(grant);
            }
        }
    }

    /// `OVERDUE`: heads may have reserved ports.
    #[inline(never)]
    fn evaluate_many<const OVERDUE: bool>(&mut self, outputs: u64, now: Tick, ports: &impl Ports) {
        if outputs == 0 {
            return;
        }
        self.matching.clear();
        let mut again = self.arbitrate::<OVERDUE>(Class::Normal, outputs, now, ports);
        if self.has_saqs {
            again |= self.arbitrate::<OVERDUE>(Class::Saq, outputs, now, ports);
        }
        for output in ones(self.matching.matched_outputs()) {
            let output = PortId(output as u8);
            let input = self.matching.input_of(output).expect("matched");
            let queue = self.queue_of[self.pair(input, output)];
            let grant = self.grant(input, output, queue);
            self.grants.push(grant);
        }
        // Candidates that the arbiter left aside try again.
        again &= !self.matching.matched_outputs();
        if again != 0 {
            let again = self.arm(again, now);
            self.again.extend(again);
        }
        for output in ones(outputs) {
            self.inputs_of[0][output] = 0;
            self.inputs_of[1][output] = 0;
        }
    }

    /// Where one output is looked at nobody else can take an input from it.
    #[inline(always)]
    fn evaluate_one(
        &mut self,
        output: PortId,
        now: Tick,
        ports: &impl Ports,
    ) -> Option<CrossbarGrant> {
        let normal = self.evaluate_class(Class::Normal, output, now, ports);
        if normal.is_some() || !self.has_saqs {
            return normal;
        }
        self.evaluate_saqs(output, now, ports)
    }

    #[inline(never)]
    fn evaluate_saqs(
        &mut self,
        output: PortId,
        now: Tick,
        ports: &impl Ports,
    ) -> Option<CrossbarGrant> {
        self.evaluate_class(Class::Saq, output, now, ports)
    }

    #[inline(always)]
    fn evaluate_class(
        &mut self,
        class: Class,
        output: PortId,
        now: Tick,
        ports: &impl Ports,
    ) -> Option<CrossbarGrant> {
        let (mut inputs, mut last) = (0u64, None);
        let requesting = self.requests.inputs(class, output.index());
        for input in ones(requesting & !self.busy_inputs()) {
            let input = PortId(input as u8);
            if let Some((queue, visible)) = self.grantable(class, input, output, now, ports) {
                inputs |= 1 << input.0;
                last = Some((input, queue));
                self.set_age(input, output, visible);
            }
        }
        let (mut input, mut queue) = last?;
        let granted = match self.arbiters[class as usize].grant_one(output, inputs) {
            Some(granted) => granted,
            None => self.arbitrate_one(class, output, inputs),
        };
        if granted != input {
            let first = self.look_at_heads(class, granted, output, now, ports).first;
            (input, queue) = (granted, first.expect("found before").0);
        }
        Some(self.grant(input, output, queue))
    }

    /// One output by way of a matching.
    #[inline(never)]
    fn arbitrate_one(&mut self, class: Class, output: PortId, inputs: u64) -> PortId {
        self.matching.clear();
        self.inputs_of[class as usize][output.index()] = inputs;
        let requests = Requests {
            inputs_of: &self.inputs_of[class as usize],
            ages: &self.ages,
        };
        self.arbiters[class as usize].arbitrate(&requests, &mut self.matching);
        self.inputs_of[class as usize][output.index()] = 0;
        let input = self.matching.input_of(output);
        input.expect("an arbiter grants the only output that is requested")
    }

    /// Collects the grantable requests of a class for `outputs` and lets the arbiter extend the
    /// matching. The outputs that it left aside: what is left has no free input in this tick unless
    /// the matching is not maximal.
    #[inline(always)]
    fn arbitrate<const OVERDUE: bool>(
        &mut self,
        class: Class,
        outputs: u64,
        now: Tick,
        ports: &impl Ports,
    ) -> u64 {
        let free = !self.crossings.busy_inputs() & !self.matching.matched_inputs();
        let mut any = 0u64;
        for output in ones(outputs & !self.matching.matched_outputs()) {
            let out = PortId(output as u8);
            let mut inputs = 0u64;
            let mut requesting = self.requests.inputs(class, output) & free;
            if OVERDUE {
                requesting &= self.waiting.may_go(class, out);
            }
            for input in ones(requesting) {
                let input = PortId(input as u8);
                if let Some((queue, visible)) = self.grantable(class, input, out, now, ports) {
                    inputs |= 1 << input.0;
                    self.set_age(input, out, visible);
                    // A normal queue that the arbiter left aside still goes before a SAQ.
                    let normal = self.inputs_of[Class::Normal as usize][output];
                    if class == Class::Normal || normal >> input.0 & 1 == 0 {
                        let pair = self.pair(input, out);
                        self.queue_of[pair] = queue;
                    }
                }
            }
            self.inputs_of[class as usize][output] = inputs;
            any |= u64::from(inputs != 0) << output;
        }
        if any == 0 {
            return 0;
        }
        let requests = Requests {
            inputs_of: &self.inputs_of[class as usize],
            ages: &self.ages,
        };
        self.arbiters[class as usize].arbitrate(&requests, &mut self.matching);
        let taken = self.matching.matched_inputs();
        ones(any & !self.matching.matched_outputs())
            .filter(|&o| self.inputs_of[class as usize][o] & !taken != 0)
            .fold(0, |left, o| left | 1 << o)
    }

    /// The queue of a matched pair is granted the crossbar; the round robin of the pair and class
    /// goes on behind it.
    #[inline(always)]
    fn grant(&mut self, input: PortId, output: PortId, queue: QueueId) -> CrossbarGrant {
        let (class, number) = self.class_of(queue);
        if class == Class::Saq || self.shared_outputs {
            let pair = self.pair(input, output);
            self.pointers[pair][class as usize] = number as u16 + 1;
        }
        CrossbarGrant {
            input,
            output,
            queue,
        }
    }
}
