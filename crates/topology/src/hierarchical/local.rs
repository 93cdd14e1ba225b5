//! The graph inside a super node.

use crate::builder::{GraphError, refused};
use crate::graph::{FAR, PORTS_MAX, levels};

/// The most nodes of a super node: a set of them is one 64-bit word.
const NODES_MAX: usize = 64;

/// The graph of the nodes of one super node: n nodes of l local ports (0 .. l), g global ones and
/// one, l + g, to the end node. Where it has dimensions, local ports ascend by dimension, so that
/// *dimension order* is the lowest minimal port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalGraph {
    /// Nodes of a super node, n.
    pub nodes: u32,
    /// Local ports of a node, l.
    pub local_ports: u8,
    /// Global ports of a node, g.
    pub global_ports: u8,
    /// Whether it has dimensions, and so routes in dimension order.
    pub has_dimensions: bool,
    neighbours: Box<[u32]>,
    /// Fewest local links, by node, then node.
    distances: Box<[u8]>,
}

impl LocalGraph {
    /// A graph by the neighbours of every node, in the order of its local ports.
    ///
    /// # Errors
    /// Too few or too many nodes or ports, nodes with different numbers of ports, a
    /// neighbour that is none (the node itself, one twice, one that does not lead back), a node out
    /// of reach.
    pub fn new(
        neighbours: &[Vec<u32>],
        global_ports: u8,
        has_dimensions: bool,
    ) -> Result<Self, GraphError> {
        let nodes = neighbours.len();
        if !(1..=NODES_MAX).contains(&nodes) {
            let legal = format!("legal: 1 to {NODES_MAX}");
            return Err(refused(format!("a super node of {nodes} nodes; {legal}")));
        }
        let degree = neighbours[0].len();
        let ports = degree + usize::from(global_ports) + 1;
        if !(2..=PORTS_MAX as usize).contains(&ports) {
            return Err(refused(format!(
                "{degree} local and {global_ports} global ports and one for the end node; \
                 legal: 2 to {PORTS_MAX} together"
            )));
        }
        for (node, own) in neighbours.iter().enumerate() {
            if own.len() != degree {
                return Err(refused(format!(
                    "node {node} has {} local ports; node 0 has {degree}, legal: the same",
                    own.len()
                )));
            }
            for (port, &given) in own.iter().enumerate() {
                let leads_back = neighbours
                    .get(given as usize)
                    .is_some_and(|theirs| theirs.contains(&(node as u32)));
                if given as usize == node || own[..port].contains(&given) || !leads_back {
                    return Err(refused(format!(
                        "local port {port} of node {node} leads to {given}; legal: another node, \
                         once, that leads back"
                    )));
                }
            }
        }
        let from = |node| levels(nodes, [node], |at| neighbours[at as usize].iter().copied());
        let distances: Vec<u32> = (0..nodes as u32).flat_map(from).collect();
        if let Some(node) = distances.iter().position(|&distance| distance == FAR) {
            return Err(refused(format!(
                "node {node} of a super node cannot be reached from its node 0 over local links"
            )));
        }
        Ok(Self {
            nodes: nodes as u32,
            local_ports: degree as u8,
            global_ports,
            has_dimensions,
            neighbours: neighbours.iter().flatten().copied().collect(),
            distances: distances.into_iter().map(|distance| distance as u8).collect(),
        })
    }

    /// Global links that a super node can have: n x g, its *virtual radix*.
    pub fn virtual_radix(&self) -> u32 {
        self.nodes * u32::from(self.global_ports)
    }

    /// The neighbours of a node by local port.
    #[inline]
    pub fn neighbours(&self, node: u32) -> &[u32] {
        let ports = usize::from(self.local_ports);
        &self.neighbours[node as usize * ports..][..ports]
    }

    /// Local links on a shortest way from one node to another.
    #[inline]
    pub fn distance(&self, from: u32, to: u32) -> u8 {
        self.distances[(from * self.nodes + to) as usize]
    }

    /// The longest of the shortest ways, D.
    pub fn diameter(&self) -> u8 {
        self.distances.iter().copied().max().unwrap_or(0)
    }

    /// The local ports of `from` that shorten the way to `to`, as a bit mask; 0 for itself.
    pub fn minimal(&self, from: u32, to: u32) -> u64 {
        let here = self.distance(from, to);
        let shortens = |&(&next, _): &(&u32, u8)| self.distance(next, to) < here;
        let ports = self.neighbours(from).iter().zip(0u8..).filter(shortens);
        ports.fold(0, |mask, (_, port)| mask | 1 << port)
    }
}
