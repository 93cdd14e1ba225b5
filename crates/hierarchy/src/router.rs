//! What one router may do with a packet.

use crate::kinds::{Algorithm, VcScheme};
use crate::node::{Address, NodeShape};
use crate::table::TwoLevelTable;
use crate::trip::{Trip, Via};
use units::{PortId, VcId};

/// What all routers of a network agree on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Routing {
    /// The rule.
    pub algorithm: Algorithm,
    /// The VC of each hop.
    pub vc_scheme: VcScheme,
    /// Diameter of the local graph.
    pub diameter: u8,
}

/// A router as a packet finds it.
#[derive(Debug, Clone, Copy)]
pub struct Router<'a> {
    /// The rules of the network.
    pub routing: Routing,
    /// The node.
    pub shape: &'a NodeShape,
    /// The tables of the port by which the packet came.
    pub table: &'a TwoLevelTable,
    /// Ports whose links are up, a bit each.
    pub live: u64,
}

/// A hop that a packet may make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hop {
    /// The port.
    pub port: PortId,
    /// VC of the link behind it.
    pub vc: VcId,
    /// Routing state behind it.
    pub trip: Trip,
}

impl Router<'_> {
    /// Ports that lead on by the tables and whose links are up; none where the entry has none. The
    /// packet has arrived ([`Trip::arrive`]).
    #[inline]
    pub fn minimal(&self, trip: &Trip, destination: Address) -> u64 {
        let here = self.shape.address;
        let there = trip.target(destination);
        if here == there {
            return 1 << self.shape.node_port().0;
        }
        self.table.entry(TwoLevelTable::region(here, there)) & self.live
    }

    /// Ports by which LAR may misroute a packet that came by `in_port`, for any counters and any
    /// minimal port.
    pub fn misroutes(&self, trip: &Trip, destination: Address, in_port: PortId) -> u64 {
        let here = self.shape.address;
        if self.routing.algorithm != Algorithm::Lar || trip.misrouted || here == destination {
            return 0;
        }
        let ports = if here.super_node != destination.super_node {
            self.shape.global() & !self.shape.global_to(destination.super_node)
        } else if trip.locals == 0 {
            self.shape.local()
        } else {
            0
        };
        ports & self.live & !(1 << in_port.0)
    }

    /// VC of the link behind a port for a packet with this state.
    #[inline]
    pub fn vc(&self, trip: &Trip, port: PortId) -> VcId {
        let Routing { vc_scheme, diameter, .. } = self.routing;
        vc_scheme.vc(trip, self.shape.kind(port), diameter)
    }

    /// The places by which a packet of this node may go, as its routing has it.
    pub fn vias(&self, destination: Address) -> impl Iterator<Item = Via> {
        let here = self.shape.address;
        let (super_nodes, nodes) = (self.table.super_nodes(), self.table.nodes());
        let algorithm = self.routing.algorithm;
        let is_far = here.super_node != destination.super_node;
        let (direct, by_super_node, by_node) = match algorithm {
            Algorithm::Minimal | Algorithm::Lar => (true, false, false),
            Algorithm::UgalL => (true, is_far, false),
            Algorithm::Valiant => (false, true, false),
            Algorithm::ValiantNode => (false, false, true),
        };
        let others = (0..super_nodes)
            .filter(move |&s| by_super_node && s != here.super_node && s != destination.super_node);
        let addresses = (0..super_nodes)
            .flat_map(move |super_node| (0..nodes).map(move |node| Address { super_node, node }));
        let other_nodes = addresses.filter(move |&a| by_node && a != here && a != destination);
        let vias = others.map(Via::SuperNode).chain(other_nodes.map(Via::Node));
        direct.then_some(Via::Nowhere).into_iter().chain(vias)
    }

    /// Every hop that a packet that came by `in_port` can ever be sent on, for any counters and
    /// selection, whatever ports faults take from its entry: the dependencies that the check for
    /// deadlocks reads. `trip` is as the link brought it.
    pub fn every_hop(
        &self,
        trip: Trip,
        destination: Address,
        in_port: PortId,
        visit: &mut impl FnMut(Hop),
    ) {
        let trip = trip.arrive(self.shape.address);
        let mut hop = |port: usize, misroutes_here: bool| {
            let port = PortId::at(port);
            let mut leaves = trip;
            leaves.misroutes_here = misroutes_here;
            visit(Hop {
                port,
                vc: self.vc(&trip, port),
                trip: leaves.leave(self.shape.kind(port)),
            });
        };
        units::bits::ones(self.minimal(&trip, destination)).for_each(|port| hop(port, false));
        let misroutes = self.misroutes(&trip, destination, in_port);
        units::bits::ones(misroutes).for_each(|port| hop(port, true));
    }

    /// The packet leaves by a port: its state on the link.
    #[inline]
    pub fn leave(&self, trip: Trip, port: PortId) -> Trip {
        trip.leave(self.shape.kind(port))
    }
}
