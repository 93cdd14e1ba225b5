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

// "window (outstanding requests a source)": no more than that without a reply.
#[test]
fn a_window_lets_so_many_requests_out() {
    let mut closed = generator(group(Some(3), 0, Ratio::ONE), 1);
    assert_eq!(closed.by_ref().count(), 3);
    assert_eq!(closed.next(), None);
    closed.answered(Tick(5_000));
    assert!(closed.by_ref().map(|message| message.tick).eq([Tick(5_000)]));
}

// "the next request is generated think_ns after a place is free, not before its own arrival time".
#[test]
fn the_next_request_waits_for_the_time_to_think_and_for_its_arrival() {
    let load = Ratio::new(1, 100).unwrap();
    let arrivals: Vec<Tick> =
        generator(group(None, 0, load), 1).map(|message| message.tick).collect();
    let mut closed = generator(group(Some(1), 50, load), 1);
    assert_eq!(closed.next().unwrap().tick, arrivals[0]);
    closed.answered(arrivals[1] - Span(60));
    assert_eq!(closed.next().unwrap().tick, arrivals[1]);
    closed.answered(arrivals[2] + Span(7));
    assert_eq!(closed.next().unwrap().tick, arrivals[2] + Span(57));
}

// No request is generated after the end of its group, whatever is answered.
#[test]
fn a_reply_after_the_end_makes_no_request() {
    let mut closed = generator(group(Some(1), 0, Ratio::ONE), 1);
    closed.next();
    closed.answered(Tick(49_999));
    assert_eq!(closed.clone().next().unwrap().tick, Tick(49_999));
    let mut late = generator(group(Some(1), 1, Ratio::ONE), 1);
    late.next();
    late.answered(Tick(49_999));
    assert_eq!(late.next(), None);
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

    // Against a plain loop: request k at the later of its arrival and the tick in which a place is
    // free; destinations and lengths are those of the open loop.
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
