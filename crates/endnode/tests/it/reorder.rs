//! The reorder buffer, alone and in a node.

use crate::common::{ENDNODE, Setup, World};
use observe::{Event, PacketKind, REPLY_SEQUENCE, ReorderPeak};
use plan::EndNodeConfig;
use proptest::prelude::*;
use switch::{Flow, Packet};

/// Of a flow to node 0.
fn packet(source: u32, sequence: u32) -> Packet {
    let flow = Flow { source, destination: 0, sequence, group: 0 };
    Packet::new(flow, 64, 1)
}

fn reply(source: u32, number: u32) -> Packet {
    let mut reply = packet(source, REPLY_SEQUENCE + number);
    reply.kind = PacketKind::Reply;
    // In the middle of a message: no window waits for it.
    reply.last = false;
    reply
}

fn world(reorder_buffer: bool) -> World {
    let endnode = EndNodeConfig { reorder_buffer, ..ENDNODE };
    World::new(&Setup { endnode, reply_vcs: true, ..Setup::default() })
}

/// Source and number of what was delivered, in order.
fn delivered(world: &World) -> Vec<(u32, u32)> {
    let ejected = world.fake.ejected.iter();
    ejected.map(|(_, packet)| (packet.source, packet.sequence)).collect()
}

fn eject(world: &mut World, source: u32, numbers: &[u32]) {
    for &number in numbers {
        world.eject(packet(source, number));
    }
}

/// Numbers of packets of source 2, and what becomes of them.
fn of_2(numbers: &[u32]) -> Vec<(u32, u32)> {
    numbers.iter().map(|&number| (2, number)).collect()
}

// "numbered apart": replies with VCs of their own and data do not wait for each other.
#[test]
fn data_and_replies_do_not_wait_for_each_other() {
    let mut world = world(true);
    world.eject(packet(2, 1));
    world.eject(reply(2, 1));
    world.eject(reply(2, 0));
    assert_eq!(delivered(&world), [(2, REPLY_SEQUENCE), (2, REPLY_SEQUENCE + 1)]);
    world.eject(packet(2, 0));
    assert_eq!(delivered(&world)[2..], of_2(&[0, 1]));
}

// "its size is a result": the most packets and bytes that have waited at once.
#[test]
fn the_peak_is_counted() {
    let mut world = world(true);
    eject(&mut world, 2, &[3, 2]);
    eject(&mut world, 3, &[1]);
    eject(&mut world, 2, &[0, 1]);
    let buffer = world.nodes[0].reorder().expect("a reorder buffer");
    assert_eq!((buffer.packets(), buffer.peak()), (1, ReorderPeak { packets: 3, bytes: 3 * 64 }));
}

// What is lost is not waited for once the node is notified, and not before: when a node would see
// it by itself depends on how the fabric is cut.
#[test]
fn what_is_lost_is_waited_for_until_the_node_is_notified() {
    let mut world = world(true);
    world.fake.gone.extend([(2, 0, 0), (2, 0, 1), (2, 0, 4)]);
    eject(&mut world, 2, &[2, 3, 5]);
    assert_eq!(delivered(&world), []);
    world.nodes[0].release_gone(&mut world.fake);
    assert_eq!(delivered(&world), of_2(&[2, 3, 5]));
    eject(&mut world, 2, &[6]);
    assert_eq!(delivered(&world).len(), 4);
}

// Without a reorder buffer routes are fixed: a packet behind one that is lost is the next.
#[test]
fn without_a_buffer_what_is_gone_is_skipped_at_once() {
    let mut world = world(false);
    world.fake.gone.insert((2, 0, 0));
    eject(&mut world, 2, &[1]);
    assert_eq!(delivered(&world), of_2(&[1]));
}

// "one cut in two is marked bad, discarded where it ends, counted once"
#[test]
fn a_packet_cut_in_two_is_discarded_and_counted_once() {
    for reorder_buffer in [false, true] {
        let mut world = world(reorder_buffer);
        world.fake.gone.insert((2, 0, 0));
        eject(&mut world, 2, &[0]);
        assert_eq!(delivered(&world), []);
        let lost = |world: &World| {
            let events = world.fake.events.iter();
            events.filter(|event| matches!(event.2, Event::Lost { .. })).count()
        };
        assert_eq!(lost(&world), 1);
        eject(&mut world, 2, &[1]);
        world.nodes[0].release_gone(&mut world.fake);
        assert_eq!((delivered(&world), lost(&world)), (of_2(&[1]), 1));
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    // Packets that come before an earlier one of their flow wait for it, those of other flows do
    // not. In whatever order they come, and whatever is lost: what is not is delivered once, in
    // order, and nothing waits in the end.
    #[test]
    fn any_order_is_restored(
        shuffled in Just((0..36_u32).collect::<Vec<_>>()).prop_shuffle(),
        lost in prop::collection::btree_set(0..36_u32, 0..8),
    ) {
        let mut world = world(true);
        let flow = |number: u32| (1 + number % 3, number / 3);
        for &number in &lost {
            let (source, sequence) = flow(number);
            world.fake.gone.insert((source, 0, sequence));
        }
        for number in shuffled.into_iter().filter(|number| !lost.contains(number)) {
            let (source, sequence) = flow(number);
            world.eject(packet(source, sequence));
        }
        world.nodes[0].release_gone(&mut world.fake);
        for source in 1..4 {
            let came: Vec<_> = delivered(&world).into_iter().filter(|d| d.0 == source).collect();
            let all = (0..36).filter(|number| !lost.contains(number)).map(flow);
            let expected: Vec<_> = all.filter(|d| d.0 == source).collect();
            prop_assert_eq!(came, expected);
        }
        let buffer = world.nodes[0].reorder().expect("a reorder buffer");
        prop_assert_eq!(buffer.packets(), 0);
    }
}
