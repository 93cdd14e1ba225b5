//! The part of RU that looks up T1 and T2 and decides (lai-rsi; spec: rsi.md).

use crate::packet::Packet;
use hierarchy::{Address, Counters, NodeShape, Region, Router, Trip, TwoLevelTable};
use plan::AdaptiveConfig;
use std::sync::Arc;
use units::draw::Stream;
use units::{PortId, VcId};

/// What the two-level router of an ingress port is built from.
#[derive(Debug, Clone)]
pub struct TwoLevelConfig {
    /// The rules of the network.
    pub rules: AdaptiveConfig,
    /// Th, cells.
    pub threshold_cells: u32,
    /// VCs of a link, those of replies not included.
    pub vcs: u8,
    /// The node.
    pub shape: Arc<NodeShape>,
    /// Its tables as they begin.
    pub table: TwoLevelTable,
    /// Address of each end node.
    pub addresses: Arc<[Address]>,
    /// For what is picked at random.
    pub stream: Stream,
}

/// The two-level router of one ingress port.
#[derive(Debug, Clone)]
pub struct TwoLevel {
    config: TwoLevelConfig,
    /// Ports whose links are up, a bit each.
    live: u64,
}

impl TwoLevel {
    /// A router with its own copy of the tables.
    ///
    /// ```
    #[doc = include_str!("../of_examples.txt")]
    #[doc = include_str!("../two_level_of_examples.txt")]
    /// let other = TwoLevel::new(config); // of another ingress port
    /// ru.set_entry(Region::SuperNode(1), 1 << 3);
    /// let entry = |router: &TwoLevel| router.table().entry(Region::SuperNode(1));
    /// assert_eq!(ru.two_level().map(entry), Some(1 << 3));
    /// assert_eq!(entry(&other), 1 << 2);
    /// ```
    pub fn new(config: TwoLevelConfig) -> TwoLevel {
        TwoLevel { config, live: u64::MAX }
    }

    fn router(&self) -> Router<'_> {
        let TwoLevelConfig { rules, shape, table, .. } = &self.config;
        Router { routing: rules.routing, shape, table, live: self.live }
    }

    /// The router, and what it decides by.
    fn parts<Q>(&mut self, queued: Q) -> (Router<'_>, Counters<'_, Q>) {
        let TwoLevelConfig { rules, shape, table, threshold_cells, stream, .. } = &mut self.config;
        let router = Router { routing: rules.routing, shape, table, live: self.live };
        let (selection, threshold_cells) = (rules.selection, *threshold_cells);
        (router, Counters { queued, threshold_cells, selection, stream })
    }

    fn address(&self, packet: &Packet) -> Address {
        self.config.addresses[packet.destination as usize]
    }

    /// A packet has come by `in_port`: its header is brought up to date, and it is assigned to an
    /// output by what is queued at each, cells.
    pub(super) fn arrive(
        &mut self,
        packet: &mut Packet,
        in_port: PortId,
        queued: impl Fn(PortId) -> u32,
    ) -> Option<PortId> {
        packet.trip = packet.trip.arrive(self.config.shape.address);
        if in_port == self.config.shape.node_port() {
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
        self.router().vc(trip, port).0 < self.config.vcs
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

    pub(super) fn vc(&self, packet: &Packet, output: PortId) -> VcId {
        self.router().vc(&packet.trip, output)
    }

    pub(super) fn leave(&self, packet: &mut Packet) {
        packet.trip = self.router().leave(packet.trip, packet.output);
    }

    /// Tables of this port.
    pub fn table(&self) -> &TwoLevelTable {
        &self.config.table
    }

    pub(super) fn set_live(&mut self, live: u64) {
        self.live = live;
    }

    pub(super) fn set(&mut self, region: Region, ports: u64) {
        self.config.table.set(region, ports);
    }
}
