//! The cell pool: one register word per cell, and the list of free cells.

use units::PacketId;

pub(crate) const NO_CELL: u16 = u16::MAX;

/// The register words of the cells. Low 16 bits: next-slot register. Next 16 bits: in the first
/// cell of a packet, its cells; in the second, its last cell, so that a packet is taken off a queue
/// in constant time. High 32 bits, first cell only: the packet. There are words for as many cells
/// as were ever in use, and some: most memories never hold more than a few packets.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Cells {
    words: Box<[u64]>,
    cells: u16,
    /// Returned cells, last in, first out: hot cells stay in the cache.
    returned: u16,
    /// Cells from here on were never used.
    fresh: u16,
}

const NEXT_MASK: u64 = 0xFFFF;

/// Words that there are from the start.
const FIRST_WORDS: u16 = 64;

impl Cells {
    pub(crate) fn new(cells: u16) -> Self {
        Self {
            words: vec![0; usize::from(cells.min(FIRST_WORDS))].into_boxed_slice(),
            cells,
            returned: NO_CELL,
            fresh: 0,
        }
    }

    pub(crate) fn len(&self) -> u16 {
        self.cells
    }

    pub(crate) fn fresh(&self) -> u16 {
        self.fresh
    }

    /// First returned cell, `NO_CELL` where there is none.
    pub(crate) fn returned(&self) -> u16 {
        self.returned
    }

    #[inline]
    pub(crate) fn next(&self, cell: u16) -> u16 {
        (self.words[usize::from(cell)] & NEXT_MASK) as u16
    }

    #[inline]
    pub(crate) fn set_next(&mut self, cell: u16, next: u16) {
        let word = &mut self.words[usize::from(cell)];
        *word = (*word & !NEXT_MASK) | u64::from(next);
    }

    /// The packet that begins in this cell: its number and its cells.
    #[inline]
    pub(crate) fn packet(&self, first: u16) -> (PacketId, u16) {
        let word = self.words[usize::from(first)];
        (PacketId((word >> 32) as u32), (word >> 16) as u16)
    }

    /// All of the word that a packet begins with: its number, its cells, the next cell.
    #[inline]
    pub(crate) fn first_word(&self, first: u16) -> (PacketId, u16, u16) {
        let word = self.words[usize::from(first)];
        (PacketId((word >> 32) as u32), (word >> 16) as u16, word as u16)
    }

    /// Last cell of the packet of `cells` cells that begins in `first`.
    #[inline]
    pub(crate) fn last(&self, first: u16, cells: u16) -> u16 {
        if cells == 1 { first } else { (self.words[usize::from(self.next(first))] >> 16) as u16 }
    }

    #[inline]
    fn take(&mut self) -> u16 {
        if self.returned == NO_CELL {
            if usize::from(self.fresh) == self.words.len() {
                self.grow();
            }
            self.fresh += 1;
            self.fresh - 1
        } else {
            let cell = self.returned;
            self.returned = self.next(cell);
            cell
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let mut words = std::mem::take(&mut self.words).into_vec();
        words.resize((2 * words.len()).min(usize::from(self.cells)), 0);
        self.words = words.into_boxed_slice();
    }

    /// Stores a packet in free cells (counted by the caller); returns its first and last cell.
    #[inline]
    pub(crate) fn store(&mut self, packet: PacketId, cells: u16) -> (u16, u16) {
        let first = self.take();
        let head = u64::from(packet.0) << 32 | u64::from(cells) << 16;
        if cells == 1 {
            self.words[usize::from(first)] = head | u64::from(NO_CELL);
            return (first, first);
        }
        (first, self.store_rest(first, head, cells))
    }

    /// The further cells of a packet that begins in `first`; returns the last one.
    #[inline(never)]
    fn store_rest(&mut self, first: u16, head: u64, cells: u16) -> u16 {
        let second = self.take();
        self.words[usize::from(first)] = head | u64::from(second);
        let mut last = second;
        for _ in 2..cells {
            let cell = self.take();
            self.set_next(last, cell);
            last = cell;
        }
        self.set_next(last, NO_CELL);
        let word = &mut self.words[usize::from(second)];
        *word = u64::from(last) << 16 | (*word & NEXT_MASK);
        last
    }

    /// Puts the linked cells `first ..= last` on the free list.
    #[inline]
    pub(crate) fn put(&mut self, first: u16, last: u16) {
        self.set_next(last, self.returned);
        self.returned = first;
    }
}

#[cfg(test)]
mod tests {
    use super::Cells;
    use units::PacketId;

    // A cell used a moment ago is in the cache: it is used again before untouched ones.
    #[test]
    fn returned_cells_go_out_again_first() {
        let mut cells = Cells::new(8);
        assert_eq!(cells.store(PacketId(1), 1), (0, 0));
        assert_eq!(cells.store(PacketId(2), 3), (1, 3));
        cells.put(0, 0);
        cells.put(1, 3);
        assert_eq!(cells.store(PacketId(3), 2), (1, 2));
        assert_eq!(cells.store(PacketId(4), 1), (3, 3));
        assert_eq!(cells.store(PacketId(5), 2), (0, 4));
        assert_eq!(cells.fresh(), 5);
    }

    // The last cell of a packet is known without walking it, whatever its size and whatever the
    // cells held before.
    #[test]
    fn last_cell_of_a_packet_is_stored_with_it() {
        let mut cells = Cells::new(40);
        for size in (1..=33).chain((1..=33).rev()) {
            let (first, last) = cells.store(PacketId(u32::MAX), size);
            assert_eq!(cells.packet(first), (PacketId(u32::MAX), size));
            assert_eq!(cells.last(first, size), last);
            cells.put(first, last);
        }
    }
}
