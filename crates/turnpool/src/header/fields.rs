//! The fields of a header: read, and written where the value fits; what PI and D say.

use super::{Header, HeaderError};

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
        if number == 7 { Pi::Recn } else { Pi::Unknown(number) }
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

fn checked(field: &'static str, given: u32, bits: u32) -> Result<(), HeaderError> {
    if given >> bits == 0 { Ok(()) } else { Err(HeaderError::FieldTooWide { field, given, bits }) }
}

macro_rules! plain {
    ($($(#[$doc:meta])* $get:ident, $set:ident;)*) => {
        impl Header {
            $(
                $(#[$doc])*
                pub fn $get(&self) -> bool {
                    self.0.$get()
                }

                #[doc = concat!("Sets [`Self::", stringify!($get), "`].")]
                pub fn $set(&mut self, value: bool) {
                    self.0.$set(value);
                }
            )*
        }
    };
}

macro_rules! ranged {
    ($($(#[$doc:meta])* $get:ident, $set:ident: $type:ty, $bits:literal;)*) => {
        impl Header {
            $(
                $(#[$doc])*
                pub fn $get(&self) -> $type {
                    self.0.$get()
                }

                #[doc = concat!("Sets [`Self::", stringify!($get), "`]; refused above ")]
                #[doc = concat!(stringify!($bits), " bits.")]
                pub fn $set(&mut self, value: $type) -> Result<(), HeaderError> {
                    checked(stringify!($get), value.into(), $bits)?;
                    self.0.$set(value);
                    Ok(())
                }
            )*
        }
    };
}

plain! {
    /// The packet has a payload CRC.
    pcrc, set_pcrc;
    /// Congestion was met on the way.
    fecn, set_fecn;
    /// Type-specific bit.
    ts, set_ts;
    /// Ordered only.
    oo, set_oo;
    /// May be dropped.
    perishable, set_perishable;
}

ranged! {
    /// Credits required, 5 bits.
    credits_required, set_credits_required: u8, 5;
    /// Traffic class, 3 bits.
    tc, set_tc: u8, 3;
    /// Header CRC, 7 bits: carried, not computed.
    header_crc, set_header_crc: u8, 7;
    /// Turn pointer, 5 bits.
    turn_pointer, set_turn_pointer: u8, 5;
    /// The turn pool, 31 bits: the last turn of the route in the lowest bits.
    turn_pool, set_turn_pool: u32, 31;
}

impl Header {
    /// The protocol interface.
    pub fn pi(&self) -> Pi {
        Pi::from_number(self.0.pi())
    }

    /// Sets [`pi`](Header::pi); refused above 7 bits.
    pub fn set_pi(&mut self, pi: Pi) -> Result<(), HeaderError> {
        checked("pi", pi.number().into(), 7)?;
        self.0.set_pi(pi.number());
        Ok(())
    }

    /// Which way the packet goes.
    pub fn direction(&self) -> Direction {
        if self.0.backward() { Direction::Backward } else { Direction::Forward }
    }

    /// Sets [`direction`](Header::direction).
    pub fn set_direction(&mut self, direction: Direction) {
        self.0.set_backward(direction == Direction::Backward);
    }
}
