//! Admittance queues and their arbiter, against a plain oracle.

use crate::common::{PACKET, message};
use endnode::{Admittance, AdmittanceConfig, Piece, Waiting};
use plan::AdmittanceArbiter;
use proptest::prelude::*;
use std::collections::VecDeque;
use units::QueueId;
use units::draw::Stream;
use workload::rng::stream;

/// More than a word of destinations.
const NODES: u32 = 70;
const QUEUES: u32 = 3;

fn admittance(arbiter: AdmittanceArbiter, limit_bytes: Option<u32>) -> Admittance {
    let stream: Stream = stream(1, "node0.admittance");
    Admittance::new(AdmittanceConfig {
        nodes: NODES as usize,
        injection_queues: QUEUES as usize,
        limit_bytes,
        arbiter,
        packet_bytes: PACKET,
        stream,
        replies_apart: false,
    })
}

fn any(_: &Piece) -> Option<QueueId> {
    Some(QueueId(0))
}

// "then packetised into injection queues by a round robin arbiter": the destinations of one
// injection queue take turns among themselves, however often others fall free: two pointers.
proptest! {
    #[test]
    fn each_injection_queue_has_a_round_robin_of_its_own(
        steps in prop::collection::vec((0..NODES, 1..200_u32, 0_u8..8), 1..200),
    ) {
        let mut admittance = admittance(AdmittanceArbiter::RoundRobin, None);
        let mut queues = vec![VecDeque::<u32>::new(); NODES as usize];
        let (mut pointer, mut pointers) = (0, [0; QUEUES as usize]);
        for (destination, bytes, free) in steps {
            admittance.push(message(destination, bytes, 0));
            queues[destination as usize].push_back(bytes);
            // Injection queue `destination % 3` has room if its bit is set.
            let queue_of = |destination: u32| (destination % QUEUES) as usize;
            let has_room = |d: u32| free >> queue_of(d) & 1 == 1;
            let may_move = |d: u32| !queues[d as usize].is_empty() && has_room(d);
            let turn = |start: u32| (start..NODES).chain(0..start);
            let first = turn(pointer).find(|&d| may_move(d));
            let chosen = first.and_then(|first| {
                let queue = queue_of(first);
                turn(pointers[queue]).find(|&d| may_move(d) && queue_of(d) == queue)
            });
            if let (Some(first), Some(chosen)) = (first, chosen) {
                pointer = (first + 1) % NODES;
                pointers[queue_of(first)] = (chosen + 1) % NODES;
            }
            let expected = chosen.map(|d| {
                let queue = &mut queues[d as usize];
                let bytes = queue[0].min(PACKET);
                queue[0] -= bytes;
                let last = queue[0] == 0;
                if last {
                    queue.pop_front();
                }
                (d, bytes, last)
            });
            let taken = admittance.take(|piece| {
                let d = piece.message.destination;
                has_room(d).then_some(QueueId((d % QUEUES) as u16))
            });
            let taken = taken.map(|p| (p.message.destination, p.message.bytes, p.last));
            prop_assert_eq!(taken, expected);
        }
        let waiting = queues.iter().flatten().map(|b| u64::from(b.div_ceil(PACKET)));
        prop_assert_eq!(admittance.packets(), waiting.sum::<u64>());
    }
}

// "the oldest message among those that may move"; of two as old that of the lowest destination.
#[test]
fn the_oldest_goes_first_and_of_two_the_lowest_destination() {
    let mut admittance = admittance(AdmittanceArbiter::OldestFirst, None);
    for (destination, born) in [(9, 7), (5, 7), (3, 8), (60, 6)] {
        admittance.push(message(destination, PACKET, born));
    }
    let pieces = std::iter::from_fn(|| admittance.take(any));
    assert!(pieces.map(|piece| piece.message.destination).eq([60, 5, 9, 3]));
}

// "a uniformly drawn destination among those that may move": each comes, and no other.
#[test]
fn a_draw_is_among_those_that_may_move() {
    let mut admittance = admittance(AdmittanceArbiter::Random, None);
    let mut taken = [0; 4];
    for _ in 0..400 {
        for destination in 0..4 {
            admittance.push(message(destination, PACKET, 0));
        }
        let may_move = |p: &Piece| (p.message.destination != 2).then_some(QueueId(0));
        let piece = admittance.take(may_move).expect("three may move");
        taken[piece.message.destination as usize] += 1;
    }
    assert_eq!(taken[2], 0);
    assert!([0, 1, 3].iter().all(|&d: &usize| taken[d] > 90), "{taken:?}");
}

// "Admittance queues are bounded (default 4 KiB a destination)".
#[test]
fn a_message_fits_up_to_the_bound_of_its_destination() {
    let mut admittance = admittance(AdmittanceArbiter::RoundRobin, Some(4096));
    admittance.push(message(1, 4000, 0));
    assert!(admittance.fits(1, 96) && !admittance.fits(1, 97) && admittance.fits(2, 4096));
    admittance.take(any).expect("a packet");
    assert!(admittance.fits(1, 96 + PACKET));
}

// A message is stored whole and leaves in packets of at most the largest size; packets of a flow
// are numbered through.
#[test]
fn a_message_leaves_in_packets_numbered_through() {
    let mut admittance = admittance(AdmittanceArbiter::RoundRobin, None);
    admittance.push(message(1, 2 * PACKET + 1, 5));
    admittance.push(message(1, PACKET, 6));
    let pieces = std::iter::from_fn(|| admittance.take(any));
    let seen: Vec<_> =
        pieces.map(|p| (p.sequence, p.message.bytes, p.message.born.0, p.last)).collect();
    let expected = [(0, 64, 5, false), (1, 64, 5, false), (2, 1, 5, true), (3, 64, 6, true)];
    assert_eq!(seen, expected);
}

// What waits is found by a walk: of a message that has begun to leave, what remains.
#[test]
fn a_walk_finds_what_waits() {
    let mut admittance = admittance(AdmittanceArbiter::RoundRobin, None);
    admittance.push(message(65, 100, 1));
    admittance.push(message(1, 10, 2));
    admittance.push(message(65, 20, 3));
    admittance.take(|p| (p.message.destination == 65).then_some(QueueId(1)));
    let mut seen: Vec<Waiting> = Vec::new();
    admittance.messages(|message| seen.push(message));
    assert_eq!(seen, [message(1, 10, 2), message(65, 36, 1), message(65, 20, 3)]);
}
