//! The decision: which port a packet is assigned to.

use crate::kinds::{Algorithm, Selection};
use crate::node::Address;
use crate::router::Router;
use crate::table::TwoLevelTable;
use crate::trip::{Trip, Via};
use units::PortId;
use units::draw::Stream;

/// What a router decides by.
#[derive(Debug)]
pub struct Counters<'a, Q> {
    /// Q of an egress port, cells.
    pub queued: Q,
    /// Th, cells: below it a port is not busy.
    pub threshold_cells: u32,
    /// Which of several minimal ports.
    pub selection: Selection,
    /// The random stream of this ingress port.
    pub stream: &'a mut Stream,
}

/// A decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The port.
    pub port: PortId,
    /// The state of the packet, the choice included.
    pub trip: Trip,
}

impl Router<'_> {
    /// The port of a packet that came by `in_port` and has arrived ([`Trip::arrive`]). `None`: its
    /// entry is empty and no port is left to misroute it by.
    pub fn choose<Q: Fn(PortId) -> u32>(
        &self,
        mut trip: Trip,
        destination: Address,
        in_port: PortId,
        counters: &mut Counters<'_, Q>,
    ) -> Option<Choice> {
        trip.misroutes_here = false;
        let minimal = self.minimal(&trip, destination);
        let port = select(minimal, counters);
        let is_free = |port: PortId, counters: &Counters<'_, Q>| {
            (counters.queued)(port) < counters.threshold_cells
        };
        if let Some(port) = port
            && (self.routing.algorithm != Algorithm::Lar
                || trip.misrouted
                || is_free(port, counters))
        {
            return Some(Choice { port, trip });
        }
        let mut candidates = self.misroutes(&trip, destination, in_port);
        if let Some(port) = port {
            candidates &= !(1 << port.0);
        }
        let free = units::bits::ones(candidates)
            .filter(|&port| is_free(PortId::at(port), counters))
            .fold(0, |set, port| set | 1u64 << port);
        if free == 0 {
            return port.map(|port| Choice { port, trip });
        }
        trip.misroutes_here = true;
        let port = any(free, counters.stream);
        Some(Choice { port, trip })
    }

    /// The state of a packet that its end node has just sent: where it goes by.
    pub fn start<Q: Fn(PortId) -> u32>(
        &self,
        destination: Address,
        counters: &mut Counters<'_, Q>,
    ) -> Trip {
        let algorithm = self.routing.algorithm;
        let mut trip = Trip::default();
        if matches!(algorithm, Algorithm::Minimal | Algorithm::Lar) {
            return trip;
        }
        let leads = |via: &Via| self.ports_by(*via) != 0;
        let places = || {
            let others = self.vias(destination).filter(|via| *via != Via::Nowhere);
            others.filter(leads)
        };
        let count = places().count() as u64;
        if count == 0 {
            return trip;
        }
        let rank = units::draw::below(counters.stream, count) as usize;
        let via = places().nth(rank).unwrap_or_default();
        if algorithm == Algorithm::UgalL && self.prefers_minimal(destination, via, counters) {
            return trip;
        }
        trip.via = via;
        trip
    }

    /// Ports towards where a packet goes by.
    fn ports_by(&self, via: Via) -> u64 {
        let there = Trip { via, ..Trip::default() }.target(self.shape.address);
        if there == self.shape.address {
            return 0;
        }
        let region = TwoLevelTable::region(self.shape.address, there);
        self.table.entry(region) & self.live
    }

    /// UGAL-L: Q of the minimal way times its one global hop is at most Q of the way by `via` times
    /// its two.
    fn prefers_minimal<Q: Fn(PortId) -> u32>(
        &self,
        destination: Address,
        via: Via,
        counters: &Counters<'_, Q>,
    ) -> bool {
        let least = |ports: u64| {
            let queued = units::bits::ones(ports).map(|port| (counters.queued)(PortId::at(port)));
            queued.min().map_or(u64::MAX, u64::from)
        };
        let minimal = least(self.minimal(&Trip::default(), destination));
        minimal <= least(self.ports_by(via)).saturating_mul(2)
    }
}

/// One of several minimal ports.
fn select<Q: Fn(PortId) -> u32>(ports: u64, counters: &mut Counters<'_, Q>) -> Option<PortId> {
    if ports & ports.wrapping_sub(1) == 0 {
        return (ports != 0).then(|| PortId(ports.trailing_zeros() as u8));
    }
    Some(match counters.selection {
        Selection::First => PortId(ports.trailing_zeros() as u8),
        Selection::Random => any(ports, counters.stream),
        Selection::LeastQueued => {
            let by_queued = |&port: &usize| (counters.queued)(PortId::at(port));
            // The first of equals.
            PortId::at(units::bits::ones(ports).min_by_key(by_queued)?)
        }
    })
}

/// Any port of a set that is not empty.
fn any(ports: u64, stream: &mut Stream) -> PortId {
    let rank = units::draw::below(stream, u64::from(ports.count_ones())) as u32;
    PortId::at(units::bits::nth_one(ports, rank))
}
