//! The route header of AS: its fields, and the turns in its pool.

use crate::{PoolKind, ROUTE_BITS_MAX, Route};

/// Bits of the turn pool of an AS header.
const POOL_BITS: u32 = PoolKind::As31.bits();

/// A value or route that does not fit, or a turn that the pool does not hold.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct HeaderError(String);

/// A field of a [`Header`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    name: &'static str,
    bits: u32,
    /// The lowest of its bits.
    low: u32,
}

const fn field(name: &'static str, bits: u32, low: u32) -> Field {
    Field { name, bits, low }
}

impl Field {
    /// The protocol interface: 7 is RECN, other values are kept.
    pub const PI: Field = field("pi", 7, 57);
    /// The packet has a payload CRC.
    pub const PCRC: Field = field("pcrc", 1, 56);
    /// Congestion was met on the way.
    pub const FECN: Field = field("fecn", 1, 55);
    /// Type-specific.
    pub const TS: Field = field("ts", 1, 54);
    /// Ordered only.
    pub const OO: Field = field("oo", 1, 53);
    /// Credits required.
    pub const CREDITS_REQUIRED: Field = field("credits_required", 5, 48);
    /// The traffic class.
    pub const TC: Field = field("tc", 3, 45);
    /// May be dropped.
    pub const PERISHABLE: Field = field("perishable", 1, 44);
    /// The header CRC: carried, not computed.
    pub const HEADER_CRC: Field = field("header_crc", 7, 37);
    /// Bits of the pool below it are turns that remain to a forward packet.
    pub const TURN_POINTER: Field = field("turn_pointer", 5, 32);
    /// The packet travels backward.
    pub const D: Field = field("d", 1, 31);
    /// The last turn of the route in the lowest bits.
    pub const TURN_POOL: Field = field("turn_pool", POOL_BITS, 0);
}

/// The 64 bits of an AS route header as they are on the wire, first [`Field`] in the top bits.
///
/// A forward packet takes the `width` bits below the turn pointer, which falls by the width; 0 =
/// arrived. A backward one takes the bits at and above the pointer, which rises (spec
/// `turnpool.md`; the relative turn and the reversed rotation are those of US 7,746,872 and
/// 7,646,760).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Header(pub u64);

impl Header {
    /// A forward RECN header (PI-7) with this route in its pool, all else zero.
    ///
    /// ```
    /// use turnpool::{Field, Header, Route};
    /// let mut route = Route::EMPTY;
    /// route.push_back(5, 3)?;
    /// route.push_back(1, 3)?;
    /// let header = Header::from_route(&route)?;
    /// assert_eq!((header.get(Field::TURN_POINTER), header.get(Field::TURN_POOL)), (6, 0b101_001));
    /// assert_eq!((header.get(Field::PI), header.route()), (7, Some(route)));
    /// // 32 bits do not fit the 31 of AS.
    /// let mut long = Route::EMPTY;
    /// long.push_back(0, 32)?;
    /// assert!(Header::from_route(&long).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_route(route: &Route) -> Result<Header, HeaderError> {
        let bits_needed = u32::from(route.bits());
        if bits_needed > POOL_BITS {
            return Err(HeaderError(format!(
                "the turns need {bits_needed} bits; the pool of an AS header holds {POOL_BITS}"
            )));
        }
        let turn_pool = route.turns().checked_shr(ROUTE_BITS_MAX - bits_needed).unwrap_or(0) as u32;
        let mut header = Header::default();
        header.set(Field::PI, 7)?;
        header.set(Field::TURN_POINTER, bits_needed)?;
        header.set(Field::TURN_POOL, turn_pool)?;
        Ok(header)
    }

    /// What a field holds.
    pub fn get(self, field: Field) -> u32 {
        (self.0 >> field.low & ((1 << field.bits) - 1)) as u32
    }

    /// Writes a field; refused above its bits.
    pub fn set(&mut self, field: Field, given: u32) -> Result<(), HeaderError> {
        if given >> field.bits != 0 {
            let Field { name, bits, .. } = field;
            return Err(HeaderError(format!("{name} = {given}; the field has {bits} bits")));
        }
        self.0 ^= u64::from(self.get(field) ^ given) << field.low;
        Ok(())
    }

    fn is_backward(self) -> bool {
        self.get(Field::D) == 1
    }

    /// The next turn, `width` bits (1..=32) wide; the header is unchanged.
    pub fn next(&self, width: u32) -> Result<u32, HeaderError> {
        let (pointer, backward) = (self.get(Field::TURN_POINTER), self.is_backward());
        let low = match backward {
            false => pointer.checked_sub(width),
            true => Some(pointer).filter(|low| width <= POOL_BITS - low),
        };
        let low = low.ok_or_else(|| {
            let direction = if backward { "Backward" } else { "Forward" };
            HeaderError(format!(
                "a turn of {width} bits at turn pointer {pointer}, going {direction}, leaves the \
                 pool"
            ))
        })?;
        Ok(self.get(Field::TURN_POOL) >> low & ((1 << width) - 1))
    }

    /// Takes the next turn: the pointer falls by `width` going forward, rises going backward.
    pub fn take(&mut self, width: u32) -> Result<u32, HeaderError> {
        let (turn, pointer) = (self.next(width)?, self.get(Field::TURN_POINTER));
        let moved = if self.is_backward() { pointer + width } else { pointer - width };
        self.set(Field::TURN_POINTER, moved)?;
        Ok(turn)
    }

    /// Sends the packet back the way it came: flips D. Pool and pointer stay.
    pub fn turn_around(&mut self) {
        self.0 ^= 1 << Field::D.low;
    }

    /// Whether a forward packet has arrived. None going backward: the header does not hold the
    /// length of the route, and only the end node there ends it.
    pub fn is_arrived(&self) -> Option<bool> {
        (!self.is_backward()).then(|| self.get(Field::TURN_POINTER) == 0)
    }

    /// The turns that remain to a forward packet, aligned on the pointer; none going backward.
    pub fn route(&self) -> Option<Route> {
        let (pool, pointer) = (self.get(Field::TURN_POOL), self.get(Field::TURN_POINTER));
        (!self.is_backward()).then(|| Route::from_low_bits(pool, pointer as u8))
    }
}
