//! RU: "output port from the header", and "the next VC is decided with the route of the hop".

use crate::common::{cases, packet, route};
use plan::RouteTable;
use proptest::prelude::*;
use std::sync::Arc;
use switch::{Packet, Router, Ru, Selection};
use turnpool::{RouteEnded, turn};
use units::{PortId, VcId, VcStep};

const CHOSEN: PortId = PortId(2);

fn by_turns(port: u8, ports: u8, width: u8) -> Ru {
    Ru::new(PortId(port), ports, width, Router::Turns, Box::default())
}

/// Of a table that has candidates for destination 0 alone.
fn by_table(candidates: u64) -> Ru {
    let table = RouteTable::Several([candidates].into());
    let router = Router::Table(Arc::new(table));
    Ru::new(PortId(0), 8, 3, router, Box::default())
}

fn with_steps(steps: &[VcStep]) -> Ru {
    Ru::new(PortId(0), 8, 3, Router::Turns, steps.into())
}

// turnpool.md: "forward out = (in + turn + 1) mod P"
#[test]
fn a_turn_names_the_output_from_where_the_packet_came() {
    for (ports, width) in [(2_u8, 1_u8), (5, 3), (8, 3), (64, 6)] {
        for (input, output) in (0..ports).flat_map(|i| (0..ports).map(move |o| (i, o))) {
            let turn = turn(input.into(), output.into(), ports.into());
            let mut header = packet(0);
            header.route = route(&[turn, 0], width.into());
            let ru = by_turns(input, ports, width);
            assert_eq!(ru.output(&header), Ok(Some(PortId(output))));
        }
    }
}

// "Turns that remain; a switch consumes its own as the packet leaves": the CAM names points by it
// until then.
#[test]
fn the_turn_is_consumed_as_the_packet_leaves() {
    let ru = by_turns(0, 8, 3);
    let mut header = packet(0);
    header.route = route(&[5, 1], 3);
    _ = ru.output(&header).unwrap();
    assert_eq!(header.route, route(&[5, 1], 3));
    ru.leave(&mut header).unwrap();
    assert_eq!(header.route, route(&[1], 3));
}

// A header with too few turns is an error of whoever made it; the packet stays as it is.
#[test]
fn a_route_that_ends_before_the_switch_is_an_error() {
    let ru = by_turns(0, 8, 3);
    let mut header = packet(0);
    let ended = RouteEnded { skip: 0, width: 3, bits: 0 };
    assert_eq!(ru.output(&header), Err(ended));
    assert_eq!(ru.leave(&mut header), Err(ended));
    assert_eq!(header.route, route(&[], 3));
}

// The turn in the next switch begins behind this switch's.
#[test]
fn look_ahead_skips_the_turn_of_this_switch() {
    let ru = by_turns(0, 8, 3);
    assert_eq!((ru.skip(), ru.width()), (3, 3));
}

// "a table, destination -> candidate output ports": where packets are routed by it the turns are
// not looked at, and none is consumed.
#[test]
fn a_table_needs_no_turns() {
    let ru = by_table(1 << 6);
    let mut header = packet(0);
    header.route = route(&[5], 3);
    assert_eq!(ru.output(&header), Ok(Some(PortId(6))));
    ru.leave(&mut header).unwrap();
    assert_eq!(header.route, route(&[5], 3));
}

/// A packet to destination 0 that was routed to [`CHOSEN`].
fn chosen() -> Packet {
    let mut chosen = packet(0);
    chosen.output = CHOSEN;
    chosen
}

/// A packet on a VC.
fn on(vc: u8) -> Packet {
    let mut on = packet(0);
    on.vc = VcId(vc);
    on
}

// "`first` (default) ... Decided when the head is stored"
#[test]
fn of_several_candidates_the_lowest_is_chosen() {
    assert_eq!(by_table(0b1010_0100).output(&packet(0)), Ok(Some(CHOSEN)));
}

// A destination that no output leads to has none: the packet is removed as it comes to the head.
#[test]
fn without_a_candidate_there_is_no_output() {
    let ru = by_table(0);
    assert_eq!(ru.output(&packet(0)), Ok(None));
    assert_eq!(ru.requested(&chosen()), 0);
}

// A source route is not changed on the way.
#[test]
fn by_turns_the_chosen_output_is_requested() {
    assert_eq!(by_turns(0, 8, 3).requested(&chosen()), 1 << 2);
}

// "With several candidates a head requests the one that `routing.selection` names"
#[test]
fn by_table_the_chosen_output_is_requested_while_it_is_a_candidate() {
    assert_eq!(by_table(0b1110).requested(&chosen()), 1 << 2);
}

// A table that changes under a head: it requests the lowest that leads on now.
#[test]
fn a_changed_table_is_read_again() {
    let mut ru = by_table(0b1110);
    ru.set_table(Arc::new(RouteTable::Several([0b1100_0000].into())));
    assert_eq!(ru.requested(&chosen()), 1 << 6);
    assert_eq!(ru.output(&packet(0)), Ok(Some(PortId(6))));
}

// `Selection::All`: "All: it takes the first that is granted."
#[test]
fn a_head_may_request_all_candidates() {
    let ru = by_table(0b1110).with_selection(Selection::All);
    assert_eq!(ru.requested(&chosen()), 0b1110);
    assert_eq!(ru.output(&packet(0)), Ok(Some(PortId(1))));
}

// "the VC of the link that follows": a router without steps leaves the VC alone.
#[test]
fn without_steps_the_vc_stays() {
    let ru = with_steps(&[]);
    assert_eq!(ru.next_vc(&on(3), PortId(7)), VcId(3));
}

// A dateline: what crosses it goes on in another VC, what does not stays in its own.
#[test]
fn each_output_has_its_step() {
    let ru = with_steps(&[VcStep::Keep, VcStep::Set(VcId(1))]);
    let next = |vc, output| ru.next_vc(&on(vc), PortId(output));
    assert_eq!((next(0, 0), next(1, 0)), (VcId(0), VcId(1)));
    assert_eq!((next(0, 1), next(1, 1)), (VcId(1), VcId(1)));
}

fn step() -> impl Strategy<Value = VcStep> {
    prop_oneof![Just(VcStep::Keep), (0..4_u8).prop_map(|vc| VcStep::Set(VcId(vc)))]
}

proptest! {
    #![proptest_config(cases(200))]

    // "`endnode.reply_vcs = true` doubles the VCs: replies travel in the upper half": through the
    // steps of requests, that half higher.
    #[test]
    fn replies_go_through_the_steps_of_requests(
        steps in prop::collection::vec(step(), 1..8),
        vc in 0..4_u8,
        output in 0..8_u8,
    ) {
        let output = PortId(output);
        let plain = with_steps(&steps).next_vc(&on(vc), output);
        let ru = with_steps(&steps).with_reply_vcs(VcId(4));
        prop_assert_eq!(ru.next_vc(&on(vc), output), plain);
        prop_assert_eq!(ru.next_vc(&on(4 + vc), output), VcId(4 + plain.0));
    }
}
