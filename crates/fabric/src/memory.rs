//! What the ports and switches of a fabric cost in bits.

use crate::build::egress_layout;
use crate::config::FabricConfig;
use crate::record::MemoryBits;
use switch::scheme::{PortView, QueueScheme};
use switch::{
    ConfigError, MemoryLayout, Organisation, Params, PortBits, PortSide, Side, port_bits,
};
use topology::{Endpoint, Graph};

/// Cost of the costliest port, both its sides, and of the costliest switch.
///
/// # Errors
/// What cannot be built.
pub(crate) fn memory_bits(config: &FabricConfig) -> Result<MemoryBits, ConfigError> {
    let graph = config.network.graph();
    let params = Params::new(
        &config.switch,
        config.time_base,
        config.link.control_packet_bytes,
        config.link.named_control_bytes,
        config.packet_bytes,
        config.network.nodes() as u32,
    )?;
    let ports = Ports {
        config,
        params: &params,
        graph,
    };
    let mut bits = MemoryBits::default();
    let mut costliest = 0;
    for s in 0..graph.switches() as u32 {
        let mut all = PortBits::default();
        for p in 0..graph.ports(s) as u8 {
            let Some([ingress, egress]) = ports.cost(s, p)? else {
                continue;
            };
            let port = ingress.plus(&egress);
            all = all.plus(&port);
            if port.control() + port.data > costliest {
                costliest = port.control() + port.data;
                bits.queues_ingress = ingress.queues;
                bits.queues_egress = egress.queues;
                bits.port_data_bits = port.data;
                bits.port_queue_bits = port.queue_registers;
                bits.port_cam_bits = port.cam;
                bits.port_saq_bits = port.saq;
                bits.port_credit_bits = port.credits;
            }
        }
        bits.switch_control_bits = bits.switch_control_bits.max(all.control());
        bits.switch_data_bits = bits.switch_data_bits.max(all.data);
    }
    Ok(bits)
}

struct Ports<'a> {
    config: &'a FabricConfig,
    params: &'a Params,
    graph: &'a Graph,
}

impl Ports<'_> {
    /// Ingress and egress side of a port; `None` where nothing is connected.
    fn cost(&self, switch: u32, port: u8) -> Result<Option<[PortBits; 2]>, ConfigError> {
        let Some(view) = self.view(switch, port) else {
            return Ok(None);
        };
        let organisation = self.config.switch.organisation;
        let ingress = if organisation == Organisation::Oq {
            None
        } else {
            Some(self.params.ingress_layout(view)?)
        };
        let mut counted = vec![self.next_memory(switch, port)?];
        let mut egress = None;
        if organisation != Organisation::Iq {
            let mut layout = egress_layout(self.params, view)?;
            counted.push(layout);
            // A memory of which only a part is used (`split-fifo`) is there all the same, with all its queues and the cells
            // that its ports do not divide.
            let parts = self.params.scheme.egress_memory_divisor(view);
            if parts > 1 {
                layout.cells = self.params.receive_cells();
            }
            layout.queues *= parts;
            egress = Some(layout);
        }
        let cost = |side, memory, counted: &[MemoryLayout]| {
            let port = PortSide {
                side,
                memory,
                ports: view.ports,
                counted,
            };
            port_bits(self.params, port, self.config.network.options().pool)
        };
        Ok(Some([
            cost(Side::Ingress, ingress, &[]),
            cost(Side::Egress, egress, &counted),
        ]))
    }

    fn view(&self, switch: u32, port: u8) -> Option<PortView> {
        let peer_ports = match self.graph.peer(switch, port) {
            Endpoint::None => return None,
            Endpoint::Node(_) => None,
            Endpoint::Port { switch, .. } => Some(self.graph.ports(switch)),
        };
        Some(PortView {
            ports: self.graph.ports(switch),
            peer_ports,
            nodes: self.params.nodes,
        })
    }

    /// The memory behind the link of a port, which its credits are for.
    fn next_memory(&self, switch: u32, port: u8) -> Result<MemoryLayout, ConfigError> {
        if let Endpoint::Port { switch, port } = self.graph.peer(switch, port)
            && self.config.switch.organisation != Organisation::Oq
            && let Some(view) = self.view(switch, port)
        {
            return self.params.ingress_layout(view);
        }
        // One queue: the receive memory of an end node, or (`oq`) the share of an input in the output memories.
        let cells = self.params.receive_cells();
        Ok(MemoryLayout {
            cells,
            queues: 1,
            classes: 1,
            class_cells: cells,
        })
    }
}
