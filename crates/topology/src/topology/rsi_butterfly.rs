//! Butterfly super nodes: the 4 x 4 rook graph, a flattened two-dimensional butterfly, 16 nodes,
//! 6 local and 2 global ports [lai-rsi].
//!
//! Node v is at x = v mod 4, y = v div 4. Local ports 0, 1, 2 lead to the others of its row, in
//! ascending x, ports 3, 4, 5 to those of its column, in ascending y. Dimension order: x, then y.

use crate::error::TopologyError;
use crate::hierarchical::{GlobalWiring, LocalGraph, LocalGraphError, hierarchical};
use crate::parts::Parts;
use crate::path::UpChoice;

const SIDE: u32 = 4;

pub(super) fn local() -> Result<LocalGraph, LocalGraphError> {
    LocalGraph::of_rule((SIDE * SIDE, 6, 2), true, |node, port| {
        let (x, y, port) = (node % SIDE, node / SIDE, u32::from(port));
        let other = |port, own| if port < own { port } else { port + 1 };
        match port.checked_sub(SIDE - 1) {
            None => y * SIDE + other(port, x),
            Some(port) => other(port, y) * SIDE + x,
        }
    })
}

pub(crate) fn parts(
    _: UpChoice,
    super_nodes: u32,
    wiring: GlobalWiring,
) -> Result<Parts, TopologyError> {
    hierarchical("rsi-butterfly", local()?, super_nodes, &wiring)
}
