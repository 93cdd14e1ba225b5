//! The registry of topologies. Adding one is a new file beside this one, with a function `parts`,
//! and its lines here.

use crate::edge_list::EdgeList;
use crate::error::TopologyError;
use crate::hierarchical::{GlobalWiring, LocalGraph, LocalGraphError, Plan};
use crate::parts::Parts;
use crate::path::UpChoice;

mod bmin;
mod dragonfly;
mod dumbbell;
mod file;
mod k_ary_n_tree;
mod mesh;
mod parking_lot;
mod rsi_butterfly;
mod rsi_hypercube;
mod rsi_slimfly;
mod single_switch;
mod torus;

pub use torus::DIMENSIONS_MAX;

macro_rules! registry {
    ($( $(#[$doc:meta])* $variant:ident { $( $(#[$field_doc:meta])* $field:ident: $type:ty ),* $(,)? } = $name:literal, $module:ident; )*) => {
        /// A topology as a scenario asks for it (spec page topology.md).
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum TopologyConfig {
            $( $(#[$doc])* $variant { $( $(#[$field_doc])* $field: $type ),* } ),*
        }

        impl TopologyConfig {
            /// The legal values of `network.topology`.
            pub const NAMES: &'static [&'static str] = &[$( $name ),*];

            /// The value of `network.topology` that stands for it.
            pub fn name(&self) -> &'static str {
                match self {
                    $( Self::$variant { .. } => $name ),*
                }
            }

            /// Graph, routing rule and maximum, not checked yet.
            ///
            /// # Errors
            /// Parameters that are not legal, or an edge list that is no graph.
            pub fn parts(&self, up_choice: UpChoice) -> Result<Parts, TopologyError> {
                match self.clone() {
                    $( Self::$variant { $( $field ),* } => $module::parts(up_choice, $( $field ),*) ),*
                }
            }
        }
    };
}

registry! {
    /// One switch with an end node on each port.
    SingleSwitch {
        /// Ports, 2 to 64.
        ports: u32,
    } = "single-switch", single_switch;
    /// Bidirectional multistage network of 8-port switches, perfect shuffle.
    Bmin {
        /// End nodes: a power of two, at least 4.
        nodes: u32,
    } = "bmin", bmin;
    /// The construction of the BMIN for switches of 2k ports and k^n end nodes.
    KAryNTree {
        /// Half the ports of a switch, 2 to 32.
        k: u32,
        /// Stages, at least 1.
        n: u32,
    } = "k-ary-n-tree", k_ary_n_tree;
    /// Two-dimensional mesh with X-Y routing.
    Mesh {
        /// Switches in x.
        width: u32,
        /// Switches in y.
        height: u32,
        /// End nodes on each switch, 1 to 60.
        nodes_per_switch: u32,
    } = "mesh", mesh;
    /// Torus of one to three dimensions, in dimension order, with datelines.
    Torus {
        /// Switches of a ring by dimension, each at least 2.
        dimensions: Vec<u32>,
        /// End nodes on each switch, 1 to 64 less two a dimension.
        nodes_per_switch: u32,
    } = "torus", torus;
    /// Two switches with inputs of their own and one link between them.
    Dumbbell {
        /// Nodes of each switch that are no outputs and no victim, 1 to 61.
        inputs: u32,
    } = "dumbbell", dumbbell;
    /// A chain of switches with a source each, and a node at its end.
    ParkingLot {
        /// Switches, 1 to 4095.
        switches: u32,
    } = "parking-lot", parking_lot;
    /// Super nodes that are complete graphs of 5 nodes.
    Dragonfly {
        /// Super nodes, G.
        super_nodes: u32,
        /// How they are joined.
        wiring: GlobalWiring,
    } = "dragonfly", dragonfly;
    /// Super nodes that are hypercubes of 16 nodes.
    RsiHypercube {
        /// Super nodes, G.
        super_nodes: u32,
        /// How they are joined.
        wiring: GlobalWiring,
    } = "rsi-hypercube", rsi_hypercube;
    /// Super nodes that are Slim Fly graphs of 18 nodes.
    RsiSlimfly {
        /// Super nodes, G.
        super_nodes: u32,
        /// How they are joined.
        wiring: GlobalWiring,
    } = "rsi-slimfly", rsi_slimfly;
    /// Super nodes that are 4 x 4 flattened butterflies.
    RsiButterfly {
        /// Super nodes, G.
        super_nodes: u32,
        /// How they are joined.
        wiring: GlobalWiring,
    } = "rsi-butterfly", rsi_butterfly;
    /// Any connected graph, routed up*/down*.
    File {
        /// The edge list as parsed.
        edges: EdgeList,
    } = "file", file;
}

/// The graph inside a super node of a topology by its name, `None` of one without super nodes.
///
/// # Errors
/// None with the graphs here.
pub fn local_graph(topology: &str) -> Result<Option<LocalGraph>, LocalGraphError> {
    let local = match topology {
        "dragonfly" => dragonfly::local(),
        "rsi-hypercube" => rsi_hypercube::local(),
        "rsi-slimfly" => rsi_slimfly::local(),
        "rsi-butterfly" => rsi_butterfly::local(),
        _ => return Ok(None),
    };
    local.map(Some)
}

impl TopologyConfig {
    /// The topology of super nodes with a name; `None` where it is another one's.
    #[must_use]
    pub fn of_super_nodes(
        name: &str,
        super_nodes: u32,
        wiring: GlobalWiring,
    ) -> Option<TopologyConfig> {
        Some(match name {
            "dragonfly" => Self::Dragonfly { super_nodes, wiring },
            "rsi-hypercube" => Self::RsiHypercube { super_nodes, wiring },
            "rsi-slimfly" => Self::RsiSlimfly { super_nodes, wiring },
            "rsi-butterfly" => Self::RsiButterfly { super_nodes, wiring },
            _ => return None,
        })
    }

    /// Super nodes and links between them, without the graph; `None` where there are none.
    ///
    /// # Errors
    /// As [`parts`](Self::parts).
    pub fn plan(&self) -> Result<Option<Plan>, TopologyError> {
        let (Self::Dragonfly { super_nodes, wiring }
        | Self::RsiHypercube { super_nodes, wiring }
        | Self::RsiSlimfly { super_nodes, wiring }
        | Self::RsiButterfly { super_nodes, wiring }) = self
        else {
            return Ok(None);
        };
        let Some(local) = local_graph(self.name())? else {
            return Ok(None);
        };
        Plan::new(local, *super_nodes, wiring).map(Some)
    }
}
