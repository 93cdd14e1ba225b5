//! Hypercube super nodes: 16 nodes, 4 local and 4 global ports [lai-rsi].
//!
//! Local port p changes bit p of the node. Dimension order: by bit, ascending.

use crate::error::TopologyError;
use crate::hierarchical::{GlobalWiring, LocalGraph, LocalGraphError, hierarchical};
use crate::parts::Parts;
use crate::path::UpChoice;

pub(super) fn local() -> Result<LocalGraph, LocalGraphError> {
    LocalGraph::of_rule((16, 4, 4), true, |node, port| node ^ (1 << port))
}

pub(crate) fn parts(
    _: UpChoice,
    super_nodes: u32,
    wiring: GlobalWiring,
) -> Result<Parts, TopologyError> {
    hierarchical("rsi-hypercube", local()?, super_nodes, &wiring)
}
