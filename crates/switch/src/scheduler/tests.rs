//! Registers of the scheduler against plain lists.

use super::crossings::Crossings;
use super::{Class, RequestRegisters};
use proptest::prelude::*;
use std::collections::BTreeSet;
use units::{PortId, Span, Tick};

const PORTS: usize = 4;

/// Class, input, output, queue.
type Request = (usize, usize, usize, usize);

fn word(ports: usize, holds: impl Fn(usize) -> bool) -> u64 {
    (0..ports).filter(|&port| holds(port)).fold(0, |set, port| set | 1 << port)
}

/// A transfer that was started: from, to, until when.
#[derive(Debug, Clone, Copy)]
struct Plain {
    input: PortId,
    output: PortId,
    end: Tick,
}

fn set(ports: impl Iterator<Item = PortId>) -> u64 {
    ports.fold(0, |set, port| set | 1 << port.0)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None,
        ..ProptestConfig::default() })]

    // An output is requested until the last queue of either class withdraws; "round robin over its
    // queues that request this output" finds the first at or after `start`, cyclic, that may go.
    // What fits a word, just fits it, and just does not.
    #[test]
    fn registers_equal_a_set(
        (ports, queues) in prop_oneof![
            (Just(5_usize), prop_oneof![1_usize..20, 60_usize..70, 130_usize..140]),
            (Just(8), 7_usize..10),
            (Just(1), 63_usize..66),
            (Just(64), 1_usize..3),
        ],
        steps in prop::collection::vec(any::<(bool, bool, usize, usize, usize)>(), 0..80),
        start in 0..140_usize,
        keep in 1..4_usize,
    ) {
        let mut registers = RequestRegisters::new(ports, queues);
        let mut set: BTreeSet<Request> = BTreeSet::new();
        for (raise, saq, input, output, queue) in steps {
            let (input, output) = (input % ports, output % ports);
            let class = Class::ALL[usize::from(saq)];
            let queues = if saq { 64 } else { queues };
            let queue = queue % queues;
            let request = (class as usize, input, output, queue);
            if raise {
                registers.set(class, input, output, queue);
                set.insert(request);
            } else {
                registers.clear(class, input, output, queue);
                set.remove(&request);
            }
            let any = |of: &dyn Fn(&Request) -> bool| set.iter().any(of);
            prop_assert_eq!(registers.requested(), word(ports, |output| any(&|r| r.2 == output)));
            for port in 0..ports {
                let outputs = word(ports, |output| any(&|r| (r.1, r.2) == (port, output)));
                prop_assert_eq!(registers.outputs(port), outputs);
                for class in Class::ALL {
                    let of = |input| any(&|r| (r.0, r.1, r.2) == (class as usize, input, port));
                    prop_assert_eq!(registers.inputs(class, port), word(ports, of));
                }
            }
            let start = start % queues;
            let requests = |queue| set.contains(&(class as usize, input, output, queue));
            let mut scan = (0..queues).map(|step| (start + step) % queues);
            let first = scan.find(|&queue| requests(queue) && queue % keep == 0);
            let found = registers.find((class, input, output), start as u32, |q| q % keep == 0);
            prop_assert_eq!(found, first);
        }
    }

    // "its crossbar input and output stay busy until then": taken from the start until they are
    // freed at the end or later.
    #[test]
    fn ports_are_busy_until_the_end(
        steps in prop::collection::vec((0..PORTS, 0..PORTS, 1..9_u64), 0..80),
    ) {
        let mut crossings = Crossings::new(PORTS);
        let mut under_way: Vec<Plain> = Vec::new();
        let mut senders = [None; PORTS];
        let mut now = Tick(1);
        for (input, output, span) in steps {
            under_way.retain(|t| t.end > now);
            crossings.free(now);
            let (input, output) = (PortId::at(input), PortId::at(output));
            let is_free = |t: &Plain| t.input != input && t.output != output;
            if under_way.iter().all(is_free) {
                let end = now + Span(span);
                crossings.start(input, input, output, end);
                let started = Plain { input, output, end };
                under_way.push(started);
                senders[output.index()] = Some(input);
            }
            prop_assert_eq!(crossings.busy_inputs, set(under_way.iter().map(|t| t.input)));
            prop_assert_eq!(crossings.busy_outputs, set(under_way.iter().map(|t| t.output)));
            for port in (0..PORTS).map(PortId::at) {
                prop_assert_eq!(crossings.by_port[port.index()].sender, senders[port.index()]);
            }
            let mut expected: Vec<_> =
                under_way.iter().map(|t| (t.input.index(), t.output, t.end)).collect();
            expected.sort_unstable();
            let found = crossings.under_way().map(|(at, crossing)| (at, crossing.output, crossing.end));
            prop_assert!(found.eq(expected));
            now = now.next();
        }
    }
}

// A queue that there is not would raise the request of another output.
#[test]
#[should_panic(expected = "queue 3 of 3")]
fn a_queue_that_there_is_not_is_refused() {
    RequestRegisters::new(4, 3).set(Class::Normal, 0, 0, 3);
}
