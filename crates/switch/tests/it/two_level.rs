//! RU with T1 and T2: what it writes into headers (spec: `rsi.md`); ports: `crates/hierarchy`.

use crate::common::packet;
use hierarchy::{
    Address, Algorithm, LarCounter, LarDecision, NodeShape, PortKind, Region, Routing, Selection,
    Trip, TwoLevelTable, VcScheme, Via,
};
use plan::AdaptiveConfig;
use rand_core::SeedableRng;
use switch::{Packet, Router, Ru, TwoLevel};
use units::draw::Stream;
use units::{PortId, Ratio, VcId};

const TH: u32 = 4;
/// Ports of the node: local, local, global to super nodes 1 and 2, its end node.
const LOCAL: PortId = PortId(0);
const TO_1: PortId = PortId(2);
const TO_2: PortId = PortId(3);
const NODE: PortId = PortId(4);

fn node(super_node: u16, node: u16) -> Address {
    Address { super_node, node }
}

/// End nodes by number: super node 0, then 1, then 2, three nodes each. The router is that of
/// number 0.
fn addresses() -> impl Iterator<Item = Address> {
    (0..3).flat_map(|s| (0..3).map(move |n| node(s, n)))
}

fn ru_at(in_port: PortId, algorithm: Algorithm) -> Ru {
    let (local, global) = (PortKind::Local, PortKind::Global);
    let ports = [local, local, global(1), global(2), PortKind::Node];
    let router = TwoLevel {
        rules: AdaptiveConfig {
            routing: Routing { algorithm, vc_scheme: VcScheme::HopCount, diameter: 2 },
            decision: LarDecision::Arrival,
            counter: LarCounter::Requests,
            selection: Selection::LeastQueued,
            threshold: Ratio::ONE,
        },
        threshold_cells: TH,
        vcs: 16,
        shape: NodeShape::new(node(0, 0), ports.into()).into(),
        table: TwoLevelTable::new([0, 0b01, 0b10].into(), [0, 0b100, 0b1000].into()),
        addresses: addresses().collect(),
        stream: Stream::seed_from_u64(1),
        live: u64::MAX,
    };
    Ru::new(in_port, 5, 3, Router::TwoLevel(router.into()), Box::default())
}

/// As a switch does it: what is found is written into the packet.
fn assign(ru: &mut Ru, packet: &mut Packet, busy: &[PortId]) -> Option<PortId> {
    let queued = |port: PortId| if busy.contains(&port) { TH } else { 0 };
    let output = ru.assign(packet, true, queued).unwrap();
    packet.output = output.unwrap_or(PortId(0));
    packet.next_vc = ru.next_vc(packet, packet.output);
    output
}

// "phase := 1" is in the header on the link, and state of this switch is not.
#[test]
fn a_misroute_is_in_the_header_as_the_packet_leaves() {
    let mut ru = ru_at(NODE, Algorithm::Lar);
    let mut to_1 = packet(3);
    assert_eq!(assign(&mut ru, &mut to_1, &[TO_1]), Some(TO_2));
    assert!(to_1.trip.misroutes_here && !to_1.trip.misrouted);
    ru.leave(&mut to_1).unwrap();
    let expected = Trip { misrouted: true, globals: 1, groups: 1, ..Trip::default() };
    assert_eq!(to_1.trip, expected);
}

// A place to go by is drawn where a packet sets out, once: assigned again it keeps it.
#[test]
fn the_place_is_drawn_at_the_source() {
    let mut ru = ru_at(NODE, Algorithm::Valiant);
    let mut to_1 = packet(3);
    // A header that an end node sends is new, whatever the packet brings.
    to_1.trip.globals = 3;
    assert_eq!(assign(&mut ru, &mut to_1, &[]), Some(TO_2));
    assert_eq!((to_1.trip.via, to_1.trip.globals), (Via::SuperNode(2), 0));
    assert_eq!(ru.assign(&mut to_1, false, |_| 0), Ok(Some(TO_2)));
    let mut in_between = ru_at(TO_2, Algorithm::Valiant);
    let mut passing = packet(3);
    assert_eq!(assign(&mut in_between, &mut passing, &[]), Some(TO_1));
    assert_eq!(passing.trip.via, Via::Nowhere);
}

// "hop-count (local VC = D x globals + local hops since)"; "replies travel in the upper half"
#[test]
fn the_vc_follows_from_the_header_and_is_higher_for_replies() {
    let ru = ru_at(TO_1, Algorithm::Minimal).with_reply_vcs(VcId(4));
    let on = |vc, output| {
        let mut on = packet(1);
        on.vc = VcId(vc);
        on.trip = Trip { globals: 1, groups: 1, locals: 1, ..Trip::default() };
        ru.next_vc(&on, output).0
    };
    assert_eq!([on(0, LOCAL), on(3, TO_2), on(1, NODE)], [3, 1, 0]);
    assert_eq!([on(4, LOCAL), on(7, TO_2), on(5, NODE)], [7, 5, 4]);
}

// "Every port has its own copy": an entry is set, and what was assigned by it leads on no longer.
#[test]
fn an_entry_is_set() {
    let mut ru = ru_at(NODE, Algorithm::Minimal);
    let mut to_1 = packet(3);
    assert_eq!(ru.output(&to_1), Ok(None));
    assign(&mut ru, &mut to_1, &[]);
    // "`arrival` (default, once ...)": what was found is in the header, and is requested.
    assert_eq!((ru.output(&to_1), ru.requested(&to_1)), (Ok(Some(TO_1)), Some(TO_1)));
    ru.set_entry(Region::SuperNode(1), 1 << TO_2.0);
    assert_eq!(ru.requested(&to_1), None);
    assert_eq!(ru.assign(&mut to_1, false, |_| 0), Ok(Some(TO_2)));
    ru.set_entry(Region::SuperNode(1), 0);
    assert_eq!(assign(&mut ru, &mut to_1, &[]), None);
    assert!(!to_1.assigned);
    assert_eq!((ru.output(&to_1), ru.requested(&to_1)), (Ok(None), None));
    let table = &ru.two_level().expect("two levels").table;
    assert_eq!(table.entry(Region::SuperNode(1)), 0);
}

// "candidates also exclude ... dead ports": a misroute that was assigned leads on as long as its
// link is up, whatever the entry holds.
#[test]
fn a_misroute_leads_on_while_its_link_is_up() {
    let mut ru = ru_at(NODE, Algorithm::Lar);
    let mut to_1 = packet(3);
    assign(&mut ru, &mut to_1, &[TO_1]);
    ru.set_entry(Region::SuperNode(1), 0);
    assert_eq!(ru.requested(&to_1), Some(TO_2));
    ru.set_live(!(1 << TO_2.0));
    assert_eq!(ru.requested(&to_1), None);
    assert_eq!(ru.assign(&mut to_1, false, |_| 0), Ok(None));
}

// Routers by turns or by one table have no entries, nor links that are up: they are not concerned.
#[test]
fn other_routers_have_no_levels() {
    let mut ru = Ru::new(PortId(0), 8, 3, Router::Turns, Box::default());
    ru.set_entry(Region::Node(1), 0);
    ru.set_live(0);
    assert!(ru.two_level().is_none());
    let mut by_turns = packet(0);
    by_turns.route = crate::common::route(&[1, 0], 3);
    let output = ru.output(&by_turns);
    assert_eq!([true, false].map(|arrives| ru.assign(&mut by_turns, arrives, |_| 0)), [output; 2]);
}
