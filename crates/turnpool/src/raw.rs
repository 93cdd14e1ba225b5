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

/// Lowest bit and width of a field.
#[derive(Clone, Copy)]
struct Field {
    low: u32,
    width: u32,
}

impl Field {
    /// The field of `width` bits behind (below) this one.
    const fn then(self, width: u32) -> Field {
        Field {
            low: self.low - width,
            width,
        }
    }

    const fn mask(self) -> u64 {
        (1 << self.width) - 1
    }
}

const PI: Field = Field { low: 57, width: 7 };
const PCRC: Field = PI.then(1);
const FECN: Field = PCRC.then(1);
const TS: Field = FECN.then(1);
const OO: Field = TS.then(1);
const CREDITS_REQUIRED: Field = OO.then(5);
const TC: Field = CREDITS_REQUIRED.then(3);
const PERISHABLE: Field = TC.then(1);
const HEADER_CRC: Field = PERISHABLE.then(7);
const TURN_POINTER: Field = HEADER_CRC.then(5);
const D: Field = TURN_POINTER.then(1);
const TURN_POOL: Field = D.then(31);
const _: () = assert!(TURN_POOL.low == 0, "the fields fill 64 bits");

impl RawHeader {
    #[inline]
    fn get(self, field: Field) -> u64 {
        self.0 >> field.low & field.mask()
    }

    #[inline]
    fn set(&mut self, field: Field, value: u64) {
        self.0 = self.0 & !(field.mask() << field.low) | (value & field.mask()) << field.low;
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

                #[doc = concat!("Sets what [`", stringify!($get), "`](RawHeader::", stringify!($get), ") reads.")]
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

                #[doc = concat!("Sets what [`", stringify!($get), "`](RawHeader::", stringify!($get), ") reads.")]
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
