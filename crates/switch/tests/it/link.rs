//! Sending end of a link. "Control packets share the link with data; ... not preemptive. 0 = out of
//! band (ideal)."

use crate::common::{CONTROL, WIRE, cases, fabric, params, peer, try_params};
use flow_control::Control;
use plan::{LinkState, Params};
use proptest::prelude::*;
use std::collections::BTreeMap;
use switch::{Link, Started};
use turnpool::Point;
use units::{ClassId, Span, Tick};

const NOW: Tick = Tick(100);

fn in_band() -> (Params, Link) {
    let params = params(|_| {});
    let link = Link::new(&params, peer(), 4);
    (params, link)
}

fn out_of_band() -> (Params, Link) {
    let mut fabric = fabric((1, 1));
    (fabric.control_packet_bytes, fabric.named_control_bytes) = (0, 0);
    let params = try_params(fabric, |_| {}).expect("legal");
    let link = Link::new(&params, peer(), 4);
    (params, link)
}

fn xoff(turn: u32) -> Control {
    Control::Xoff(Point::from_turn(turn, 3))
}

/// What starts now.
fn start(link: &mut Link, params: &Params, now: Tick) -> Vec<(Tick, Started)> {
    let mut all = Vec::new();
    link.start_control(params, now, |due, started| all.push((due, started)));
    all
}

fn credit(class: u16, cells: u32) -> Started {
    Started::Credit(ClassId(class), cells)
}

// "Its packets go ahead of waiting data", "not preemptive"
#[test]
fn a_control_packet_goes_ahead_of_data_as_the_link_is_free() {
    let (_, mut link) = in_band();
    link.start_packet(NOW);
    assert!(link.open_for_data(NOW) && !link.grants_control(NOW));
    link.control.push(xoff(1));
    assert!(!link.grants_control(NOW.before()) && !link.is_idle(NOW.before()));
    assert!(link.grants_control(NOW) && !link.open_for_data(NOW));
    assert_eq!(link.open_from(Tick(40)), Some(NOW));
    assert_eq!(link.open_from(NOW.next()), Some(NOW.next()));
}

// "credits are sent when no other control packet waits"; "credits of one class merge, of different
// classes do not"; each counts a stage after it has come.
#[test]
fn others_go_before_credit_which_is_merged_by_class() {
    let (params, mut link) = in_band();
    link.control.add_credit(ClassId(1), 2);
    link.control.add_credit(ClassId(3), 5);
    link.control.add_credit(ClassId(1), 4);
    link.control.push(xoff(1));
    assert_eq!(
        (link.control.waiting_credit(ClassId(1)), params.stages.credit_return),
        (6, Span(1))
    );
    let arrives = |turn: u64| NOW + CONTROL * turn + WIRE;
    let expected = [
        (arrives(1), Started::Named(xoff(1))),
        (arrives(2) + Span(1), credit(1, 6)),
        (arrives(3) + Span(1), credit(3, 5)),
    ];
    for (turn, packet) in (0..).zip(expected) {
        assert!(link.grants_control(NOW + CONTROL * turn));
        assert_eq!(start(&mut link, &params, NOW + CONTROL * turn), [packet]);
    }
    assert!(!link.has_control());
}

// "0 = out of band (ideal)": all that wait start at once, take no time, and still pay the wire.
#[test]
fn out_of_band_all_start_at_once() {
    let (params, mut link) = out_of_band();
    link.start_packet(NOW + Span(20));
    link.control.add_credit(ClassId(0), 1);
    link.control.push(xoff(1));
    link.control.add_credit(ClassId(2), 4);
    assert!(link.grants_control(NOW) && link.open_for_data(NOW + Span(20)));
    assert_eq!(link.open_from(NOW), Some(NOW));
    let (wire, counts) = (NOW + WIRE, NOW + WIRE + Span(1));
    let named = (wire, Started::Named(xoff(1)));
    let expected = [named, (counts, credit(0, 1)), (counts, credit(2, 4))];
    assert_eq!(start(&mut link, &params, NOW), expected);
    assert_eq!(link.busy_until(), NOW + Span(20));
    assert!(!link.has_control() && !link.grants_control(NOW));
}

// A link that is down starts nothing; what waits goes when it is up again.
#[test]
fn a_link_that_is_down_starts_nothing() {
    for (params, mut link) in [in_band(), out_of_band()] {
        link.state = LinkState::Down;
        link.control.push(xoff(1));
        assert_eq!(link.state, LinkState::Down);
        assert!(!link.grants_control(NOW) && !link.open_for_data(NOW));
        assert!(link.has_control());
        assert_eq!(link.open_from(NOW), None);
        link.state = LinkState::Up;
        assert!(link.grants_control(NOW));
        let due = NOW + params.named_span + WIRE;
        assert_eq!(start(&mut link, &params, NOW), [(due, Started::Named(xoff(1)))]);
        assert!(link.open_for_data(NOW + CONTROL));
    }
}

proptest! {
    #![proptest_config(cases(300))]

    // Of every class what is returned is sent, once; in band one packet is on the link at a time,
    // for the time of its bytes "rounded up to whole phits", and control packets keep their order.
    #[test]
    fn all_that_is_returned_is_sent_once(
        is_in_band: bool,
        steps in prop::collection::vec((0..5_u8, 0..4_u16, 1..9_u32, 1..6_u64), 0..80),
    ) {
        let (params, mut link) = if is_in_band { in_band() } else { out_of_band() };
        // By class what may be sent, less what was.
        let mut may: BTreeMap<ClassId, u32> = BTreeMap::new();
        let (mut pushed, mut arrived) = (Vec::new(), Vec::new());
        let (mut now, mut free) = (NOW, Tick::ZERO);
        let drain = std::iter::repeat_n((4, 0, 1, 20), 40);
        for (what, class, cells, ticks) in steps.into_iter().chain(drain) {
            let class = ClassId(class);
            match what {
                0 => {
                    link.control.add_credit(class, cells);
                    *may.entry(class).or_default() += cells;
                }
                2 => {
                    pushed.push(xoff(cells % 8));
                    link.control.push(xoff(cells % 8));
                }
                3 if link.open_for_data(now) => {
                    prop_assert!(free <= now);
                    free = now + Span(ticks);
                    link.start_packet(free);
                }
                _ => now += Span(ticks),
            }
            for (class, cells) in &may {
                prop_assert_eq!(link.control.waiting_credit(*class), *cells);
            }
            let waits = may.values().any(|cells| *cells > 0) || pushed.len() > arrived.len();
            prop_assert_eq!(link.has_control(), waits);
            if !link.grants_control(now) {
                prop_assert!(!waits || is_in_band && free > now);
                continue;
            }
            let mut count = 0;
            link.start_control(&params, now, |_, started| {
                count += 1;
                match started {
                    Started::Credit(class, cells) => {
                        let left = may.get_mut(&class).expect("returned");
                        assert_eq!(*left, cells, "merged");
                        *left = 0;
                    }
                    Started::Named(control) => arrived.push(control),
                }
            });
            if is_in_band {
                prop_assert_eq!(count, 1);
                prop_assert!(free <= now);
                free = now + CONTROL;
            }
            prop_assert_eq!(link.busy_until(), free);
        }
        prop_assert!(!link.has_control());
        prop_assert_eq!(pushed, arrived);
    }
}
