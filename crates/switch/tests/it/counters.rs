//! Q of egress ports, and the timers of decisions. Quotations are of the spec page `rsi.md`.

use crate::common::{broken_or_panicked, cases};
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

// What is written in a tick is read from the next on: ports that decide in one tick do not see each
// other.
#[test]
fn what_is_written_in_a_tick_is_read_from_the_next_on() {
    let mut counters = counters(LarCounter::Requests);
    counters.assigned(at(1), 2, Tick(10));
    assert_eq!(counters.read(Tick(10)), [0, 0, 0]);
    counters.assigned(at(1), 1, Tick(10));
    assert_eq!(counters.read(Tick(11)), [0, 3, 0]);
    counters.released(at(1), 2, Tick(11));
    assert_eq!(counters.read(Tick(11)), [0, 3, 0]);
    assert_eq!(counters.read(Tick(500)), [0, 1, 0]);
}

// "`requests` (...: up when a packet is assigned to p, down when its transmission through p starts"
#[test]
fn requests_count_packets_from_assignment_to_start() {
    let mut counters = counters(LarCounter::Requests);
    counters.assigned(at(0), 4, Tick(1));
    counters.assigned(at(2), 1, Tick(1));
    // Heads are nothing to it.
    counters.raised(at(0), 4, Tick(2));
    counters.withdrawn(at(2), 1, Tick(2));
    assert_eq!(counters.read(Tick(3)), [4, 0, 1]);
    counters.released(at(0), 4, Tick(3));
    assert_eq!(counters.read(Tick(4)), [0, 0, 1]);
}

// "`requests+credits` (heads that now request p, plus used credits)": credit is added by who
// decides.
#[test]
fn requests_and_credits_count_heads() {
    let mut counters = counters(LarCounter::RequestsAndCredits);
    counters.raised(at(0), 4, Tick(1));
    counters.raised(at(1), 1, Tick(1));
    counters.assigned(at(2), 4, Tick(2));
    counters.released(at(0), 4, Tick(2));
    assert_eq!(counters.read(Tick(3)), [4, 1, 0]);
    counters.withdrawn(at(0), 4, Tick(3));
    assert_eq!(counters.read(Tick(4)), [0, 1, 0]);
}

// "`credits` (used credits of p)" alone.
#[test]
fn credits_count_nothing_else() {
    let mut counters = counters(LarCounter::Credits);
    counters.assigned(at(0), 4, Tick(1));
    counters.raised(at(1), 4, Tick(1));
    counters.released(at(2), 4, Tick(1));
    counters.withdrawn(at(2), 4, Tick(1));
    assert_eq!(counters.read(Tick(2)), [0, 0, 0]);
    assert_eq!(counters.kind(), LarCounter::Credits);
}

// What is taken from a counter was added to it.
#[test]
fn a_counter_is_never_below_0() {
    let mut counters = counters(LarCounter::Requests);
    counters.assigned(at(0), 1, Tick(1));
    counters.released(at(0), 2, Tick(1));
    assert!(broken_or_panicked(|| counters.read(Tick(2)).to_vec()));
}

proptest! {
    #![proptest_config(cases(200))]

    // Against a plain oracle: the sum of all that was written in earlier ticks.
    #[test]
    fn counters_are_sums_of_earlier_ticks(
        steps in prop::collection::vec((0..3_u64, 0..3_u8, 1..5_u16, any::<bool>()), 1..60),
    ) {
        let mut counters = counters(LarCounter::Requests);
        let (mut now, mut written) = (Tick(0), Vec::<(Tick, usize, i64)>::new());
        for (gap, port, cells, leaves) in steps {
            now = Tick(now.0 + gap);
            let there: i64 = written.iter().filter(|w| w.1 == usize::from(port)).map(|w| w.2).sum();
            let mut change = i64::from(cells);
            if leaves && there >= change {
                counters.released(PortId(port), cells, now);
                change = -change;
            } else {
                counters.assigned(PortId(port), cells, now);
            }
            written.push((now, port.into(), change));
            let read = counters.read(now).to_vec();
            for (port, count) in read.into_iter().enumerate() {
                let earlier = written.iter().filter(|w| w.0 < now && w.1 == port);
                prop_assert_eq!(i64::from(count), earlier.map(|w| w.2).sum::<i64>());
            }
        }
    }
}

// "`head` (decided, and decided again, while the packet is at the head of its queue)": a timer a
// queue, each over when it is taken.
#[test]
fn a_timer_is_taken_in_its_tick_once() {
    let mut decisions = Decisions::default();
    decisions.set(QueueId(3), Tick(20));
    decisions.set(QueueId(1), Tick(20));
    decisions.set(QueueId(0), Tick(21));
    assert_eq!(decisions.take(Tick(19)), None);
    let taken = [0; 3].map(|_| decisions.take(Tick(20)));
    assert_eq!(taken, [Some(QueueId(1)), Some(QueueId(3)), None]);
    assert_eq!(decisions.take(Tick(21)), Some(QueueId(0)));
    assert_eq!(decisions.take(Tick(22)), None);
}

// A new head has a timer of its own; where no head is left there is none.
#[test]
fn a_timer_is_set_anew() {
    let mut decisions = Decisions::default();
    decisions.set(QueueId(0), Tick(20));
    decisions.set(QueueId(0), Tick(30));
    decisions.set(QueueId(1), Tick(30));
    decisions.set(QueueId(1), Tick::MAX);
    assert_eq!(decisions.take(Tick(20)), None);
    let taken = [0; 2].map(|_| decisions.take(Tick(30)));
    assert_eq!(taken, [Some(QueueId(0)), None]);
}
