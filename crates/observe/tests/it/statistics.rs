//! What statistics make of replies, of faults and of packets out of order.

use crate::{config, offered};
use observe::{
    Event, FlowSet, FlowSetResult, Observer, Outstanding, PacketKey, PacketKind, PacketView, Place,
    Side, Stats, Summary, View,
};
use units::{QueueId, Tick, WireId};

const START: u64 = 100;
const END: u64 = 1_000;
const CLIENTS: u8 = 1;

fn stats() -> Stats {
    Stats::new(config(START, END))
}

fn place() -> Place {
    Place { port: WireId(0), side: Side::Ingress }
}

fn view(now: u64) -> View<'static> {
    View { now: Tick(now), owners: &[] }
}

/// A packet from node 0 to node 1, or a reply the other way.
fn packet(kind: PacketKind, group: u8, sequence: u32, born: u64) -> PacketView {
    let (source, destination) = match kind {
        PacketKind::Data => (0, 1),
        PacketKind::Reply | PacketKind::Ack | PacketKind::Cnp => (1, 0),
    };
    let key = PacketKey { source, destination, sequence };
    let born = Tick(born);
    PacketView { group, kind, born, injected: born, ..PacketView::new(key, 64) }
}

/// The reply to a request of `asked`, generated at `born`.
fn reply(asked: u64, born: u64) -> PacketView {
    PacketView { asked: Tick(asked), ..packet(PacketKind::Reply, CLIENTS, 0, born) }
}

fn offer(stats: &mut Stats, packet: &PacketView, is_refused: bool) {
    stats.offered(view(packet.born.0), offered(packet, is_refused));
}

fn eject(stats: &mut Stats, packet: &PacketView, now: u64) {
    stats.ejected(view(now), place(), *packet);
}

fn result(stats: &mut Stats, set: FlowSet) -> FlowSetResult {
    stats.end();
    stats.sets([(stats.measured(), set)]).remove(0).result
}

// "round_trip_ns from the generation of the request to the last tail of the reply".
#[test]
fn a_round_trip_is_from_the_request_to_the_last_tail_of_the_reply() {
    let mut stats = stats();
    let request = packet(PacketKind::Data, CLIENTS, 0, 200);
    offer(&mut stats, &request, false);
    eject(&mut stats, &request, 300);
    let mut answer = reply(200, 310);
    offer(&mut stats, &answer, false);
    answer.last = false;
    eject(&mut stats, &answer, 400);
    (answer.last, answer.sequence) = (true, 1);
    eject(&mut stats, &answer, 450);
    let clients = result(&mut stats, FlowSet::Group(1));
    let trips = clients.round_trip_ns.expect("the group asks");
    assert_eq!((trips.mean, trips.max), (Some(250.0), Some(250.0)));
    assert_eq!(clients.replies_delivered, Some(1));
    assert_eq!(clients.requests_under_way, Some(0));
    // The latency is that of the request alone.
    assert_eq!(clients.latency_ns.max, Some(100.0));
}

// "For requests generated after warm-up", however late the reply is.
#[test]
fn requests_of_the_warm_up_have_no_round_trip() {
    let mut stats = stats();
    eject(&mut stats, &reply(START - 1, 200), 300);
    let clients = result(&mut stats, FlowSet::Group(1));
    assert_eq!(clients.replies_delivered, Some(0));
    assert_eq!(clients.round_trip_ns.and_then(|trips| trips.mean), None);
}

// Replies are delivered bytes of their group and offered by all together, not by the group.
#[test]
fn replies_are_in_no_groups_load() {
    let mut stats = stats();
    let (request, answer) = (packet(PacketKind::Data, CLIENTS, 0, 200), reply(200, 300));
    for packet in [&request, &answer] {
        offer(&mut stats, packet, false);
        eject(&mut stats, packet, 350);
    }
    let time = (END - START) as f64;
    let clients = result(&mut stats, FlowSet::Group(1));
    assert_eq!(clients.offered_bytes_per_ns, Some(64.0 / time));
    assert_eq!(clients.delivered_bytes_per_ns, Some(128.0 / time));
    let all = result(&mut stats, FlowSet::All);
    assert_eq!(all.offered_bytes_per_ns, Some(128.0 / time));
}

// What has not arrived counts with its age: a request, or the reply to it.
#[test]
fn requests_without_a_reply_count_with_their_age() {
    for kind in [PacketKind::Data, PacketKind::Reply] {
        let mut stats = stats();
        let packet = match kind {
            PacketKind::Data => packet(kind, CLIENTS, 0, 200),
            PacketKind::Reply | PacketKind::Ack | PacketKind::Cnp => reply(200, 600),
        };
        let what = Outstanding {
            source: packet.source,
            destination: packet.destination,
            group: packet.group,
            kind,
            born: packet.born,
            asked: packet.asked,
            is_message: true,
            injected: None,
        };
        stats.never_arrived(&what, Tick(END));
        let clients = result(&mut stats, FlowSet::Group(1));
        let trips = clients.round_trip_ns.expect("the group asks");
        assert_eq!((trips.max, trips.undelivered), (Some(800.0), Some(1.0)), "{kind:?}");
        assert_eq!(clients.requests_under_way, Some(1), "{kind:?}");
    }
}

// A run drains until the last reply to a measured request is there; what is refused or lost on the
// way is not waited for.
#[test]
fn replies_are_waited_for_unless_they_cannot_come() {
    let request = packet(PacketKind::Data, CLIENTS, 0, 200);
    let mut asked = stats();
    offer(&mut asked, &request, false);
    assert_eq!(asked.measured_underway(), 2);

    let mut lost = asked.clone();
    lost.event(view(250), place(), Event::Lost { packet: request });
    assert_eq!(lost.measured_underway(), 0);

    eject(&mut asked, &request, 300);
    assert_eq!(asked.measured_underway(), 1);
    let mut refused = asked.clone();
    offer(&mut refused, &reply(200, 300), true);
    assert_eq!(refused.measured_underway(), 0);
    offer(&mut asked, &reply(200, 300), false);
    assert_eq!(asked.measured_underway(), 1);
    eject(&mut asked, &reply(200, 300), 400);
    assert_eq!(asked.measured_underway(), 0);
}

// "Lost to the fault" and "stranded" are counted apart, and are not in flight.
#[test]
fn what_faults_take_is_counted() {
    let mut stats = stats();
    let packets = [0, 1, 2].map(|sequence| packet(PacketKind::Data, 0, sequence, 200));
    for packet in &packets {
        offer(&mut stats, packet, false);
    }
    let view = view(250);
    let [packet, other, _] = packets;
    stats.event(view, place(), Event::Lost { packet });
    let (packet, queue) = (other, QueueId(0));
    stats.event(view, place(), Event::Stranded { packet, queue });
    assert_eq!((stats.counts().lost, stats.counts().stranded), (1, 1));
    assert_eq!(stats.counts().in_flight(), 1);
    assert_eq!(stats.measured_underway(), 1);
}

// Out of order is what arrives after a higher number of its flow; what never arrives is a gap.
#[test]
fn gaps_are_not_out_of_order() {
    for (numbers, late) in
        [(&[0, 1, 2][..], 0), (&[0, 3, 4], 0), (&[0, 2, 1, 3], 1), (&[4, 0, 1], 2)]
    {
        let mut stats = stats();
        for (&number, now) in numbers.iter().zip(200..) {
            eject(&mut stats, &packet(PacketKind::Data, 0, number, 150), now);
        }
        assert_eq!(stats.counts().out_of_order, late, "{numbers:?}");
    }
}

// Summaries of runs without replies keep their bytes: no field of theirs is new.
#[test]
fn without_replies_there_are_no_new_fields() {
    let summary = Summary {
        group_results: [("random".to_owned(), FlowSetResult::default())].into(),
        ..Summary::default()
    };
    let text = serde_json::to_string(&summary).unwrap();
    for name in ["round_trip_ns", "replies_delivered", "requests_under_way"] {
        assert!(!text.contains(name), "{name}");
    }
    assert_eq!(serde_json::from_str::<Summary>(&text).unwrap(), summary);
}
