//! The unit: registers of one switch, by output.

use thiserror::Error;
use units::draw::Stream;
use units::{PortId, Span, Tick};

use super::{Marking, WaitsUntil};

/// What a packet is to the marker.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// May be marked, and counts as waiting.
    Data,
    /// ACK or CNP: takes a slot, is never marked and does not count as waiting.
    Ack,
}

/// A packet in an input buffer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Held {
    /// The output that it is for.
    pub output: PortId,
    /// Data or ACK.
    pub kind: Kind,
    /// Its transmission has started.
    pub sending: bool,
}

/// A broken invariant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum MarkerError {
    /// A data packet starts that never arrived.
    #[error("a data packet starts on output {output} for which none waits")]
    NoneWaits {
        /// The output.
        output: PortId,
    },
}

/// Registers of an output.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
struct Output {
    /// cnt1: data packets in the switch that wait for it.
    waiting: u32,
    /// cnt2: of the next packets that start on it, how many are marked. Never more than `waiting`,
    /// if packets wait until they start.
    pending: u32,
    /// Its link is blocked now.
    is_blocked: bool,
    /// When its link was last blocked and is not now.
    blocked_until: Option<Tick>,
}

/// The marker of a switch: `ecn.marking` (spec: ecn.md, Marking).
///
/// Events of one tick come one after the other; what the rule makes of them depends on that order,
/// which is the switch's: of an arriving packet [`arrived`](Self::arrived) before
/// [`full`](Self::full). An output that there is not panics.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Marker {
    marking: Marking,
    /// No marks for a link that was blocked within so long; 0: marks whatever the link.
    calm: Span,
    waits_until: WaitsUntil,
    outputs: Box<[Output]>,
    /// For results: how often a buffer was full, and how often no marks were pending then.
    events: [u64; 2],
    /// For results: data packets that waited in a buffer when it was full, over all events.
    waited: u64,
}

impl Marker {
    /// A switch of so many outputs in which nothing waits. `calm`: an event marks no packets for a
    /// link that is blocked or was within so long; 0 turns this off.
    pub fn new(marking: Marking, outputs: u8, calm: Span) -> Marker {
        Marker {
            marking,
            calm,
            waits_until: WaitsUntil::Start,
            outputs: vec![Output::default(); outputs.into()].into(),
            events: [0; 2],
            waited: 0,
        }
    }

    /// The same, with cnt1 falling when a packet has started, or has ended.
    #[must_use]
    pub fn with_waits_until(self, waits_until: WaitsUntil) -> Marker {
        Marker { waits_until, ..self }
    }

    /// A packet is in an input buffer and its forwarding delay has ended: it waits for its output.
    /// With `input-output-triggered` and more waiting now than the threshold, as many marks are
    /// pending.
    pub fn arrived(&mut self, output: PortId, kind: Kind, now: Tick) {
        if kind == Kind::Ack {
            return;
        }
        let calm = self.is_calm(output, now);
        let registers = &mut self.outputs[output.index()];
        registers.waiting += 1;
        if let Marking::InputOutputTriggered { output_threshold } = self.marking
            && registers.waiting > output_threshold
            && calm
        {
            registers.pending = registers.waiting;
        }
    }

    /// An arriving packet has made an input buffer full, and its forwarding delay has ended. `held`
    /// is what the buffer holds now, that packet included. With `naive` `mark` gets the places in
    /// `held` of the packets to mark; by the other rules nothing is marked at once.
    ///
    /// With the counting rules any packet in the buffer counts for its output, an ACK and one that
    /// is being sent too.
    pub fn full(
        &mut self,
        held: impl IntoIterator<Item = Held>,
        now: Tick,
        mut mark: impl FnMut(usize),
    ) {
        let (mut at_rest, mut copied) = (true, 0_u64);
        for (at, packet) in held.into_iter().enumerate() {
            self.waited += u64::from(packet.kind == Kind::Data && !packet.sending);
            if !self.is_calm(packet.output, now) {
                continue;
            }
            match self.marking {
                Marking::Naive if packet.kind == Kind::Data && !packet.sending => mark(at),
                Marking::InputTriggered | Marking::InputOutputTriggered { .. } => {
                    let registers = &mut self.outputs[packet.output.index()];
                    let bit = 1 << packet.output.index();
                    at_rest &= registers.pending == 0 || copied & bit != 0;
                    copied |= bit;
                    registers.pending = registers.waiting;
                }
                _ => {}
            }
        }
        self.events[0] += 1;
        self.events[1] += u64::from(at_rest);
    }

    /// A packet starts on an output: whether it is marked by a counting rule. A mark that it has
    /// already (`naive`, `red`, an earlier switch) stays.
    ///
    /// Between two events of an output min(waiting at the first, started since) packets are marked:
    /// those that a search at the event finds if they start in the order in which they came, else
    /// as many or more, since a younger one may take the mark.
    ///
    /// # Errors
    /// If no data packet waits for the output.
    pub fn started(&mut self, output: PortId, kind: Kind) -> Result<bool, MarkerError> {
        if kind == Kind::Ack {
            return Ok(false);
        }
        let registers = &mut self.outputs[output.index()];
        let Some(waiting) = registers.waiting.checked_sub(1) else {
            return Err(MarkerError::NoneWaits { output });
        };
        if self.waits_until == WaitsUntil::Start {
            registers.waiting = waiting;
        }
        let marks = registers.pending > 0;
        registers.pending -= u32::from(marks);
        Ok(marks)
    }

    /// The tail of a packet that has started on an output has left: nothing, unless packets wait
    /// until then.
    ///
    /// # Errors
    /// If no data packet waits for the output.
    pub fn ended(&mut self, output: PortId, kind: Kind) -> Result<(), MarkerError> {
        if kind == Kind::Data && self.waits_until == WaitsUntil::End {
            let registers = &mut self.outputs[output.index()];
            let waiting = registers.waiting.checked_sub(1);
            registers.waiting = waiting.ok_or(MarkerError::NoneWaits { output })?;
        }
        Ok(())
    }

    /// A packet is stored in an egress queue that holds so many bytes, the packet not among them:
    /// whether `red` marks it.
    #[must_use]
    pub fn stored(
        &self,
        output: PortId,
        kind: Kind,
        queued_bytes: u64,
        now: Tick,
        stream: &mut Stream,
    ) -> bool {
        match (&self.marking, kind) {
            (Marking::Red(red), Kind::Data) if self.is_calm(output, now) => {
                red.draws(queued_bytes, stream)
            }
            _ => false,
        }
    }

    /// Flow control keeps the link of an output from sending what waits for it.
    pub fn blocked(&mut self, output: PortId) {
        self.outputs[output.index()].is_blocked = true;
    }

    /// The link may send again. Nothing, if it was not blocked.
    pub fn unblocked(&mut self, output: PortId, now: Tick) {
        let registers = &mut self.outputs[output.index()];
        if registers.is_blocked {
            registers.is_blocked = false;
            registers.blocked_until = Some(now);
        }
    }

    /// cnt1: data packets that wait for an output.
    pub fn waiting(&self, output: PortId) -> u32 {
        self.outputs[output.index()].waiting
    }

    /// cnt2: how many of the next data packets on an output are marked.
    pub fn pending(&self, output: PortId) -> u32 {
        self.outputs[output.index()].pending
    }

    /// How often a buffer was full so far, and how often none of the outputs wanted in it had
    /// pending marks.
    pub fn events(&self) -> [u64; 2] {
        self.events
    }

    /// Data packets that were in the full buffer and not being sent, over all
    /// [`events`](Self::events): what a search of that buffer would mark.
    pub fn waited_at_events(&self) -> u64 {
        self.waited
    }

    /// The rule, with what it needs.
    pub fn marking(&self) -> &Marking {
        &self.marking
    }

    /// Whether packets for an output may be marked, as to when its link was blocked.
    fn is_calm(&self, output: PortId, now: Tick) -> bool {
        let registers = &self.outputs[output.index()];
        let recently = |until| now.since(until) <= self.calm;
        self.calm.is_zero()
            || !(registers.is_blocked || registers.blocked_until.is_some_and(recently))
    }
}
