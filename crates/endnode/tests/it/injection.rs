//! Moves from admittance into the injection memory.

use crate::common::{ENDNODE, NODES, PACKET, Setup, WIDTH, World, group};
use flow_control::Control;
use observe::Event;
use plan::{EndNodeConfig, SchemeKind};
use turnpool::Point;
use units::{QueueId, Tick};
use workload::GroupConfig;

/// Greedy sources at node 0, to each of these, with admittance queues without a bound.
fn greedy(destinations: &[u32]) -> Setup {
    Setup {
        groups: destinations.iter().map(|&destination| group(0, destination)).collect(),
        endnode: EndNodeConfig { admittance_bytes: None, ..ENDNODE },
        credit: false,
        ..Setup::default()
    }
}

fn stores(world: &World) -> Vec<Tick> {
    let stored = |event: &Event| matches!(event, Event::Stored { .. });
    let events = world.fake.events.iter();
    events.filter(|e| stored(&e.2)).map(|e| e.0).collect()
}

// "A packet moves to injection only if the injection memory has a cell".
#[test]
fn a_full_memory_takes_nothing() {
    let mut world = World::new(&greedy(&[1]));
    world.run(3_000);
    // Eight cells behind the link, eight here.
    assert_eq!(world.fake.sent.len(), 8);
    assert_eq!(world.nodes[0].injection().memory().queued_cells(), 8);
    assert!(world.nodes[0].is_waiting());
}

// A tail that leaves in a tick has made room in that tick.
#[test]
fn the_room_of_a_tail_is_taken_as_it_leaves() {
    let mut world = World::new(&greedy(&[1]));
    world.run(1_500);
    world.give_back(0, 1);
    world.run(1_600);
    let (start, packet) = world.fake.sent.last().expect("a packet left");
    let length = u64::from(packet.link_ticks);
    assert_eq!(stores(&world).last().map(|t| t.0), Some(start.0 + length - 1));
}

// At most one packet a node and tick moves.
#[test]
fn one_packet_a_tick_moves() {
    let mut world = World::new(&Setup {
        groups: vec![group(0, 1), group(0, 2), group(0, 3)],
        ..Setup::default()
    });
    world.run(3_000);
    let stores = stores(&world);
    assert!(stores.len() > 30);
    assert!(stores.is_sorted_by(|a, b| a < b));
}

// "and the target SAQ is below Xoff": here of three packets.
#[test]
fn a_saq_takes_packets_up_to_xoff() {
    let mut world = World::new(&Setup {
        scheme: SchemeKind::Recn,
        memory_bytes: 4096,
        credit: true,
        ..greedy(&[1, 2])
    });
    world.run(200);
    let point = Point::from_turn(turnpool::turn(0, 1, NODES), WIDTH);
    world.control(0, Control::Notification(point));
    world.control(0, Control::Xoff(point));
    world.run(3_000);
    let memory = world.nodes[0].injection().memory();
    assert_eq!(memory.packets(QueueId(1)), 3);
    // What was before the SAQ was allocated has left long since.
    let mut last = world.fake.sent.iter().rev().take(10);
    assert!(last.all(|(_, packet)| packet.destination == 2));
}

// Per-queue credits: a queue that is full leaves the others alone; "a VC has its own static share
// of the memory and its own credits".
#[test]
fn a_full_queue_or_vc_leaves_the_others_alone() {
    // Replies to node 3 have a VC of their own, with half of eight cells, behind the link and here.
    let requests = GroupConfig { reply_bytes: Some(PACKET), reply_delay_ns: 1_000, ..group(3, 0) };
    let mut by_vc = Setup { reply_vcs: true, ..greedy(&[1]) };
    by_vc.groups.push(requests);
    let by_queue =
        Setup { scheme: SchemeKind::VoqNet, memory_bytes: NODES * 2 * PACKET, ..greedy(&[1, 2]) };
    for (setup, queues, cells, other) in [(by_queue, [1, 2], [2, 2], 2), (by_vc, [0, 1], [4, 0], 3)]
    {
        let mut world = World::new(&setup);
        world.run(3_000);
        let memory = world.nodes[0].injection().memory();
        assert_eq!(queues.map(|queue| memory.cells(QueueId(queue))), cells);
        let sent = |to| world.fake.sent.iter().filter(|(_, p)| p.destination == to).count();
        assert_eq!([sent(1), sent(other)], [cells[0] as usize; 2]);
    }
}
