use std::fmt;

use turnpool::{Point, Route};

use crate::filter::Filter;

/// The most lines of a CAM.
pub const LINES_MAX: usize = 64;

/// Number of a line, from 0.
pub type LineId = u8;

/// What became of an allocation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub enum Allocation {
    /// The point has this line now: the lowest that was free, leaf, not blocked, not ready, service
    /// level 0.
    Allocated(LineId),
    /// No line is free; nothing changed.
    Full,
    /// The point has this line already; nothing changed.
    Present(LineId),
}

/// A broken invariant of the CAM.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CamError {
    /// A line was freed that is not valid.
    NotValid {
        /// The line as given.
        line: LineId,
        /// Lines of the CAM.
        lines: usize,
    },
}

impl fmt::Display for CamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CamError::NotValid { line, lines } = self;
        write!(f, "CAM line {line} of {lines} is not valid")
    }
}

impl std::error::Error for CamError {}

/// The CAM of one port.
///
/// Invariants: the points of valid lines are distinct; a flag is set only on a valid line; a line
/// that is not valid is zero, so that equal CAMs answer alike and hash alike. Getters and setters
/// of a line panic where it is not valid: a stale number would write a flag of the line's next
/// owner.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[repr(C)]
pub struct Cam {
    valid: u64,
    leaf: u64,
    blocked: u64,
    ready: u64,
    filters: Box<[Filter]>,
    points: Box<[Point]>,
    service_level: Box<[u8]>,
}

/// The set bits of a word, lowest first.
#[inline]
fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let line = word.trailing_zeros() as usize;
        (word != 0).then(|| {
            word &= word - 1;
            line
        })
    })
}

impl Cam {
    /// A CAM of `lines` lines, none valid.
    ///
    /// # Panics
    /// Above [`LINES_MAX`]; check what a user gives against it.
    pub fn new(lines: usize) -> Cam {
        assert!(
            lines <= LINES_MAX,
            "a CAM of {lines} lines; at most {LINES_MAX} are legal"
        );
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

    /// The line of the longest point that the packet goes to. Two points of one length cannot both
    /// match.
    #[inline]
    pub fn lookup(&self, route: &Route) -> Option<LineId> {
        if self.valid == 0 {
            return None;
        }
        self.longest(route.turns(), |point| point.matches(route))
    }

    /// The line of exactly this point.
    #[inline]
    pub fn find(&self, point: &Point) -> Option<LineId> {
        ones(self.candidates(point.turns()))
            .find(|&i| self.points[i] == *point)
            .map(|i| i as LineId)
    }

    /// The line of the longest point that is a prefix of this one and shorter: the host's, for a
    /// nested SAQ.
    #[inline]
    pub fn longest_prefix(&self, point: &Point) -> Option<LineId> {
        self.longest(point.turns(), |shorter| {
            shorter.bits() < point.bits() && shorter.is_prefix_of(point)
        })
    }

    /// Of the lines that these turns may belong to, that of the longest point that fits.
    #[inline]
    fn longest(&self, turns: u128, fits: impl Fn(&Point) -> bool) -> Option<LineId> {
        ones(self.candidates(turns))
            .filter(|&i| fits(&self.points[i]))
            .max_by_key(|&i| self.points[i].bits())
            .map(|i| i as LineId)
    }

    /// The valid lines whose points agree with these turns as far as the filters know them: a few
    /// at most, all compared at once.
    #[inline]
    fn candidates(&self, turns: u128) -> u64 {
        let used = (u64::BITS - self.valid.leading_zeros()) as usize;
        let mut candidates = 0;
        for (group, filter) in self.filters[..used.div_ceil(Filter::LINES)]
            .iter()
            .enumerate()
        {
            candidates |= u64::from(filter.passes(turns)) << (group * Filter::LINES);
        }
        candidates & self.valid
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
        Allocation::Allocated(i as LineId)
    }

    /// Takes the line back and tells whose it was.
    pub fn free(&mut self, line: LineId) -> Result<Point, CamError> {
        if !self.is_valid(line) {
            return Err(CamError::NotValid {
                line,
                lines: self.lines(),
            });
        }
        let point = self.point(line);
        let keep = !(1 << line);
        self.valid &= keep;
        self.leaf &= keep;
        self.blocked &= keep;
        self.ready &= keep;
        self.put_point(usize::from(line), Point::EMPTY);
        self.service_level[usize::from(line)] = 0;
        Ok(point)
    }

    /// V: the line holds a point.
    #[inline]
    pub fn is_valid(&self, line: LineId) -> bool {
        self.valid
            .checked_shr(line.into())
            .is_some_and(|word| word & 1 != 0)
    }

    /// The point of a valid line.
    #[inline]
    pub fn point(&self, line: LineId) -> Point {
        self.bit(line);
        self.points[usize::from(line)]
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

    /// SL of a valid line.
    #[inline]
    pub fn service_level(&self, line: LineId) -> u8 {
        self.bit(line);
        self.service_level[usize::from(line)]
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
        self.service_level[usize::from(line)] = service_level;
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
        ones(self.valid).map(|i| (i as LineId, self.points[i]))
    }

    fn put_point(&mut self, i: usize, point: Point) {
        self.points[i] = point;
        self.filters[i / Filter::LINES].put(i % Filter::LINES, &point);
    }

    #[inline]
    #[track_caller]
    fn bit(&self, line: LineId) -> u64 {
        assert!(
            self.is_valid(line),
            "CAM line {line} of {} is not valid",
            self.lines()
        );
        1 << line
    }
}

#[inline]
fn put(word: &mut u64, bit: u64, value: bool) {
    *word = if value { *word | bit } else { *word & !bit };
}
