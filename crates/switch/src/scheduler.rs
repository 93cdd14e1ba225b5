//! Scheduler: the crossbar arbiter. Requests are registers ([`crate::requests`]); here they meet free inputs, free
//! outputs and room.

use crate::config::Organisation;
use crate::env::{Env, Wake};
use crate::params::Params;
use crate::requests::{Class, bits, bits_of};
use crate::switch::{CrossbarGrant, Switch};
use crossbar::{Arbiter, Requests, rotate_pick_words};
use saq::QueueId;
use units::Tick;

impl Switch {
    /// Something changed for `output`: arbitrate for it in the next tick.
    #[inline]
    pub(crate) fn mark_output(&mut self, output: usize, env: &mut impl Env) {
        self.marked |= 1 << output;
        self.arm(env);
    }

    /// Asks for an evaluation of the crossbar in the next tick, once.
    #[inline]
    pub(crate) fn arm(&mut self, env: &mut impl Env) {
        let next = env.now() + 1;
        if self.armed != next {
            self.armed = next;
            env.wake(next, Wake::Crossbar, self.index, 0);
        }
    }

    /// The requests of `input` have become visible in this tick. Returns whether an evaluation is new to this tick.
    #[inline]
    pub fn mark_requests(&mut self, input: usize, now: Tick) -> bool {
        self.marked |= self.requests.outputs(input);
        let new = self.armed != now;
        self.armed = now;
        new
    }

    /// Evaluate: matches requests with free inputs and outputs that have room, normal queues before SAQs. `all` looks at
    /// every output, else only at those marked; both find the same grants, which wait in [`Switch::grants`]. Changes only
    /// registers of the arbiters.
    pub fn evaluate_crossbar(&mut self, params: &Params, all: bool, env: &mut impl Env) {
        let now = env.now();
        let mut outputs = if all { self.ports_mask } else { self.marked } & !self.busy_outputs;
        self.marked = 0;
        if params.config.organisation == Organisation::Iq {
            for output in bits(outputs) {
                if !self.outputs[output].link.open_for_data(now) {
                    outputs &= !(1 << output);
                }
            }
        }
        self.grants.clear();
        self.matching.clear();
        for class in Class::ALL {
            self.gather(params, class, outputs, env);
        }
        for output in bits(self.matching.matched_outputs()) {
            let input = usize::from(self.matching.input_of(output as u8).expect("matched"));
            let queue = self.pick(input, output, now);
            self.grants.push(CrossbarGrant {
                input: input as u8,
                output: output as u8,
                queue,
            });
        }
        // Candidates that the arbiter left aside try again.
        let again = self.candidates & !self.matching.matched_outputs();
        if again != 0 {
            self.marked |= again;
            self.arm(env);
        }
    }

    /// Collects the grantable requests of a class for `outputs` and lets the arbiter extend the matching.
    fn gather(&mut self, params: &Params, class: Class, outputs: u64, env: &mut impl Env) {
        if class == Class::Normal {
            self.candidates = 0;
        } else if params.recn.is_none() {
            return;
        }
        let mut any = 0u64;
        let free = !self.busy_inputs & !self.matching.matched_inputs();
        for output in bits(outputs & !self.matching.matched_outputs()) {
            let mut inputs = 0u64;
            for input in bits(self.requests.inputs(class, output) & free) {
                if self.is_grantable(class, input, output, env) {
                    inputs |= 1 << input;
                }
            }
            self.inputs_of[output] = inputs;
            any |= u64::from(inputs != 0) << output;
        }
        if any == 0 {
            return;
        }
        for output in bits(self.ports_mask & !any) {
            self.inputs_of[output] = 0;
        }
        let arbiter = &mut self.arbiters[class as usize];
        arbiter.arbitrate(
            &Requests {
                inputs_of: &self.inputs_of,
                ages: &self.ages,
            },
            &mut self.matching,
        );
        // What is left has no free input in this tick unless the matching is not maximal.
        let taken = self.matching.matched_inputs();
        for output in bits(any & !self.matching.matched_outputs()) {
            if self.inputs_of[output] & !taken != 0 {
                self.candidates |= 1 << output;
            }
        }
    }

    /// Whether any queue of `class` of `input` may start towards `output` now: head visible, room behind the output.
    /// Registers the age of the oldest for arbiters that read it.
    #[inline]
    fn is_grantable(
        &mut self,
        class: Class,
        input: usize,
        output: usize,
        env: &mut impl Env,
    ) -> bool {
        let now = env.now();
        let mut oldest = Tick::MAX;
        let mut invisible = Tick::MAX;
        for number in bits_of(self.requests.queues(class, input, output)) {
            let head = &self.inputs[input].heads[self.queue_number(class, input, number)];
            if head.visible > now {
                invisible = invisible.min(head.visible);
            } else if self.has_room(output, head.class, head.cells) {
                oldest = oldest.min(head.visible);
                if self.ages.is_empty() {
                    break;
                }
            }
        }
        if oldest == Tick::MAX {
            if invisible != Tick::MAX {
                env.wake(invisible, Wake::Request, self.index, input as u8);
            }
            return false;
        }
        if !self.ages.is_empty() {
            self.ages[input * self.inputs.len() + output] = oldest;
        }
        true
    }

    #[inline]
    fn queue_number(&self, class: Class, input: usize, number: usize) -> usize {
        match class {
            Class::Normal => number,
            Class::Saq => usize::from(self.inputs[input].normal) + number,
        }
    }

    /// Room in the memory behind the crossbar: the output memory, or in `iq` the next input memory.
    #[inline]
    fn has_room(&self, output: usize, class: u16, cells: u16) -> bool {
        let port = &self.outputs[output];
        let credits = if port.room.is_empty() {
            &port.link.credits
        } else {
            &port.room
        };
        credits[usize::from(class)].available() >= u32::from(cells)
    }

    /// The queue of a matched input: normal queues first, round robin within the class; with `oldest-first` the oldest.
    fn pick(&mut self, input: usize, output: usize, now: Tick) -> QueueId {
        for class in Class::ALL {
            let pointer = match class {
                Class::Normal => self.inputs[input].pointer,
                Class::Saq => self.inputs[input].saq_pointer,
            } as usize;
            let words = self.requests.queues(class, input, output);
            let count = words.len() * 64;
            let mut best: Option<(Tick, usize)> = None;
            let mut at = pointer;
            for _ in bits_of(words) {
                let number = rotate_pick_words(words, count, at).expect("a request is left");
                at = number + 1;
                let head = &self.inputs[input].heads[self.queue_number(class, input, number)];
                if head.visible > now || !self.has_room(output, head.class, head.cells) {
                    continue;
                }
                let oldest_first = !self.ages.is_empty();
                if best.is_none_or(|(age, _)| oldest_first && head.visible < age) {
                    best = Some((head.visible, number));
                }
                if !oldest_first {
                    break;
                }
            }
            if let Some((_, number)) = best {
                let queue = self.queue_number(class, input, number) as QueueId;
                let port = &mut self.inputs[input];
                match class {
                    Class::Normal => port.pointer = number as u32 + 1,
                    Class::Saq => port.saq_pointer = number as u32 + 1,
                }
                return queue;
            }
        }
        units::broken(self.inputs[input].unit, now, &"granted without a request")
    }
}
