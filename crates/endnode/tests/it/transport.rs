//! Requests and replies.

use crate::common::{ENDNODE, PACKET, Setup, World, group};
use endnode::Transport;
use observe::{PacketKind, REPLY_SEQUENCE};
use plan::EndNodeConfig;
use proptest::prelude::*;
use std::sync::Arc;
use switch::{Flow, Packet};
use units::{Span, Tick, VcId};
use workload::{GroupConfig, Replies};

/// Requests of two packets from node 0 to node 1, replies of three, 50 ns (25 ticks) later.
fn requests(window: Option<u32>, think_ns: u64) -> Setup {
    let requests = GroupConfig {
        message_bytes: Some(workload::MessageBytes::Fixed(2 * PACKET)),
        reply_bytes: Some(3 * PACKET),
        reply_delay_ns: 50,
        window,
        think_ns,
        ..group(0, 1)
    };
    Setup { groups: vec![requests], memory_bytes: 2048, ..Setup::default() }
}

/// When the last packets of messages of a kind were ejected, and when these were born.
fn arrived(world: &World, kind: PacketKind) -> Vec<(Tick, Tick)> {
    let last = |packet: &Packet| packet.last && packet.kind == kind;
    let ejected = world.fake.ejected.iter().filter(|(_, p)| last(p));
    ejected.map(|(tick, packet)| (*tick, packet.born)).collect()
}

fn born(world: &World, kind: PacketKind) -> Vec<Tick> {
    let offers = world.fake.offers.iter().filter(|offer| offer.kind == kind);
    offers.map(|offer| offer.born).collect()
}

// "When the last tail of a request is ejected, the reply becomes a message of its destination after
// the delay, in its admittance queue like any other, and counts as offered there."
#[test]
fn a_request_is_answered_after_the_delay() {
    let mut world = World::new(&requests(None, 0));
    world.run(6_000);
    let requests = arrived(&world, PacketKind::Data);
    assert!(requests.len() > 10);
    let offers = world.fake.offers.iter();
    let replies = offers.filter(|offer| offer.kind == PacketKind::Reply);
    let seen = replies.map(|o| (o.source, o.destination, o.packets, o.born, o.asked));
    let delay = Span(25);
    let expected = requests.iter().map(|&(at, born)| (1, 0, 3, at + delay, born));
    assert!(seen.eq(expected));
    assert_eq!(arrived(&world, PacketKind::Reply).len(), requests.len());
    assert!(world.nodes.iter().all(|node| node.left_over().is_none()));
}

// Groups have delays of their own; replies of one tick come in the order of the requests.
#[test]
fn replies_come_in_the_order_of_their_generation() {
    let delays = [Span(50), Span(10), Span(0)];
    let replies = delays.map(|delay| {
        let (bytes, closed) = (PACKET, None);
        Some(Replies { bytes, delay, closed })
    });
    let mut transport = Transport::new(Arc::new(replies), Span(2));
    for (group, tick) in [(0, 0), (1, 20), (2, 30), (1, 40)] {
        let flow = Flow { source: 2, destination: 1, sequence: 0, group };
        transport.requested(&Packet::new(flow, PACKET, 1), Tick(tick));
    }
    assert_eq!((transport.due(), transport.reply(Tick(31))), (Some(Tick(32)), None));
    let replies = std::iter::from_fn(|| transport.reply(Tick(60)));
    let seen: Vec<_> = replies.map(|reply| (reply.group, reply.born.0)).collect();
    assert_eq!(seen, [(1, 30), (2, 30), (0, 50), (1, 50)]);
}

// Replies are never refused: they go beyond the bound of the admittance queue.
#[test]
fn a_reply_goes_beyond_the_bound() {
    let endnode = EndNodeConfig { admittance_bytes: Some(2 * PACKET), ..ENDNODE };
    let mut world = World::new(&Setup { endnode, ..requests(None, 0) });
    world.run(6_000);
    let offers = world.fake.offers.iter();
    let mut replies = offers.filter(|offer| offer.kind == PacketKind::Reply);
    assert!(replies.all(|reply| !reply.refused));
    assert!(!arrived(&world, PacketKind::Reply).is_empty());
}

// "window (outstanding requests a source)": never more than that, and with load enough no fewer.
proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn the_window_is_never_exceeded(window in 1_u32..6, think_ns in 0_u64..100, seed: u64) {
        let mut world = World::new(&Setup { seed, ..requests(Some(window), think_ns) });
        world.run(6_000);
        let born = born(&world, PacketKind::Data);
        let answered = arrived(&world, PacketKind::Reply);
        prop_assert_eq!(born.len(), answered.len());
        let outstanding = |tick: Tick| {
            let before = answered.iter().filter(|(at, _)| *at <= tick).count();
            born.iter().filter(|b| **b <= tick).count() - before
        };
        let most = born.iter().map(|&tick| outstanding(tick)).max();
        prop_assert_eq!(most, Some(window as usize));
    }
}

// "With a window the next request is generated `think_ns` after a place is free".
#[test]
fn the_time_to_think_is_exact() {
    let mut world = World::new(&requests(Some(1), 300));
    world.run(6_000);
    let (born, answered) = (born(&world, PacketKind::Data), arrived(&world, PacketKind::Reply));
    assert!(born.len() > 2);
    let after = answered.iter().map(|(at, _)| *at + Span(150));
    assert!(born[1..].iter().copied().eq(after.take(born.len() - 1)));
}

// A request that is refused will never be answered: its place is free again.
#[test]
fn a_refused_request_gives_its_place_back() {
    let endnode = EndNodeConfig { admittance_bytes: Some(PACKET), ..ENDNODE };
    let mut world = World::new(&Setup { endnode, ..requests(Some(1), 0) });
    world.run(6_000);
    let offers = &world.fake.offers;
    assert!(offers.len() > 10 && offers.iter().all(|offer| offer.refused));
}

// A request that is lost will never be answered either: its place is free after the time to think.
#[test]
fn a_lost_request_gives_its_place_back() {
    let mut world = World::new(&requests(Some(1), 20));
    world.run(200);
    assert_eq!(born(&world, PacketKind::Data).len(), 1);
    world.nodes[0].request_lost(1, world.fake.now);
    world.run(240);
    let born = born(&world, PacketKind::Data);
    assert_eq!(born.get(1), Some(&(Tick(200) + Span(10))));
}

// Order is one for a flow, whatever its packets are for: node 1 sends requests and replies to node
// 0, numbered together. "`endnode.reply_vcs = true` doubles the VCs: replies travel in the upper
// half": both kinds are then numbered apart.
#[test]
fn requests_and_replies_of_a_flow_are_numbered_together_or_apart() {
    for reply_vcs in [false, true] {
        let mut setup = Setup { reply_vcs, ..requests(None, 0) };
        setup.groups.push(group(1, 0));
        let mut world = World::new(&setup);
        world.run(8_000);
        let to_0 = || world.fake.ejected.iter().map(|(_, p)| p).filter(|p| p.destination == 0);
        let of_kind =
            |kind| to_0().filter(move |p| p.kind == kind).map(|p| (p.next_vc, p.sequence));
        let (data, replies) = (of_kind(PacketKind::Data), of_kind(PacketKind::Reply));
        let counts = [data.clone().count(), replies.clone().count()].map(|n| n as u32);
        assert!(counts[0] > 5 && counts[1] > 5);
        if reply_vcs {
            assert!(data.eq((0..counts[0]).map(|n| (VcId(0), n))));
            assert!(replies.eq((0..counts[1]).map(|n| (VcId(1), REPLY_SEQUENCE + n))));
        } else {
            assert!(to_0().map(|p| p.sequence).eq(0..counts[0] + counts[1]));
        }
    }
}
