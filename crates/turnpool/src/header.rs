use crate::{ROUTE_BITS_MAX, RawHeader, Route};

/// Bits of the turn pool of an AS header.
const POOL_BITS: u32 = crate::PoolKind::As31.bits();

/// The protocol interface of a packet. Unknown values are kept.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Pi {
    /// PI-7: packets of RECN.
    Recn,
    /// Any other value of 7 bits.
    Unknown(u8),
}

impl Pi {
    /// The interface of this number; never `Unknown(7)`.
    pub fn from_number(number: u8) -> Pi {
        if number == 7 {
            Pi::Recn
        } else {
            Pi::Unknown(number)
        }
    }

    /// The number of this interface.
    pub fn number(self) -> u8 {
        match self {
            Pi::Recn => 7,
            Pi::Unknown(number) => number,
        }
    }
}

/// Which way a packet goes through its turn pool: bit D.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Direction {
    /// D = 0: from the high end down.
    #[default]
    Forward,
    /// D = 1: the same turns the other way, which is the way back.
    Backward,
}

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
pub struct Header {
    pi: Pi,
    pcrc: bool,
    fecn: bool,
    ts: bool,
    oo: bool,
    credits_required: u8,
    tc: u8,
    perishable: bool,
    header_crc: u8,
    turn_pointer: u8,
    direction: Direction,
    turn_pool: u32,
}

fn checked(field: &'static str, given: u8, bits: u32) -> Result<u8, HeaderError> {
    if u32::from(given) < 1 << bits {
        Ok(given)
    } else {
        Err(HeaderError::FieldTooWide {
            field,
            given: given.into(),
            bits,
        })
    }
}

impl Header {
    /// A forward RECN header (PI-7) with this route in its pool, all else zero.
    pub fn from_route(route: &Route) -> Result<Header, HeaderError> {
        let bits_needed = u32::from(route.bits());
        if bits_needed > POOL_BITS {
            return Err(HeaderError::RouteTooLong {
                bits_needed,
                limit: POOL_BITS,
            });
        }
        let turn_pool = route
            .turns()
            .checked_shr(ROUTE_BITS_MAX - bits_needed)
            .unwrap_or(0) as u32;
        let raw = RawHeader::default();
        Ok(Header {
            pi: Pi::Recn,
            turn_pointer: route.bits(),
            turn_pool,
            ..Header::of_raw(raw)
        })
    }

    /// Reads a header. Every pattern of 64 bits is one in this layout, so none is refused so far.
    pub fn parse(raw: RawHeader) -> Result<Header, HeaderError> {
        Ok(Header::of_raw(raw))
    }

    fn of_raw(raw: RawHeader) -> Header {
        Header {
            pi: Pi::from_number(raw.pi()),
            pcrc: raw.pcrc(),
            fecn: raw.fecn(),
            ts: raw.ts(),
            oo: raw.oo(),
            credits_required: raw.credits_required(),
            tc: raw.tc(),
            perishable: raw.perishable(),
            header_crc: raw.header_crc(),
            turn_pointer: raw.turn_pointer(),
            direction: if raw.backward() {
                Direction::Backward
            } else {
                Direction::Forward
            },
            turn_pool: raw.turn_pool(),
        }
    }

    /// Writes the header; [`parse`](Header::parse) reads the same back.
    pub fn emit(&self) -> RawHeader {
        let mut raw = RawHeader::default();
        raw.set_pi(self.pi.number());
        raw.set_pcrc(self.pcrc);
        raw.set_fecn(self.fecn);
        raw.set_ts(self.ts);
        raw.set_oo(self.oo);
        raw.set_credits_required(self.credits_required);
        raw.set_tc(self.tc);
        raw.set_perishable(self.perishable);
        raw.set_header_crc(self.header_crc);
        raw.set_turn_pointer(self.turn_pointer);
        raw.set_backward(self.direction == Direction::Backward);
        raw.set_turn_pool(self.turn_pool);
        raw
    }

    /// The next turn, `width` bits (1..=32) wide; the header is unchanged.
    pub fn next(&self, width: u32) -> Result<u32, HeaderError> {
        let low = match self.direction {
            Direction::Forward => u32::from(self.turn_pointer).checked_sub(width),
            Direction::Backward => {
                Some(u32::from(self.turn_pointer)).filter(|low| width <= POOL_BITS - low)
            }
        };
        let low = low.ok_or(HeaderError::TurnOutsidePool {
            pointer: self.turn_pointer,
            width,
            direction: self.direction,
        })?;
        Ok(self.turn_pool >> low & ((1 << width) - 1))
    }

    /// Takes the next turn: the pointer falls by `width` going forward, rises going backward.
    pub fn take(&mut self, width: u32) -> Result<u32, HeaderError> {
        let turn = self.next(width)?;
        match self.direction {
            Direction::Forward => self.turn_pointer -= width as u8,
            Direction::Backward => self.turn_pointer += width as u8,
        }
        Ok(turn)
    }

    /// Sends the packet back the way it came: flips D. Pool and pointer stay.
    pub fn turn_around(&mut self) {
        self.direction = match self.direction {
            Direction::Forward => Direction::Backward,
            Direction::Backward => Direction::Forward,
        };
    }

    /// Whether a forward packet has arrived. None going backward: the header does not hold the
    /// length of the route, and only the end node there ends it.
    pub fn is_arrived(&self) -> Option<bool> {
        (self.direction == Direction::Forward).then_some(self.turn_pointer == 0)
    }

    /// The turns that remain to a forward packet, aligned on the pointer; none going backward.
    pub fn route(&self) -> Option<Route> {
        (self.direction == Direction::Forward)
            .then(|| Route::from_low_bits(self.turn_pool, self.turn_pointer))
    }
}

macro_rules! plain {
    ($($(#[$doc:meta])* $get:ident, $set:ident: $type:ty;)*) => {
        impl Header {
            $(
                $(#[$doc])*
                pub fn $get(&self) -> $type {
                    self.$get
                }

                #[doc = concat!("Sets [`", stringify!($get), "`](Header::", stringify!($get), ").")]
                pub fn $set(&mut self, value: $type) {
                    self.$get = value;
                }
            )*
        }
    };
}

macro_rules! ranged {
    ($($(#[$doc:meta])* $get:ident, $set:ident: $bits:literal;)*) => {
        impl Header {
            $(
                $(#[$doc])*
                pub fn $get(&self) -> u8 {
                    self.$get
                }

                #[doc = concat!("Sets [`", stringify!($get), "`](Header::", stringify!($get), "); refused above ", stringify!($bits), " bits.")]
                pub fn $set(&mut self, value: u8) -> Result<(), HeaderError> {
                    self.$get = checked(stringify!($get), value, $bits)?;
                    Ok(())
                }
            )*
        }
    };
}

plain! {
    /// The packet has a payload CRC.
    pcrc, set_pcrc: bool;
    /// Congestion was met on the way.
    fecn, set_fecn: bool;
    /// Type-specific bit.
    ts, set_ts: bool;
    /// Ordered only.
    oo, set_oo: bool;
    /// May be dropped.
    perishable, set_perishable: bool;
    /// Which way the packet goes.
    direction, set_direction: Direction;
}

ranged! {
    /// Credits required, 5 bits.
    credits_required, set_credits_required: 5;
    /// Traffic class, 3 bits.
    tc, set_tc: 3;
    /// Header CRC, 7 bits: carried, not computed.
    header_crc, set_header_crc: 7;
    /// Turn pointer, 5 bits.
    turn_pointer, set_turn_pointer: 5;
}

impl Header {
    /// The protocol interface.
    pub fn pi(&self) -> Pi {
        self.pi
    }

    /// Sets [`pi`](Header::pi); refused above 7 bits.
    pub fn set_pi(&mut self, pi: Pi) -> Result<(), HeaderError> {
        self.pi = Pi::from_number(checked("pi", pi.number(), 7)?);
        Ok(())
    }

    /// The turn pool, 31 bits: the last turn of the route in the lowest bits.
    pub fn turn_pool(&self) -> u32 {
        self.turn_pool
    }

    /// Sets [`turn_pool`](Header::turn_pool); refused above 31 bits.
    pub fn set_turn_pool(&mut self, pool: u32) -> Result<(), HeaderError> {
        if pool >> POOL_BITS != 0 {
            return Err(HeaderError::FieldTooWide {
                field: "turn_pool",
                given: pool,
                bits: POOL_BITS,
            });
        }
        self.turn_pool = pool;
        Ok(())
    }
}
