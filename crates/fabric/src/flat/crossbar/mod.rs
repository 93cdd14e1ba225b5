//! The crossbar of a switch: stores at inputs, requests, arbitration, transfers.

mod heads;
mod room;
mod transfer;

use super::waiting::Waiting;
use super::{Flat, Kind, Mode, NONE, T};
use crossbar::{AnyArbiter, Arbiter, Matching, Requests};
use observe::Observer;
use units::PortId;
use units::bits::ones;
use wide::i32x8;

/// Inputs of which it is asked at once whether they send.
pub(crate) const LANES: usize = 8;

/// Registers of a crossbar; in the first cache line what an evaluation reads.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Switch {
    /// Number of its port 0.
    pub(crate) first: u32,
    /// It is looked at then: the tick asked for last.
    asked: T,
    pub(crate) ports: u8,
    /// It is looked at in the present tick.
    marked: bool,
    /// Outputs at whose end of transfer it is looked at.
    awaited: u64,
    /// Outputs that any visible head requests.
    pub(crate) wanted: u64,
    pub(crate) waiting: Waiting,
    /// By class the longest that a head has requested.
    pub(crate) longest: [T; 2],
    pub(crate) arbiter: AnyArbiter,
}

// `Waiting::from`, which is first there, is in that line.
const _: () = assert!(std::mem::offset_of!(Switch, waiting) <= 60);

/// By port what the crossbar knows of it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Crossing {
    /// As an output: it is free from this tick on, when its transfer ends.
    pub(crate) end: T,
    /// As an output: the input that sends or sent.
    pub(crate) sender: u8,
    /// As an input: the output that it sends or sent to.
    pub(crate) output: u8,
    /// As an output: cells of the packet that comes or came.
    pub(crate) cells: u16,
    /// As an output: inputs with a visible head that requests it.
    pub(crate) inputs: u64,
    /// As an input: outputs that visible heads request.
    pub(crate) outputs: u64,
}

/// An input of a switch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Input {
    pub(crate) port: usize,
    /// Port 0 of the switch.
    pub(crate) first: usize,
    pub(crate) switch: usize,
    pub(crate) number: u8,
    /// Its queues, SAQs not counted.
    pub(crate) queues: u16,
}

impl Switch {
    pub(crate) fn new(first: usize, ports: usize, arbiter: AnyArbiter, waiting: Waiting) -> Switch {
        Switch {
            first: first as u32,
            ports: ports as u8,
            marked: false,
            asked: NONE,
            awaited: 0,
            wanted: 0,
            longest: [0; 2],
            waiting,
            arbiter,
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

impl<M: Mode> Flat<M> {
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

    /// Inputs of a switch that send in tick `t`, if each sends to one output at a time; bits beyond
    /// its ports mean nothing.
    #[inline(always)]
    pub(crate) fn busy_inputs(&self, switch: &Switch, t: T) -> u64 {
        let (lanes, _) = self.sends_until[switch.first as usize..].as_chunks::<LANES>();
        let of_eight = |at: usize| {
            // No two ticks are 2^31 apart ([`crate::flat::TICKS_MAX`]): the sign has the answer.
            let left = i32x8::from(lanes[at].map(|until| until as i32)) - i32x8::splat(t as i32);
            u64::from(left.simd_gt(i32x8::ZERO).to_bitmask()) << (at * LANES)
        };
        (1..usize::from(switch.ports).div_ceil(LANES))
            .fold(of_eight(0), |busy, at| busy | of_eight(at))
    }

    /// Evaluate and step 1 of a crossbar.
    #[inline(always)]
    pub(crate) fn evaluate(&mut self, observer: &mut impl Observer, s: usize, t: T) {
        self.switches[s].marked = false;
        if t >= self.switches[s].waiting.from {
            return self.evaluate_where_overdue(observer, s, t);
        }
        if self.rare.saqs && self.recn.switches[s].wanted != 0 {
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
        let busy_inputs = self.busy_inputs(switch, t);
        let mut any = 0u64;
        for output in ones(wanted) {
            let crossing = &self.crossing[first + output];
            let mut inputs = crossing.inputs & !busy_inputs;
            if inputs == 0 {
                continue;
            }
            if crossing.end > t {
                self.await_output(s, output);
                continue;
            }
            let port = first + output;
            if self.rare.is_iq && !self.is_open(observer, port, t) {
                continue;
            }
            if overdue {
                inputs &= self.switches[s].waiting.may_go(false, output);
            }
            let mut may = 0u64;
            for input in ones(inputs) {
                may |= u64::from(self.pick(observer, (s, first), (input, output), t, overdue))
                    << input;
            }
            self.scratch.inputs_of[output] = may;
            any |= if may != 0 { 1 << output } else { 0 };
        }
        any
    }

    /// Matches, and starts what was granted. `any`: outputs that anybody may go to.
    #[inline(always)]
    pub(crate) fn arbitrate(&mut self, observer: &mut impl Observer, s: usize, any: u64, t: T) {
        if any & (any - 1) == 0 {
            let output = any.trailing_zeros() as usize;
            let inputs = std::mem::take(&mut self.scratch.inputs_of[output]);
            let granted = self.switches[s].arbiter.grant_one(PortId(output as u8), inputs);
            if let Some(input) = granted {
                return self.granted(observer, s, (input.index(), output), t);
            }
            self.scratch.inputs_of[output] = inputs;
        }
        self.arbitrate_many(observer, s, any, t);
    }

    /// An input may send to several outputs at once: they do not meet.
    fn arbitrate_each(&mut self, observer: &mut impl Observer, s: usize, any: u64, t: T) {
        let mut left = any;
        // As they leave an input in one tick: the last output first.
        while left != 0 {
            let output = 63 - left.leading_zeros() as usize;
            left &= !(1 << output);
            let inputs = std::mem::take(&mut self.scratch.inputs_of[output]);
            let input = self.oldest(s, output, inputs);
            self.granted_apart(observer, s, (input, output), t);
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

    /// As [`Flat::arbitrate`], whatever arbiter and outputs there are.
    #[inline(never)]
    pub(crate) fn arbitrate_many(
        &mut self,
        observer: &mut impl Observer,
        s: usize,
        any: u64,
        t: T,
    ) {
        if self.rare.multicast {
            return self.arbitrate_each(observer, s, any, t);
        }
        let ports = usize::from(self.switches[s].ports);
        let scratch = &mut self.scratch;
        let matching = &mut scratch.matching[ports];
        matching.clear();
        let requests = Requests {
            inputs_of: &scratch.inputs_of[..ports],
            ages: &scratch.ages[..if self.rare.oldest_first { ports * ports } else { 0 }],
        };
        self.switches[s].arbiter.arbitrate(&requests, matching);
        let taken = matching.matched_inputs();
        let (mut left, mut rest) = (false, any);
        while rest != 0 {
            let output = self.next_to_start(rest);
            rest &= !(1 << output);
            let inputs = std::mem::take(&mut self.scratch.inputs_of[output]);
            match self.scratch.matching[ports].input_of(PortId(output as u8)) {
                Some(input) => self.granted_apart(observer, s, (input.index(), output), t),
                None => left |= inputs & !taken != 0,
            }
        }
        if left {
            self.ask_crossbar(s, t + 1);
        }
    }
}
