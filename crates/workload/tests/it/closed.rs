//! Closed loops: requests that wait for replies to earlier ones.

use super::common::{build, scale};
use proptest::prelude::*;
use std::collections::BinaryHeap;
use units::{Ratio, Span, Tick};
use workload::{Closed, Generator, GroupConfig, Replies, Sources, WorkloadConfig};

/// One source at the given load.
fn group(window: Option<u32>, think_ns: u64, load: Ratio) -> GroupConfig {
    GroupConfig {
        name: "clients".to_owned(),
        load: Some(load),
        destinations: vec![1],
        sources: Sources::List(vec![0]),
        start_ns: 100,
        end_ns: Some(50_000),
        reply_bytes: Some(256),
        window,
        think_ns,
        ..GroupConfig::default()
    }
}

fn generator(group: GroupConfig, seed: u64) -> Generator {
    let config = WorkloadConfig { groups: vec![group], ..WorkloadConfig::default() };
    let mut workload = config.build(4, &scale(1), seed).unwrap();
    workload.generators.remove(0).1
}

// What a group asks for is plain data of its summary.
#[test]
fn replies_are_in_the_summary() {
    let config = WorkloadConfig {
        groups: vec![GroupConfig { reply_delay_ns: 40, ..group(Some(2), 30, Ratio::ONE) }],
        ..WorkloadConfig::default()
    };
    let workload = build(&config, 4).unwrap();
    let replies = Replies {
        bytes: 256,
        delay: Span(40),
        closed: Some(Closed { window: 2, think: Span(30) }),
    };
    let summaries: Vec<_> = workload.summaries.iter().map(|s| s.replies).collect();
    assert_eq!(summaries, [None, Some(replies)]);
}

proptest! {
    #![proptest_config(crate::fixed::fixed(200, 2005))]

    // "window (outstanding requests a source)", "the next request is generated think_ns after a
    // place is free, not before its own arrival time", none after the end: against a plain loop,
    // request k at the later of its arrival and the tick in which a place is free; destinations and
    // lengths are those of the open loop.
    #[test]
    fn a_closed_loop_is_arrivals_held_back(
        window in 1_u32..6, think in 0_u64..300, trip in 1_u64..2_000, seed in any::<u64>(),
        part in 1_u64..6,
    ) {
        let load = Ratio::new(part, 6).unwrap();
        let open: Vec<_> = generator(group(None, 0, load), seed).collect();
        let mut free: BinaryHeap<_> = (0..window).map(|_| std::cmp::Reverse(0)).collect();
        let mut oracle = Vec::new();
        for message in &open {
            let std::cmp::Reverse(place) = free.pop().unwrap();
            let tick = message.tick.0.max(place);
            if tick >= 50_000 {
                break;
            }
            oracle.push((tick, message.destination, message.bytes));
            free.push(std::cmp::Reverse(tick + trip + think));
        }
        let mut closed = generator(group(Some(window), think, load), seed);
        let mut under_way = std::collections::VecDeque::new();
        let mut got = Vec::new();
        loop {
            // Whatever comes first: a reply, or the next request.
            let next = closed.clone().next().map(|message| message.tick);
            let reply = under_way.front().map(|&sent: &Tick| sent + Span(trip));
            match (next, reply) {
                (next, Some(reply)) if next.is_none_or(|next| reply <= next) => {
                    under_way.pop_front();
                    closed.answered(reply);
                }
                (Some(_), _) => {
                    let message = closed.next().unwrap();
                    under_way.push_back(message.tick);
                    got.push((message.tick.0, message.destination, message.bytes));
                }
                (None, _) => break,
            }
        }
        prop_assert_eq!(got, oracle);
    }
}
