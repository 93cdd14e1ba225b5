//! Looks at a switch: what requests, what crosses and what holds cells.

use crate::common::{LINK, params};
use crate::one_switch::Bench;
use observe::{CellsInUse, Waits};
use plan::LinkState;
use units::{ClassId, PortId, QueueId, Span, Tick};

const INPUT: PortId = PortId(1);
const OUTPUT: PortId = PortId(3);

/// Port memories of 4 cells, the link behind output 3 down; so many packets come for it.
fn blocked(packets: u64) -> Bench {
    let mut bench = Bench::new(params(|config| config.port_memory_bytes = 256), None);
    bench.set_link(OUTPUT.0, LinkState::Down);
    for at in 0..packets {
        bench.arrive(INPUT.0, OUTPUT.0, Tick(10) + LINK * at, 0);
    }
    bench
}

// A head that requests is seen with its room, and cells by what holds them.
#[test]
fn a_head_that_requests_is_seen_with_its_room() {
    let mut bench = blocked(6);
    bench.run(400);
    let cells = bench.switch.inputs()[INPUT.index()].probe(Waits::Credit).cells;
    assert_eq!(cells, CellsInUse { normal: 2, ..CellsInUse::default() });
    let (packets, now) = (&bench.around.packets, bench.around.now);
    let probe = bench.switch.outputs()[OUTPUT.index()].probe(Waits::Credit, now);
    assert_eq!((probe.cells.normal, probe.waits), (4, Waits::Credit));
    let mut seen = Vec::new();
    bench.switch.requests(&bench.params, packets, now, |request| seen.push(request));
    let [request] = seen[..] else {
        panic!("{seen:?}");
    };
    assert_eq!((request.input, request.queue, request.output), (INPUT, QueueId(0), OUTPUT));
    assert_eq!((request.class, request.cells, request.room), (ClassId(0), 1, 0));
    assert!(!request.is_saq && request.is_output_open);
    // The fifth: its head is at the pin 4 packets after the first.
    assert_eq!(request.due, Tick(10) + LINK * 4 + Span(3 + 1));
}

// From its start until its tail has left a packet is on the crossbar, and its cells are leaving.
#[test]
fn a_packet_on_the_crossbar_is_seen() {
    let mut bench = blocked(1);
    bench.run(15);
    let now = bench.around.now;
    let crossings: Vec<_> = bench.switch.scheduler().transfers().collect();
    let (input, crossing) = crossings[INPUT.index()];
    assert_eq!((input, crossing.output), (INPUT, OUTPUT));
    // The tail is in the memory in tick 45.
    assert_eq!(crossing.end, Tick(46));
    let input = &bench.switch.inputs()[INPUT.index()];
    let probe = input.probe(Waits::Nothing);
    assert!(probe.is_busy && probe.cells.leaving == 1);
    assert!(bench.switch.may_have_moved_since(now));
    assert!(!bench.switch.may_have_moved_since(crossing.end));
    bench.run((crossing.end - now).0);
    let input = &bench.switch.inputs()[INPUT.index()];
    assert!(!input.probe(Waits::Nothing).is_busy);
}
