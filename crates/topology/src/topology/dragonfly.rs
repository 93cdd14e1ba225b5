//! Dragonfly super nodes: complete graphs of 5 nodes, 4 local and 4 global ports [lai-rsi].
//!
//! Local port p of node v leads to the p-th of the other nodes, in ascending order. One dimension.

use crate::error::TopologyError;
use crate::hierarchical::{GlobalWiring, LocalGraph, LocalGraphError, hierarchical};
use crate::parts::Parts;
use crate::path::UpChoice;

const NODES: u32 = 5;

pub(super) fn local() -> Result<LocalGraph, LocalGraphError> {
    LocalGraph::of_rule((NODES, 4, 4), true, |node, port| {
        let port = u32::from(port);
        if port < node { port } else { port + 1 }
    })
}

pub(crate) fn parts(
    _: UpChoice,
    super_nodes: u32,
    wiring: GlobalWiring,
) -> Result<Parts, TopologyError> {
    hierarchical("dragonfly", local()?, super_nodes, &wiring)
}
