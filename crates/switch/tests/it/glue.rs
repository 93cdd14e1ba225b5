//! The glue: what one switch does with packets, from the pin at an input to the link of an output.

use crate::common::{CONTROL, LINK, WIRE, broken_by, cases, fabric, params, route, try_params};
use crate::one_switch::{Bench, PORTS, place, words};
use observe::{Event, Side};
use plan::{LinkState, Organisation, RouteTable, StageLatencies, SwitchConfig, Switching};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::num::NonZeroU8;
use std::sync::Arc;
use units::{ClassId, PacketId, PortId, Span, Tick, Unit, WireId};

fn organised(organisation: Organisation) -> Bench {
    Bench::new(params(|config| config.organisation = organisation), None)
}

/// From the pin at the input to the tail at the end node, with one packet in the switch.
fn latency(speedup: (u64, u64), change: impl FnOnce(&mut SwitchConfig)) -> Span {
    let params = try_params(fabric(speedup), change).expect("legal");
    let mut bench = Bench::new(params, None);
    let id = bench.arrive(1, 3, Tick(10), 0);
    bench.run(1_000);
    let (_, wire, _) = bench.around.sent[0];
    assert_eq!(wire, WireId(103));
    bench.packet(id).tail - Tick(10)
}

/// Stages that tell what is counted how often.
fn stages() -> StageLatencies {
    StageLatencies {
        route: 1,
        lookup: 4,
        enqueue: 9,
        arbitration: 16,
        crossbar: 25,
        credit_return: 36,
    }
}

// "Zero-load latency = wires + serialisation of one packet + the sum of these stages, exactly: per
// switch, `cioq`: route, lookup, enqueue, arbitration, crossbar, lookup, enqueue, arbitration;
// `iq`: the first five; `oq`: route, crossbar, lookup, enqueue, arbitration".
// "`store-and-forward`": the tail is awaited in each memory.
#[test]
fn zero_load_latency_is_the_sum_of_the_stages() {
    let cases = [
        (Organisation::Cioq, 1 + 4 + 9 + 16 + 25 + 4 + 9 + 16, 2),
        (Organisation::Iq, 1 + 4 + 9 + 16 + 25, 1),
        (Organisation::Oq, 1 + 25 + 4 + 9 + 16, 1),
    ];
    for (organisation, sum, memories) in cases {
        let with = |speedup, switching| {
            latency(speedup, |config| {
                (config.organisation, config.stages) = (organisation, stages());
                config.switching = switching;
            })
        };
        let through = with((1, 1), Switching::VirtualCutThrough);
        assert_eq!(through, LINK + WIRE + Span(sum), "{organisation}");
        let stored = with((1, 1), Switching::StoreAndForward);
        assert_eq!(stored, through + LINK * memories, "{organisation}");
        if organisation == Organisation::Cioq {
            // In ticks of a third of a link-phit; the wire is given in ticks.
            let faster = with((3, 2), Switching::VirtualCutThrough);
            assert_eq!(faster, (LINK + Span(sum)) * 3 + WIRE);
        }
    }
}

// "A credit is ... returned when the packet's tail leaves that memory": the input's, in `oq` the
// output's, to the input that sent.
#[test]
fn credit_goes_upstream_when_the_tail_has_left() {
    for organisation in [Organisation::Cioq, Organisation::Oq] {
        let mut bench = organised(organisation);
        let id = bench.arrive(1, 3, Tick(10), 0);
        bench.run(100);
        let end = match organisation {
            Organisation::Oq => bench.packet(id).tail - WIRE,
            // Stored in 13, on the crossbar from 14; the tail is in the memory in 10 + 32 + 3.
            _ => Tick(10) + LINK + Span(3 + 1),
        };
        let due = end + CONTROL + WIRE + Span(1);
        assert_eq!(bench.around.credits, [(WireId(101), due, ClassId(0), 1)]);
    }
}

// What an observer is told of a packet on its way over the link, which statistics count.
#[test]
fn a_hop_ends_with_its_tail() {
    let mut bench = organised(Organisation::Cioq);
    bench.arrive(1, 3, Tick(10), 0);
    bench.run(100);
    let all = bench.around.events.iter();
    let hops = all.filter(|event| matches!(event.2, Event::Hop { .. }));
    let hop = Event::Hop { at: Tick(18) + LINK - Span(1), span: LINK };
    let expected = [(Tick(18), place(3, Side::Egress), words(hop))];
    assert_eq!(hops.map(|e| (e.0, e.1, words(e.2))).collect::<Vec<_>>(), expected);
}

/// Destination 0 leads to output 3, destination 1 to none.
fn half_a_table() -> Option<RouteTable> {
    Some(RouteTable::Single([NonZeroU8::new(4), None].into()))
}

// A packet that no output leads on is removed as it comes to the head, in `oq` as it arrives, its
// credit returned; nothing goes to another output.
#[test]
fn a_packet_that_leads_nowhere_is_removed() {
    for (organisation, at) in [(Organisation::Cioq, Tick(13)), (Organisation::Oq, Tick(14))] {
        let params = params(|config| config.organisation = organisation);
        let mut bench = Bench::new(params, half_a_table());
        bench.arrive(1, 0, Tick(10), 1);
        bench.run(100);
        let events = bench.around.events.iter();
        let told: Vec<_> = events.map(|&(at, of, event)| (at, of, words(event))).collect();
        let stranded = (at, place(1, Side::Ingress), "stranded n0->n1#0 q0".to_string());
        assert!(told.contains(&stranded), "{told:?}");
        let due = at.next() + CONTROL + WIRE + Span(1);
        assert_eq!(bench.around.credits, [(WireId(101), due, ClassId(0), 1)]);
        assert_eq!((bench.around.packets.alive(), bench.around.sent.len()), (0, 0));
        assert_eq!(bench.switch.left_over(), None);
    }
}

// A blocked head would hold up its queue for ever.
#[test]
fn what_is_behind_a_stranded_packet_goes_on() {
    let mut bench = Bench::new(params(|_| {}), half_a_table());
    // The first goes and takes the output; the second is stored behind it, the third behind that.
    let sent = bench.arrive(1, 0, Tick(10), 0);
    bench.arrive(1, 0, Tick(10) + LINK, 1);
    let last = bench.arrive(1, 0, Tick(10) + LINK * 2, 0);
    bench.run(300);
    assert!(bench.started(sent).is_some() && bench.started(last).is_some());
    assert_eq!(bench.around.packets.alive(), 2);
}

// A table that changes: heads that wait are routed again, or removed.
#[test]
fn heads_are_routed_again_as_the_table_changes() {
    let mut bench = Bench::new(params(|_| {}), half_a_table());
    // Output 3 is taken by input 0.
    bench.arrive(0, 0, Tick(10), 0);
    let moved = bench.arrive(1, 0, Tick(12), 0);
    bench.run(20);
    let table = Arc::new(RouteTable::Several([0b100, 0].into()));
    bench.switch.set_table(&bench.params, PortId(1), table, &mut bench.around);
    bench.run(100);
    let wires: Vec<_> = bench.around.sent.iter().map(|sent| sent.1).collect();
    assert_eq!(wires, [WireId(103), WireId(102)]);
    // The table is written in tick 20: it stands from the next one on, then crosses.
    assert_eq!(bench.started(moved), Some(Tick(21) + Span(3 + 1)));
}

// "nothing starts on" a link that is down; when it is up again what waits goes on.
#[test]
fn a_link_goes_down_and_up() {
    for organisation in [Organisation::Cioq, Organisation::Iq] {
        let mut bench = organised(organisation);
        bench.switch.set_link_state(PortId(3), LinkState::Down);
        let id = bench.arrive(1, 3, Tick(10), 0);
        bench.run(100);
        assert_eq!(bench.started(id), None);
        bench.switch.set_link_state(PortId(3), LinkState::Up);
        bench.run(2);
        assert_eq!(bench.started(id), Some(Tick(100)), "{organisation}");
    }
}

// "A credit is consumed at the start of transmission": without one a packet waits.
#[test]
fn a_packet_waits_for_credit_of_the_link() {
    let mut bench = organised(Organisation::Cioq);
    for at in 0..65 {
        bench.arrive(1, 3, Tick(10) + LINK * at, 0);
    }
    bench.run(70 * LINK.0);
    assert_eq!(bench.around.sent.len(), 64);
    let back = bench.around.now + Span(10);
    bench.returning = vec![(back, PortId(3), ClassId(0), 1)];
    bench.run(20);
    // "Evaluations read a credit one tick after it became usable."
    assert_eq!(bench.around.sent[64].0, back.next());
}

proptest! {
    #![proptest_config(cases(60))]

    // All that comes goes out where it should, in order of each pair of ports, and leaves nothing
    // behind: "Overflow is a bug of the model, never a drop."
    #[test]
    fn nothing_is_lost(
        organisation in prop::sample::select(
            &[Organisation::Cioq, Organisation::Iq, Organisation::Oq][..],
        ),
        packets in prop::collection::vec((0..PORTS, 0..PORTS, 32_u64..80), 1..60),
    ) {
        let mut bench = organised(organisation);
        let mut free = [Tick(1); PORTS as usize];
        let mut expected: BTreeMap<(u8, WireId), Vec<PacketId>> = BTreeMap::new();
        for &(input, output, gap) in &packets {
            let at = &mut free[usize::from(input)];
            let id = bench.arrive(input, output, *at, 0);
            *at += Span(gap);
            let wire = WireId(u32::from(output) + 100);
            expected.entry((input, wire)).or_default().push(id);
        }
        bench.run(60 * 80 + 200);
        let mut found: BTreeMap<(u8, WireId), Vec<PacketId>> = BTreeMap::new();
        let mut back = [0; PORTS as usize];
        for &(_, wire, id) in &bench.around.sent {
            let input = bench.packet(id).sender.0;
            found.entry((input, wire)).or_default().push(id);
            back[wire.0 as usize - 100] += 1;
        }
        prop_assert_eq!(found, expected);
        // The end nodes give their credit back.
        let now = bench.around.now;
        let credit = |(port, &cells): (usize, &u32)| (now, PortId::at(port), ClassId(0), cells);
        bench.returning = back.iter().enumerate().map(credit).collect();
        bench.run(1);
        prop_assert_eq!(bench.switch.left_over(), None);
        let returned: u32 = bench.around.credits.iter().map(|credit| credit.3).sum();
        prop_assert_eq!(returned as usize, packets.len());
    }
}

// The header of a packet with too few turns: nothing after that tick means anything.
#[test]
fn a_route_that_ends_before_the_switch_breaks_an_invariant() {
    let mut bench = organised(Organisation::Cioq);
    let id = bench.arrive(1, 3, Tick(10), 0);
    bench.around.packets[id].route = route(&[], 2);
    let broken = broken_by(|| bench.run(100));
    assert_eq!(broken.unit, Unit::Ingress { switch: 0, port: 1 },);
    assert_eq!(broken.what, "the route ends: a turn in bits 0..2 of the 0 that remain");
}
