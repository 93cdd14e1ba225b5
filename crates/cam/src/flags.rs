//! The flags and the service level of a line.

use crate::Cam;
use units::LineId;

impl Cam {
    /// Leaf: the SAQ has no child; a notification on its way counts as one.
    #[inline]
    pub fn leaf(&self, line: LineId) -> bool {
        self.leaf & self.bit(line) != 0
    }

    /// B: Xoff was received.
    #[inline]
    pub fn blocked(&self, line: LineId) -> bool {
        self.blocked & self.bit(line) != 0
    }

    /// R: no marker points here.
    #[inline]
    pub fn ready(&self, line: LineId) -> bool {
        self.ready & self.bit(line) != 0
    }

    /// SL of a valid line.
    #[inline]
    pub fn service_level(&self, line: LineId) -> u8 {
        self.bit(line);
        self.service_level[line.index()]
    }

    /// Sets or clears [`leaf`](Cam::leaf).
    #[inline]
    pub fn set_leaf(&mut self, line: LineId, leaf: bool) {
        let bit = self.bit(line);
        put(&mut self.leaf, bit, leaf);
    }

    /// Sets or clears [`blocked`](Cam::blocked).
    #[inline]
    pub fn set_blocked(&mut self, line: LineId, blocked: bool) {
        let bit = self.bit(line);
        put(&mut self.blocked, bit, blocked);
    }

    /// Sets or clears [`ready`](Cam::ready).
    #[inline]
    pub fn set_ready(&mut self, line: LineId, ready: bool) {
        let bit = self.bit(line);
        put(&mut self.ready, bit, ready);
    }

    /// Sets the service level of a valid line.
    #[inline]
    pub fn set_service_level(&mut self, line: LineId, service_level: u8) {
        self.bit(line);
        self.service_level[line.index()] = service_level;
    }

    /// Mask of the valid lines: bit i is line i. So are the masks below.
    #[inline]
    pub fn valid(&self) -> u64 {
        self.valid
    }

    /// Mask of the leaf lines.
    #[inline]
    pub fn leaf_lines(&self) -> u64 {
        self.leaf
    }

    /// Mask of the blocked lines.
    #[inline]
    pub fn blocked_lines(&self) -> u64 {
        self.blocked
    }

    /// Mask of the ready lines.
    #[inline]
    pub fn ready_lines(&self) -> u64 {
        self.ready
    }
}

#[inline]
fn put(word: &mut u64, bit: u64, value: bool) {
    *word = if value { *word | bit } else { *word & !bit };
}
