//! Graphs, routes and the check that the routes arrive, fit the header and cannot deadlock.
//!
//! [`Network::build`] turns a [`TopologyConfig`] into a checked [`Network`]: a [`Graph`] and a
//! deterministic routing rule ([`Routes`]) that gives the turns of any route in O(hops). Routes are
//! computed, not stored (only up*/down* routes use tables), and all are checked once: those to a
//! destination merge and are walked as a tree, some tenths of a second for 4096 nodes.
//! [`Flows`] bounds what a workload can get over the routes.
//!
//! ```
//! use topology::{BuildOptions, Network, TopologyConfig};
//!
//! let network = Network::build(&TopologyConfig::Bmin { nodes: 64 }, &BuildOptions::default())?;
//! assert_eq!((network.switches(), network.nodes()), (48, 64));
//! assert_eq!(network.path(0, 63)?.hops.len(), 5);
//! assert_eq!(network.route(0, 63)?.bits(), 15);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Methods that take a switch, port or node panic where there is none. Out of scope: time, packets
//! and queues, randomness ([`testkit`] is handed its random words), files.

mod analysis;
mod builder;
mod deadlock;
mod edge_list;
mod error;
mod graph;
mod ground;
mod hierarchical;
mod ideal;
mod network;
mod options;
mod path;
mod routes;
mod survey;
mod tables;
pub mod testkit;
mod topology;
mod tree;
mod up_down;

pub use analysis::{Analysis, LinkLoad};
pub use builder::{GraphBuilder, GraphError};
pub use deadlock::{Channel, Cycle, Deadlock};
pub use edge_list::{Edge, EdgeList};
pub use error::{ConfigError, GlobalLinksError, TopologyError};
pub use graph::{
    Endpoint, Graph, LinkAttributes, NODES_MAX, NODES_MAX_REASON, PORTS_MAX, TABLE_NODES_MAX,
    VCS_MAX,
};
pub use ground::Ground;
pub use hierarchical::{
    Checked, GlobalLinks, GlobalWiring, Hierarchy, HierarchyAnalysis, LocalGraph, Plan,
    hierarchical,
};
pub use ideal::{COUNTS_MAX, CUT_LOOKS, FLOW_HOPS_MAX, Flows, IdealError, MaxMin, Part};
pub use network::{Network, Ways};
pub use options::{BuildOptions, HierarchyOptions};
pub use path::{Hop, Hops, Path, RouteError, UpChoice};
pub use routes::{Parts, Routes};
pub use survey::Survey;
pub use tables::Tables;
pub use topology::{DIMENSIONS_MAX, SuperNode, TopologyConfig, local_graph};
pub use tree::Tree;
pub use units::VcStep;
