//! What the ports and switches of a fabric cost in bits.

use crate::FabricConfig;
use crate::{ConfigError, MemoryLayout, PortBits, PortSide, port_bits};
use crate::{Layouts, params};
use observe::{MemoryBits, Side};
use turnpool::PoolKind;

/// Cost of the costliest port, both its sides, and of the costliest switch.
///
/// # Errors
/// What cannot be built.
pub fn memory_bits(config: &FabricConfig) -> Result<MemoryBits, ConfigError> {
    let graph = config.network.graph();
    let params = &params(config)?;
    let (layouts, pool) = (Layouts { params, graph }, config.network.options().pool);
    let mut bits = MemoryBits::default();
    let mut costliest = 0;
    for s in 0..graph.switches() as u32 {
        let mut all = PortBits::default();
        for p in 0..graph.ports(s) as u8 {
            let Some([ingress, egress]) = layouts.cost(s, p, pool)? else {
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
                bits.port_marker_bits = port.marker;
            }
        }
        bits.switch_control_bits = bits.switch_control_bits.max(all.control());
        bits.switch_data_bits = bits.switch_data_bits.max(all.data);
    }
    Ok(bits)
}

impl Layouts<'_> {
    /// Ingress and egress side of a port; `None` where nothing is connected.
    fn cost(
        &self,
        switch: u32,
        port: u8,
        pool: PoolKind,
    ) -> Result<Option<[PortBits; 2]>, ConfigError> {
        if !self.is_connected(switch, port) {
            return Ok(None);
        }
        let ingress = self.ingress(switch, port)?;
        let egress = self.egress(switch, port)?;
        // With pause nobody counts what is free behind a link.
        let pauses = self.params.pause.is_some();
        let next = self.next(switch, port)?;
        let counted: Vec<_> = (!pauses).then_some(next).into_iter().chain(egress).collect();
        let egress = egress.map(|used| self.whole(used, switch, port));
        let ports = self.graph.ports(switch);
        let cost = |side, memory, counted: &[MemoryLayout]| {
            let port = PortSide { side, memory, ports, counted };
            port_bits(self.params, port, pool)
        };
        Ok(Some([cost(Side::Ingress, ingress, &[]), cost(Side::Egress, egress, &counted)]))
    }

    /// A memory of which only a part is used (`split-fifo`) is there all the same, with all its
    /// queues and the cells that its ports do not divide.
    fn whole(&self, used: MemoryLayout, switch: u32, port: u8) -> MemoryLayout {
        let params = self.params;
        let view = self.view(switch, port);
        match params.scheme.egress_memory_divisor(view) {
            1 => used,
            parts => {
                MemoryLayout { cells: params.receive_cells(), queues: used.queues * parts, ..used }
            }
        }
    }
}
