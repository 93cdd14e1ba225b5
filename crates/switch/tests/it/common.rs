//! What all tests share: a small switch, its parameters, packets, a broken invariant caught.

pub(crate) use crate::config::{config, recn};

use plan::{Common, ConfigError, MemoryLayout, Params, SwitchConfig};
use proptest::prelude::ProptestConfig;
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

/// What a case changes in [`config`].
pub(crate) type Change = fn(&mut SwitchConfig);

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

/// So many random cases; what fails is written nowhere.
pub(crate) fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}
