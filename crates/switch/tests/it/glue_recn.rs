//! One switch with SAQs, an output of which is congested: its link is down (spec: `recn.md`).

use crate::common::{LINK, params};
use crate::one_switch::{Bench, place};
use flow_control::Control;
use observe::{Event, Side};
use plan::{LinkState, Organisation, SchemeKind, SwitchConfig};
use switch::COLD;
use turnpool::{Point, turn};
use units::{ClassId, PacketId, PortId, QueueId, Tick, WireId};

/// The congested output, and the input that all packets come to.
const OUTPUT: u8 = 3;
const INPUT: u8 = 1;

/// Ports of so many cells, an output whose link is down.
fn congested(scheme: SchemeKind, cells: u32) -> Bench {
    let params = params(|config: &mut SwitchConfig| {
        (config.scheme, config.port_memory_bytes) = (scheme, cells * 64);
        if scheme == SchemeKind::RecnDdIq {
            config.organisation = Organisation::Iq;
        }
    });
    let mut bench = Bench::new(params, None);
    bench.set_link(OUTPUT, LinkState::Down);
    bench
}

/// Packets one after the other, to these outputs, from tick 10 on.
fn arrive(bench: &mut Bench, outputs: &[u8]) -> Vec<PacketId> {
    let ticks = (0..).map(|at| Tick(10) + LINK * at);
    let packets = outputs.iter().zip(ticks);
    packets.map(|(&output, at)| bench.arrive(INPUT, output, at, 0)).collect()
}

/// The congested output as the input names it.
fn point() -> Point {
    Point::from_turn(turn(INPUT.into(), OUTPUT.into(), 4), 2)
}

/// What observers saw of the input.
fn seen(bench: &Bench, of: impl Fn(&Event) -> bool) -> Vec<Event> {
    let at_input = |e: &&(Tick, _, Event)| e.1 == place(INPUT, Side::Ingress) && of(&e.2);
    bench.around.events.iter().filter(at_input).map(|e| e.2).collect()
}

fn is_allocation(event: &Event) -> bool {
    matches!(event, Event::SaqAllocated { .. })
}

// Egress detection: "internal notification to the sender". What goes to the congested output is
// set aside at the input that it came by.
#[test]
fn a_congested_output_sets_its_flow_aside() {
    let mut bench = congested(SchemeKind::RecnBasic, 16);
    arrive(&mut bench, &[OUTPUT; 6]);
    bench.run(300);
    let allocated = seen(&bench, is_allocation);
    let Some(Event::SaqAllocated { point: at, in_use, .. }) = allocated.first() else {
        panic!("{allocated:?}");
    };
    assert_eq!((*at, *in_use), (point(), 1));
}

// Ingress detection, enhanced RECN: the detection queue becomes the SAQ, and upstream is notified.
#[test]
fn a_full_detection_queue_becomes_a_saq() {
    // Room for 4 at the output, where nothing is detected; the others wait at the input.
    let mut bench = congested(SchemeKind::Recn, 4);
    bench.params.recn.as_mut().expect("SAQs").detection_egress_packets = 9;
    arrive(&mut bench, &[OUTPUT; 7]);
    bench.run(400);
    assert_eq!(seen(&bench, is_allocation).len(), 1);
    let recn = bench.switch.inputs()[usize::from(INPUT)].recn().expect("SAQs");
    let line = recn.cam().find(&point()).expect("set aside");
    let memory = bench.switch.inputs()[usize::from(INPUT)].memory();
    assert_eq!(memory.packets(recn.queue(line)), 3);
    assert_eq!(memory.packets(QueueId(OUTPUT.into())), 0);
    let sent = (WireId(100 + u32::from(INPUT)), Control::Notification(point()));
    assert_eq!((bench.around.controls[0].0, bench.around.controls[0].2), sent);
}

// "separates congested flows from the others": what goes elsewhere is not held up.
#[test]
fn what_goes_elsewhere_passes() {
    for scheme in [SchemeKind::RecnBasic, SchemeKind::Recn, SchemeKind::RecnDd] {
        let mut bench = congested(scheme, 8);
        let packets = arrive(&mut bench, &[OUTPUT, OUTPUT, OUTPUT, OUTPUT, OUTPUT, OUTPUT, 2]);
        bench.run(600);
        assert!(bench.started(packets[6]).is_some(), "{scheme}");
    }
}

// `recn-dd-iq`: "Arrivals always go to the cold queue and are moved to SAQs from its head (PPU)".
#[test]
fn the_ppu_moves_what_is_congested_out_of_the_cold_queue() {
    let mut bench = congested(SchemeKind::RecnDdIq, 16);
    let packets = arrive(&mut bench, &[OUTPUT, OUTPUT, OUTPUT, 2]);
    bench.run(600);
    let moved = seen(&bench, |event| matches!(event, Event::Moved { .. }));
    let to_saq = |event: &Event| match event {
        Event::Moved { packet, queue } => (packet.sequence, queue.0),
        other => panic!("{other:?}"),
    };
    assert_eq!(moved.iter().map(to_saq).collect::<Vec<_>>(), [(0, 1), (1, 1), (2, 1)]);
    assert!(bench.started(packets[3]).is_some());
    let stored = seen(&bench, |event| matches!(event, Event::Stored { .. }));
    let in_cold = |event: &Event| matches!(event, Event::Stored { queue: COLD, .. });
    assert!(stored.len() == 4 && stored.iter().all(in_cold));
    // "at most one packet in this time" (`recn.ppu_interval_ns`: 7 ticks here). The third arrival
    // is the one that is detected: all wait for their move by then.
    let is_move = |e: &&(Tick, _, Event)| matches!(e.2, Event::Moved { .. });
    let ticks: Vec<_> = bench.around.events.iter().filter(is_move).map(|e| e.0.0).collect();
    assert_eq!([ticks[1] - ticks[0], ticks[2] - ticks[1]], [7, 7]);
}

// "After traffic ends every line is free": the link comes up, all goes out in order, and nothing is
// left.
#[test]
fn all_is_released_when_the_congestion_is_over() {
    let schemes =
        [SchemeKind::RecnBasic, SchemeKind::Recn, SchemeKind::RecnDd, SchemeKind::RecnDdIq];
    for scheme in schemes {
        let mut bench = congested(scheme, 16);
        let packets = arrive(&mut bench, &[OUTPUT; 12]);
        bench.run(600);
        bench.set_link(OUTPUT, LinkState::Up);
        bench.run(2_000);
        assert!(!seen(&bench, is_allocation).is_empty(), "{scheme}");
        let sent: Vec<_> = bench.around.sent.iter().map(|sent| sent.2).collect();
        assert_eq!(sent, packets, "{scheme}");
        bench.returning = vec![(bench.around.now, PortId(OUTPUT), ClassId(0), 12)];
        bench.run(1);
        assert_eq!(bench.switch.left_over(), None, "{scheme}");
    }
}
