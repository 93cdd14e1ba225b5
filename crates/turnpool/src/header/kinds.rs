//! What the fields PI and D say.

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
