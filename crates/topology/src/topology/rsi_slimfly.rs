//! Slim Fly super nodes: the MMS graph of q = 3, 18 nodes, 5 local and 3 global ports [lai-rsi].
//!
//! Node 9 s + 3 x + y is vertex (s, x, y), s in {0, 1}, x and y in Z3. (0, x, y) ~ (0, x, y') and
//! (1, m, c) ~ (1, m, c') where y and y', c and c' differ; (0, x, y) ~ (1, m, c) where y = m x + c
//! mod 3. Local port p leads to the p-th neighbour, in ascending order. No dimensions.

use crate::error::TopologyError;
use crate::hierarchical::{GlobalWiring, LocalGraph, LocalGraphError, hierarchical};
use crate::parts::Parts;
use crate::path::UpChoice;

const NODES: u32 = 18;

pub(super) fn local() -> Result<LocalGraph, LocalGraphError> {
    let adjacent_to = |node| (0..NODES).filter(move |&other| is_edge(node, other)).collect();
    let neighbours: Vec<Vec<u32>> = (0..NODES).map(adjacent_to).collect();
    LocalGraph::new(&neighbours, 3, false)
}

/// Whether two nodes are joined.
fn is_edge(a: u32, b: u32) -> bool {
    let vertex = |node: u32| (node / 9, node / 3 % 3, node % 3);
    let ((s, x, y), (t, m, c)) = (vertex(a.min(b)), vertex(a.max(b)));
    if s == t { x == m && y != c } else { y == (m * x + c) % 3 }
}

pub(crate) fn parts(
    _: UpChoice,
    super_nodes: u32,
    wiring: GlobalWiring,
) -> Result<Parts, TopologyError> {
    hierarchical("rsi-slimfly", local()?, super_nodes, &wiring)
}
