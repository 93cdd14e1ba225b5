//! How a port memory is shared: cells, queues, classes of credit, VCs.

use super::{ConfigError, Params};
use crate::scheme::PortView;
use crate::{SchemeKind, SwitchConfig, VoqNetMemory};

/// Largest number of cells of one port memory.
pub const CELLS_MAX: u32 = 65_534;

/// Largest number of queues of one port, SAQs included.
pub const QUEUES_MAX: u32 = 65_000;

/// Cells or queues as credit counters have them: layouts were checked against [`CELLS_MAX`] and
/// [`QUEUES_MAX`].
pub fn short(number: u32) -> u16 {
    u16::try_from(number).expect("at most CELLS_MAX cells and QUEUES_MAX queues")
}

/// One memory: how many cells and queues, and how they are shared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MemoryLayout {
    /// Cells of the pool.
    pub cells: u32,
    /// Normal queues, those of all VCs.
    pub queues: u32,
    /// Credit classes: one a VC, or one a queue.
    pub classes: u32,
    /// Cells of each class.
    pub class_cells: u32,
}

impl MemoryLayout {
    /// One queue, one class, one VC.
    pub const fn single(cells: u32) -> MemoryLayout {
        MemoryLayout { cells, queues: 1, classes: 1, class_cells: cells }
    }
}

impl Params {
    /// Memory of an ingress port.
    ///
    /// # Errors
    /// A share that is too small, too many cells or queues.
    pub fn ingress_layout(&self, port: PortView) -> Result<MemoryLayout, ConfigError> {
        self.layout(self.scheme.ingress_queues(port), 1)
    }

    /// Memory of an egress port or of the injection side of an end node.
    ///
    /// # Errors
    /// A share that is too small, too many cells or queues.
    pub fn egress_layout(&self, port: PortView) -> Result<MemoryLayout, ConfigError> {
        self.layout(self.scheme.egress_queues(port), self.scheme.egress_memory_divisor(port))
    }

    /// Memory of an egress port in `oq`: every input has the share of a whole port memory in it.
    ///
    /// # Errors
    /// Too many cells.
    pub fn shared_egress_layout(&self, ports: u32) -> Result<MemoryLayout, ConfigError> {
        let cells = u64::from(self.receive_cells()) * u64::from(ports);
        Ok(MemoryLayout::single(legal_cells(cells)?))
    }

    /// Receive memory of an end node: one queue.
    pub fn receive_cells(&self) -> u32 {
        self.config.port_memory_bytes / self.config.cell_bytes
    }

    fn layout(&self, scheme_queues: u32, divisor: u32) -> Result<MemoryLayout, ConfigError> {
        let packet_cells = self.packet_lengths.cells;
        let voq_net = self.config.scheme == SchemeKind::VoqNet;
        let queues = scheme_queues.saturating_mul(u32::from(self.vcs));
        if queues.saturating_add(self.saqs()) > QUEUES_MAX {
            let what = format!("{queues} queues a port; legal: at most {QUEUES_MAX}");
            return Err(ConfigError::Impossible { what });
        }
        let classes = if self.per_queue_credits { queues } else { u32::from(self.vcs) };
        let mut cells = u64::from(self.receive_cells() / divisor);
        let needed = if voq_net { 2 * packet_cells } else { packet_cells };
        if voq_net && self.config.voq_net_memory == VoqNetMemory::Grow {
            cells = cells.max(u64::from(needed) * u64::from(queues));
        }
        let cells = legal_cells(cells)?;
        let class_cells = cells / classes;
        if class_cells < needed {
            let SwitchConfig { scheme, port_memory_bytes, .. } = self.config;
            let hint = match voq_net {
                true => "; `voq_net.memory = \"grow\"` gives two packets a queue",
                false => "",
            };
            let what = format!(
                "{scheme}: {classes} queues share {port_memory_bytes} bytes, {class_cells} cells \
                 each; a queue needs at least {needed} cells{hint}"
            );
            return Err(ConfigError::Impossible { what });
        }
        Ok(MemoryLayout { cells, queues, classes, class_cells })
    }
}

fn legal_cells(cells: u64) -> Result<u32, ConfigError> {
    if cells > u64::from(CELLS_MAX) {
        let what = format!("a port memory of {cells} cells; legal: at most {CELLS_MAX}");
        return Err(ConfigError::Impossible { what });
    }
    Ok(cells as u32)
}
