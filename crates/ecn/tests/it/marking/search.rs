//! The counters against the search: what may differ and what may not. The oracle is a switch as a
//! list of packets, which is searched at every event, without counters.

use ecn::marking::{Held, Kind, Marker, Marking};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use std::collections::BTreeSet;
use units::{PortId, Span, Tick};

#[derive(Clone, Debug)]
struct Packet {
    input: usize,
    held: Held,
    /// Found by a search: to be marked.
    searched: bool,
    /// Marked in the buffer by the marker: `naive`.
    at_once: bool,
}

impl Packet {
    fn is_data_waiting(&self) -> bool {
        self.held.kind == Kind::Data && !self.held.sending
    }
}

const INPUTS: usize = 4;
const OUTPUTS: u8 = 3;
const SLOTS: usize = 4;

/// One thing that happens; numbers are taken modulo what is there.
#[derive(Clone, Debug)]
enum Step {
    Arrive { input: usize, output: PortId, kind: Kind },
    Start { output: PortId, which: usize },
    Leave { which: usize },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let output = || (0..OUTPUTS).prop_map(PortId);
    let kind = prop_oneof![4 => Just(Kind::Data), 1 => Just(Kind::Ack)];
    let arrive = (0..INPUTS, output(), kind).prop_map(|(input, output, kind)| Step::Arrive {
        input,
        output,
        kind,
    });
    let start = (output(), 0usize..16).prop_map(|(output, which)| Step::Start { output, which });
    let leave = (0usize..16).prop_map(|which| Step::Leave { which });
    prop::collection::vec(prop_oneof![5 => arrive, 3 => start, 3 => leave], 0..200)
}

/// Marks on an output since its last event.
#[derive(Clone, Default)]
struct Interval {
    /// Waiting at the event.
    found: usize,
    starts: usize,
    counted: usize,
    searched: usize,
}

struct Both {
    rule: Marking,
    is_fifo: bool,
    /// All packets in the input buffers, in the order in which they came.
    packets: Vec<Packet>,
    marker: Marker,
    intervals: Vec<Interval>,
    events: usize,
}

impl Both {
    fn new(rule: Marking, is_fifo: bool) -> Both {
        Both {
            rule,
            is_fifo,
            packets: Vec::new(),
            marker: Marker::new(rule, OUTPUTS, Span::ZERO),
            intervals: vec![Interval::default(); OUTPUTS.into()],
            events: 0,
        }
    }

    /// Places in the list of the packets for which this holds.
    fn places(&self, is: impl Fn(&Packet) -> bool) -> Vec<usize> {
        (0..self.packets.len()).filter(|&at| is(&self.packets[at])).collect()
    }

    fn data_waiting(&self, output: PortId) -> usize {
        self.places(|p| p.held.output == output && p.is_data_waiting()).len()
    }

    fn check_interval(&self, output: PortId) {
        let Interval { found, starts, counted, searched } = self.intervals[output.index()];
        assert_eq!(counted, found.min(starts));
        assert!(searched <= counted);
        assert!(!self.is_fifo || searched == counted);
    }

    /// "cnt2[o] := cnt1[o]": the rule marks all data packets that wait for an output, as "a second
    /// event before it is back at zero copies again". The same number by both.
    fn event(&mut self, output: PortId) {
        let waits = |p: &&mut Packet| p.held.output == output && p.is_data_waiting();
        self.packets.iter_mut().filter(waits).for_each(|packet| packet.searched = true);
        self.events += 1;
        let found = self.data_waiting(output);
        assert_eq!(self.marker.pending(output) as usize, found);
        self.check_interval(output);
        self.intervals[output.index()] = Interval { found, ..Interval::default() };
    }

    fn arrive(&mut self, input: usize, output: PortId, kind: Kind) {
        if self.places(|p| p.input == input).len() == SLOTS {
            return;
        }
        let held = Held { output, kind, sending: false };
        self.packets.push(Packet { input, held, searched: false, at_once: false });
        self.marker.arrived(output, kind, Tick(0));
        // "also when cnt1[o] exceeds `output_threshold` on arrival"; ACKs "do not count in cnt1"
        if let Marking::InputOutputTriggered { output_threshold } = self.rule
            && kind == Kind::Data
            && self.data_waiting(output) > output_threshold as usize
        {
            self.event(output);
        }
        let buffer = self.places(|p| p.input == input);
        if buffer.len() == SLOTS {
            let held: Vec<Held> = buffer.iter().map(|&at| self.packets[at].held).collect();
            let packets = &mut self.packets;
            let mark = |at: usize| packets[buffer[at]].at_once = true;
            self.marker.full(held.iter().copied(), Tick(0), mark);
            match self.rule {
                Marking::None | Marking::Red(_) => {}
                // "mark every packet in buffer i that is not yet being sent"
                Marking::Naive => buffer.iter().for_each(|&at| {
                    self.packets[at].searched |= self.packets[at].is_data_waiting();
                }),
                Marking::InputTriggered | Marking::InputOutputTriggered { .. } => {
                    // "for every output o with a packet in buffer i": an ACK and one that is being
                    // sent are in the buffer like any other.
                    let outputs: BTreeSet<PortId> = held.iter().map(|held| held.output).collect();
                    outputs.into_iter().for_each(|output| self.event(output));
                }
            }
        }
    }

    fn start(&mut self, output: PortId, which: usize) {
        let waiting = self.places(|p| p.held.output == output && !p.held.sending);
        let which = if self.is_fifo { 0 } else { which };
        let Some(&at) = waiting.get(which % waiting.len().max(1)) else {
            return;
        };
        let packet = &mut self.packets[at];
        packet.held.sending = true;
        let marks = self.marker.started(output, packet.held.kind).unwrap();
        // "ACKs ... are never marked"
        if packet.held.kind == Kind::Ack {
            assert!(!marks && !packet.searched);
            return;
        }
        let counted = marks || packet.at_once;
        if self.is_fifo || self.rule == Marking::Naive {
            assert_eq!(counted, packet.searched);
        }
        if self.rule != Marking::Naive {
            let interval = &mut self.intervals[output.index()];
            interval.starts += 1;
            interval.counted += usize::from(counted);
            interval.searched += usize::from(packet.searched);
        }
    }

    fn step(&mut self, step: &Step) {
        match *step {
            Step::Arrive { input, output, kind } => self.arrive(input, output, kind),
            Step::Start { output, which } => self.start(output, which),
            Step::Leave { which } => {
                let sending = self.places(|p| p.held.sending);
                if let Some(&at) = sending.get(which % sending.len().max(1)) {
                    self.packets.remove(at);
                }
            }
        }
        for output in (0..OUTPUTS).map(PortId) {
            let waiting = self.marker.waiting(output);
            assert_eq!(waiting as usize, self.data_waiting(output));
            assert!(self.marker.pending(output) <= waiting);
        }
    }

    /// Everything starts, without another event: then the last events have marked as many.
    fn drain(mut self) -> usize {
        for output in (0..OUTPUTS).map(PortId) {
            for _ in 0..self.packets.len() {
                self.start(output, 5);
            }
            self.check_interval(output);
            assert_eq!(self.marker.pending(output), 0);
            let interval = &self.intervals[output.index()];
            assert_eq!(interval.counted, interval.found);
        }
        self.events
    }
}

fn rules() -> impl Strategy<Value = Marking> {
    prop_oneof![
        Just(Marking::None),
        Just(Marking::Naive),
        Just(Marking::InputTriggered),
        (0u32..6).prop_map(|output_threshold| Marking::InputOutputTriggered { output_threshold }),
    ]
}

proptest! {
    #![proptest_config(crate::fixed::fixed(2000, 2002))]

    // May not differ: cnt1; pending marks of an event; marks on an output between two events where
    // its packets start in the order of arrival, and then the packets that get them. May differ in
    // any other order: which packets get them, and so, if another event comes before all have
    // started, how many, to the side of the counters.
    #[test]
    fn counters_leave_pending_what_a_search_finds(
        rule in rules(),
        is_fifo in any::<bool>(),
        steps in steps(),
    ) {
        let mut both = Both::new(rule, is_fifo);
        for step in &steps {
            both.step(step);
        }
        both.drain();
    }
}

// The steps above do lead to events.
#[test]
fn random_steps_have_events() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut events = 0;
    for _ in 0..50 {
        let tree = steps().new_tree(&mut runner).unwrap();
        let mut both = Both::new(Marking::InputTriggered, false);
        for step in &tree.current() {
            both.step(step);
        }
        events += both.drain();
    }
    assert!(events > 500, "{events}");
}
