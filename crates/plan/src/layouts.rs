//! The memories of a fabric: cells, queues and credit classes by port (spec: switch.md,
//! Organisations and Queue schemes). The fabric is built from these, and its cost is reckoned from
//! them.

use crate::FabricConfig;
use crate::scheme::PortView;
use crate::{Common, ConfigError, MemoryLayout, Organisation, Params};
use topology::{Endpoint, Graph};

/// What all switches and end nodes of a fabric read.
///
/// # Errors
/// Combinations that exclude each other.
pub fn params(config: &FabricConfig) -> Result<Params, ConfigError> {
    let common = Common {
        time_base: config.time_base,
        control_packet_bytes: config.link.control_packet_bytes,
        named_control_bytes: config.link.named_control_bytes,
        packet_bytes: config.packet_bytes,
        nodes: config.network.nodes() as u32,
    };
    Params::new(&config.switch, common)
}

/// The memory at any place of a graph. Its methods fail where a memory cannot be: a share
/// that is too small, too many cells or queues.
#[derive(Debug, Clone, Copy)]
pub struct Layouts<'a> {
    /// Scheme, organisation, sizes.
    pub params: &'a Params,
    /// Switches, ports and what they are connected to.
    pub graph: &'a Graph,
}

impl Layouts<'_> {
    /// A port of a switch, as queue schemes see it.
    pub fn view(&self, switch: u32, port: u8) -> PortView {
        PortView {
            ports: self.graph.ports(switch),
            peer_ports: match self.graph.peer(switch, port) {
                Endpoint::Port { switch, .. } => Some(self.graph.ports(switch)),
                Endpoint::Node(_) | Endpoint::None => None,
            },
            nodes: self.params.nodes,
        }
    }

    /// Whether anything is behind a port. Else it has no memory.
    pub fn is_connected(&self, switch: u32, port: u8) -> bool {
        self.graph.peer(switch, port) != Endpoint::None
    }

    /// Memory at the ingress side of a port of a switch; none in `oq`.
    pub fn ingress(&self, switch: u32, port: u8) -> Result<Option<MemoryLayout>, ConfigError> {
        if !self.is_connected(switch, port) || self.organisation() == Organisation::Oq {
            return Ok(None);
        }
        self.params.ingress_layout(self.view(switch, port)).map(Some)
    }

    /// Memory at the egress side of a port of a switch; none in `iq`. In `oq` all inputs share it.
    pub fn egress(&self, switch: u32, port: u8) -> Result<Option<MemoryLayout>, ConfigError> {
        if !self.is_connected(switch, port) {
            return Ok(None);
        }
        let view = self.view(switch, port);
        match self.organisation() {
            Organisation::Iq => Ok(None),
            Organisation::Cioq => self.params.egress_layout(view).map(Some),
            Organisation::Oq => self.params.shared_egress_layout(view.ports).map(Some),
        }
    }

    /// Memory of the injection side of an end node: an output port's, in every organisation.
    pub fn injection(&self, node: u32) -> Result<MemoryLayout, ConfigError> {
        let (switch, _) = self.graph.node_port(node);
        let ports = self.graph.ports(switch);
        self.params.egress_layout(PortView {
            ports,
            peer_ports: Some(ports),
            nodes: self.params.nodes,
        })
    }

    /// Memory that the credit of a port of a switch is for: the one behind its link.
    pub fn next(&self, switch: u32, port: u8) -> Result<MemoryLayout, ConfigError> {
        self.credited(self.graph.peer(switch, port))
    }

    /// Memory that the credit of a link is for that ends here. One queue at an end node, and in
    /// `oq`, where an input has its share of the output memories; nothing where no link is.
    pub fn credited(&self, end: Endpoint) -> Result<MemoryLayout, ConfigError> {
        let single = MemoryLayout::single(self.params.receive_cells());
        match end {
            Endpoint::Port { switch, port } => {
                let memory = self.ingress(switch, port)?;
                Ok(memory.unwrap_or(single))
            }
            Endpoint::Node(_) => Ok(single),
            Endpoint::None => Ok(MemoryLayout::single(0)),
        }
    }

    fn organisation(&self) -> Organisation {
        self.params.config.organisation
    }
}
