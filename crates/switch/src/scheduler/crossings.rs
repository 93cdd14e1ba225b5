//! The crossbar's registers: which inputs and outputs are taken, and until when.

use units::bits::ones;
use units::{PortId, Tick};

/// The last transfer from an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Crossing {
    /// Its tail leaves in the tick before: input and output are free again.
    pub end: Tick,
    /// Where to.
    pub output: PortId,
    /// Of the output of the same number: the input that sent the last packet.
    pub(super) sender: Option<PortId>,
}

/// All of a switch.
#[derive(Debug)]
pub(super) struct Crossings {
    pub(super) busy_inputs: u64,
    pub(super) busy_outputs: u64,
    pub(super) by_port: Box<[Crossing]>,
}

impl Crossings {
    pub(super) fn new(ports: usize) -> Crossings {
        let none = Crossing { end: Tick::ZERO, output: PortId(0), sender: None };
        Crossings { busy_inputs: 0, busy_outputs: 0, by_port: vec![none; ports].into() }
    }

    /// A transfer starts, kept in the register of port `at`: see [`super::Scheduler`].
    pub(super) fn start(&mut self, at: PortId, input: PortId, output: PortId, end: Tick) {
        self.by_port[output.index()].sender = Some(input);
        let crossing = &mut self.by_port[at.index()];
        (crossing.end, crossing.output) = (end, output);
        self.busy_inputs |= 1 << at.0;
        self.busy_outputs |= 1 << output.0;
    }

    /// Inputs and outputs of transfers that have ended by `now` are free.
    pub(super) fn free(&mut self, now: Tick) {
        for input in ones(self.busy_inputs) {
            let crossing = &self.by_port[input];
            if crossing.end <= now {
                self.busy_inputs &= !(1 << input);
                self.busy_outputs &= !(1 << crossing.output.0);
            }
        }
    }

    /// The transfers that are under way, by register.
    pub(super) fn under_way(&self) -> impl Iterator<Item = (usize, Crossing)> + '_ {
        ones(self.busy_inputs).map(|at| (at, self.by_port[at]))
    }
}
