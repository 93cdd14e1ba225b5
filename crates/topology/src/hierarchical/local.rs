//! The graph inside a super node.

use thiserror::Error;

use crate::graph::PORTS_MAX;

/// The most nodes of a super node: a set of them is one 64-bit word.
const NODES_MAX: usize = 64;

/// A local graph that was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LocalGraphError {
    /// Too few or too many nodes.
    #[error("a super node of {given} nodes; legal: 1 to {NODES_MAX}")]
    Nodes {
        /// Nodes given.
        given: usize,
    },
    /// Too many ports a node.
    #[error(
        "{local} local and {global} global ports and one for the end node; legal: 2 to {PORTS_MAX} \
         together"
    )]
    Ports {
        /// Local ports of a node.
        local: usize,
        /// Global ports of a node.
        global: u8,
    },
    /// A node with more or fewer local ports than node 0.
    #[error("node {node} has {given} local ports; node 0 has {expected}, legal: the same")]
    Degree {
        /// The node.
        node: usize,
        /// Its local ports.
        given: usize,
        /// Those of node 0.
        expected: usize,
    },
    /// A neighbour that is none: the node itself, one twice, one beyond the last, or one that does
    /// not name this node.
    #[error(
        "local port {port} of node {node} leads to {given}; legal: another node, once, that leads \
         back"
    )]
    Neighbour {
        /// The node.
        node: usize,
        /// Its local port.
        port: usize,
        /// The neighbour given.
        given: u32,
    },
    /// A node that node 0 does not reach.
    #[error("node {node} of a super node cannot be reached from its node 0 over local links")]
    Disconnected {
        /// The first such node.
        node: usize,
    },
}

/// The graph of the nodes of one super node: n nodes of l local and g global ports each.
///
/// Ports of a node: 0 .. l are local, l .. l + g global, port l + g leads to its end node. Where
/// the graph has dimensions, its local ports ascend by dimension, so that *dimension order* is: the
/// lowest minimal port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalGraph {
    nodes: u32,
    local_ports: u8,
    global_ports: u8,
    has_dimensions: bool,
    /// By node, then local port.
    neighbours: Box<[u32]>,
    /// Fewest local links, by node, then node.
    distances: Box<[u8]>,
}

impl LocalGraph {
    /// A graph by the neighbours of every node, in the order of its local ports.
    /// `has_dimensions`: ports ascend by dimension, and the lowest minimal port of every node is
    /// that of dimension order.
    ///
    /// # Errors
    /// [`LocalGraphError`].
    pub fn new(
        neighbours: &[Vec<u32>],
        global_ports: u8,
        has_dimensions: bool,
    ) -> Result<Self, LocalGraphError> {
        let nodes = neighbours.len();
        if !(1..=NODES_MAX).contains(&nodes) {
            return Err(LocalGraphError::Nodes { given: nodes });
        }
        let degree = neighbours[0].len();
        let ports = degree + usize::from(global_ports) + 1;
        if !(2..=PORTS_MAX as usize).contains(&ports) {
            let (local, global) = (degree, global_ports);
            return Err(LocalGraphError::Ports { local, global });
        }
        for (node, own) in neighbours.iter().enumerate() {
            if own.len() != degree {
                return Err(LocalGraphError::Degree { node, given: own.len(), expected: degree });
            }
            for (port, &given) in own.iter().enumerate() {
                let leads_back = neighbours
                    .get(given as usize)
                    .is_some_and(|theirs| theirs.contains(&(node as u32)));
                if given as usize == node || own[..port].contains(&given) || !leads_back {
                    return Err(LocalGraphError::Neighbour { node, port, given });
                }
            }
        }
        let distances: Vec<u8> = (0..nodes)
            .flat_map(|from| distances(neighbours, from))
            .map(|distance| distance.unwrap_or(u8::MAX))
            .collect();
        if let Some(node) = distances.iter().position(|&distance| distance == u8::MAX) {
            return Err(LocalGraphError::Disconnected { node });
        }
        Ok(Self {
            nodes: nodes as u32,
            local_ports: degree as u8,
            global_ports,
            has_dimensions,
            neighbours: neighbours.iter().flatten().copied().collect(),
            distances: distances.into(),
        })
    }

    /// The graph of a rule: which node a local port of a node leads to.
    pub(crate) fn of_rule(
        (nodes, local_ports, global_ports): (u32, u8, u8),
        has_dimensions: bool,
        neighbour: impl Fn(u32, u8) -> u32,
    ) -> Result<Self, LocalGraphError> {
        let of = |node| (0..local_ports).map(|port| neighbour(node, port)).collect();
        let neighbours: Vec<Vec<u32>> = (0..nodes).map(of).collect();
        Self::new(&neighbours, global_ports, has_dimensions)
    }

    /// Nodes of a super node, n.
    #[inline]
    pub fn nodes(&self) -> u32 {
        self.nodes
    }

    /// Local ports of a node, l.
    #[inline]
    pub fn local_ports(&self) -> u8 {
        self.local_ports
    }

    /// Global ports of a node, g.
    #[inline]
    pub fn global_ports(&self) -> u8 {
        self.global_ports
    }

    /// Global links that a super node can have: n x g, its *virtual radix*.
    pub fn virtual_radix(&self) -> u32 {
        self.nodes * u32::from(self.global_ports)
    }

    /// Whether it has dimensions, and so routes in dimension order.
    pub fn has_dimensions(&self) -> bool {
        self.has_dimensions
    }

    /// The neighbours of a node by local port.
    ///
    /// # Panics
    /// If there is no such node.
    #[inline]
    pub fn neighbours(&self, node: u32) -> &[u32] {
        let ports = usize::from(self.local_ports);
        &self.neighbours[node as usize * ports..][..ports]
    }

    /// Local links on a shortest way from one node to another.
    ///
    /// # Panics
    /// If there is no such node.
    #[inline]
    pub fn distance(&self, from: u32, to: u32) -> u8 {
        self.distances[(from * self.nodes + to) as usize]
    }

    /// The longest of the shortest ways, D.
    pub fn diameter(&self) -> u8 {
        self.distances.iter().copied().max().unwrap_or(0)
    }

    /// The local ports of `from` that shorten the way to `to`, as a bit mask; 0 for itself.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn minimal(&self, from: u32, to: u32) -> u64 {
        let here = self.distance(from, to);
        let shortens = |&(&next, _): &(&u32, u8)| self.distance(next, to) < here;
        let ports = self.neighbours(from).iter().zip(0u8..).filter(shortens);
        ports.fold(0, |mask, (_, port)| mask | 1 << port)
    }
}

/// Links from a node to every other; `None` for those out of reach.
fn distances(neighbours: &[Vec<u32>], from: usize) -> Vec<Option<u8>> {
    let mut found = vec![None; neighbours.len()];
    found[from] = Some(0);
    let mut waiting = std::collections::VecDeque::from([(from, 0u8)]);
    while let Some((node, distance)) = waiting.pop_front() {
        for &next in &neighbours[node] {
            let place = &mut found[next as usize];
            if place.is_none() {
                *place = Some(distance + 1);
                waiting.push_back((next as usize, distance + 1));
            }
        }
    }
    found
}
