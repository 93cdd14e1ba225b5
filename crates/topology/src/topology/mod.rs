//! The registry of topologies: one is a function that gives its [`Parts`], and its lines here.

use crate::edge_list::EdgeList;
use crate::error::TopologyError;
use crate::hierarchical::{GlobalWiring, LocalGraph, Plan, hierarchical};
use crate::path::UpChoice;
use crate::routes::Parts;
use crate::up_down;

mod chains;
mod grid;
mod multistage;
mod super_nodes;

pub use grid::DIMENSIONS_MAX;
pub use super_nodes::SuperNode;

/// A topology as a scenario asks for it (spec page topology.md).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TopologyConfig {
    /// One switch with an end node on each port.
    SingleSwitch {
        /// Ports, 2 to 64.
        ports: u32,
    },
    /// Bidirectional multistage network of 8-port switches, perfect shuffle.
    Bmin {
        /// End nodes: a power of two, at least 4.
        nodes: u32,
    },
    /// The construction of the BMIN for switches of 2k ports and k^n end nodes.
    KAryNTree {
        /// Half the ports of a switch, 2 to 32.
        k: u32,
        /// Stages, at least 1.
        n: u32,
    },
    /// Two-dimensional mesh with X-Y routing.
    Mesh {
        /// Switches in x.
        width: u32,
        /// Switches in y.
        height: u32,
        /// End nodes on each switch, 1 to 60.
        nodes_per_switch: u32,
    },
    /// Torus of one to three dimensions, in dimension order, with datelines.
    Torus {
        /// Switches of a ring by dimension, each at least 2.
        dimensions: Vec<u32>,
        /// End nodes on each switch, 1 to 64 less two a dimension.
        nodes_per_switch: u32,
    },
    /// Two switches with inputs of their own and one link between them.
    Dumbbell {
        /// Nodes of each switch that are no outputs and no victim, 1 to 61.
        inputs: u32,
    },
    /// A chain of switches with a source each, and a node at its end.
    ParkingLot {
        /// Switches, 1 to 4095.
        switches: u32,
    },
    /// Super nodes and global links between them.
    SuperNodes {
        /// What each is.
        kind: SuperNode,
        /// Super nodes, G.
        super_nodes: u32,
        /// How they are joined.
        wiring: GlobalWiring,
    },
    /// Any connected graph, routed up*/down*.
    File {
        /// The edge list as parsed.
        edges: EdgeList,
    },
}

impl TopologyConfig {
    /// The legal values of `network.topology`.
    pub const NAMES: &'static [&'static str] = &[
        "single-switch",
        "bmin",
        "k-ary-n-tree",
        "mesh",
        "torus",
        "dumbbell",
        "parking-lot",
        "dragonfly",
        "rsi-hypercube",
        "rsi-slimfly",
        "rsi-butterfly",
        "file",
    ];

    /// Its value of `network.topology`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::SingleSwitch { .. } => "single-switch",
            Self::Bmin { .. } => "bmin",
            Self::KAryNTree { .. } => "k-ary-n-tree",
            Self::Mesh { .. } => "mesh",
            Self::Torus { .. } => "torus",
            Self::Dumbbell { .. } => "dumbbell",
            Self::ParkingLot { .. } => "parking-lot",
            Self::SuperNodes { kind, .. } => kind.name(),
            Self::File { .. } => "file",
        }
    }

    /// The topology of super nodes with a name; `None` where it is another one's.
    #[must_use]
    pub fn of_super_nodes(name: &str, super_nodes: u32, wiring: GlobalWiring) -> Option<Self> {
        let kind = name.parse().ok()?;
        Some(Self::SuperNodes { kind, super_nodes, wiring })
    }

    /// Graph, routing rule and maximum, not checked yet.
    ///
    /// # Errors
    /// Parameters that are not legal, or an edge list that is no graph.
    pub fn parts(&self, up_choice: UpChoice) -> Result<Parts, TopologyError> {
        match self {
            &Self::SingleSwitch { ports } => chains::single_switch(ports),
            &Self::Bmin { nodes } => multistage::bmin(up_choice, nodes),
            &Self::KAryNTree { k, n } => multistage::k_ary_n_tree(up_choice, k, n),
            &Self::Mesh { width, height, nodes_per_switch } => {
                grid::mesh(width, height, nodes_per_switch)
            }
            Self::Torus { dimensions, nodes_per_switch } => {
                grid::torus(dimensions, *nodes_per_switch)
            }
            &Self::Dumbbell { inputs } => chains::dumbbell(inputs),
            &Self::ParkingLot { switches } => chains::parking_lot(switches),
            Self::SuperNodes { kind, super_nodes, wiring } => {
                hierarchical(kind.name(), kind.local()?, *super_nodes, wiring)
            }
            Self::File { edges } => Ok(up_down::parts("file", edges.graph()?)),
        }
    }

    /// Super nodes and links between them, without the graph; `None` where there are none.
    pub fn plan(&self) -> Result<Option<Plan>, TopologyError> {
        let Self::SuperNodes { kind, super_nodes, wiring } = self else {
            return Ok(None);
        };
        Plan::new(kind.local()?, *super_nodes, wiring).map(Some)
    }
}

/// The graph inside a super node of a topology by its name, `None` of one without super nodes.
pub fn local_graph(topology: &str) -> Option<LocalGraph> {
    topology.parse::<SuperNode>().ok()?.local().ok()
}
