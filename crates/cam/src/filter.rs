use turnpool::{Point, ROUTE_BITS_MAX};
use wide::u32x8;

/// A first filter on the points of eight lines: 32 bits of turns and mask each, in one
/// cache line, compared with one route in a few vector instructions. It may pass a point of more
/// turns that the route does not have, never fail one that matches; a line without a point passes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(align(64))]
pub(crate) struct Filter {
    turns: [u32; Self::LINES],
    mask: [u32; Self::LINES],
}

impl Filter {
    /// Lines of one filter.
    pub(crate) const LINES: usize = 8;

    /// Takes down the point of a line.
    pub(crate) fn put(&mut self, line: usize, point: &Point) {
        self.turns[line] = first_bits(point.turns());
        self.mask[line] = first_bits(point.mask());
    }

    /// The lines whose points begin as `turns` do: bit i is line i.
    #[inline]
    pub(crate) fn passes(&self, turns: u128) -> u32 {
        let turns = u32x8::splat(first_bits(turns));
        let differs = (turns ^ u32x8::from(self.turns)) & u32x8::from(self.mask);
        differs.simd_eq(u32x8::ZERO).to_bitmask()
    }
}

#[inline]
fn first_bits(turns: u128) -> u32 {
    (turns >> (ROUTE_BITS_MAX - u32::BITS)) as u32
}

#[cfg(test)]
mod tests {
    use super::Filter;
    use turnpool::Point;

    // "It may pass a point of more turns that the route does not have, never fail one that
    // matches; a line without a point passes." And it is of use: points that differ early fail.
    #[test]
    fn lines_pass_by_their_first_bits() {
        let mut filter = Filter::default();
        for (line, turn) in [(1, 2), (3, 5)] {
            filter.put(line, &Point::from_turn(turn, 3));
        }
        let turns = |turn| Point::from_turn(turn, 3).turns();
        assert_eq!(filter.passes(turns(2)), 0b1111_0111);
        assert_eq!(filter.passes(turns(5)), 0b1111_1101);
        assert_eq!(filter.passes(turns(7)), 0b1111_0101);
    }
}
