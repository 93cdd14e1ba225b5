//! One router, and what it decides with given counters.

use hierarchy::{
    Address, Algorithm, Choice, Counters, NodeShape, PortKind, Router, Routing, Selection, Trip,
    TwoLevelTable, VcScheme,
};
use rand_core::SeedableRng;
use std::collections::BTreeSet;
use units::PortId;
use units::draw::Stream;

/// Ports of [`Bench::new`].
pub(crate) const PORTS: usize = 9;
/// Th, cells.
pub(crate) const TH: u32 = 4;
pub(crate) const NODE: PortId = PortId(8);

pub(crate) type Queued = [u32; PORTS];

/// No port is busy.
pub(crate) const FREE: Queued = [0; PORTS];
/// All are.
pub(crate) const BUSY: Queued = [TH; PORTS];

/// Node 0 of super node 0, of 4 nodes and 5 super nodes: local ports 0 to 2, global ports 3 and 5
/// to super node 1, 4 to 2 and 6 to 3, 7 unconnected.
#[derive(Debug, Clone)]
pub(crate) struct Bench {
    pub(crate) routing: Routing,
    pub(crate) shape: NodeShape,
    pub(crate) table: TwoLevelTable,
    pub(crate) live: u64,
    pub(crate) selection: Selection,
}

pub(crate) fn node(super_node: u16, node: u16) -> Address {
    Address { super_node, node }
}

pub(crate) fn stream(seed: u64) -> Stream {
    Stream::seed_from_u64(seed)
}

impl Bench {
    pub(crate) fn new(algorithm: Algorithm) -> Bench {
        let (local, global) = ([PortKind::Local; 3], [1, 2, 1, 3].map(PortKind::Global));
        let ports = [&local[..], &global, &[PortKind::Unconnected, PortKind::Node]].concat();
        let t1 = [0, 0b011, 0b010, 0b101];
        let t2 = [0, 0b10_1000, 0b1_0000, 0b100_0000, 0b110];
        Bench {
            routing: Routing { algorithm, vc_scheme: VcScheme::HopCount, diameter: 2 },
            shape: NodeShape::new(node(0, 0), ports.into()),
            table: TwoLevelTable::new(t1.into(), t2.into()),
            live: u64::MAX,
            selection: Selection::LeastQueued,
        }
    }

    pub(crate) fn router(&self) -> Router<'_> {
        Router { routing: self.routing, shape: &self.shape, table: &self.table, live: self.live }
    }

    /// What a router with these counters does.
    pub(crate) fn with<T>(
        &self,
        queued: &[u32],
        stream: &mut Stream,
        does: impl FnOnce(&Router<'_>, &mut Counters<'_, &dyn Fn(PortId) -> u32>) -> T,
    ) -> T {
        let queued = |port: PortId| queued[port.index()];
        let selection = self.selection;
        let mut counters = Counters {
            queued: &queued as &dyn Fn(PortId) -> u32,
            threshold_cells: TH,
            selection,
            stream,
        };
        does(&self.router(), &mut counters)
    }

    /// What is decided for a packet with this state, with the stream of a seed.
    pub(crate) fn choose(
        &self,
        trip: Trip,
        destination: Address,
        in_port: PortId,
        queued: &[u32],
        seed: u64,
    ) -> Option<Choice> {
        self.with(queued, &mut stream(seed), |router, counters| {
            router.choose(trip, destination, in_port, counters)
        })
    }

    /// All ports that many streams lead to, each with whether it is a misroute.
    pub(crate) fn ports(
        &self,
        trip: Trip,
        destination: Address,
        in_port: PortId,
        queued: &[u32],
    ) -> Vec<(u8, bool)> {
        let choices =
            (0..200).filter_map(|seed| self.choose(trip, destination, in_port, queued, seed));
        let ports: BTreeSet<_> =
            choices.map(|choice| (choice.port.0, choice.trip.misroutes_here)).collect();
        ports.into_iter().collect()
    }

    /// The state with which packets of this node set out, with the stream of a seed.
    pub(crate) fn start(&self, destination: Address, queued: &[u32], seed: u64) -> Trip {
        self.with(queued, &mut stream(seed), |router, counters| router.start(destination, counters))
    }
}

/// Counters at Th, where a port is busy, but for these ports, which are one below.
pub(crate) fn busy_but(ports: &[usize]) -> Queued {
    let mut queued = BUSY;
    for &port in ports {
        queued[port] = TH - 1;
    }
    queued
}

pub(crate) fn misroutes(ports: &[u8]) -> Vec<(u8, bool)> {
    ports.iter().map(|&port| (port, true)).collect()
}

pub(crate) fn minimal(port: u8) -> Vec<(u8, bool)> {
    vec![(port, false)]
}
