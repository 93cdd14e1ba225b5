//! PPU: steers arrivals to SAQs, or moves the head of the cold queue. Quotations of the spec page
//! `recn.md` and of `switch.md`.

use crate::common::route;
use recn::{RecnPort, Rules, Version};
use saq::Mmu;
use switch::{COLD, Ppu};
use turnpool::Point;
use units::{QueueId, Span, Tick};

/// Normal queues below the SAQs.
const BASE: QueueId = QueueId(1);

/// An ingress port with a line for each list of turns, in this order.
fn port(version: Version, points: &[&[u32]]) -> RecnPort {
    let rules = Rules::of(version);
    let mut queues = Mmu::new(8, 5, 4);
    let mut port = RecnPort::new(4, BASE, rules, rules.moves());
    for turns in points {
        let (first, behind) = turns.split_last().expect("a turn");
        let last = Point::from_turn(*first, 3);
        let point =
            behind.iter().rev().fold(last, |point, &turn| point.prepend(turn, 3).expect("short"));
        let asked = if rules.tokens {
            port.notified(&mut queues, point, QueueId(0), false, Tick(0)).map(|_| ())
        } else {
            port.requested(&mut queues, point, QueueId(0), false, Tick(0)).map(|_| ())
        };
        asked.expect("a line is free");
    }
    port
}

// "steers packets to their queue": the SAQ of the longest match
#[test]
fn an_arrival_goes_to_the_saq_of_the_longest_match() {
    let port = port(Version::Enhanced, &[&[5], &[5, 1], &[4]]);
    let ppu = Ppu::new(None);
    let saq = |turns: &[u32]| ppu.saq_on_arrival(Some(&port), &route(turns, 3));
    assert_eq!(saq(&[5, 1, 6]), Some(QueueId(2)));
    assert_eq!(saq(&[5, 2]), Some(QueueId(1)));
    assert_eq!(saq(&[4]), Some(QueueId(3)));
    assert_eq!(saq(&[3, 5]), None);
}

// "moves them from the cold queue to a SAQ": with a cold queue every arrival goes there first, and
// the head that matches moves. A SAQ is no cold queue: what is in it stays.
#[test]
fn the_head_of_the_cold_queue_goes_to_the_saq_that_it_matches() {
    let port = port(Version::DdIq, &[&[5]]);
    let ppu = Ppu::new(Some(Span(7)));
    assert!(ppu.has_cold_queue());
    assert_eq!(ppu.saq_on_arrival(Some(&port), &route(&[5], 3)), None);
    let saq = |queue, turn| ppu.saq_of_head(Some(&port), queue, &route(&[turn, 1], 3));
    assert_eq!([saq(COLD, 5), saq(COLD, 4), saq(BASE, 5)], [Some(BASE), None, None]);
}

// A port without SAQs has nothing to separate; on `cioq` stored packets stay where they are.
#[test]
fn without_a_cam_or_a_cold_queue_no_head_is_moved() {
    let (port, of_5) = (port(Version::Enhanced, &[&[5]]), route(&[5], 3));
    let (steers, moves) = (Ppu::new(None), Ppu::new(Some(Span(7))));
    assert_eq!(steers.saq_on_arrival(None, &of_5), None);
    assert_eq!(moves.saq_of_head(None, COLD, &of_5), None);
    assert_eq!(steers.saq_of_head(Some(&port), COLD, &of_5), None);
}

// "the PPU moves at most one packet in this time" (`recn.ppu_interval_ns`), one a tick at the most.
#[test]
fn moves_are_an_interval_apart() {
    for (interval, free) in [(Span(7), 27), (Span::ZERO, 21)] {
        let mut ppu = Ppu::new(Some(interval));
        assert_eq!(ppu.may_move_from(Tick(20)), Tick(20));
        ppu.moved(Tick(20));
        assert_eq!(ppu.may_move_from(Tick(21)), Tick(free));
        assert_eq!(ppu.may_move_from(Tick(30)), Tick(30));
    }
}
