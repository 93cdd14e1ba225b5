//! What the tests of all units share: a small switch, its parameters, packets, and a broken
//! invariant caught.

use crossbar::ArbiterKind;
use flow_control::{Edge, Thresholds};
use plan::{
    Common, ConfigError, MemoryLayout, Organisation, Params, SaqPriority, SchemeKind,
    StageLatencies, SwitchConfig, Switching, VoqNetMemory, VoqSwOutput,
};
use proptest::prelude::ProptestConfig;
use recn::RecnConfig;
use std::panic::{AssertUnwindSafe, catch_unwind};
use switch::{Flow, Packet, Peer};
use turnpool::Route;
use units::{Broken, Ratio, Span, TimeBase, Unit, WireId};

/// A packet of 64 bytes on a link, at speedup 1: 32 phits of a tick.
pub(crate) const LINK: Span = Span(32);
/// A control packet of 6 bytes there.
pub(crate) const CONTROL: Span = Span(3);
/// The wires.
pub(crate) const WIRE: Span = Span(5);

pub(crate) const IN0: Unit = Unit::Ingress { switch: 0, port: 0 };
pub(crate) const OUT0: Unit = Unit::Egress { switch: 0, port: 0 };

/// `cioq`, `1q`, port memories of 4 KiB, no waiting bound.
pub(crate) fn config() -> SwitchConfig {
    SwitchConfig {
        adaptive: None,
        input_multicast_read: false,
        max_bypass: None,
        ecn: None,
        pfc: None,
        faults: false,
        organisation: Organisation::Cioq,
        scheme: SchemeKind::OneQueue,
        arbiter: ArbiterKind::RoundRobin,
        wait_bound_packets: None,
        saq_priority: SaqPriority::Bounded,
        switching: Switching::VirtualCutThrough,
        port_memory_bytes: 4096,
        cell_bytes: 64,
        vcs: 1,
        reply_vcs: false,
        dbbm_queues: 4,
        voq_sw_output: VoqSwOutput::LookAhead,
        voq_net_memory: VoqNetMemory::Fixed,
        crossbar_overhead_bytes: 0,
        stages: StageLatencies::default(),
        recn: recn(),
    }
}

pub(crate) fn recn() -> RecnConfig {
    RecnConfig {
        saqs: 4,
        detection_egress_packets: 3,
        detection_ingress_packets: 3,
        propagation_packets: 1,
        thresholds: Thresholds::new(4, 2, Edge::Reached).expect("legal"),
        saq_timer: Span(10),
        retry: Span(10),
        xoff_repeat: Span(10),
        ppu_interval: Span(7),
        iq_egress_lines: false,
        root_xoff_packets: None,
    }
}

/// Phits of 2 bytes, links of 1 byte/ns, the largest packet 64 bytes, 16 nodes.
pub(crate) fn fabric(speedup: (u64, u64)) -> Common {
    let ratio = |num, den| Ratio::new(num, den).expect("no zero");
    Common {
        time_base: TimeBase::new(2, Ratio::ONE, ratio(speedup.0, speedup.1)).expect("legal"),
        control_packet_bytes: 6,
        named_control_bytes: 6,
        packet_bytes: 64,
        nodes: 16,
    }
}

/// Parameters at speedup 1 of [`config`], changed.
pub(crate) fn params(change: impl FnOnce(&mut SwitchConfig)) -> Params {
    try_params(fabric((1, 1)), change).expect("legal")
}

pub(crate) fn try_params(
    fabric: Common,
    change: impl FnOnce(&mut SwitchConfig),
) -> Result<Params, ConfigError> {
    let mut config = config();
    change(&mut config);
    Params::new(&config, fabric)
}

/// So many classes of so many cells each, a queue each.
pub(crate) fn classes(classes: u32, class_cells: u32) -> MemoryLayout {
    MemoryLayout { cells: classes * class_cells, queues: classes, classes, class_cells }
}

/// Another switch, over a wire of 5 ticks.
pub(crate) fn peer() -> Peer {
    Peer { wire: Some(WireId(7)), is_switch: true, latency: WIRE }
}

/// 64 bytes, one cell.
pub(crate) fn packet(destination: u32) -> Packet {
    let flow = Flow { source: 0, destination, sequence: 0, group: 0 };
    let mut packet = Packet::new(flow, 64, 1);
    packet.link_ticks = LINK.0 as u32;
    packet.crossbar_ticks = LINK.0 as u32;
    packet
}

/// Turns of so many bits each.
pub(crate) fn route(turns: &[u32], width: u32) -> Route {
    let mut route = Route::EMPTY;
    for &turn in turns {
        route.push_back(turn, width).expect("short");
    }
    route
}

/// The invariant that this breaks.
pub(crate) fn broken_by<T>(act: impl FnOnce() -> T) -> Broken {
    let Err(payload) = catch_unwind(AssertUnwindSafe(act)) else {
        panic!("nothing broke");
    };
    *payload.downcast::<Broken>().expect("a broken invariant")
}

/// Whether this panics, in whatever way.
pub(crate) fn broken_or_panicked<T>(act: impl FnOnce() -> T) -> bool {
    catch_unwind(AssertUnwindSafe(act)).is_err()
}

/// So many random cases; what fails is written nowhere.
pub(crate) fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}
