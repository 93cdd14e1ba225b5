//! The walk that proves the lists of a memory, for tests and checked runs.

use crate::cells::NO_CELL;
use crate::mmu::not_conserved;
use crate::{Mmu, MmuError};
use units::{LineId, PacketId, QueueId};

impl<H> Mmu<H> {
    /// Walks every list: each cell is in one place (a queue, the free list, a lease), each queue
    /// counts what it holds, each marker sits in its host in order. Time and space of the order of
    /// the pool: not for the hot path.
    ///
    /// # Errors
    /// The first broken invariant.
    pub fn audit(&self) -> Result<(), MmuError> {
        self.conserved()?;
        let mut seen = vec![false; usize::from(self.cells.len())];
        let mut queued = 0;
        for queue in (0..self.queues.len()).map(QueueId::at) {
            queued += self.audit_queue(queue, &mut seen)?;
        }
        let mut free = u32::from(self.cells.len() - self.cells.fresh());
        let mut cell = self.cells.returned();
        while cell != NO_CELL {
            self.visit(cell, &mut seen)?;
            free += 1;
            cell = self.cells.next(cell);
        }
        let touched = usize::from(self.cells.fresh());
        let leased = seen[..touched].iter().filter(|seen| !**seen).count() as u32;
        if (free, queued, leased) != (self.free_cells(), self.queued_cells(), self.leased_cells()) {
            return Err(not_conserved(free, queued, leased, self.pool_cells()));
        }
        self.audit_markers()
    }

    /// The packets of `queue`, first to last: number and cells. For observers and tests.
    pub fn items(&self, queue: QueueId) -> impl Iterator<Item = (PacketId, u16)> + '_ {
        let record = self.queue(queue);
        let mut first = record.head;
        (0..record.packets).map(move |_| {
            let (packet, cells) = self.cells.packet(first);
            first = self.cells.next(self.cells.last(first, cells));
            (packet, cells)
        })
    }

    /// The markers in `queue`, first to last, each with the packets still ahead of it. For
    /// observers and tests.
    pub fn queue_markers(&self, queue: QueueId) -> impl Iterator<Item = (LineId, u32)> + '_ {
        let record = self.queue(queue);
        let popped = record.popped();
        let mut marker = record.first_marker;
        std::iter::from_fn(move || {
            let this = marker?;
            let place = self.markers[this.index()];
            marker = place.next;
            let ahead =
                if place.is_reached(popped) { 0 } else { place.position.wrapping_sub(popped) };
            Some((this, ahead))
        })
    }

    fn visit(&self, cell: u16, seen: &mut [bool]) -> Result<(), MmuError> {
        let seen = seen.get_mut(usize::from(cell)).filter(|_| cell < self.cells.fresh());
        match seen.map(|seen| std::mem::replace(seen, true)) {
            Some(false) => Ok(()),
            _ => Err(mislinked(cell)),
        }
    }

    /// Cells of the queue, counted by walking each.
    fn audit_queue(&self, queue: QueueId, seen: &mut [bool]) -> Result<u32, MmuError> {
        let record = self.queue(queue);
        let miscounted = || {
            let (packets, cells) = (record.packets, record.cells);
            MmuError(format!(
                "queue {queue} counts {packets} packets in {cells} cells, its list differs"
            ))
        };
        let mut cell = record.head;
        let mut tail = NO_CELL;
        let mut total = 0;
        for _ in 0..record.packets {
            if cell == NO_CELL {
                return Err(miscounted());
            }
            let first = cell;
            self.visit(first, seen)?;
            let (_, cells) = self.cells.packet(first);
            tail = first;
            for _ in 1..cells {
                tail = self.cells.next(tail);
                self.visit(tail, seen)?;
            }
            if tail != self.cells.last(first, cells) {
                return Err(mislinked(tail));
            }
            total += u32::from(cells);
            cell = self.cells.next(tail);
        }
        if cell != NO_CELL || tail != record.tail || total != u32::from(record.cells) {
            return Err(miscounted());
        }
        Ok(total)
    }

    /// Each placed marker is in the list of its host and of no other, in order of position, none
    /// beyond the tail.
    fn audit_markers(&self) -> Result<(), MmuError> {
        let mut listed = vec![false; self.markers.len()];
        for queue in (0..self.queues.len()).map(QueueId::at) {
            let record = self.queue(queue);
            let (mut last, mut before) = (None, 0);
            for (marker, ahead) in self.queue_markers(queue) {
                let twice = std::mem::replace(&mut listed[marker.index()], true);
                let host = self.markers[marker.index()].host;
                let beyond = ahead < before || ahead > u32::from(record.packets);
                if twice || host != Some(queue) || beyond {
                    return Err(misplaced(marker));
                }
                (last, before) = (Some(marker), ahead);
            }
            if last != record.last_marker {
                let marker = record.last_marker.or(last).unwrap_or_default();
                return Err(misplaced(marker));
            }
        }
        for (marker, record) in self.markers.iter().enumerate() {
            if record.host.is_some() != listed[marker] {
                return Err(misplaced(LineId::at(marker)));
            }
        }
        Ok(())
    }
}

/// A cell that is met twice, or that no list may hold.
fn mislinked(cell: u16) -> MmuError {
    MmuError(format!("cell {cell} is linked twice or out of place"))
}

/// A marker record in a wrong place or order.
fn misplaced(marker: LineId) -> MmuError {
    MmuError(format!("marker {marker} is out of place"))
}

#[cfg(test)]
mod tests {
    use crate::Mmu;
    use units::{LineId, PacketId, QueueId};

    /// Two queues with packets of 1, 3 and 2 cells, a marker in each, one packet on its way out.
    fn memory() -> Mmu {
        let mut mmu = Mmu::new(16, 3, 3);
        mmu.push(QueueId(0), PacketId(10), 1).unwrap();
        mmu.push(QueueId(0), PacketId(11), 3).unwrap();
        mmu.place_marker(LineId(0), QueueId(0)).unwrap();
        mmu.place_marker(LineId(1), QueueId(0)).unwrap();
        mmu.push(QueueId(1), PacketId(12), 2).unwrap();
        mmu.place_marker(LineId(2), QueueId(1)).unwrap();
        let lease = mmu.pop(QueueId(0)).unwrap();
        mmu.release(lease).unwrap();
        mmu.audit().unwrap();
        mmu
    }

    /// What the audit reports once `damage` is done to a sound memory.
    fn audit_after(damage: impl FnOnce(&mut Mmu)) -> String {
        let mut mmu = memory();
        damage(&mut mmu);
        mmu.audit().expect_err("damage").to_string()
    }

    // "each cell exactly once": a cell that two lists share is found.
    #[test]
    fn shared_cell_is_found() {
        let head = memory().queues[0].record.head;
        let result = audit_after(|mmu| mmu.queues[2].record = mmu.queues[0].record);
        assert_eq!(result, format!("cell {head} is linked twice or out of place"));
    }

    // A cell on the free list that was never used is found.
    #[test]
    fn cell_out_of_place_is_found() {
        let result = audit_after(|mmu| mmu.cells.set_next(mmu.cells.returned(), 9));
        assert_eq!(result, "cell 9 is linked twice or out of place");
    }

    // "free + queued + leased = pool"
    #[test]
    fn lost_cells_are_found() {
        let result = audit_after(|mmu| mmu.free -= 1);
        assert!(result.starts_with("cells not conserved: "), "{result}");
        let result = audit_after(|mmu| {
            mmu.free -= 1;
            mmu.leased += 1;
        });
        assert!(result.starts_with("cells not conserved: "), "{result}");
    }

    #[test]
    fn miscounted_queues_are_found() {
        let found = |result: String| result.starts_with("queue 0 counts ");
        assert!(found(audit_after(|mmu| mmu.queues[0].record.packets += 1)));
        assert!(found(audit_after(|mmu| mmu.queues[0].record.cells += 1)));
        assert!(found(audit_after(|mmu| mmu.queues[0].record.tail = 15)));
    }

    #[test]
    fn mislinked_markers_are_found() {
        let found = |result: String| result.ends_with(" is out of place");
        assert!(found(audit_after(|mmu| mmu.markers[0].host = Some(QueueId(1)))));
        assert!(found(audit_after(|mmu| mmu.markers[0].position += 1)));
        assert!(found(audit_after(|mmu| mmu.markers[1].next = Some(LineId(0)))));
        assert!(found(audit_after(|mmu| mmu.queues[1].record.first_marker = None)));
        assert!(found(audit_after(|mmu| mmu.queues[1].record.last_marker = Some(LineId(0)))));
    }

    // Counters are checked on every operation, not only by the walk.
    #[test]
    fn lost_cells_are_found_by_the_next_operation() {
        let mut mmu = memory();
        mmu.free -= 1;
        let error = mmu.push(QueueId(0), PacketId(13), 1).expect_err("a cell is lost");
        assert!(error.to_string().starts_with("cells not conserved: "), "{error}");
    }
}
