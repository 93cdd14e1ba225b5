//! The part of RU that looks up T1 and T2 and decides (lai-rsi; spec: rsi.md).

use crate::packet::Packet;
use hierarchy::{Address, Counters, NodeShape, Router, Trip, TwoLevelTable};
use plan::AdaptiveConfig;
use std::sync::Arc;
use units::PortId;
use units::draw::Stream;

/// The two-level router of one ingress port, with its own copy of the tables.
///
/// ```
#[doc = include_str!("../of_examples.txt")]
#[doc = include_str!("../two_level_of_examples.txt")]
/// let other = router; // of another ingress port
/// ru.set_entry(Region::SuperNode(1), 1 << 3);
/// let entry = |router: &TwoLevel| router.table.entry(Region::SuperNode(1));
/// assert_eq!(ru.two_level().map(entry), Some(1 << 3));
/// assert_eq!(entry(&other), 1 << 2);
/// ```
#[derive(Debug, Clone)]
pub struct TwoLevel {
    /// The rules of the network.
    pub rules: AdaptiveConfig,
    /// Th, cells.
    pub threshold_cells: u32,
    /// VCs of a link, those of replies not included.
    pub vcs: u8,
    /// The node.
    pub shape: Arc<NodeShape>,
    /// Its tables.
    pub table: TwoLevelTable,
    /// Address of each end node.
    pub addresses: Arc<[Address]>,
    /// For what is picked at random.
    pub stream: Stream,
    /// Ports whose links are up, a bit each.
    pub live: u64,
}

impl TwoLevel {
    pub(super) fn router(&self) -> Router<'_> {
        let TwoLevel { rules, shape, table, live, .. } = self;
        Router { routing: rules.routing, shape, table, live: *live }
    }

    /// The router, and what it decides by.
    fn parts<Q>(&mut self, queued: Q) -> (Router<'_>, Counters<'_, Q>) {
        let TwoLevel { rules, shape, table, live, threshold_cells, stream, .. } = self;
        let router = Router { routing: rules.routing, shape, table, live: *live };
        let (selection, threshold_cells) = (rules.selection, *threshold_cells);
        (router, Counters { queued, threshold_cells, selection, stream })
    }

    fn address(&self, packet: &Packet) -> Address {
        self.addresses[packet.destination as usize]
    }

    /// A packet has come by `in_port`: its header is brought up to date, and it is assigned.
    pub(super) fn arrive(
        &mut self,
        packet: &mut Packet,
        in_port: PortId,
        queued: impl Fn(PortId) -> u32,
    ) -> Option<PortId> {
        packet.trip = packet.trip.arrive(self.shape.address);
        if in_port == self.shape.node_port() {
            let destination = self.address(packet);
            let (router, mut counters) = self.parts(&queued);
            packet.trip = router.start(destination, &mut counters);
        }
        self.choose(packet, in_port, queued)
    }

    /// Assigns a packet that has arrived to an output.
    pub(super) fn choose(
        &mut self,
        packet: &mut Packet,
        in_port: PortId,
        queued: impl Fn(PortId) -> u32,
    ) -> Option<PortId> {
        let destination = self.address(packet);
        let (router, mut counters) = self.parts(queued);
        let choice = router.choose(packet.trip, destination, in_port, &mut counters);
        let choice = choice.filter(|choice| self.has_vc(&choice.trip, choice.port));
        packet.assigned = choice.is_some();
        let choice = choice?;
        packet.trip = choice.trip;
        Some(choice.port)
    }

    /// Whether there is a VC for a packet with this state on the link behind a port. One that was
    /// under way as tables were recomputed may have made more hops than they reckon with.
    fn has_vc(&self, trip: &Trip, port: PortId) -> bool {
        self.router().vc(trip, port).0 < self.vcs
    }

    /// Whether the output that a packet was assigned to still leads on.
    pub(super) fn leads_on(&self, packet: &Packet, in_port: PortId) -> bool {
        let (router, trip) = (self.router(), &packet.trip);
        let destination = self.address(packet);
        let ports = if trip.misroutes_here {
            router.misroutes(trip, destination, in_port)
        } else {
            router.minimal(trip, destination)
        };
        let is_one = packet.assigned && ports >> packet.output.0 & 1 == 1;
        is_one && self.has_vc(trip, packet.output)
    }
}
