//! Which line a packet or a point belongs to.

use crate::Cam;
use crate::filter::Filter;
use turnpool::{Point, Route};
use units::LineId;
use units::bits::ones;

impl Cam {
    /// The line of the longest point that the packet goes to. Two points of one length cannot both
    /// match.
    ///
    /// ```
    /// use cam::{Allocation, Cam};
    /// use turnpool::{Point, Route};
    /// use units::LineId;
    /// let mut cam = Cam::new(8);
    /// let near = Point::from_turn(2, 3);
    /// let far = Point::from_turn(5, 3).prepend(2, 3)?;
    /// assert_eq!(cam.allocate(near), Allocation::Allocated(LineId(0)));
    /// assert_eq!(cam.allocate(far), Allocation::Allocated(LineId(1)));
    /// let to = |turns: [u32; 2]| {
    ///     let mut route = Route::EMPTY;
    ///     for turn in turns {
    ///         route.push_back(turn, 3).expect("6 bits");
    ///     }
    ///     route
    /// };
    /// assert_eq!(cam.lookup(&to([2, 5])), Some(LineId(1))); // the longest match
    /// assert_eq!(cam.lookup(&to([2, 4])), Some(LineId(0)));
    /// assert_eq!(cam.lookup(&to([3, 5])), None); // a normal queue
    /// # Ok::<(), turnpool::RouteTooLong>(())
    /// ```
    #[inline]
    pub fn lookup(&self, route: &Route) -> Option<LineId> {
        if self.valid == 0 {
            return None;
        }
        self.longest(route.turns(), |point| point.matches(route))
    }

    /// The line of exactly this point.
    ///
    /// ```
    /// use cam::{Allocation, Cam};
    /// use turnpool::Point;
    /// use units::LineId;
    /// let mut cam = Cam::new(8);
    /// let near = Point::from_turn(2, 3);
    /// assert_eq!(cam.allocate(near), Allocation::Allocated(LineId(0)));
    /// assert_eq!(cam.find(&near), Some(LineId(0)));
    /// // Xoff for a point further on is not for this line: the match must be exact.
    /// assert_eq!(cam.find(&Point::from_turn(5, 3).prepend(2, 3)?), None);
    /// # Ok::<(), turnpool::RouteTooLong>(())
    /// ```
    #[inline]
    pub fn find(&self, point: &Point) -> Option<LineId> {
        ones(self.candidates(point.turns()))
            .find(|&i| self.points[i] == *point)
            .map(LineId::at)
    }

    /// The line of the longest point that is a prefix of this one and shorter: the host's, for a
    /// nested SAQ.
    ///
    /// ```
    /// use cam::{Allocation, Cam};
    /// use turnpool::Point;
    /// use units::LineId;
    /// let mut cam = Cam::new(8);
    /// let near = Point::from_turn(2, 3);
    /// assert_eq!(cam.allocate(near), Allocation::Allocated(LineId(0)));
    /// // Packets to `far` were stored in the SAQ of `near`: that is the host of a new SAQ.
    /// let far = Point::from_turn(5, 3).prepend(2, 3)?;
    /// assert_eq!(cam.longest_prefix(&far), Some(LineId(0)));
    /// assert_eq!(cam.longest_prefix(&near), None); // itself is no host
    /// # Ok::<(), turnpool::RouteTooLong>(())
    /// ```
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
            .map(LineId::at)
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
}
