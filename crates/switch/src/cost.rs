//! What a port costs in bits. The formulas are those of the docs page on memory cost.

use crate::params::MemoryLayout;
use turnpool::PoolKind;

/// Bits of one port memory with its queues and SAQs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PortBits {
    /// Queues, SAQs included.
    pub queues: u32,
    /// Cells x cell size.
    pub data: u64,
    /// A next-slot register for each cell, head and tail for each queue, each wide enough to name a cell.
    pub queue_registers: u64,
    /// CAM lines.
    pub cam: u64,
}

/// Bits of the service level of a CAM line: there is one level so far, which needs no name.
pub const SERVICE_LEVEL_BITS: u32 = 0;

/// Cost of a port memory: `saqs` CAM lines of the given pool, with a leaf bit in the versions with tokens.
pub fn port_bits(
    layout: MemoryLayout,
    cell_bytes: u32,
    saqs: u32,
    pool: PoolKind,
    leaf: bool,
) -> PortBits {
    let cells = u64::from(layout.cells);
    let queues = layout.queues + saqs;
    let name_bits = u64::from(64 - cells.max(1).leading_zeros());
    PortBits {
        queues,
        data: cells * u64::from(cell_bytes) * 8,
        queue_registers: (cells + 2 * u64::from(queues)) * name_bits,
        cam: u64::from(saqs) * u64::from(cam::line_bits(pool, leaf, SERVICE_LEVEL_BITS)),
    }
}
