use std::fmt;

use crate::route::{check_turn, write_bits};
use crate::{ROUTE_BITS_MAX, Route, RouteTooLong};

/// A point of the network, named by the turns that lead to it from the port that stores the name
/// (turns and mask, garcia-trees-2005; spec `turnpool.md`, Point identifiers).
///
/// Stored at an ingress port the first turn is in *this* switch, at an egress port in the *next*
/// one. Invariant: the first turn is in the top bits, and the bits below the last turn are zero.
/// The order is that of the bit strings, a prefix before what it begins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Point {
    turns: u128,
    bits: u8,
}

impl Point {
    /// No turns: the port itself. It matches every packet.
    pub const EMPTY: Point = Point { turns: 0, bits: 0 };

    /// The point one turn ahead.
    ///
    /// # Panics
    /// If `width` is not 1..=32 or `turn` needs more bits.
    #[inline]
    pub fn from_turn(turn: u32, width: u32) -> Point {
        check_turn(turn, width);
        Point { turns: u128::from(turn) << (ROUTE_BITS_MAX - width), bits: width as u8 }
    }

    /// This point as seen from one turn before, as from an egress port to an ingress port of
    /// its switch.
    ///
    /// # Panics
    /// If `width` is not 1..=32 or `turn` needs more bits.
    #[inline]
    pub fn prepend(&self, turn: u32, width: u32) -> Result<Point, RouteTooLong> {
        let first = Point::from_turn(turn, width);
        let bits_needed = u32::from(self.bits) + width;
        if bits_needed > ROUTE_BITS_MAX {
            return Err(RouteTooLong { bits_needed });
        }
        Ok(Point { turns: first.turns | self.turns >> width, bits: bits_needed as u8 })
    }

    /// This point as seen from behind its first turn, which undoes [`prepend`](Point::prepend);
    /// none where it has no such turn.
    #[inline]
    pub fn without_first(&self, width: u32) -> Option<Point> {
        let bits = u32::from(self.bits).checked_sub(width)?;
        Some(Point { turns: self.turns.checked_shl(width).unwrap_or(0), bits: bits as u8 })
    }

    /// Whether the packet passes it: the turns are the next ones of its route.
    #[inline]
    pub fn matches(&self, route: &Route) -> bool {
        self.bits <= route.bits() && (self.turns ^ route.turns()) & self.mask() == 0
    }

    /// Whether every packet that matches `other` matches this one; each point is a prefix of
    /// itself.
    #[inline]
    pub fn is_prefix_of(&self, other: &Point) -> bool {
        self.bits <= other.bits && (self.turns ^ other.turns) & self.mask() == 0
    }

    /// The first turn, `width` bits (1..=32) wide.
    #[inline]
    pub fn first(&self, width: u32) -> u32 {
        debug_assert!(width >= 1 && width <= u32::from(self.bits));
        (self.turns >> (ROUTE_BITS_MAX - width)) as u32
    }

    /// Ones where the point has turns.
    #[inline]
    pub fn mask(&self) -> u128 {
        !u128::MAX.checked_shr(self.bits.into()).unwrap_or(0)
    }

    /// The turns, left-aligned, zero below the last.
    #[inline]
    pub fn turns(&self) -> u128 {
        self.turns
    }

    /// Bits of turns.
    #[inline]
    pub fn bits(&self) -> u8 {
        self.bits
    }
}

/// The turns as binary digits in groups of four, and their length: `1010_00 (6 bits)`.
impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_bits(f, self.turns, self.bits)
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Point({self})")
    }
}
