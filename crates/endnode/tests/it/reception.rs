//! Ejected packets are checked.

use endnode::Reception;
use observe::{PacketKind, REPLY_SEQUENCE};
use plan::Order;
use std::panic::{AssertUnwindSafe, catch_unwind};
use switch::{Flow, Packet};
use units::{Broken, Tick, Unit};

fn packet(destination: u32, sequence: u32) -> Packet {
    let flow = Flow { source: 2, destination, sequence, group: 0 };
    Packet::new(flow, 64, 1)
}

/// What is broken when node 1 takes these packets.
fn broken(packets: &[Packet]) -> Option<Broken> {
    let mut reception = Reception::new(1, 4, false, Order::Kept);
    let take = || packets.iter().for_each(|p| reception.take(p, Tick(7)));
    let error = catch_unwind(AssertUnwindSafe(take)).err()?;
    Some(*error.downcast::<Broken>().expect("a broken invariant"))
}

fn node_1(what: &str) -> Option<Broken> {
    Some(Broken { unit: Unit::Node { node: 1 }, tick: Tick(7), what: what.to_owned() })
}

// "Ejected packets are checked for order per (source, destination)", "and for payload identity";
// one is ejected at its destination alone.
#[test]
fn order_contents_and_place_are_checked() {
    assert_eq!(broken(&[packet(1, 0), packet(1, 1)]), None);
    let gap = broken(&[packet(1, 0), packet(1, 2)]);
    assert_eq!(gap, node_1("order: packet n2->n1 #2 ejected, #1 expected"));
    let mut other = packet(1, 0);
    other.payload ^= 1;
    assert_eq!(broken(&[other]), node_1("packet n2->n1 #0 has other contents"));
    assert_eq!(broken(&[packet(3, 0)]), node_1("packet n2->n3 #0 ejected at n1"));
}

// "Replies travel in the upper half" of the VCs: they are numbered apart, each kind in order.
#[test]
fn replies_with_vcs_of_their_own_are_in_order_among_themselves() {
    let reply = |sequence| {
        let mut packet = packet(1, REPLY_SEQUENCE + sequence);
        packet.kind = PacketKind::Reply;
        packet
    };
    let mut reception = Reception::new(1, 4, true, Order::Kept);
    for p in [packet(1, 0), reply(0), reply(1), packet(1, 1)] {
        reception.take(&p, Tick(7));
    }
    let twice = || reception.take(&reply(1), Tick(7));
    assert!(catch_unwind(AssertUnwindSafe(twice)).is_err());
}
