//! The route header of AS, checked.

mod fields;

pub use fields::{Direction, Pi};

use crate::{ROUTE_BITS_MAX, RawHeader, Route};

/// Bits of the turn pool of an AS header.
const POOL_BITS: u32 = crate::PoolKind::As31.bits();

/// A header that cannot be written, or a turn that its pool does not hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HeaderError {
    /// A value needs more bits than its field has.
    #[error("{field} = {given}; the field has {bits} bits")]
    FieldTooWide {
        /// Name of the field.
        field: &'static str,
        /// The value as given.
        given: u32,
        /// Bits of the field.
        bits: u32,
    },
    /// A route that does not fit the pool of an AS header.
    #[error("the turns need {bits_needed} bits; the pool of an AS header holds {limit}")]
    RouteTooLong {
        /// Bits that the turns need.
        bits_needed: u32,
        /// Bits of the pool.
        limit: u32,
    },
    /// A turn beyond the end of the pool.
    #[error(
        "a turn of {width} bits at turn pointer {pointer}, going {direction:?}, leaves the pool"
    )]
    TurnOutsidePool {
        /// The turn pointer.
        pointer: u8,
        /// Bits of the turn asked for.
        width: u32,
        /// Which way the packet goes.
        direction: Direction,
    },
}

/// An AS route header, checked: holding one means that every value fits its field.
///
/// A forward packet takes the `width` bits below the turn pointer, which falls by the width; 0 =
/// arrived. A backward one takes the bits at and above the pointer, which rises (spec
/// `turnpool.md`; the relative turn and the reversed rotation are those of US 7,746,872 and
/// 7,646,760).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Header(RawHeader);

impl Header {
    /// A forward RECN header (PI-7) with this route in its pool, all else zero.
    ///
    /// ```
    /// use turnpool::{Header, HeaderError, Route};
    /// let mut route = Route::EMPTY;
    /// route.push_back(5, 3)?;
    /// route.push_back(1, 3)?;
    /// let header = Header::from_route(&route)?;
    /// assert_eq!((header.turn_pointer(), header.turn_pool()), (6, 0b101_001));
    /// assert_eq!(header.route(), Some(route));
    /// // 32 bits do not fit the 31 of AS.
    /// let mut long = Route::EMPTY;
    /// long.push_back(0, 32)?;
    /// let refused = HeaderError::RouteTooLong { bits_needed: 32, limit: 31 };
    /// assert_eq!(Header::from_route(&long), Err(refused));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_route(route: &Route) -> Result<Header, HeaderError> {
        let bits_needed = u32::from(route.bits());
        if bits_needed > POOL_BITS {
            return Err(HeaderError::RouteTooLong { bits_needed, limit: POOL_BITS });
        }
        let turn_pool = route.turns().checked_shr(ROUTE_BITS_MAX - bits_needed).unwrap_or(0) as u32;
        let mut raw = RawHeader::default();
        raw.set_pi(Pi::Recn.number());
        raw.set_turn_pointer(route.bits());
        raw.set_turn_pool(turn_pool);
        Ok(Header(raw))
    }

    /// Reads a header. Every pattern of 64 bits is one in this layout, so none is refused so far.
    pub fn parse(raw: RawHeader) -> Result<Header, HeaderError> {
        Ok(Header(raw))
    }

    /// Writes the header; [`parse`](Header::parse) reads the same back.
    pub fn emit(&self) -> RawHeader {
        self.0
    }

    /// The next turn, `width` bits (1..=32) wide; the header is unchanged.
    pub fn next(&self, width: u32) -> Result<u32, HeaderError> {
        let (pointer, direction) = (self.turn_pointer(), self.direction());
        let low = match direction {
            Direction::Forward => u32::from(pointer).checked_sub(width),
            Direction::Backward => Some(u32::from(pointer)).filter(|low| width <= POOL_BITS - low),
        };
        let low = low.ok_or(HeaderError::TurnOutsidePool { pointer, width, direction })?;
        Ok(self.turn_pool() >> low & ((1 << width) - 1))
    }

    /// Takes the next turn: the pointer falls by `width` going forward, rises going backward.
    pub fn take(&mut self, width: u32) -> Result<u32, HeaderError> {
        let turn = self.next(width)?;
        self.0.set_turn_pointer(match self.direction() {
            Direction::Forward => self.turn_pointer() - width as u8,
            Direction::Backward => self.turn_pointer() + width as u8,
        });
        Ok(turn)
    }

    /// Sends the packet back the way it came: flips D. Pool and pointer stay.
    pub fn turn_around(&mut self) {
        self.0.set_backward(!self.0.backward());
    }

    /// Whether a forward packet has arrived. None going backward: the header does not hold the
    /// length of the route, and only the end node there ends it.
    pub fn is_arrived(&self) -> Option<bool> {
        (!self.0.backward()).then_some(self.turn_pointer() == 0)
    }

    /// The turns that remain to a forward packet, aligned on the pointer; none going backward.
    pub fn route(&self) -> Option<Route> {
        (!self.0.backward()).then(|| Route::from_low_bits(self.turn_pool(), self.turn_pointer()))
    }
}
