//! The fields of a header: read, and written where the value fits.

use super::{Direction, Header, HeaderError, POOL_BITS, Pi};

fn checked(field: &'static str, given: u8, bits: u32) -> Result<u8, HeaderError> {
    if u32::from(given) < 1 << bits {
        Ok(given)
    } else {
        Err(HeaderError::FieldTooWide { field, given: given.into(), bits })
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

                #[doc = concat!("Sets [`Self::", stringify!($get), "`].")]
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

                #[doc = concat!("Sets [`Self::", stringify!($get), "`]; refused above ")]
                #[doc = concat!(stringify!($bits), " bits.")]
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
