//! A node and its ports.

use units::PortId;

/// Where a node is: two levels (lai-rsi).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Address {
    /// L2: the super node.
    pub super_node: u16,
    /// L1: the node in it.
    pub node: u16,
}

/// What an entry of the tables leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Region {
    /// T1: a node of this super node, by L1 address.
    Node(u16),
    /// T2: another super node, by L2 address.
    SuperNode(u16),
}

/// What a port of a node is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PortKind {
    /// Its end node.
    Node,
    /// A link within the super node.
    Local,
    /// A link to another super node, this one.
    Global(u16),
    /// Nothing is connected.
    Unconnected,
}

/// One node: its address, and what its ports are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeShape {
    /// Its address.
    pub address: Address,
    /// By port.
    ports: Box<[PortKind]>,
    local: u64,
    global: u64,
}

impl NodeShape {
    /// A node with these ports.
    pub fn new(address: Address, ports: Box<[PortKind]>) -> NodeShape {
        let set = |is: fn(&PortKind) -> bool| {
            let those = ports.iter().enumerate().filter(|(_, kind)| is(kind));
            those.fold(0, |set, (port, _)| set | 1 << port)
        };
        NodeShape {
            address,
            local: set(|kind| matches!(kind, PortKind::Local)),
            global: set(|kind| matches!(kind, PortKind::Global(_))),
            ports,
        }
    }

    /// What a port is for.
    #[inline]
    pub fn kind(&self, port: PortId) -> PortKind {
        self.ports[port.index()]
    }

    /// Number of ports.
    pub fn ports(&self) -> usize {
        self.ports.len()
    }

    /// Local ports, a bit each.
    pub fn local(&self) -> u64 {
        self.local
    }

    /// Connected global ports, a bit each.
    pub fn global(&self) -> u64 {
        self.global
    }

    /// Global ports that lead to a super node, a bit each.
    pub fn global_to(&self, super_node: u16) -> u64 {
        let leads = |&port: &usize| self.ports[port] == PortKind::Global(super_node);
        units::bits::ones(self.global).filter(leads).fold(0, |set, port| set | 1 << port)
    }

    /// The port of its end node.
    pub fn node_port(&self) -> PortId {
        let at = self.ports.iter().position(|kind| *kind == PortKind::Node);
        PortId::at(at.expect("every node of the networks here has an end node"))
    }
}
