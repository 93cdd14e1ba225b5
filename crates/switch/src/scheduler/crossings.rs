//! The crossbar's registers: which inputs and outputs are taken, and until when.

use bits::ones;
use units::{PortId, Tick};

/// The last transfer from an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Crossing {
    /// Its tail leaves in the tick before: input and output are free again.
    pub end: Tick,
    /// Where to.
    pub output: PortId,
    /// Somebody waits for its input or output: the crossbar is evaluated at its end.
    awaited: bool,
    /// Of the output of the same number: the input that sent the last packet.
    sender: Option<PortId>,
}

/// All of a switch.
#[derive(Debug)]
pub(super) struct Crossings {
    busy_inputs: u64,
    busy_outputs: u64,
    /// No busy input or output is free before this tick.
    next_end: Tick,
    by_port: Box<[Crossing]>,
}

impl Crossings {
    pub(super) fn new(ports: usize) -> Crossings {
        let none = Crossing {
            end: Tick::ZERO,
            output: PortId(0),
            awaited: false,
            sender: None,
        };
        Crossings {
            busy_inputs: 0,
            busy_outputs: 0,
            next_end: Tick::MAX,
            by_port: vec![none; ports].into(),
        }
    }

    #[inline(always)]
    pub(super) fn busy_inputs(&self) -> u64 {
        self.busy_inputs
    }

    #[inline(always)]
    pub(super) fn busy_outputs(&self) -> u64 {
        self.busy_outputs
    }

    /// When the last transfer from `input` ends or ended.
    #[inline(always)]
    pub(super) fn end(&self, input: PortId) -> Tick {
        self.by_port[input.index()].end
    }

    #[inline(always)]
    pub(super) fn output_of(&self, input: PortId) -> PortId {
        self.by_port[input.index()].output
    }

    #[inline(always)]
    pub(super) fn last_sender(&self, output: PortId) -> Option<PortId> {
        self.by_port[output.index()].sender
    }

    /// The input that sends to `output`, if that is taken.
    #[inline(always)]
    pub(super) fn sender_if_busy(&self, output: PortId) -> Option<PortId> {
        if self.busy_outputs >> output.0 & 1 == 0 {
            return None;
        }
        self.last_sender(output)
    }

    /// Somebody waits for the end of the transfer from `input`: when that is, and its output, if
    /// nobody did before.
    #[inline(always)]
    pub(super) fn awaited(&mut self, input: PortId) -> Option<(Tick, PortId)> {
        let crossing = &mut self.by_port[input.index()];
        let first = !std::mem::replace(&mut crossing.awaited, true);
        first.then_some((crossing.end, crossing.output))
    }

    /// A transfer starts, kept in the register of port `at`: see [`super::Scheduler`].
    #[inline(always)]
    pub(super) fn start(&mut self, at: PortId, input: PortId, output: PortId, end: Tick) {
        self.by_port[output.index()].sender = Some(input);
        let crossing = &mut self.by_port[at.index()];
        (crossing.end, crossing.output, crossing.awaited) = (end, output, false);
        self.busy_inputs |= 1 << at.0;
        self.busy_outputs |= 1 << output.0;
        self.next_end = self.next_end.min(end);
    }

    /// Inputs and outputs of transfers that have ended by `now` are free. Of them the inputs, a bit
    /// each, whose end somebody waits for; `None` if none has ended.
    #[inline(always)]
    pub(super) fn free(&mut self, now: Tick) -> Option<u64> {
        if now < self.next_end {
            return None;
        }
        // Without branches: which transfers have ended cannot be foretold.
        let (mut next_end, mut awaited) = (Tick::MAX, 0);
        for input in ones(self.busy_inputs) {
            let crossing = &self.by_port[input];
            let ended = crossing.end <= now;
            next_end = next_end.min(if ended { Tick::MAX } else { crossing.end });
            self.busy_inputs &= !(u64::from(ended) << input);
            self.busy_outputs &= !(u64::from(ended) << crossing.output.0);
            awaited |= u64::from(ended & crossing.awaited) << input;
        }
        self.next_end = next_end;
        Some(awaited)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (PortId, Crossing)> + '_ {
        let crossings = self.by_port.iter().enumerate();
        crossings.map(|(input, &crossing)| (PortId::at(input), crossing))
    }

    /// Asks for the registers ahead of their use.
    #[inline(always)]
    pub(super) fn prefetch(&self) {
        prefetch::first(&self.by_port);
        // Of eight ports all: three lines at the most.
        prefetch::nth(&self.by_port, 3);
    }
}
