//! What a port costs in bits. The formulas are those of the docs page on memory cost.

mod registers;

pub use registers::{Per, Register, SAQ_REGISTERS, Width};

use crate::{MemoryLayout, Params};
use ecn::marking::Marking;
use observe::Side;
use turnpool::PoolKind;
use units::Span;

/// Bits of one side of a port: its memory with queues and SAQs, and its credit counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PortBits {
    /// Queues, SAQs included.
    pub queues: u32,
    /// Cells x cell size.
    pub data: u64,
    /// A next-slot register for each cell, head and tail for each queue, each wide enough to name a
    /// cell.
    pub queue_registers: u64,
    /// CAM lines.
    pub cam: u64,
    /// What SAQs and detection have beside the CAM: [`SAQ_REGISTERS`].
    pub saq: u64,
    /// Counters of free cells, one for each class; with pause in the place of the credits of links
    /// its registers, one set a VC.
    pub credits: u64,
    /// Registers of the ECN marker for the output.
    pub marker: u64,
}

impl PortBits {
    /// All but the data memory.
    pub fn control(&self) -> u64 {
        self.queue_registers + self.cam + self.saq + self.credits + self.marker
    }

    /// Both sides of a port together.
    #[must_use]
    pub fn plus(&self, other: &PortBits) -> PortBits {
        PortBits {
            queues: self.queues + other.queues,
            data: self.data + other.data,
            queue_registers: self.queue_registers + other.queue_registers,
            cam: self.cam + other.cam,
            saq: self.saq + other.saq,
            credits: self.credits + other.credits,
            marker: self.marker + other.marker,
        }
    }
}

/// One side of a port, for its cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PortSide<'a> {
    /// Which.
    pub side: Side,
    /// Its memory, where the organisation has one.
    pub memory: Option<MemoryLayout>,
    /// Ports of the switch.
    pub ports: u32,
    /// The memories whose free cells it counts: its own (crossbar hop) and the next one (link).
    pub counted: &'a [MemoryLayout],
}

/// Cost of one side of a port; CAM lines have turns of the given pool.
pub fn port_bits(params: &Params, port: PortSide<'_>, pool: PoolKind) -> PortBits {
    let saqs = params.saqs();
    let memory =
        port.memory.unwrap_or(MemoryLayout { cells: 0, queues: 0, classes: 0, class_cells: 0 });
    let cells = u64::from(memory.cells);
    let queues = if port.memory.is_some() { memory.queues + saqs } else { 0 };
    // `iq`: an output has lines without queues, where asked for.
    let lines = if port.memory.is_some() || params.config.recn.iq_egress_lines { saqs } else { 0 };
    let leaf = params.rules.is_some_and(|rules| rules.tokens);
    let counter = |m: &MemoryLayout| u64::from(m.classes) * bits_up_to(m.class_cells.into());
    PortBits {
        queues,
        data: cells * u64::from(params.config.cell_bytes) * 8,
        queue_registers: (cells + 2 * u64::from(queues)) * bits_up_to(cells.max(1)),
        cam: u64::from(lines) * u64::from(cam::line_bits(pool, leaf, 0)),
        saq: SAQ_REGISTERS.iter().map(|r| r.bits(params, &port)).sum(),
        credits: port.counted.iter().map(counter).sum::<u64>() + pause_bits(params, &port),
        marker: marker_bits(params, &port),
    }
}

/// The registers of pause (spec: pfc.md): at an input the cells that are stored, what is wanted and
/// what was sent last; at an output whether it is paused; with quanta a timer each.
fn pause_bits(params: &Params, port: &PortSide<'_>) -> u64 {
    let Some(pause) = &params.pause else {
        return 0;
    };
    let timer = pause.rule.quanta().map_or(0, |ticks| timer_bits(params, ticks));
    let of_vc = match (port.side, &port.memory) {
        (Side::Ingress, Some(memory)) => bits_up_to(memory.class_cells.into()) + 2 + timer,
        (Side::Ingress, None) => 0,
        (Side::Egress, _) => 1 + timer,
    };
    u64::from(params.vcs) * of_vc
}

/// The registers of the ECN marker at an output (spec: ecn.md, Marking; docs/units/marker.md):
/// cnt1 and cnt2, each up to the packets of all inputs; whether its link is blocked and a timer
/// since when it is not, where a time is given. `naive` and `red` need no counters: they read a
/// memory, and at a queue.
fn marker_bits(params: &Params, port: &PortSide<'_>) -> u64 {
    let Some(ecn) = params.config.ecn.filter(|_| port.side == Side::Egress) else {
        return 0;
    };
    let slots = u64::from(port.ports) * u64::from(params.receive_cells());
    let counters = match ecn.marking {
        Marking::None => return 0,
        Marking::Naive | Marking::Red(_) => 0,
        Marking::InputTriggered | Marking::InputOutputTriggered { .. } => 2,
    };
    let blocked = match ecn.calm {
        Span::ZERO => 0,
        calm => 1 + timer_bits(params, calm),
    };
    counters * bits_up_to(slots) + blocked
}

/// Bits of a timer, which counts link-phit times down.
fn timer_bits(params: &Params, ticks: Span) -> u64 {
    bits_up_to(ticks.0.div_ceil(params.link_phit.0))
}

/// Bits that hold any of the numbers 0 to `most`.
fn bits_up_to(most: u64) -> u64 {
    u64::from(u64::BITS - most.leading_zeros())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_hold_every_number_and_one_less_does_not() {
        assert_eq!(bits_up_to(0), 0);
        for most in 1..=2_000u64 {
            let bits = bits_up_to(most);
            assert!(most < 1 << bits && most >= 1 << (bits - 1), "{most}: {bits}");
        }
    }
}
