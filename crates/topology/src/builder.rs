//! Builds a [`Graph`] link by link and refuses what no hardware could be wired like.

use thiserror::Error;

use crate::graph::{Endpoint, Graph, LinkAttributes, PORTS_MAX};

/// Why a graph was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GraphError {
    /// A graph needs a switch.
    #[error("the graph has no switch; at least one is needed")]
    NoSwitch,
    /// A graph needs an end node.
    #[error("the graph has no end node; at least one is needed")]
    NoNode,
    /// The number of ports of a switch is not legal.
    #[error("switch s{switch} has {given} ports; legal: 2 to {PORTS_MAX}")]
    PortCount {
        /// The switch.
        switch: u32,
        /// Its ports.
        given: u32,
    },
    /// A switch that does not exist was named.
    #[error("there is no switch s{given}; legal: s0 to s{}", switches.saturating_sub(1))]
    NoSuchSwitch {
        /// The switch named.
        given: u32,
        /// How many there are.
        switches: u32,
    },
    /// A node that does not exist was named.
    #[error("there is no end node n{given}; legal: n0 to n{}", nodes.saturating_sub(1))]
    NoSuchNode {
        /// The node named.
        given: u32,
        /// How many there are.
        nodes: u32,
    },
    /// A port that the switch does not have.
    #[error("switch s{switch} has no port {given}; legal: 0 to {}", ports - 1)]
    PortOutOfRange {
        /// The switch.
        switch: u32,
        /// The port named.
        given: u32,
        /// How many ports it has.
        ports: u32,
    },
    /// Two links at one port.
    #[error(
        "port {port} of switch s{switch} is connected twice, to {first} and to {second}; a port has one link"
    )]
    PortUsedTwice {
        /// The switch.
        switch: u32,
        /// The port.
        port: u8,
        /// What it was connected to first.
        first: Endpoint,
        /// What it was to be connected to next.
        second: Endpoint,
    },
    /// Two links at one node.
    #[error("end node n{node} is connected twice, to s{}.{} and to s{}.{}; a node has one link", first.0, first.1, second.0, second.1)]
    NodeConnectedTwice {
        /// The node.
        node: u32,
        /// Switch and port it was connected to first.
        first: (u32, u8),
        /// Switch and port it was to be connected to next.
        second: (u32, u8),
    },
    /// A node without a link.
    #[error("end node n{node} is not connected; every node from n0 to the highest has one link")]
    NodeUnconnected {
        /// The node.
        node: u32,
    },
    /// A link from a switch to itself.
    #[error("ports {} and {} of switch s{switch} are connected to each other; a link joins two switches", ports.0, ports.1)]
    SelfLoop {
        /// The switch.
        switch: u32,
        /// The two ports.
        ports: (u8, u8),
    },
    /// A part of the graph cannot be reached from s0.
    #[error("switch s{switch} cannot be reached from s0; the graph must be connected")]
    Disconnected {
        /// The first switch out of reach.
        switch: u32,
    },
}

/// Builder of a [`Graph`]: switches and nodes first, then links, then [`finish`](Self::finish).
///
/// ```
/// use topology::{GraphBuilder, LinkAttributes};
/// let mut builder = GraphBuilder::new(&[4, 4], 2)?;
/// builder.attach(0, (0, 0), LinkAttributes::default())?;
/// builder.attach(1, (1, 0), LinkAttributes::default())?;
/// builder.connect((0, 3), (1, 3), LinkAttributes::default())?;
/// assert_eq!(builder.finish()?.node_port(1), (1, 0));
/// # Ok::<(), topology::GraphError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GraphBuilder {
    first_port: Vec<u32>,
    peers: Vec<Endpoint>,
    node_ports: Vec<Option<(u32, u8)>>,
    attributes: Vec<LinkAttributes>,
}

impl GraphBuilder {
    /// Starts with unconnected switches, given by their port counts, and `nodes` unconnected end
    /// nodes.
    ///
    /// # Errors
    /// No switch, no node, or a switch with fewer than 2 or more than 64 ports.
    pub fn new(switch_ports: &[u32], nodes: u32) -> Result<Self, GraphError> {
        if switch_ports.is_empty() {
            return Err(GraphError::NoSwitch);
        }
        if nodes == 0 {
            return Err(GraphError::NoNode);
        }
        let mut first_port = Vec::with_capacity(switch_ports.len() + 1);
        let mut total = 0;
        for (&given, switch) in switch_ports.iter().zip(0u32..) {
            if !(2..=PORTS_MAX).contains(&given) {
                return Err(GraphError::PortCount { switch, given });
            }
            first_port.push(total);
            total += given;
        }
        first_port.push(total);
        Ok(Self {
            first_port,
            peers: vec![Endpoint::None; total as usize],
            node_ports: vec![None; nodes as usize],
            attributes: Vec::new(),
        })
    }

    fn free_port(&self, (switch, port): (u32, u8), second: Endpoint) -> Result<usize, GraphError> {
        let switches = self.first_port.len() as u32 - 1;
        if switch >= switches {
            return Err(GraphError::NoSuchSwitch { given: switch, switches });
        }
        let first = self.first_port[switch as usize];
        let ports = self.first_port[switch as usize + 1] - first;
        if u32::from(port) >= ports {
            return Err(GraphError::PortOutOfRange { switch, given: port.into(), ports });
        }
        let index = first as usize + usize::from(port);
        match self.peers[index] {
            Endpoint::None => Ok(index),
            used => Err(GraphError::PortUsedTwice { switch, port, first: used, second }),
        }
    }

    fn describe(&mut self, index: usize, attributes: LinkAttributes) {
        if attributes != LinkAttributes::default() {
            self.attributes.resize(self.peers.len(), LinkAttributes::default());
            self.attributes[index] = attributes;
        }
    }

    /// Adds a link between ports, (switch, port), of two switches.
    ///
    /// # Errors
    /// A port that does not exist or is used, or a switch linked to itself.
    pub fn connect(
        &mut self,
        a: (u32, u8),
        b: (u32, u8),
        attributes: LinkAttributes,
    ) -> Result<(), GraphError> {
        if a.0 == b.0 {
            return Err(GraphError::SelfLoop { switch: a.0, ports: (a.1, b.1) });
        }
        let (a_end, b_end) =
            (Endpoint::Port { switch: a.0, port: a.1 }, Endpoint::Port { switch: b.0, port: b.1 });
        let a_index = self.free_port(a, b_end)?;
        let b_index = self.free_port(b, a_end)?;
        self.peers[a_index] = b_end;
        self.peers[b_index] = a_end;
        self.describe(a_index, attributes);
        self.describe(b_index, attributes);
        Ok(())
    }

    /// Adds the link between a node and a port, (switch, port).
    ///
    /// # Errors
    /// A node or port that does not exist or is connected already.
    pub fn attach(
        &mut self,
        node: u32,
        to: (u32, u8),
        attributes: LinkAttributes,
    ) -> Result<(), GraphError> {
        match self.node_ports.get(node as usize) {
            None => {
                return Err(GraphError::NoSuchNode {
                    given: node,
                    nodes: self.node_ports.len() as u32,
                });
            }
            Some(&Some(first)) => {
                return Err(GraphError::NodeConnectedTwice { node, first, second: to });
            }
            Some(None) => {}
        }
        let index = self.free_port(to, Endpoint::Node(node))?;
        self.peers[index] = Endpoint::Node(node);
        self.node_ports[node as usize] = Some(to);
        self.describe(index, attributes);
        Ok(())
    }

    /// The lowest port of a switch that has no link yet; `None` if there is no such port or switch.
    pub fn lowest_free_port(&self, switch: u32) -> Option<u8> {
        let first = *self.first_port.get(switch as usize)? as usize;
        let end = *self.first_port.get(switch as usize + 1)? as usize;
        self.peers[first..end]
            .iter()
            .position(|&peer| peer == Endpoint::None)
            .map(|port| port as u8)
    }

    /// The finished graph.
    ///
    /// # Errors
    /// A node without a link, or a switch that cannot be reached from s0.
    pub fn finish(self) -> Result<Graph, GraphError> {
        let mut node_ports = Vec::with_capacity(self.node_ports.len());
        for (at, node) in self.node_ports.iter().zip(0u32..) {
            node_ports.push(at.ok_or(GraphError::NodeUnconnected { node })?);
        }
        let graph = Graph {
            first_port: self.first_port.into(),
            peers: self.peers.into(),
            node_ports: node_ports.into(),
            attributes: self.attributes.into(),
        };
        let mut reached = vec![false; graph.switches()];
        let mut waiting = vec![0u32];
        reached[0] = true;
        while let Some(switch) = waiting.pop() {
            for port in 0..graph.ports(switch) as u8 {
                if let Endpoint::Port { switch: next, .. } = graph.peer(switch, port)
                    && !std::mem::replace(&mut reached[next as usize], true)
                {
                    waiting.push(next);
                }
            }
        }
        match reached.iter().position(|&yes| !yes) {
            Some(switch) => Err(GraphError::Disconnected { switch: switch as u32 }),
            None => Ok(graph),
        }
    }
}
