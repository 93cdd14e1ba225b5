//! One side of a port between two ticks, as a recorder looks at it.

use switch::Place;
use units::Unit;

/// What the packets of one side of a port wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Waits {
    /// Nothing waits that could be named: no packet, or none whose head is visible and whose queue
    /// has its markers behind it.
    Nothing,
    /// Every head is in a SAQ at Xoff.
    Xon,
    /// The best placed head lacks room in the next memory.
    Credit,
    /// A head may go: it is for the arbiter to choose it.
    Arbitration,
}

/// Cells of a port memory by what holds them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CellsInUse {
    /// Normal, detection or cold queues.
    pub normal: u32,
    /// SAQs.
    pub saq: u32,
    /// Packets whose head has left and whose tail has not.
    pub leaving: u32,
}

impl CellsInUse {
    /// The larger of each.
    pub(crate) fn most(self, other: CellsInUse) -> CellsInUse {
        CellsInUse {
            normal: self.normal.max(other.normal),
            saq: self.saq.max(other.saq),
            leaving: self.leaving.max(other.leaving),
        }
    }

    /// Both together.
    pub(crate) fn plus(self, other: CellsInUse) -> CellsInUse {
        CellsInUse {
            normal: self.normal + other.normal,
            saq: self.saq + other.saq,
            leaving: self.leaving + other.leaving,
        }
    }
}

/// CAM lines in use by their bits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LinesInUse {
    /// All.
    pub lines: u32,
    /// Of these: leaves.
    pub leaf: u32,
    /// Of these: at Xoff.
    pub blocked: u32,
    /// Of these: the marker is behind the SAQ.
    pub ready: u32,
}

/// One side of one port, as it is between two ticks.
#[derive(Debug, Clone, Copy)]
pub struct PortProbe {
    /// Which.
    pub place: Place,
    /// Its name.
    pub unit: Unit,
    /// Ingress: a packet is on the crossbar input. Egress and injection: the link carries something
    /// in the last tick.
    pub is_busy: bool,
    /// What its packets wait for.
    pub waits: Waits,
    /// Cells by what holds them.
    pub cells: CellsInUse,
    /// Lines of its CAM, where it has one.
    pub lines: Option<LinesInUse>,
}
