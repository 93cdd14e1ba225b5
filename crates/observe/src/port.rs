//! One side of a port between two ticks: copies of its registers.

use crate::event::Place;
use crate::packet::PacketKey;
use turnpool::Point;
use units::{PortId, Tick, Unit};

/// What the packets of a port wait for, by the best placed of its heads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Waits {
    /// Nothing waits: no packet, or none that is visible with the marker of its queue behind it.
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
    #[must_use]
    pub fn most(self, other: CellsInUse) -> CellsInUse {
        CellsInUse {
            normal: self.normal.max(other.normal),
            saq: self.saq.max(other.saq),
            leaving: self.leaving.max(other.leaving),
        }
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: CellsInUse) -> CellsInUse {
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

impl LinesInUse {
    /// Those of a CAM, by its registers, a bit a line.
    #[must_use]
    pub fn of(valid: u64, leaf: u64, blocked: u64, ready: u64) -> LinesInUse {
        let of_valid = |bits: u64| (bits & valid).count_ones();
        LinesInUse {
            lines: valid.count_ones(),
            leaf: of_valid(leaf),
            blocked: of_valid(blocked),
            ready: of_valid(ready),
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
    /// Ingress: a packet crosses. Egress, injection: the link carries something in the last tick.
    pub is_busy: bool,
    /// What its packets wait for.
    pub waits: Waits,
    /// Cells by what holds them.
    pub cells: CellsInUse,
    /// Lines of its CAM, where it has one.
    pub lines: Option<LinesInUse>,
}

/// A side of a port with all its registers, as the last simulated tick has left it.
#[derive(Debug, Clone)]
pub struct PortView {
    /// The last simulated tick.
    pub tick: Tick,
    /// What a recorder sees of it.
    pub probe: PortProbe,
    /// Ingress: the output that it sends to over the crossbar; egress: the input that sends.
    pub granted: Option<PortId>,
    /// The packets at the heads of its normal queues.
    pub heads: Vec<Option<PacketKey>>,
    /// Lines of its CAM, valid or not.
    pub lines: Vec<LineView>,
    /// Of an egress or injection port.
    pub sender: Option<SenderView>,
}

/// One CAM line and its SAQ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineView {
    /// Its point, while it is valid.
    pub point: Option<Point>,
    /// Of a valid line: it is at Xoff.
    pub blocked: bool,
    /// Of a valid line: the marker is behind the SAQ.
    pub ready: bool,
    /// Of a valid line: it is a leaf.
    pub leaf: bool,
    /// Cells of the SAQ; `None` where there is no memory.
    pub cells: Option<u32>,
    /// The packet at its head.
    pub head: Option<PacketKey>,
}

/// The sending end of a link.
#[derive(Debug, Clone)]
pub struct SenderView {
    /// Credit, by class.
    pub credits: Vec<u32>,
    /// The link carries something until then.
    pub busy_until: Tick,
    /// There is a memory before the link: not in `iq`, where packets start from the crossbar.
    pub has_memory: bool,
}
