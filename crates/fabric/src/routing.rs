//! Routes by (source, destination): a table for small networks, computed on the way for large ones.

use std::sync::Arc;
use topology::Network;
use turnpool::Route;

/// Up to this many nodes all routes are kept (32 MiB).
const TABLE_NODES_MAX: usize = 1024;

/// Where end nodes get the turn pools of their packets from.
#[derive(Debug, Clone)]
pub(crate) struct Routing {
    network: Arc<Network>,
    nodes: usize,
    table: Arc<[Route]>,
}

impl Routing {
    pub(crate) fn new(network: Arc<Network>) -> Routing {
        let nodes = network.nodes();
        let mut table = Vec::new();
        if nodes <= TABLE_NODES_MAX {
            for s in 0..nodes as u32 {
                table
                    .extend((0..nodes as u32).map(|d| network.route(s, d).unwrap_or(Route::EMPTY)));
            }
        }
        Routing {
            network,
            nodes,
            table: table.into(),
        }
    }

    /// Turns from the first switch to the last.
    #[inline]
    pub(crate) fn route(&self, source: u32, destination: u32) -> Route {
        match self
            .table
            .get(source as usize * self.nodes + destination as usize)
        {
            Some(&route) => route,
            None => self
                .network
                .route(source, destination)
                .expect("every pair was checked when the network was built"),
        }
    }
}
