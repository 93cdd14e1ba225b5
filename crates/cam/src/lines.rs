//! The lines: taken and given back.

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
    /// The point has this line now, the lowest free one: leaf, not blocked, not ready, level 0.
    Allocated(LineId),
    /// No line is free; nothing changed.
    Full,
    /// The point has this line already; nothing changed.
    Present(LineId),
}

/// A broken invariant of the CAM.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CamError {
    /// A line was freed that is not valid.
    #[error("CAM line {line} of {lines} is not valid")]
    NotValid {
        /// The line as given.
        line: LineId,
        /// Lines of the CAM.
        lines: usize,
    },
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
    pub(crate) service_level: Box<[u8]>,
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
            return Err(CamError::NotValid { line, lines: self.lines() });
        }
        let point = self.point(line);
        let keep = !(1 << line.0);
        self.valid &= keep;
        self.leaf &= keep;
        self.blocked &= keep;
        self.ready &= keep;
        self.put_point(line.index(), Point::EMPTY);
        self.service_level[line.index()] = 0;
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
