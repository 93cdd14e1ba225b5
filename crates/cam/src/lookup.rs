//! Which line a packet or a point belongs to.

use crate::Cam;
use crate::filter::Filter;
use turnpool::{Point, Route};
use units::LineId;
use units::bits::ones;

impl Cam {
    /// The line of the longest point on the packet's route; two of one length cannot both match.
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
        ones(self.candidates(point.turns())).find(|&i| self.points[i] == *point).map(LineId::at)
    }

    /// The line of the longest shorter prefix of this point: the host's, for a nested SAQ.
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

    /// The valid lines whose points agree with these turns as far as the filters hold them: a few
    /// at most, all compared at once.
    #[inline]
    fn candidates(&self, turns: u128) -> u64 {
        let used = (u64::BITS - self.valid.leading_zeros()) as usize;
        let mut candidates = 0;
        for (group, filter) in self.filters[..used.div_ceil(Filter::LINES)].iter().enumerate() {
            candidates |= u64::from(filter.passes(turns)) << (group * Filter::LINES);
        }
        candidates & self.valid
    }
}
