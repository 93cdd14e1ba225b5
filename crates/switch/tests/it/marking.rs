//! ECN in one switch as `santos-ecn-2002` has it: forwarding delay, cut-through, bypassing, and
//! which packets are marked when, against a search of the buffers without any counter.

use crate::common::{CONTROL, LINK, WIRE, cases, params};
use crate::one_switch::{Bench, PORTS};
use crossbar::ArbiterKind;
use ecn::marking::{Marking, WaitsUntil};
use plan::{EcnConfig, Organisation, Params, SchemeKind, SwitchConfig};
use proptest::prelude::*;
use std::collections::BTreeSet;
use units::{PacketId, PortId, Span, Tick};

/// From the pin to the link: 40 ns in ticks of 2 ns.
const FORWARDING: u64 = 20;
/// From the pin to the end of the forwarding delay, when a packet may first start.
const DELAY: u64 = FORWARDING - 1;

fn ecn(marking: Marking) -> EcnConfig {
    EcnConfig {
        marking,
        cut_through_occupies_slot: false,
        input_threshold_packets: Some(4),
        calm: Span::ZERO,
        waits_until: WaitsUntil::Start,
    }
}

/// The paper's switch, but with memories that never overflow: 4 packets make one full.
fn paper(ecn: EcnConfig, max_bypass: Option<u32>) -> Params {
    params(|config| {
        config.organisation = Organisation::Iq;
        config.scheme = SchemeKind::Damq;
        config.arbiter = ArbiterKind::OldestFirst;
        config.input_multicast_read = true;
        config.max_bypass = max_bypass;
        config.stages.route = 16;
        config.ecn = Some(ecn);
    })
}

/// The switch after so many ticks in which these came, input, output and tick each; the packets.
fn after(ticks: u64, params: Params, arrivals: &[(u8, u8, u64)]) -> (Bench, Vec<PacketId>) {
    let mut bench = Bench::new(params, None);
    let arrive = |&(input, output, at)| bench.arrive(input, output, Tick(at), 0);
    let ids = arrivals.iter().map(arrive).collect();
    bench.run(ticks);
    (bench, ids)
}

/// Events of the marker, and of them those at rest.
fn events(bench: &Bench) -> [u64; 2] {
    bench.switch.marker().expect("there is one").events()
}

fn started(bench: &Bench, id: PacketId) -> u64 {
    bench.started(id).expect("it has started").0
}

// "Minimum forwarding delay 40 ns (header delay)", "the delay counted from the arrival of the
// header": the tail is 20 ticks, a packet and the wire behind the head's arrival.
#[test]
fn a_packet_alone_takes_the_forwarding_delay() {
    let (bench, ids) = after(200, paper(ecn(Marking::Naive), Some(4)), &[(1, 3, 10)]);
    assert_eq!(started(&bench, ids[0]), 10 + DELAY);
    assert_eq!(bench.packet(ids[0]).tail, Tick(10 + FORWARDING) + LINK + WIRE);
}

// "A packet forwarded at once (within the forwarding delay) does not count as buffered, nor for
// 'buffer full'"; with the key it does.
#[test]
fn what_cuts_through_counts_where_it_occupies_a_slot() {
    for (occupies, expected) in [(false, 0), (true, 3)] {
        let ecn = EcnConfig {
            cut_through_occupies_slot: occupies,
            input_threshold_packets: Some(1),
            ..ecn(Marking::InputTriggered)
        };
        // Far apart: each has left when the next one comes.
        let apart = [0, 100, 200].map(|at| (0, 2, at));
        let (bench, ids) = after(400, paper(ecn, Some(4)), &apart);
        assert_eq!(events(&bench), [expected; 2]);
        assert_eq!(bench.switch.marker().map(|marker| marker.waiting(PortId(2))), Some(0));
        assert!(ids.iter().all(|&id| !bench.packet(id).mark), "none has waited");
    }
}

// "Within an input buffer a younger packet for another output may pass older ones that wait
// (`max_bypass`)": how many older packets one may pass.
#[test]
fn a_packet_passes_as_many_older_ones_as_it_may() {
    // Two older packets of input 0 wait for output 3 when one for output 2 comes.
    for max_bypass in [Some(0), Some(1), Some(2), None] {
        let before = [(1, 3, 0), (2, 3, 0), (1, 3, 32), (2, 3, 32)];
        let arrivals = [&before[..], &[(0, 3, 40), (0, 3, 72), (0, 2, 104)]].concat();
        let (bench, ids) = after(600, paper(ecn(Marking::Naive), max_bypass), &arrivals);
        let [first, second, start] = [4, 5, 6].map(|at| started(&bench, ids[at]));
        assert_eq!([first, second], [DELAY + 4 * LINK.0, DELAY + 5 * LINK.0]);
        // Where it must wait it goes when an older one has started; a credit packet may be first.
        let soon = |before: u64| (before + 1..=before + 1 + CONTROL.0).contains(&start);
        let is_right = match max_bypass {
            Some(0) => soon(second),
            Some(1) => soon(first),
            _ => start == 104 + DELAY,
        };
        assert!(is_right, "{max_bypass:?}: {start}, after {first} and {second}");
    }
}

// "An arriving packet makes input buffer i full", "a full buffer, not an occupancy threshold": four
// packets of 64 bytes fill 256. Inputs 1 to 3 keep those of input 0 waiting.
#[test]
fn a_memory_is_full_without_room_for_another_packet() {
    for (port_memory_bytes, expected) in [(256, 2), (320, 0), (4096, 0)] {
        let full = EcnConfig { input_threshold_packets: None, ..ecn(Marking::InputTriggered) };
        let params = params(|config| {
            *config = SwitchConfig { port_memory_bytes, ..paper(full, None).config };
        });
        let others = (1..PORTS).flat_map(|input| [0, 32].map(|at| (input, 3, at)));
        // The fourth fills it at the end of its forwarding delay, when the first is being sent;
        // the fifth when that has left.
        let own = [1, 33, 65, 110, 160].map(|at| (0, 3, at));
        let arrivals: Vec<_> = own.into_iter().chain(others).collect();
        let (bench, ids) = after(800, params, &arrivals);
        assert_eq!(events(&bench)[0], expected, "{port_memory_bytes} bytes");
        let marks: Vec<_> = ids[..5].iter().map(|&id| bench.packet(id).mark).collect();
        let fills = expected > 0;
        assert_eq!(marks, [false, fills, fills, fills, fills]);
    }
}

// "`ecn.input_threshold_packets`": every packet that makes so many or more is an event.
#[test]
fn above_a_threshold_every_arrival_is_an_event() {
    let above = EcnConfig { input_threshold_packets: Some(2), ..ecn(Marking::InputTriggered) };
    // None of input 0 starts before the last one's forwarding delay ends but the first.
    let others = (1..PORTS).map(|input| (input, 3, 0));
    let arrivals: Vec<_> = others.chain([1, 33, 65, 97].map(|at| (0, 3, at))).collect();
    assert_eq!(events(&after(800, paper(above, None), &arrivals).0)[0], 3);
}

/// Arrivals at an input: time since the last one, output.
fn arrivals() -> impl Strategy<Value = Vec<Vec<(u64, u8)>>> {
    let gap = prop_oneof![3 => Just(LINK.0), 1 => LINK.0..100];
    let input = prop::collection::vec((gap, 0..PORTS), 0..12);
    prop::collection::vec(input, usize::from(PORTS))
}

/// A packet as the search sees it.
struct Seen {
    id: PacketId,
    input: u8,
    output: u8,
    /// When its forwarding delay ends.
    ends: u64,
    starts: u64,
    /// Its tail has left when this tick begins.
    left: u64,
}

/// The packets that a search marks: whenever a packet whose forwarding delay ends makes four or
/// more in its memory, all that wait for an output that is wanted there (of `naive`: all that wait
/// there).
fn searched(all: &[Seen], naive: bool) -> BTreeSet<PacketId> {
    let mut marked = BTreeSet::new();
    let waits = |packet: &Seen, now: u64| packet.ends <= now && packet.starts > now;
    for fresh in all.iter().filter(|fresh| fresh.starts > fresh.ends) {
        let now = fresh.ends;
        // What has cut through was never in the memory.
        let is_there = |p: &&Seen| {
            p.input == fresh.input && p.starts > p.ends && p.ends <= now && p.left > now
        };
        let there: Vec<&Seen> = all.iter().filter(is_there).collect();
        if there.len() < 4 {
            continue;
        }
        let wanted: BTreeSet<u8> = there.iter().map(|packet| packet.output).collect();
        let found = all.iter().filter(|packet| {
            waits(packet, now)
                && if naive { packet.input == fresh.input } else { wanted.contains(&packet.output) }
        });
        marked.extend(found.map(|packet| packet.id));
    }
    marked
}

proptest! {
    #![proptest_config(cases(300))]

    // The counters mark those that a search marks, where "each output takes the oldest packet of
    // the whole switch (by header arrival)", and so packets for an output start in the order of
    // their arrival: the oldest of the switch first, with any number of packets passed, and a
    // memory that is read for several outputs at once.
    #[test]
    fn marks_are_those_of_a_search(arrivals in arrivals(), naive: bool) {
        let rule = if naive { Marking::Naive } else { Marking::InputTriggered };
        let mut bench = Bench::new(paper(ecn(rule), None), None);
        let mut all = Vec::new();
        for (input, arrivals) in (0..).zip(&arrivals) {
            let mut at = 0;
            for &(gap, output) in arrivals {
                at += gap;
                all.push((bench.arrive(input, output, Tick(at), 0), input, output, at));
            }
        }
        bench.run(3_000);
        let seen: Vec<Seen> = all
            .iter()
            .map(|&(id, input, output, at)| {
                let (ends, starts) = (at + DELAY, started(&bench, id));
                Seen { id, input, output, ends, starts, left: starts + LINK.0 }
            })
            .collect();
        let marked: BTreeSet<PacketId> =
            seen.iter().filter(|packet| bench.packet(packet.id).mark).map(|packet| packet.id).collect();
        prop_assert_eq!(marked, searched(&seen, naive));
    }
}

// Cases above do mark: three inputs that want one output.
#[test]
fn three_inputs_for_one_output_are_marked_when_the_first_is_full() {
    let of_round = |k| (0..3).map(move |input| (input, 3, k * LINK.0));
    let arrivals: Vec<_> = (0..7).flat_map(of_round).collect();
    let params = paper(ecn(Marking::InputTriggered), None);
    let (bench, ids) = after(40 * LINK.0, params, &arrivals);
    let marker = bench.switch.marker().expect("there is one");
    let [events, at_rest] = marker.events();
    assert!(events > at_rest && at_rest == 1, "{events}, {at_rest}");
    assert_eq!((marker.waiting(PortId(3)), marker.pending(PortId(3))), (0, 0));
    let marks: Vec<bool> = ids.iter().map(|&id| bench.packet(id).mark).collect();
    let first = marks.iter().position(|&mark| mark).expect("some are");
    // What had started before the first event is not marked; all that comes later makes one.
    assert!(first > 0, "{marks:?}");
    assert!(marks[first..].iter().all(|&mark| mark), "{marks:?}");
}
