//! Routes and tables, kept from the start.

use plan::{FabricConfig, RouteTable, RoutingKind};
use std::sync::Arc;
use turnpool::Route;

/// Up to this many nodes all routes are kept.
const ROUTES_NODES_MAX: usize = 1024;

/// Routes by source, then destination, where they are used and all of them are kept.
pub(super) fn all(config: &FabricConfig) -> Vec<Route> {
    let network = &config.network;
    if network.nodes() > ROUTES_NODES_MAX || config.routing != RoutingKind::Turns {
        return Vec::new();
    }
    let nodes = 0..network.nodes() as u32;
    let pairs = nodes.clone().flat_map(|s| nodes.clone().map(move |d| (s, d)));
    pairs.map(|(s, d)| network.route(s, d).unwrap_or(Route::EMPTY)).collect()
}

/// By port; none of end nodes.
pub(super) fn tables(config: &FabricConfig) -> Vec<Option<Arc<RouteTable>>> {
    let graph = config.network.graph();
    let ports = (0..graph.switches() as u32)
        .flat_map(|s| (0..graph.ports(s) as u8).map(move |port| (s, port)));
    let tables = ports.map(|(s, port)| table(config, s, port));
    tables.chain((0..graph.nodes()).map(|_| None)).collect()
}

/// The table of an ingress port, where switches route by tables.
fn table(config: &FabricConfig, s: u32, port: u8) -> Option<Arc<RouteTable>> {
    if config.routing != RoutingKind::Table {
        return None;
    }
    let tables = config.network.tables()?;
    let sets = (0..config.network.nodes() as u32).map(|d| tables.candidates(s, port, d));
    Some(Arc::new(RouteTable::Several(sets.collect())))
}
