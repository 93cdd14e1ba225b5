//! The counters against the search: what may differ and what may not. The oracle is a switch as a
//! list of packets, which is searched at every event, without counters.

use ecn::marking::{Held, Kind, Marker, Marking};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use std::collections::BTreeSet;
use units::{PortId, Span, Tick};

#[derive(Clone, Debug)]
struct Packet {
    number: usize,
    input: usize,
    output: PortId,
    kind: Kind,
    sending: bool,
    /// Found by a search: to be marked.
    marked: bool,
}

/// All packets in the input buffers, in the order in which they came.
#[derive(Clone, Debug, Default)]
struct Scan {
    packets: Vec<Packet>,
    arrivals: usize,
}

impl Scan {
    /// A packet arrives; how many packets its buffer holds now.
    fn arrive(&mut self, input: usize, output: PortId, kind: Kind) -> usize {
        self.packets.push(Packet {
            number: self.arrivals,
            input,
            output,
            kind,
            sending: false,
            marked: false,
        });
        self.arrivals += 1;
        self.stored(input)
    }

    fn stored(&self, input: usize) -> usize {
        self.packets.iter().filter(|p| p.input == input).count()
    }

    /// What a buffer holds, with the numbers of the packets.
    fn held(&self, input: usize) -> Vec<(usize, Held)> {
        let there = self.packets.iter().filter(|p| p.input == input);
        there
            .map(|p| {
                let (output, kind, sending) = (p.output, p.kind, p.sending);
                (p.number, Held { output, kind, sending })
            })
            .collect()
    }

    /// Places in the list of the packets that wait for an output.
    fn waiting(&self, output: PortId) -> Vec<usize> {
        let all = self.packets.iter().enumerate();
        all.filter(|(_, p)| p.output == output && !p.sending).map(|(at, _)| at).collect()
    }

    /// Marks all data packets that wait for an output.
    fn mark_all(&mut self, output: PortId) {
        for packet in &mut self.packets {
            packet.marked |=
                packet.output == output && !packet.sending && packet.kind == Kind::Data;
        }
    }

    fn full(&mut self, rule: &Marking, input: usize) {
        match rule {
            Marking::Naive => {
                for packet in self.packets.iter_mut().filter(|p| p.input == input) {
                    packet.marked |= !packet.sending && packet.kind == Kind::Data;
                }
            }
            Marking::InputTriggered | Marking::InputOutputTriggered { .. } => {
                for (_, held) in self.held(input) {
                    self.mark_all(held.output);
                }
            }
            Marking::None | Marking::Red(_) => {}
        }
    }

    fn data_waiting(&self, output: PortId) -> usize {
        let all = self.waiting(output).into_iter();
        all.filter(|&at| self.packets[at].kind == Kind::Data).count()
    }
}

const INPUTS: usize = 4;
const OUTPUTS: u8 = 3;
const SLOTS: usize = 4;

/// One thing that happens; numbers are taken modulo what is there.
#[derive(Clone, Debug)]
enum Step {
    Arrive { input: usize, output: u8, is_ack: bool },
    Start { output: u8, which: usize },
    Leave { which: usize },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let arrive = (0..INPUTS, 0..OUTPUTS, prop::bool::weighted(0.2))
        .prop_map(|(input, output, is_ack)| Step::Arrive { input, output, is_ack });
    let start = (0..OUTPUTS, 0usize..16).prop_map(|(output, which)| Step::Start { output, which });
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

impl Interval {
    fn check(&self, is_fifo: bool) {
        assert_eq!(self.counted, self.found.min(self.starts));
        assert!(self.searched <= self.counted);
        assert!(!is_fifo || self.searched == self.counted);
    }
}

struct Both {
    rule: Marking,
    is_fifo: bool,
    scan: Scan,
    marker: Marker,
    /// Marked in the buffer by the marker: `naive`.
    at_once: BTreeSet<usize>,
    intervals: Vec<Interval>,
    events: usize,
}

impl Both {
    fn new(rule: Marking, is_fifo: bool) -> Both {
        Both {
            rule,
            is_fifo,
            scan: Scan::default(),
            marker: Marker::new(rule, OUTPUTS, Span::ZERO),
            at_once: BTreeSet::new(),
            intervals: vec![Interval::default(); OUTPUTS.into()],
            events: 0,
        }
    }

    /// The rule marks all that waits for an output: the same number by both.
    fn event(&mut self, output: PortId) {
        self.events += 1;
        let found = self.scan.data_waiting(output);
        assert_eq!(self.marker.pending(output) as usize, found);
        let interval = &mut self.intervals[output.index()];
        interval.check(self.is_fifo);
        *interval = Interval { found, ..Interval::default() };
    }

    fn arrive(&mut self, input: usize, output: PortId, kind: Kind) {
        if self.scan.stored(input) == SLOTS {
            return;
        }
        let stored = self.scan.arrive(input, output, kind);
        self.marker.arrived(output, kind, Tick(0));
        if let Marking::InputOutputTriggered { output_threshold } = self.rule
            && kind == Kind::Data
            && self.scan.data_waiting(output) > output_threshold as usize
        {
            self.scan.mark_all(output);
            self.event(output);
        }
        if stored == SLOTS {
            let held = self.scan.held(input);
            let at_once = &mut self.at_once;
            self.marker.full(held.iter().map(|(_, h)| *h), Tick(0), |at| {
                at_once.insert(held[at].0);
            });
            self.scan.full(&self.rule, input);
            let outputs: BTreeSet<PortId> = held.iter().map(|(_, h)| h.output).collect();
            let counts = !matches!(self.rule, Marking::None | Marking::Naive);
            for output in outputs.into_iter().filter(|_| counts) {
                self.event(output);
            }
        }
    }

    fn start(&mut self, output: PortId, which: usize) {
        let waiting = self.scan.waiting(output);
        let Some(&at) = waiting.get(which % waiting.len().max(1)) else {
            return;
        };
        let packet = &mut self.scan.packets[at];
        packet.sending = true;
        let marks = self.marker.started(output, packet.kind).unwrap();
        if packet.kind == Kind::Ack {
            assert!(!marks && !packet.marked);
            return;
        }
        let counted = marks || self.at_once.contains(&packet.number);
        if self.is_fifo || self.rule == Marking::Naive {
            assert_eq!(counted, packet.marked);
        }
        if self.rule != Marking::Naive {
            let interval = &mut self.intervals[output.index()];
            interval.starts += 1;
            interval.counted += usize::from(counted);
            interval.searched += usize::from(packet.marked);
        }
    }

    fn step(&mut self, step: &Step) {
        match *step {
            Step::Arrive { input, output, is_ack } => {
                let kind = if is_ack { Kind::Ack } else { Kind::Data };
                self.arrive(input, PortId(output), kind);
            }
            Step::Start { output, which } => {
                self.start(PortId(output), if self.is_fifo { 0 } else { which });
            }
            Step::Leave { which } => {
                let all = self.scan.packets.iter().enumerate();
                let sending: Vec<usize> =
                    all.filter(|(_, p)| p.sending).map(|(at, _)| at).collect();
                if let Some(&at) = sending.get(which % sending.len().max(1)) {
                    self.scan.packets.remove(at);
                }
            }
        }
        for output in (0..OUTPUTS).map(PortId) {
            let waiting = self.marker.waiting(output);
            assert_eq!(waiting as usize, self.scan.data_waiting(output));
            assert!(self.marker.pending(output) <= waiting);
        }
    }

    /// Everything starts, without another event: then the last events have marked as many.
    fn drain(mut self) -> usize {
        for output in (0..OUTPUTS).map(PortId) {
            while !self.scan.waiting(output).is_empty() {
                self.start(output, if self.is_fifo { 0 } else { 5 });
            }
            let interval = &self.intervals[output.index()];
            interval.check(self.is_fifo);
            assert_eq!(self.marker.pending(output), 0);
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
