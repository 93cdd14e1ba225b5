//! PPU: steers arrivals to SAQs, or moves the head of the cold queue (spec: `recn.md`).

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

// "steers packets to their queue": the SAQ of the longest match. "moves them from the cold queue to
// a SAQ": with a cold queue every arrival goes there first, and the head that matches moves; what
// is in a SAQ stays. A port without SAQs separates nothing; on `cioq` stored packets stay.
#[test]
fn what_matches_a_line_goes_to_its_saq() {
    let several = port(Version::Enhanced, &[&[5], &[5, 1], &[4]]);
    let of_5 = port(Version::DdIq, &[&[5]]);
    let (steers, moves) = (Ppu::new(None), Ppu::new(Some(Span(7))));
    assert!(moves.has_cold_queue() && !steers.has_cold_queue());
    let arrivals = [
        (&steers, Some(&several), &[5, 1, 6][..], Some(2)),
        (&steers, Some(&several), &[5, 2], Some(1)),
        (&steers, Some(&several), &[4], Some(3)),
        (&steers, Some(&several), &[3, 5], None),
        (&steers, None, &[5], None),
        (&moves, Some(&of_5), &[5], None),
    ];
    for (ppu, port, turns, saq) in arrivals {
        assert_eq!(ppu.saq_on_arrival(port, &route(turns, 3)), saq.map(QueueId), "{turns:?}");
    }
    let heads = [
        (&moves, Some(&of_5), COLD, 5, Some(BASE)),
        (&moves, Some(&of_5), COLD, 4, None),
        (&moves, Some(&of_5), BASE, 5, None),
        (&moves, None, COLD, 5, None),
        (&steers, Some(&several), COLD, 5, None),
    ];
    for (ppu, port, queue, turn, saq) in heads {
        assert_eq!(ppu.saq_of_head(port, queue, &route(&[turn, 1], 3)), saq, "{queue} {turn}");
    }
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
