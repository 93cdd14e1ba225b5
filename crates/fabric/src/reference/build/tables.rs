//! The tables of all ingress ports, as routing units hold them.

use plan::{RouteTable, RoutingKind};
use std::num::NonZeroU8;
use std::sync::Arc;
use topology::Network;

/// By switch, then ingress port.
pub(super) struct RouteTables(Vec<Vec<Arc<RouteTable>>>);

impl RouteTables {
    /// Copies of what the network has, if switches route by tables.
    pub(super) fn new(network: &Network, kind: RoutingKind) -> Option<RouteTables> {
        let tables = match kind {
            RoutingKind::Turns | RoutingKind::TwoLevel => return None,
            RoutingKind::Table => network.tables()?,
        };
        let nodes = network.nodes() as u32;
        let of_port = |switch: u32, port: u8| {
            let sets = |d| tables.candidates(switch, port, d);
            if (0..nodes).all(|d| sets(d).count_ones() <= 1) {
                let one = |d| NonZeroU8::new((64 - sets(d).leading_zeros()) as u8);
                RouteTable::Single((0..nodes).map(one).collect())
            } else {
                RouteTable::Several((0..nodes).map(sets).collect())
            }
        };
        let of_switch = |switch: u32| {
            let mut ports: Vec<Arc<RouteTable>> = Vec::new();
            for port in 0..network.graph().ports(switch) as u8 {
                let table = of_port(switch, port);
                // Nearly always all ports have equal tables: kept once.
                let equal = ports.iter().find(|known| ***known == table).cloned();
                ports.push(equal.unwrap_or_else(|| Arc::new(table)));
            }
            ports
        };
        let switches = 0..network.switches() as u32;
        Some(RouteTables(switches.map(of_switch).collect()))
    }

    /// The table of an ingress port.
    pub(super) fn of(&self, switch: u32, port: u8) -> Arc<RouteTable> {
        self.0[switch as usize][usize::from(port)].clone()
    }
}
