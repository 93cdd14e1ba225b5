//! Q of egress ports, and the timers of decisions. Quotations are of the spec page `rsi.md`.

use crate::common::cases;
use hierarchy::LarCounter;
use proptest::prelude::*;
use switch::{Decisions, EgressCounters};
use units::{PortId, QueueId, Tick};

const PORTS: usize = 3;

fn counters(kind: LarCounter) -> EgressCounters {
    EgressCounters::new(kind, PORTS)
}

fn at(port: u8) -> PortId {
    PortId(port)
}

// "`requests` (...: up when a packet is assigned to p, down when its transmission through p
// starts", "`credits` (used credits of p)", "`requests+credits` (heads that now request p, plus
// used credits)": credit is added by who decides.
#[test]
fn a_rule_counts_assignments_or_heads_or_neither() {
    let cases = [
        (LarCounter::Requests, [3, 1, 0]),
        (LarCounter::RequestsAndCredits, [0, 1, 5]),
        (LarCounter::Credits, [0; 3]),
    ];
    for (kind, expected) in cases {
        let mut counters = counters(kind);
        counters.assigned(at(0), 4, Tick(1));
        counters.assigned(at(1), 1, Tick(1));
        counters.requested(at(1), 1, Tick(1));
        counters.requested(at(2), 7, Tick(1));
        counters.assigned(at(0), -1, Tick(2));
        counters.requested(at(2), -2, Tick(2));
        assert_eq!(counters.read(Tick(3)), expected);
        assert_eq!(counters.kind(), kind);
    }
}

// What is taken from a counter was added to it.
#[test]
#[should_panic(expected = "what is taken from a counter was added before")]
fn a_counter_is_never_below_0() {
    let mut counters = counters(LarCounter::Requests);
    counters.assigned(at(0), 1, Tick(1));
    counters.assigned(at(0), -2, Tick(1));
    counters.read(Tick(2));
}

proptest! {
    #![proptest_config(cases(200))]

    // What is written in a tick is read from the next on: ports that decide in one tick do not see
    // each other.
    #[test]
    fn counters_are_sums_of_earlier_ticks(
        steps in prop::collection::vec((0..3_u64, 0..3_u8, 1..5_i32, any::<bool>()), 1..60),
    ) {
        let mut counters = counters(LarCounter::Requests);
        let (mut now, mut written) = (Tick(0), Vec::<(Tick, usize, i64)>::new());
        for (gap, port, cells, leaves) in steps {
            now = Tick(now.0 + gap);
            let there: i64 = written.iter().filter(|w| w.1 == usize::from(port)).map(|w| w.2).sum();
            let goes = leaves && there >= i64::from(cells);
            let change = if goes { -cells } else { cells };
            counters.assigned(PortId(port), change, now);
            written.push((now, port.into(), change.into()));
            let read = counters.read(now).to_vec();
            for (port, count) in read.into_iter().enumerate() {
                let earlier = written.iter().filter(|w| w.0 < now && w.1 == port);
                prop_assert_eq!(i64::from(count), earlier.map(|w| w.2).sum::<i64>());
            }
        }
    }
}

// "`head` (decided, and decided again, while the packet is at the head of its queue)": a timer a
// queue, over when it is taken. A new head has one of its own; where no head is left there is none.
#[test]
fn a_timer_is_taken_in_its_tick_once() {
    let mut decisions = Decisions::default();
    for (queue, due) in [(3, 20), (0, 10), (1, 20), (0, 21), (2, 21)] {
        decisions.set(QueueId(queue), Tick(due));
    }
    decisions.set(QueueId(2), Tick::MAX);
    assert_eq!([10, 19].map(|tick| decisions.take(Tick(tick))), [None; 2]);
    let taken = [20, 20, 20, 21, 22].map(|tick| decisions.take(Tick(tick)));
    assert_eq!(taken.map(|queue| queue.map(|q| q.0)), [Some(1), Some(3), None, Some(0), None]);
}
