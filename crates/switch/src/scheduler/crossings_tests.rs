//! The crossbar's registers against a plain list of transfers.

use super::crossings::Crossings;
use proptest::prelude::*;
use units::{PortId, Span, Tick};

const PORTS: usize = 4;

/// A transfer that was started: from, to, until when; whether its end is waited for.
#[derive(Debug, Clone, Copy)]
struct Plain {
    input: PortId,
    output: PortId,
    end: Tick,
    awaited: bool,
}

fn set(ports: impl Iterator<Item = PortId>) -> u64 {
    ports.fold(0, |set, port| set | 1 << port.0)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None,
        ..ProptestConfig::default() })]

    // "its crossbar input and output stay busy until then": taken from the start until they are
    // freed at the end or later.
    #[test]
    fn ports_are_busy_until_the_end(
        steps in prop::collection::vec((0..PORTS, 0..PORTS, 1..9_u64, any::<bool>()), 0..80),
    ) {
        let mut crossings = Crossings::new(PORTS);
        let mut under_way: Vec<Plain> = Vec::new();
        let mut last: [Option<Plain>; PORTS] = [None; PORTS];
        let mut senders = [None; PORTS];
        let mut now = Tick(1);
        for (input, output, span, wait) in steps {
            let (ended, left): (Vec<_>, Vec<_>) = under_way.iter().partition(|t| t.end <= now);
            under_way = left;
            let awaited = set(ended.iter().filter(|t| t.awaited).map(|t| t.input));
            let found = crossings.free(now);
            prop_assert_eq!(found.is_some(), !ended.is_empty());
            prop_assert_eq!(found.unwrap_or(0), awaited);
            let (input, output) = (PortId::at(input), PortId::at(output));
            let is_free = |t: &Plain| t.input != input && t.output != output;
            if under_way.iter().all(is_free) {
                let end = now + Span(span);
                crossings.start(input, input, output, end);
                let started = Plain { input, output, end, awaited: false };
                under_way.push(started);
                last[input.index()] = Some(started);
                senders[output.index()] = Some(input);
            }
            if wait && let Some(transfer) = under_way.iter_mut().find(|t| t.input == input) {
                let first = !std::mem::replace(&mut transfer.awaited, true);
                let expected = first.then_some((transfer.end, transfer.output));
                prop_assert_eq!(crossings.awaited(input), expected);
            }
            prop_assert_eq!(crossings.busy_inputs(), set(under_way.iter().map(|t| t.input)));
            prop_assert_eq!(crossings.busy_outputs(), set(under_way.iter().map(|t| t.output)));
            for port in (0..PORTS).map(PortId::at) {
                prop_assert_eq!(crossings.last_sender(port), senders[port.index()]);
                let sends = under_way.iter().find(|t| t.output == port).map(|t| t.input);
                prop_assert_eq!(crossings.sender_if_busy(port), sends);
                if let Some(transfer) = last[port.index()] {
                    prop_assert_eq!(crossings.end(port), transfer.end);
                    prop_assert_eq!(crossings.output_of(port), transfer.output);
                }
            }
            now = now.next();
        }
    }
}

// Whoever waits for an end is told of it once.
#[test]
fn an_end_is_asked_for_once() {
    let mut crossings = Crossings::new(PORTS);
    crossings.start(PortId(1), PortId(1), PortId(2), Tick(9));
    assert_eq!(crossings.awaited(PortId(1)), Some((Tick(9), PortId(2))));
    assert_eq!(crossings.awaited(PortId(1)), None);
    crossings.start(PortId(1), PortId(1), PortId(3), Tick(20));
    assert_eq!(crossings.awaited(PortId(1)), Some((Tick(20), PortId(3))));
}

// Until the first end nothing is looked at.
#[test]
fn nothing_is_freed_before_the_first_end() {
    let mut crossings = Crossings::new(PORTS);
    assert_eq!(crossings.free(Tick(100)), None);
    crossings.start(PortId(1), PortId(1), PortId(2), Tick(9));
    crossings.start(PortId(0), PortId(0), PortId(3), Tick(7));
    assert_eq!(crossings.free(Tick(6)), None);
    assert_eq!(crossings.free(Tick(7)), Some(0));
    assert_eq!(
        (crossings.busy_inputs(), crossings.busy_outputs()),
        (0b10, 0b100)
    );
}
