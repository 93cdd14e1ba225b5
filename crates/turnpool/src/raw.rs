use bitvec::{field::BitField, order::Lsb0, view::BitView};
use std::ops::Range;

/// The 64 bits of an AS route header as they are on the wire, first field in the top bits.
///
/// | field | bits | | field | bits |
/// |---|---|---|---|---|
/// | PI | 63..=57 | | TC | 47..=45 |
/// | PCRC | 56 | | perishable | 44 |
/// | FECN | 55 | | header CRC | 43..=37 |
/// | TS | 54 | | turn pointer | 36..=32 |
/// | OO | 53 | | D | 31 |
/// | credits required | 52..=48 | | turn pool | 30..=0 |
///
/// Setters keep the low bits that the field has; [`Header`](crate::Header) checks instead.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct RawHeader(pub u64);

/// The bits of a field.
type Field = Range<usize>;

const PI: Field = 57..64;
const PCRC: Field = 56..57;
const FECN: Field = 55..56;
const TS: Field = 54..55;
const OO: Field = 53..54;
const CREDITS_REQUIRED: Field = 48..53;
const TC: Field = 45..48;
const PERISHABLE: Field = 44..45;
const HEADER_CRC: Field = 37..44;
const TURN_POINTER: Field = 32..37;
const D: Field = 31..32;
const TURN_POOL: Field = 0..31;

impl RawHeader {
    #[inline]
    fn get(self, field: Field) -> u64 {
        self.0.view_bits::<Lsb0>()[field].load_le()
    }

    #[inline]
    fn set(&mut self, field: Field, value: u64) {
        self.0.view_bits_mut::<Lsb0>()[field].store_le(value);
    }
}

macro_rules! fields {
    ($($(#[$doc:meta])* $get:ident, $set:ident: $type:ty = $field:ident;)*) => {
        impl RawHeader {
            $(
                $(#[$doc])*
                #[inline]
                pub fn $get(self) -> $type {
                    self.get($field) as $type
                }

                #[doc = concat!("Sets what [`Self::", stringify!($get), "`] reads.")]
                #[inline]
                pub fn $set(&mut self, value: $type) {
                    self.set($field, value.into());
                }
            )*
        }
    };
}

macro_rules! flags {
    ($($(#[$doc:meta])* $get:ident, $set:ident = $field:ident;)*) => {
        impl RawHeader {
            $(
                $(#[$doc])*
                #[inline]
                pub fn $get(self) -> bool {
                    self.get($field) != 0
                }

                #[doc = concat!("Sets what [`Self::", stringify!($get), "`] reads.")]
                #[inline]
                pub fn $set(&mut self, value: bool) {
                    self.set($field, value.into());
                }
            )*
        }
    };
}

fields! {
    /// PI, 7 bits: the protocol interface.
    pi, set_pi: u8 = PI;
    /// Credits required, 5 bits.
    credits_required, set_credits_required: u8 = CREDITS_REQUIRED;
    /// TC, 3 bits: the traffic class.
    tc, set_tc: u8 = TC;
    /// Header CRC, 7 bits: carried, not computed.
    header_crc, set_header_crc: u8 = HEADER_CRC;
    /// Turn pointer, 5 bits: bits of the pool below it are turns that remain to a forward packet.
    turn_pointer, set_turn_pointer: u8 = TURN_POINTER;
    /// Turn pool, 31 bits: the last turn of the route in the lowest bits.
    turn_pool, set_turn_pool: u32 = TURN_POOL;
}

flags! {
    /// PCRC, 1 bit: the packet has a payload CRC.
    pcrc, set_pcrc = PCRC;
    /// FECN, 1 bit: congestion was met on the way.
    fecn, set_fecn = FECN;
    /// TS, 1 bit: type-specific.
    ts, set_ts = TS;
    /// OO, 1 bit: ordered only.
    oo, set_oo = OO;
    /// Perishable, 1 bit: may be dropped.
    perishable, set_perishable = PERISHABLE;
    /// D, 1 bit: the packet goes backward.
    backward, set_backward = D;
}
