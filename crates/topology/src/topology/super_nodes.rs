//! Networks of super nodes, by the graph inside one [lai-rsi].

use crate::builder::GraphError;
use crate::hierarchical::LocalGraph;

units::named! {
    /// What a super node is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum SuperNode: "topology of super nodes" {
        /// A complete graph of 5 nodes, 4 local and 4 global ports, neighbours ascending.
        Dragonfly = "dragonfly",
        /// A hypercube of 16 nodes, 4 local and 4 global ports: port p changes bit p of the node.
        Hypercube = "rsi-hypercube",
        /// The MMS graph of q = 3, 18 nodes, 5 local and 3 global ports, neighbours ascend; node 9
        /// s + 3 x + y is vertex (s, x, y). (0, x, y) ~ (0, x, y') and (1, m, c) ~ (1, m, c') where
        /// y and y', c and c' differ; (0, x, y) ~ (1, m, c) where y = m x + c mod 3. No dimensions.
        Slimfly = "rsi-slimfly",
        /// The 4 x 4 rook graph, 16 nodes, 6 local and 2 global ports; node v is at x = v mod 4 and
        /// y = v div 4. Ports 0, 1, 2 lead to the others of its row, 3, 4, 5 to those of its
        /// column, ascending.
        Butterfly = "rsi-butterfly",
    }
}

impl SuperNode {
    pub(crate) fn local(self) -> Result<LocalGraph, GraphError> {
        let by_port = |(nodes, local_ports), global_ports, neighbour: fn(u32, u32) -> u32| {
            let of = |node| (0..local_ports).map(|port| neighbour(node, port)).collect();
            let neighbours: Vec<Vec<u32>> = (0..nodes).map(of).collect();
            LocalGraph::new(&neighbours, global_ports, true)
        };
        match self {
            Self::Dragonfly => by_port((5, 4), 4, |node, port| other(port, node)),
            Self::Hypercube => by_port((16, 4), 4, |node, port| node ^ (1 << port)),
            Self::Slimfly => {
                let adjacent = |a| (0..18).filter(move |&b| slimfly_edge(a, b)).collect();
                let neighbours: Vec<Vec<u32>> = (0..18).map(adjacent).collect();
                LocalGraph::new(&neighbours, 3, false)
            }
            Self::Butterfly => by_port((16, 6), 2, |node, port| {
                let (x, y) = (node % 4, node / 4);
                match port.checked_sub(3) {
                    None => y * 4 + other(port, x),
                    Some(port) => other(port, y) * 4 + x,
                }
            }),
        }
    }
}

fn other(port: u32, own: u32) -> u32 {
    if port < own { port } else { port + 1 }
}

fn slimfly_edge(a: u32, b: u32) -> bool {
    let vertex = |node: u32| (node / 9, node / 3 % 3, node % 3);
    let ((s, x, y), (t, m, c)) = (vertex(a.min(b)), vertex(a.max(b)));
    if s == t { x == m && y != c } else { y == (m * x + c) % 3 }
}
