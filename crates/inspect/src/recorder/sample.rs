//! One look at all ports, before and after a tick.

use super::sides::{SIDES, side_of, slot};
use observe::{CellsInUse, PortProbe, Side, Waits};
use units::{Unit, WireId};

/// What samples saw at one side of a port in a bin.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Seen {
    pub(super) unit: Option<Unit>,
    was_busy: bool,
    waits: Option<Waits>,
    pub(super) samples: u32,
    pub(super) utilised: u32,
    /// By [`Waits`]: nothing, Xon, credit, arbitration.
    pub(super) waited: [u32; 4],
    pub(super) cells: CellsInUse,
    pub(super) leaf: u32,
    pub(super) blocked: u32,
    pub(super) ready: u32,
}

impl Seen {
    /// Nothing yet, of this port.
    pub(super) fn next_bin(self) -> Seen {
        Seen { unit: self.unit, ..Seen::default() }
    }
}

/// One look at all ports, before and after a tick: made by
/// [`Recorder::begin_sample`](super::Recorder::begin_sample).
#[derive(Debug, Clone)]
pub struct Sample {
    seen: Vec<Seen>,
    cells: [CellsInUse; SIDES.len()],
    /// In use: lines, leaf, blocked, ready.
    lines: [[u32; 4]; SIDES.len()],
    first_node_port: WireId,
}

impl Sample {
    pub(super) fn new(seen: Vec<Seen>, first_node_port: WireId) -> Sample {
        Sample { seen, cells: Default::default(), lines: Default::default(), first_node_port }
    }

    /// Cells and lines of all ports, by side.
    pub(super) fn sides(&self) -> impl Iterator<Item = (CellsInUse, [u32; 4])> + use<> {
        self.cells.into_iter().zip(self.lines)
    }

    pub(super) fn into_seen(self) -> Vec<Seen> {
        self.seen
    }

    /// A port before the sampled tick.
    pub fn before(&mut self, port: &PortProbe) {
        let seen = &mut self.seen[slot(port.place)];
        seen.unit = Some(port.unit);
        seen.was_busy = port.is_busy && port.place.side == Side::Ingress;
        seen.waits = Some(port.waits);
    }

    /// A port after the sampled tick, seen by `before` too.
    pub fn after(&mut self, port: &PortProbe) {
        let at = slot(port.place);
        let seen = &mut self.seen[at];
        let Some(waits) = seen.waits.take() else {
            return;
        };
        seen.samples += 1;
        if seen.was_busy || port.is_busy {
            seen.utilised += 1;
        } else {
            seen.waited[waits as usize] += 1;
        }
        seen.cells = seen.cells.most(port.cells);
        let side = side_of(at, self.first_node_port);
        self.cells[side] = self.cells[side].plus(port.cells);
        if let Some(cam) = port.lines {
            seen.leaf = seen.leaf.max(cam.leaf);
            seen.blocked = seen.blocked.max(cam.blocked);
            seen.ready = seen.ready.max(cam.ready);
            let bits = [cam.lines, cam.leaf, cam.blocked, cam.ready];
            for (total, one) in self.lines[side].iter_mut().zip(bits) {
                *total += one;
            }
        }
    }
}
