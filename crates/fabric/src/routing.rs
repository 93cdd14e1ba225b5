//! Routes by (source, destination), as end nodes write them into headers: a table for small
//! networks, computed on the way for large ones. Where switches have tables a header has no turns.

use plan::{RouteTable, RoutingKind};
use std::num::NonZeroU8;
use std::sync::Arc;
use topology::Network;
use turnpool::Route;

/// Up to this many nodes all routes are kept (32 MiB).
const TABLE_NODES_MAX: usize = 1024;

/// Where end nodes get the headers of their packets from.
#[derive(Debug, Clone)]
pub(crate) struct Routing {
    network: Arc<Network>,
    kind: RoutingKind,
    nodes: usize,
    routes: Arc<[Route]>,
}

impl Routing {
    pub(crate) fn new(network: Arc<Network>, kind: RoutingKind) -> Routing {
        let nodes = network.nodes();
        let mut routes = Vec::new();
        if nodes <= TABLE_NODES_MAX && kind == RoutingKind::Turns {
            for s in 0..nodes as u32 {
                let route = |d| network.route(s, d).unwrap_or(Route::EMPTY);
                routes.extend((0..nodes as u32).map(route));
            }
        }
        Routing { network, kind, nodes, routes: routes.into() }
    }

    /// What switches look at.
    pub(crate) fn kind(&self) -> RoutingKind {
        self.kind
    }

    /// Turns from the first switch to the last.
    #[inline(always)]
    pub(crate) fn route(&self, source: u32, destination: u32) -> Route {
        let at = source as usize * self.nodes + destination as usize;
        match self.routes.get(at) {
            Some(&route) => route,
            None if self.kind != RoutingKind::Turns => Route::EMPTY,
            None => self
                .network
                .route(source, destination)
                .expect("every pair was checked when the network was built"),
        }
    }
}

/// By wire: the table of the ingress port where it ends, if switches route by tables.
pub(crate) fn tables(network: &Network, kind: RoutingKind) -> Vec<Option<Arc<RouteTable>>> {
    let (graph, nodes) = (network.graph(), network.nodes() as u32);
    let mut all = vec![None; graph.ports_total() + network.nodes()];
    let Some(tables) = network.tables().filter(|_| kind == RoutingKind::Table) else {
        return all;
    };
    for switch in 0..graph.switches() as u32 {
        let first = graph.port_index(switch, 0);
        for port in 0..graph.ports(switch) as u8 {
            let sets = |d| tables.candidates(switch, port, d);
            let table = if (0..nodes).all(|d| sets(d).count_ones() <= 1) {
                let one = |d| NonZeroU8::new((64 - sets(d).leading_zeros()) as u8);
                RouteTable::Single((0..nodes).map(one).collect())
            } else {
                RouteTable::Several((0..nodes).map(sets).collect())
            };
            // Nearly always all ports of a switch have equal tables: kept once.
            let known = all[first..].iter().flatten().find(|known| ***known == table).cloned();
            all[first + usize::from(port)] = Some(known.unwrap_or_else(|| Arc::new(table)));
        }
    }
    all
}
