//! One side of a port between two ticks, as a recorder looks at it.

use cam::Cam;
use switch::{CellsInUse, Place, Waits};
use units::Unit;

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

impl LinesInUse {
    /// Those of a CAM.
    #[must_use]
    pub fn of(cam: &Cam) -> LinesInUse {
        let valid = |bits: u64| (bits & cam.valid()).count_ones();
        LinesInUse {
            lines: cam.in_use(),
            leaf: valid(cam.leaf_lines()),
            blocked: valid(cam.blocked_lines()),
            ready: valid(cam.ready_lines()),
        }
    }
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

/// The larger of each.
pub(crate) fn most(a: CellsInUse, b: CellsInUse) -> CellsInUse {
    CellsInUse {
        normal: a.normal.max(b.normal),
        saq: a.saq.max(b.saq),
        leaving: a.leaving.max(b.leaving),
    }
}

/// Both together.
pub(crate) fn plus(a: CellsInUse, b: CellsInUse) -> CellsInUse {
    CellsInUse {
        normal: a.normal + b.normal,
        saq: a.saq + b.saq,
        leaving: a.leaving + b.leaving,
    }
}
