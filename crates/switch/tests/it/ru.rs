//! RU: "output port from the header", and "the next VC is decided with the route of the hop"; and
//! what it reads: tables, and the switch behind an output.

use crate::common::{cases, packet, params, route};
use plan::RouteTable;
use proptest::prelude::*;
use std::num::NonZeroU8;
use std::sync::Arc;
use switch::{LookAhead, Mu, NextSwitch, Packet, Router, Ru};
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
// until then, and the turn in the next switch begins behind it. Where packets are routed by "a
// table, destination -> candidate output ports", turns are not read, and none is consumed.
#[test]
fn the_turn_is_consumed_as_the_packet_leaves() {
    let by_turns = by_turns(0, 8, 3);
    assert_eq!(by_turns.width(), 3);
    for (ru, output, left) in [(by_turns, 6, &[1][..]), (by_table(1 << 7), 7, &[5, 1][..])] {
        let mut header = packet(0);
        header.route = route(&[5, 1], 3);
        assert_eq!(ru.output(&header), Ok(Some(PortId(output))));
        assert_eq!(header.route, route(&[5, 1], 3));
        ru.leave(&mut header).unwrap();
        assert_eq!(header.route, route(left, 3));
    }
}

// A header with too few turns is an error; the packet stays as it is.
#[test]
fn a_route_that_ends_before_the_switch_is_an_error() {
    let ru = by_turns(0, 8, 3);
    let mut header = packet(0);
    let ended = RouteEnded { skip: 0, width: 3, bits: 0 };
    assert_eq!(ru.output(&header), Err(ended));
    assert_eq!(ru.leave(&mut header), Err(ended));
    assert_eq!(header.route, route(&[], 3));
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

// "`first` (default) ... Decided when the head is stored": the lowest of several, which is
// requested as long as it is a candidate. A destination that no output leads to has none: the
// packet is removed as it comes to the head. A source route is not changed on the way.
#[test]
fn the_lowest_candidate_is_chosen_and_requested() {
    assert_eq!(by_table(0b1010_0100).output(&packet(0)), Ok(Some(CHOSEN)));
    assert_eq!(by_table(0).output(&packet(0)), Ok(None));
    let requested = [by_table(0b1110), by_table(0), by_turns(0, 8, 3)];
    assert_eq!(requested.map(|ru| ru.requested(&chosen())), [Some(CHOSEN), None, Some(CHOSEN)]);
}

// A table that changes under a head: it requests the lowest that leads on now.
#[test]
fn a_changed_table_is_read_again() {
    let mut ru = by_table(0b1110);
    ru.set_table(Arc::new(RouteTable::Several([0b1100_0000].into())));
    assert_eq!(ru.requested(&chosen()), Some(PortId(6)));
    assert_eq!(ru.output(&packet(0)), Ok(Some(PortId(6))));
}

// "the VC of the link that follows": what crosses a dateline goes on in another VC, what does not
// stays in its own; a router without steps leaves the VC alone.
#[test]
fn each_output_has_its_step() {
    let ru = with_steps(&[VcStep::Keep, VcStep::Set(VcId(1))]);
    let next = |vc, output| ru.next_vc(&on(vc), PortId(output)).0;
    assert_eq!([next(0, 0), next(1, 0), next(0, 1), next(1, 1)], [0, 1, 1, 1]);
    assert_eq!(with_steps(&[]).next_vc(&on(3), PortId(7)), VcId(3));
}

/// The switch behind an output.
fn behind(in_port: u8, table: Option<RouteTable>) -> NextSwitch {
    NextSwitch {
        in_port: PortId(in_port),
        ports: 8,
        width: 3,
        look_ahead: table.map_or(LookAhead::Turns, |table| LookAhead::Table(Arc::new(table))),
        mu: Mu::new(1, params(|_| {}).vcs),
    }
}

// "look-ahead = the port it will request in the next switch"
#[test]
fn look_ahead_reads_the_turn_behind_those_skipped() {
    let next = behind(6, None);
    for output in 0..8 {
        let turns = route(&[7, turn(6, output, 8)], 3);
        assert_eq!(next.output(&turns, 3, &0), Ok(PortId(output as u8)));
    }
}

// The table of the next switch is that of the ingress port that the packet will come to. Where no
// output leads on from there, queue and class of output 0 do: it is removed there.
#[test]
fn look_ahead_reads_the_table_of_the_next_port() {
    let next = behind(6, Some(RouteTable::Several([0, 0b1100].into())));
    assert_eq!(next.output(&route(&[], 3), 3, &1), Ok(PortId(2)));
    assert_eq!(next.output(&route(&[], 3), 3, &0), Ok(PortId(0)));
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

    // "destination -> candidate output ports": both forms of a table agree.
    #[test]
    fn a_table_of_single_candidates_equals_one_of_sets(
        outputs in prop::collection::vec(prop::option::of(0..64_u8), 1..20),
    ) {
        let above = |output: &Option<u8>| output.and_then(|o| NonZeroU8::new(o + 1));
        let single = RouteTable::Single(outputs.iter().map(above).collect());
        let set = |output: &Option<u8>| output.map_or(0, |o| 1 << o);
        let several = RouteTable::Several(outputs.iter().map(set).collect());
        for destination in 0..outputs.len() as u32 {
            let candidates = single.candidates(destination);
            prop_assert_eq!(candidates, several.candidates(destination));
        }
    }
}
