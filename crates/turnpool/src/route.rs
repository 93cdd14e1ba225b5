use std::fmt;

use crate::TURN_WIDTH_MAX;

/// Bits of turns that a [`Route`] or a [`Point`](crate::Point) holds: those of the extended pool.
pub const ROUTE_BITS_MAX: u32 = 128;

/// The turns do not fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the turns need {bits_needed} bits; the pool holds {ROUTE_BITS_MAX}")]
pub struct RouteTooLong {
    /// Bits that the turns need.
    pub bits_needed: u32,
}

/// A turn was asked for where none is: the way ends before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the route ends: a turn in bits {skip}..{} of the {bits} that remain", .skip + .width)]
pub struct RouteEnded {
    /// Bits in front of the turn.
    pub skip: u32,
    /// Bits of the turn asked for.
    pub width: u32,
    /// Bits of turns that remain.
    pub bits: u8,
}

/// The turns that remain on a packet's way; empty on arrival.
///
/// Invariant: the next turn is in the top bits, and the bits below the last turn are zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Route {
    /// Upper half first. Two words rather than a `u128`, whose alignment would make a route 32
    /// bytes.
    turns: [u64; 2],
    bits: u8,
}

impl Route {
    /// No turns: arrived.
    pub const EMPTY: Route = Route { turns: [0; 2], bits: 0 };

    /// Puts one more turn behind the last one.
    ///
    /// # Panics
    /// If `width` is not 1..=32 or `turn` needs more bits: a silently cut turn would lead
    /// elsewhere.
    pub fn push_back(&mut self, turn: u32, width: u32) -> Result<(), RouteTooLong> {
        check_turn(turn, width);
        let bits_needed = u32::from(self.bits) + width;
        if bits_needed > ROUTE_BITS_MAX {
            return Err(RouteTooLong { bits_needed });
        }
        let turns = self.turns() | u128::from(turn) << (ROUTE_BITS_MAX - bits_needed);
        *self = Route::new(turns, bits_needed as u8);
        Ok(())
    }

    /// The next turn, `width` bits (1..=32) wide: the width of the switch at hand. Unchanged until
    /// [`consume`](Route::consume).
    #[inline]
    pub fn next(&self, width: u32) -> Result<u32, RouteEnded> {
        self.later(0, width)
    }

    /// The turn that begins `skip` bits after the next one does, `width` bits (1..=32) wide: of a
    /// switch further on.
    #[inline]
    pub fn later(&self, skip: u32, width: u32) -> Result<u32, RouteEnded> {
        debug_assert!((1..=TURN_WIDTH_MAX).contains(&width));
        let end = skip + width;
        if end > u32::from(self.bits) {
            return Err(self.ended(skip, width));
        }
        Ok(if end <= 64 {
            // Turns at hand lie in the upper half: half the shift.
            (self.turns[0] << skip >> (64 - width)) as u32
        } else {
            (self.turns() << skip >> (ROUTE_BITS_MAX - width)) as u32
        })
    }

    /// Drops the next turn, `width` bits (1..=32) wide. The route stays as it is where it ends
    /// before.
    #[inline]
    pub fn consume(&mut self, width: u32) -> Result<(), RouteEnded> {
        debug_assert!((1..=TURN_WIDTH_MAX).contains(&width));
        if width > u32::from(self.bits).min(TURN_WIDTH_MAX) {
            return Err(self.ended(0, width));
        }
        // 1..=32: no half is shifted out as a whole.
        self.turns[0] = self.turns[0] << width | self.turns[1] >> (64 - width);
        self.turns[1] <<= width;
        self.bits -= width as u8;
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn ended(&self, skip: u32, width: u32) -> RouteEnded {
        let bits = self.bits;
        RouteEnded { skip, width, bits }
    }

    /// No turn remains.
    #[inline]
    pub fn is_arrived(&self) -> bool {
        self.bits == 0
    }

    /// Bits of turns that remain.
    #[inline]
    pub fn bits(&self) -> u8 {
        self.bits
    }

    /// The turns that remain, left-aligned, zero below the last.
    #[inline]
    pub fn turns(&self) -> u128 {
        u128::from(self.turns[0]) << 64 | u128::from(self.turns[1])
    }

    #[inline]
    fn new(turns: u128, bits: u8) -> Route {
        Route { turns: [(turns >> 64) as u64, turns as u64], bits }
    }

    /// A route of the lowest `bits` bits of `pool`.
    pub(crate) fn from_low_bits(pool: u32, bits: u8) -> Route {
        debug_assert!(bits < 32);
        if bits == 0 {
            return Route::EMPTY;
        }
        Route::new(u128::from(pool) << (ROUTE_BITS_MAX - u32::from(bits)), bits)
    }
}

/// The turns as binary digits in groups of four, and their length: `1010_00 (6 bits)`.
impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_bits(f, self.turns(), self.bits)
    }
}

impl fmt::Debug for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Route({self})")
    }
}

pub(crate) fn check_turn(turn: u32, width: u32) {
    assert!(
        (1..=TURN_WIDTH_MAX).contains(&width) && u64::from(turn) < 1 << width,
        "turn {turn} in {width} bits; widths are 1..={TURN_WIDTH_MAX}"
    );
}

/// Binary, in groups of four from the top: the widths of the turns are not available here.
pub(crate) fn write_bits(f: &mut fmt::Formatter<'_>, turns: u128, bits: u8) -> fmt::Result {
    if bits == 0 {
        return write!(f, "- (0 bits)");
    }
    for i in 0..u32::from(bits) {
        if i > 0 && i % 4 == 0 {
            write!(f, "_")?;
        }
        write!(f, "{}", (turns >> (ROUTE_BITS_MAX - 1 - i)) & 1)?;
    }
    write!(f, " ({bits} bits)")
}
