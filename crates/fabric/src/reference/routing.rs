//! Routes by (source, destination), as end nodes write them into headers: a table for small
//! networks, computed on the way for large ones. Where switches have tables a header has no turns.

use plan::RoutingKind;
use std::sync::Arc;
use topology::Network;
use turnpool::Route;
use units::VcId;

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

    /// The VC of the injection link.
    pub(crate) fn first_vc(&self, source: u32, destination: u32) -> VcId {
        VcId(self.network.first_vc(source, destination))
    }
}
