//! The glue: what one switch does with packets, from the pin at an input to the link of an output.
//! That all arrives, and how late, with SAQs and without: in whole fabrics (`tests/`).

use crate::common::{CONTROL, LINK, WIRE, broken_by, params, route};
use crate::one_switch::Bench;
use plan::{LinkState, Organisation, RouteTable};
use std::sync::Arc;
use units::{ClassId, PortId, Span, Tick, Unit, WireId};

fn organised(organisation: Organisation) -> Bench {
    Bench::new(params(|config| config.organisation = organisation), None)
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

// A table that changes: heads that wait are routed again.
#[test]
fn heads_are_routed_again_as_the_table_changes() {
    let table = |outputs: u64| RouteTable::Several([outputs].into());
    let mut bench = Bench::new(params(|_| {}), Some(table(0b1000)));
    // Output 3 is taken by input 0.
    bench.arrive(0, 0, Tick(10), 0);
    let moved = bench.arrive(1, 0, Tick(12), 0);
    bench.run(20);
    let changed = Arc::new(table(0b100));
    bench.switch.set_table(&bench.params, PortId(1), changed, &mut bench.around);
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
        bench.set_link(3, LinkState::Down);
        let id = bench.arrive(1, 3, Tick(10), 0);
        bench.run(100);
        assert_eq!(bench.started(id), None);
        bench.set_link(3, LinkState::Up);
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
