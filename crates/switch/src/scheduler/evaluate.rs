//! Evaluate: matches requests with free inputs and outputs that have room, normal queues before
//! SAQs. Changes only registers of the arbiters.

use super::{Class, CrossbarGrant, Ports, Scheduler};
use crossbar::{Arbiter, Requests};
use units::bits::ones;
use units::{PortId, Tick};

impl Scheduler {
    /// Evaluates all outputs.
    ///
    /// ```
    #[doc = include_str!("../of_examples.txt")]
    /// // Heads that are visible from tick 10 on, and room for 8 cells behind each output.
    /// let ports = Standing { head, room: 8 };
    /// let mut scheduler = Scheduler::new(&params(|_| {}), 4, 1, 7);
    /// scheduler.request(PortId(1), QueueId(0), PortId(3));
    /// scheduler.request(PortId(2), QueueId(0), PortId(3));
    /// scheduler.evaluate(Tick(9), &ports);
    /// assert!(scheduler.take_grant().is_none());
    /// scheduler.evaluate(Tick(10), &ports);
    /// // An output takes from one input at a time.
    /// let (input, output, queue) = (PortId(1), PortId(3), QueueId(0));
    /// assert_eq!(scheduler.take_grant(), Some(CrossbarGrant { input, output, queue }));
    /// ```
    pub fn evaluate(&mut self, now: Tick, ports: &impl Ports) {
        self.grants.clear();
        self.crossings.free(now);
        let any_overdue = self.reserve(now, ports);
        let requested = self.requests.requested();
        let outputs = ports.open(requested & !self.crossings.busy_outputs);
        if outputs == 0 {
            return;
        }
        if self.multicast_read && !any_overdue {
            // Outputs do not meet, since an input may send to several.
            for output in ones(outputs) {
                self.match_outputs(1 << output, now, ports);
            }
        } else {
            self.match_outputs(outputs, now, ports);
        }
    }

    /// Matches inputs with these outputs, of each class in turn.
    fn match_outputs(&mut self, outputs: u64, now: Tick, ports: &impl Ports) {
        self.matching.clear();
        for class in Class::ALL {
            self.arbitrate(class, outputs, now, ports);
        }
        for output in ones(self.matching.matched_outputs()).map(PortId::at) {
            let input = self.matching.input_of(output).expect("matched");
            let pair = self.pair(input, output);
            let queue = self.queue_of[pair];
            let (class, number) = self.class_of(queue);
            // The round robin of the pair and class goes on behind it.
            if class == Class::Saq || self.shared_outputs {
                self.pointers[pair][class as usize] = number as u16 + 1;
            }
            self.grants.push(CrossbarGrant { input, output, queue });
        }
        for output in ones(outputs) {
            self.inputs_of[0][output] = 0;
            self.inputs_of[1][output] = 0;
        }
    }

    /// Collects the grantable requests of a class for `outputs`; the arbiter extends the matching.
    fn arbitrate(&mut self, class: Class, outputs: u64, now: Tick, ports: &impl Ports) {
        let free = !self.busy_inputs() & !self.matching.matched_inputs();
        let mut any = false;
        for output in ones(outputs & !self.matching.matched_outputs()) {
            let out = PortId(output as u8);
            let requesting = self.requests.inputs(class, output) & free;
            let mut inputs = 0u64;
            for input in ones(requesting & self.waiting.may_go(class, out)) {
                let input = PortId(input as u8);
                if let Some((queue, age)) = self.grantable(class, input, out, now, ports) {
                    inputs |= 1 << input.0;
                    let pair = self.pair(input, out);
                    if self.oldest_first {
                        self.ages[pair] = age.0;
                    }
                    // A normal queue that the arbiter left aside still goes before a SAQ.
                    let normal = self.inputs_of[Class::Normal as usize][output];
                    if class == Class::Normal || normal >> input.0 & 1 == 0 {
                        self.queue_of[pair] = queue;
                    }
                }
            }
            self.inputs_of[class as usize][output] = inputs;
            any |= inputs != 0;
        }
        if any {
            let requests =
                Requests { inputs_of: &self.inputs_of[class as usize], ages: &self.ages };
            self.arbiters[class as usize].arbitrate(&requests, &mut self.matching);
        }
    }
}
