//! The lines: taken and given back, their flags, a mask each, bit i is line i, and their service
//! levels.

use turnpool::Point;
use units::LineId;
use units::bits::ones;

use crate::filter::Filter;

/// The most lines of a CAM.
pub const LINES_MAX: usize = 64;

/// What became of an allocation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub enum Allocation {
    /// The point has this line now, the lowest free one: leaf, not blocked, not ready.
    Allocated(LineId),
    /// No line is free; nothing changed.
    Full,
    /// The point has this line already; nothing changed.
    Present(LineId),
}

/// A line was freed that is not valid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("CAM line {line} of {lines} is not valid")]
pub struct CamError {
    /// The line as given.
    pub line: LineId,
    /// Lines of the CAM.
    pub lines: usize,
}

/// The CAM of one port.
///
/// Invariants: the points of valid lines are distinct; a flag is set only on a valid line; a line
/// that is not valid is zero, so that equal CAMs answer alike and hash alike. Getters and setters
/// of a line panic where it is not valid: a stale number would write a flag of the line's next
/// owner.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[repr(C)]
pub struct Cam {
    pub(crate) valid: u64,
    pub(crate) leaf: u64,
    pub(crate) blocked: u64,
    pub(crate) ready: u64,
    pub(crate) filters: Box<[Filter]>,
    pub(crate) points: Box<[Point]>,
    service_level: Box<[u8]>,
}

impl Cam {
    /// A CAM of `lines` lines, none valid.
    ///
    /// # Panics
    /// Above [`LINES_MAX`]; check what a user gives against it.
    pub fn new(lines: usize) -> Cam {
        assert!(lines <= LINES_MAX, "a CAM of {lines} lines; at most {LINES_MAX} are legal");
        Cam {
            valid: 0,
            leaf: 0,
            blocked: 0,
            ready: 0,
            filters: vec![Filter::default(); lines.div_ceil(Filter::LINES)].into(),
            points: vec![Point::EMPTY; lines].into(),
            service_level: vec![0; lines].into(),
        }
    }

    /// Gives the point a line, unless it has one or none is free.
    pub fn allocate(&mut self, point: Point) -> Allocation {
        if let Some(line) = self.find(&point) {
            return Allocation::Present(line);
        }
        let i = (!self.valid).trailing_zeros() as usize;
        if i >= self.lines() {
            return Allocation::Full;
        }
        let bit = 1 << i;
        self.valid |= bit;
        self.leaf |= bit;
        self.put_point(i, point);
        Allocation::Allocated(LineId::at(i))
    }

    /// Frees the line and returns its point.
    pub fn free(&mut self, line: LineId) -> Result<Point, CamError> {
        if !self.is_valid(line) {
            return Err(CamError { line, lines: self.lines() });
        }
        let point = self.point(line);
        let keep = !(1 << line.0);
        self.valid &= keep;
        self.leaf &= keep;
        self.blocked &= keep;
        self.ready &= keep;
        self.service_level[line.index()] = 0;
        self.put_point(line.index(), Point::EMPTY);
        Ok(point)
    }

    /// V: the line holds a point.
    #[inline]
    pub fn is_valid(&self, line: LineId) -> bool {
        self.valid.checked_shr(line.0.into()).is_some_and(|word| word & 1 != 0)
    }

    /// The point of a valid line.
    #[inline]
    pub fn point(&self, line: LineId) -> Point {
        self.bit(line);
        self.points[line.index()]
    }

    /// How many lines are valid.
    #[inline]
    pub fn in_use(&self) -> u32 {
        self.valid.count_ones()
    }

    /// How many lines there are.
    #[inline]
    pub fn lines(&self) -> usize {
        self.points.len()
    }

    /// No line is free.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.in_use() as usize == self.lines()
    }

    /// The valid lines and their points, in line order.
    pub fn iter(&self) -> impl Iterator<Item = (LineId, Point)> + '_ {
        ones(self.valid).map(|i| (LineId::at(i), self.points[i]))
    }

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

    /// SL: the service level of a valid line; 0 until it is set.
    #[inline]
    pub fn service_level(&self, line: LineId) -> u8 {
        self.bit(line);
        self.service_level[line.index()]
    }

    /// Sets the service level of a valid line.
    #[inline]
    pub fn set_service_level(&mut self, line: LineId, service_level: u8) {
        self.bit(line);
        self.service_level[line.index()] = service_level;
    }

    /// Writes the flags of a valid line: ready, blocked, leaf.
    #[inline]
    pub fn set_flags(&mut self, line: LineId, (ready, blocked, leaf): (bool, bool, bool)) {
        let bit = self.bit(line);
        let put = |word: &mut u64, is_set| *word = if is_set { *word | bit } else { *word & !bit };
        put(&mut self.ready, ready);
        put(&mut self.blocked, blocked);
        put(&mut self.leaf, leaf);
    }

    /// The valid lines.
    #[inline]
    pub fn valid(&self) -> u64 {
        self.valid
    }

    /// The leaf lines.
    #[inline]
    pub fn leaf_lines(&self) -> u64 {
        self.leaf
    }

    /// The blocked lines.
    #[inline]
    pub fn blocked_lines(&self) -> u64 {
        self.blocked
    }

    /// The ready lines.
    #[inline]
    pub fn ready_lines(&self) -> u64 {
        self.ready
    }

    fn put_point(&mut self, i: usize, point: Point) {
        self.points[i] = point;
        self.filters[i / Filter::LINES].put(i % Filter::LINES, &point);
    }

    #[inline]
    #[track_caller]
    pub(crate) fn bit(&self, line: LineId) -> u64 {
        assert!(self.is_valid(line), "CAM line {line} of {} is not valid", self.lines());
        1 << line.0
    }
}
