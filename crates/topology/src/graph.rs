//! The wiring: switches with ports, end nodes, full-duplex links.

use std::collections::VecDeque;
use std::fmt;

use units::{NodeId, Ratio, SwitchId};

/// The most ports a switch may have: a set of ports is one 64-bit word all over the model.
pub const PORTS_MAX: u32 = 64;

/// The most end nodes of a network. A run keeps records of all pairs that it meets (flows, sequence
/// numbers, admittance queues): 1 GB with 4,096 nodes, 15 GB at the most.
pub const NODES_MAX: u32 = 16_384;

/// The most where switches have routing tables: these have all nodes at every port.
pub const TABLE_NODES_MAX: u32 = 4096;

/// Why there is a [`NODES_MAX`], for messages.
pub const NODES_MAX_REASON: &str = "tables of all pairs of nodes fill the memory beyond";

/// The most virtual channels of a link.
pub const VCS_MAX: u8 = 16;

/// What is on the other end of a switch port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Endpoint {
    /// The end node of this index.
    Node(u32),
    /// A port of a switch.
    Port {
        /// Index of the switch.
        switch: u32,
        /// Port of that switch.
        port: u8,
    },
    /// Nothing: the port is not connected.
    None,
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Node(node) => NodeId(node).fmt(f),
            Self::Port { switch, port } => write!(f, "{}.{port}", SwitchId(switch)),
            Self::None => f.write_str("unconnected"),
        }
    }
}

/// What an edge list may give for a link, both directions; `None`: the scenario's default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkAttributes {
    /// Time on the wire, ns.
    pub latency_ns: Option<Ratio>,
    /// Data rate of a direction, bytes/ns.
    pub rate_bytes_per_ns: Option<Ratio>,
}

/// Switches, end nodes and the links between them: connected, no port used twice, every node on
/// exactly one port, as [`GraphBuilder`](crate::GraphBuilder) proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// Index of the first port of each switch in `peers`, and the total at the end.
    pub(crate) first_port: Box<[u32]>,
    pub(crate) peers: Box<[Endpoint]>,
    pub(crate) node_ports: Box<[(u32, u8)]>,
    /// One per port, or empty where no link has attributes.
    pub(crate) attributes: Box<[LinkAttributes]>,
}

impl Graph {
    /// Number of switches.
    pub fn switches(&self) -> usize {
        self.first_port.len() - 1
    }

    /// Number of end nodes.
    pub fn nodes(&self) -> usize {
        self.node_ports.len()
    }

    /// Number of ports of a switch, connected or not.
    #[inline]
    pub fn ports(&self, switch: u32) -> u32 {
        self.first_port[switch as usize + 1] - self.first_port[switch as usize]
    }

    /// Number of ports of all switches together.
    #[inline]
    pub fn ports_total(&self) -> usize {
        self.peers.len()
    }

    /// Place of a port in an array over all ports of all switches, 0 .. `ports_total()`.
    #[inline]
    pub fn port_index(&self, switch: u32, port: u8) -> usize {
        self.first_port[switch as usize] as usize + usize::from(port)
    }

    /// The other end of a port; [`Endpoint::None`] for a port that the switch does not have.
    #[inline]
    pub fn peer(&self, switch: u32, port: u8) -> Endpoint {
        let index = self.port_index(switch, port);
        if index < self.first_port[switch as usize + 1] as usize {
            self.peers[index]
        } else {
            Endpoint::None
        }
    }

    /// The switch and port that a node is attached to.
    #[inline]
    pub fn node_port(&self, node: u32) -> (u32, u8) {
        self.node_ports[node as usize]
    }

    /// Attributes of the link at a port; all `None` where none were given or nothing is connected.
    pub fn link_attributes(&self, switch: u32, port: u8) -> LinkAttributes {
        let index = self.port_index(switch, port);
        let own = self.attributes.get(index).filter(|_| u32::from(port) < self.ports(switch));
        own.copied().unwrap_or_default()
    }

    /// The neighbours of a switch by port: (port, switch on the other end).
    pub(crate) fn neighbours(&self, switch: u32) -> impl Iterator<Item = (u8, u32)> + '_ {
        (0..self.ports(switch) as u8).filter_map(move |port| match self.peer(switch, port) {
            Endpoint::Port { switch: other, .. } => Some((port, other)),
            Endpoint::Node(_) | Endpoint::None => None,
        })
    }

    pub(crate) fn all_ports(&self) -> impl Iterator<Item = (u32, u8)> + '_ {
        let switches = 0..self.switches() as u32;
        switches.flat_map(|switch| (0..self.ports(switch) as u8).map(move |port| (switch, port)))
    }

    /// Every link once: those between switches by their lower end, then those of the nodes.
    pub fn links(&self) -> impl Iterator<Item = (Endpoint, Endpoint, LinkAttributes)> + '_ {
        let between = self.all_ports().filter_map(|(switch, port)| match self.peer(switch, port) {
            far @ Endpoint::Port { switch: other, port: other_port }
                if (switch, port) < (other, other_port) =>
            {
                Some((Endpoint::Port { switch, port }, far, self.link_attributes(switch, port)))
            }
            _ => None,
        });
        let to_nodes = self.node_ports.iter().zip(0u32..).map(|(&(switch, port), node)| {
            let attributes = self.link_attributes(switch, port);
            (Endpoint::Node(node), Endpoint::Port { switch, port }, attributes)
        });
        between.chain(to_nodes)
    }
}

/// What [`levels`] gives for a place out of reach.
pub(crate) const FAR: u32 = u32::MAX;

/// Links to each of `count` places from the nearest of `starts`, breadth first.
pub(crate) fn levels<I: Iterator<Item = u32>>(
    count: usize,
    starts: impl IntoIterator<Item = u32>,
    next: impl Fn(u32) -> I,
) -> Vec<u32> {
    let mut levels = vec![FAR; count];
    let mut waiting: VecDeque<u32> = starts.into_iter().collect();
    waiting.iter().for_each(|&start| levels[start as usize] = 0);
    while let Some(place) = waiting.pop_front() {
        for far in next(place) {
            if levels[far as usize] == FAR {
                levels[far as usize] = levels[place as usize] + 1;
                waiting.push_back(far);
            }
        }
    }
    levels
}
