//! The crossbar's registers against a plain list of transfers.

use super::crossings::Crossings;
use proptest::prelude::*;
use units::{PortId, Span, Tick};

const PORTS: usize = 4;

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
            prop_assert_eq!(crossings.busy_inputs(), set(under_way.iter().map(|t| t.input)));
            prop_assert_eq!(crossings.busy_outputs(), set(under_way.iter().map(|t| t.output)));
            for port in (0..PORTS).map(PortId::at) {
                prop_assert_eq!(crossings.last_sender(port), senders[port.index()]);
                for to in (0..PORTS).map(PortId::at) {
                    let taken = under_way.iter().filter(|t| t.input == port || t.output == to);
                    let end = taken.map(|t| t.end).max();
                    let found = crossings.free_from(port, to);
                    prop_assert_eq!(end.filter(|end| *end > now), Some(found).filter(|f| *f > now));
                }
            }
            now = now.next();
        }
    }
}
