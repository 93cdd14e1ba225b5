//! Builds a [`Graph`] link by link and refuses what no hardware could be wired like.

use std::fmt;

use thiserror::Error;

use crate::graph::{Endpoint, FAR, Graph, LinkAttributes, PORTS_MAX, levels};

/// Why a graph was refused, and where in the edge list that it is of.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct GraphError {
    /// Line, from 1; 0 is the graph as a whole.
    pub line: u32,
    /// Column in characters, from 1; 0 is the line as a whole.
    pub column: u32,
    /// What is wrong, and what is legal.
    pub what: String,
}

impl fmt::Display for GraphError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column, what } = self;
        match (line, column) {
            (0, _) => f.write_str(what),
            (_, 0) => write!(f, "line {line}: {what}"),
            _ => write!(f, "line {line}, column {column}: {what}"),
        }
    }
}

pub(crate) fn refused(what: impl Into<String>) -> GraphError {
    GraphError { line: 0, column: 0, what: what.into() }
}

pub(crate) fn unconnected(node: u32) -> GraphError {
    refused(format!(
        "end node n{node} is not connected; every node from n0 to the highest has one link"
    ))
}

/// Builder of a [`Graph`]: switches and nodes first, then links, then [`finish`](Self::finish).
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
            return Err(refused("the graph has no switch; at least one is needed"));
        }
        if nodes == 0 {
            return Err(refused("the graph has no end node; at least one is needed"));
        }
        let mut first_port = Vec::with_capacity(switch_ports.len() + 1);
        let mut total = 0;
        for (switch, given) in switch_ports.iter().enumerate() {
            if !(2..=PORTS_MAX).contains(given) {
                let legal = format!("legal: 2 to {PORTS_MAX}");
                return Err(refused(format!("switch s{switch} has {given} ports; {legal}")));
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
        let last = self.first_port.len() as u32 - 2;
        if switch > last {
            return Err(refused(format!("there is no switch s{switch}; legal: s0 to s{last}")));
        }
        let first = self.first_port[switch as usize];
        let ports = self.first_port[switch as usize + 1] - first;
        if u32::from(port) >= ports {
            return Err(refused(format!(
                "switch s{switch} has no port {port}; legal: 0 to {}",
                ports - 1
            )));
        }
        let index = first as usize + usize::from(port);
        match self.peers[index] {
            Endpoint::None => Ok(index),
            first => Err(refused(format!(
                "port {port} of switch s{switch} is connected twice, to {first} and to {second}; \
                 a port has one link"
            ))),
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
            return Err(refused(format!(
                "ports {} and {} of switch s{} are connected to each other; a link joins two \
                 switches",
                a.1, b.1, a.0
            )));
        }
        let [a_end, b_end] = [a, b].map(|(switch, port)| Endpoint::Port { switch, port });
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
                let last = self.node_ports.len() - 1;
                return Err(refused(format!("there is no end node n{node}; legal: n0 to n{last}")));
            }
            Some(Some((switch, port))) => {
                return Err(refused(format!(
                    "end node n{node} is connected twice, to s{switch}.{port} and to s{}.{}; a \
                     node has one link",
                    to.0, to.1
                )));
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
    pub(crate) fn lowest_free_port(&self, switch: u32) -> Option<u8> {
        let first = *self.first_port.get(switch as usize)? as usize;
        let end = *self.first_port.get(switch as usize + 1)? as usize;
        let free = self.peers[first..end].iter().position(|&peer| peer == Endpoint::None);
        free.map(|port| port as u8)
    }

    /// The finished graph.
    ///
    /// # Errors
    /// A node without a link, or a switch that cannot be reached from s0.
    pub fn finish(self) -> Result<Graph, GraphError> {
        let nodes = self.node_ports.iter().zip(0..);
        let node_ports = nodes
            .map(|(at, node)| at.ok_or_else(|| unconnected(node)))
            .collect::<Result<_, _>>()?;
        let graph = Graph {
            first_port: self.first_port.into(),
            peers: self.peers.into(),
            node_ports,
            attributes: self.attributes.into(),
        };
        let hops = levels(graph.switches(), [0], |s| graph.neighbours(s).map(|(_, next)| next));
        match hops.iter().position(|&hops| hops == FAR) {
            Some(switch) => Err(refused(format!(
                "switch s{switch} cannot be reached from s0; the graph must be connected"
            ))),
            None => Ok(graph),
        }
    }
}

impl Graph {
    /// The graph of switches with so many ports, the ports of the nodes, and the two of each link.
    pub(crate) fn wired(
        switch_ports: &[u32],
        nodes: impl ExactSizeIterator<Item = (u32, u8)>,
        links: impl IntoIterator<Item = [(u32, u8); 2]>,
    ) -> Result<Self, GraphError> {
        let mut builder = GraphBuilder::new(switch_ports, nodes.len() as u32)?;
        for (to, node) in nodes.zip(0..) {
            builder.attach(node, to, LinkAttributes::default())?;
        }
        for [a, b] in links {
            builder.connect(a, b, LinkAttributes::default())?;
        }
        builder.finish()
    }
}
