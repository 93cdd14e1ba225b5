//! ACKs, windows and rates at an end node (spec: ecn.md).

use crate::common::{ENDNODE, NODES, PACKET, Setup, World, group};
use ecn::response::{Algorithm, Config, Dcqcn};
use observe::PacketKind;
use plan::{CnpConfig, EcnEndConfig, EndNodeConfig, GeneratorRule, SchemeKind};
use switch::{Flow, Packet};
use units::{Ratio, Span, Tick};
use workload::GroupConfig;

/// Ticks of a packet on the link.
const TIME: u64 = PACKET as u64 / 2;

fn ecn(algorithm: Algorithm, window: Option<u32>) -> EcnEndConfig {
    let ticks_per_byte = Ratio::new(1, 2).expect("not zero");
    EcnEndConfig {
        ack_bytes: 20,
        cnps: None,
        response: Config::new(algorithm, window, ticks_per_byte).expect("legal"),
    }
}

/// Node 0 to node 1 and node 2, greedy.
fn setup(ecn: EcnEndConfig) -> Setup {
    let generator = GeneratorRule::Delayed;
    let endnode = EndNodeConfig { ecn: Some(ecn), generator, ..ENDNODE };
    Setup { endnode, groups: vec![group(0, 1)], ..Setup::default() }
}

fn of_kind(packets: &[(Tick, Packet)], kind: PacketKind) -> Vec<(Tick, &Packet)> {
    let all = packets.iter().filter(|(_, packet)| packet.kind == kind);
    all.map(|(at, packet)| (*at, packet)).collect()
}

// "The destination copies the mark into the ACK of that packet": one for each, to its source, in
// the order of the packets, and no ACK is answered.
#[test]
fn every_packet_is_answered_by_an_ack_with_its_mark() {
    for marks in [false, true] {
        let mut world = World::new(&setup(ecn(Algorithm::None, Some(1))));
        world.fake.marks = marks;
        world.run(20_000);
        let data = of_kind(&world.fake.ejected, PacketKind::Data);
        let acks = of_kind(&world.fake.ejected, PacketKind::Ack);
        assert!(data.len() > 10);
        assert_eq!(data.len(), acks.len());
        for ((_, packet), (_, ack)) in data.iter().zip(&acks) {
            assert_eq!((ack.source, ack.destination), (1, 0));
            assert_eq!((ack.sequence, ack.bytes), (packet.sequence, 20));
            assert_eq!((packet.mark, ack.mark), (marks, marks));
        }
        let left = world.nodes.iter().find_map(|n| n.left_over());
        assert_eq!(left, None);
    }
}

// "Window fixed": no more than so many packets of a flow are without an ACK, and that many are.
#[test]
fn a_window_bounds_what_is_without_an_ack() {
    for window in [1, 2, 5] {
        let mut world = World::new(&setup(ecn(Algorithm::None, Some(window))));
        world.run(20_000);
        let sent = of_kind(&world.fake.sent, PacketKind::Data);
        let acked = of_kind(&world.fake.ejected, PacketKind::Ack);
        let outstanding = |at: Tick| {
            let sent = sent.iter().filter(|(tick, _)| *tick <= at).count();
            // An ACK of a tick counts for starts of that tick.
            let acked = acked.iter().filter(|(tick, _)| *tick <= at).count();
            sent.saturating_sub(acked)
        };
        let most = sent.iter().map(|(at, _)| outstanding(*at)).max();
        assert!(most <= Some(window as usize), "{most:?} of {window}");
        assert_eq!(world.fake.ejected.len(), 2 * sent.len());
        if window == 1 {
            assert_eq!(most, Some(1));
        }
    }
}

// "Next start >= last start + x packet times, re-evaluated when the ACK arrives": from the lowest
// rate, without marks, x is 512, then 511, then 511 (1 - 1/512).
#[test]
fn a_rate_keeps_starts_apart() {
    let ecn = ecn(Algorithm::Lipd { rate_ratio: 512 }, Some(2));
    let lowest = Ratio::new(1, 512).expect("not zero");
    let response = ecn.response.with_initial_rate(lowest).expect("legal");
    let mut world = World::new(&setup(EcnEndConfig { response, ..ecn }));
    world.run(60_000);
    let sent = of_kind(&world.fake.sent, PacketKind::Data);
    let starts: Vec<u64> = sent.iter().map(|(at, _)| at.0).collect();
    let gaps: Vec<u64> = starts.windows(2).map(|pair| pair[1] - pair[0]).collect();
    // 511 x 511 / 512 = 510.002, and so on; of each a packet time of 32 ticks, rounded up.
    let x = |acks: i32| 512.0 * (511.0_f64 / 512.0).powi(acks);
    let expected: Vec<u64> = (1..=3).map(|n| (x(n) * TIME as f64).ceil() as u64).collect();
    assert_eq!(gaps, expected, "starts at {starts:?}");
}

// Marks slow a flow down: x grows by 1 with each ACK of `lipd`.
#[test]
fn marks_slow_a_flow_down() {
    let mut world = World::new(&setup(ecn(Algorithm::Lipd { rate_ratio: 64 }, Some(1))));
    world.fake.marks = true;
    world.run(10_000);
    let sent = of_kind(&world.fake.sent, PacketKind::Data);
    let starts: Vec<u64> = sent.iter().map(|(at, _)| at.0).collect();
    let gaps = starts.windows(2).map(|pair| pair[1] - pair[0]);
    let expected = (2..).map(|x| x * TIME);
    assert!(starts.len() > 15);
    assert!(gaps.zip(expected).skip(3).all(|(gap, x)| gap == x), "{starts:?}");
}

// "A queue that is held up does not hold up the others" (docs/pfc.md): CNPs, which no rate holds
// back, wait beside two packets in a queue without credit; a message for another node goes.
#[test]
fn answers_in_a_queue_that_is_held_up_leave_the_others_open() {
    let timer = Span(10_000);
    let dcqcn = Dcqcn::new(timer, timer).expect("not zero");
    let cnps = CnpConfig { bytes: PACKET, interval: Span(1) };
    let ecn = EcnEndConfig { cnps: Some(cnps), ..ecn(Algorithm::Dcqcn(dcqcn), None) };
    let later = GroupConfig { start_ns: 6_000, end_ns: Some(6_100), ..group(0, 2) };
    let greedy = GroupConfig { end_ns: Some(4_000), ..group(0, 1) };
    let mut world = World::new(&Setup {
        scheme: SchemeKind::VoqSw,
        memory_bytes: 16 * PACKET * NODES,
        credit: false,
        groups: vec![greedy, later],
        ..setup(ecn)
    });
    world.run(2_500);
    let queued = |world: &World| world.nodes[0].injection().memory().queued_cells();
    assert_eq!(queued(&world), 2);
    for sequence in 0..16 {
        let flow = Flow { source: 1, destination: 0, sequence, group: 0 };
        let mut packet = Packet::new(flow, PACKET, 1);
        packet.mark = true;
        world.eject(packet);
        world.run(2_510 + 10 * u64::from(sequence));
    }
    assert_eq!(queued(&world), 16, "two packets and 14 CNPs");
    world.run(4_000);
    let others = world.fake.sent.iter().filter(|(_, p)| p.destination == 2);
    assert!(others.count() > 0);
}
