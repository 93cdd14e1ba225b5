//! Fixed point with 32 binary places.

use units::{Ratio, Span};

/// The lowest rate of a flow is at least the link rate over this.
pub const RATIO_MAX: u32 = 1 << 20;

pub(crate) const PLACES: u32 = 32;

pub(crate) const ONE: u64 = 1 << PLACES;

/// A fraction, to the nearest; `None` where that is 0 or it is above 1.
pub(crate) fn fraction(given: Ratio) -> Option<u64> {
    let (num, den) = (u128::from(given.num()), u128::from(given.den()));
    let nearest = ((num << (PLACES + 1)) + den) / (2 * den);
    (given <= Ratio::ONE && nearest > 0).then_some(nearest as u64)
}

/// x: the least time from the start of a packet to that of the next one, in times of that packet on
/// the link. 0, or 1 to [`RATIO_MAX`]; 32 binary places.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Spacing(pub(crate) u64);

impl Spacing {
    /// Starts are not kept apart.
    pub const NONE: Spacing = Spacing(0);
    /// The link rate.
    pub const LINK_RATE: Spacing = Spacing(ONE);

    /// The spacing of a rate that is `part` of `whole`, rounded up: never faster than the rate.
    pub(crate) fn of_rate(part: u64, whole: u64) -> Spacing {
        let x = (u128::from(whole) << PLACES).div_ceil(part.into());
        Spacing(x as u64)
    }

    /// x times 2^32.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The time from start to start after a packet of so many bytes, rounded up to whole ticks.
    #[must_use]
    pub fn ticks(self, bytes: u32, ticks_per_byte: Ratio) -> Span {
        let ticks = u128::from(bytes) * u128::from(ticks_per_byte.num()) * u128::from(self.0);
        let ticks = ticks.div_ceil(u128::from(ticks_per_byte.den()) << PLACES);
        Span(u64::try_from(ticks).unwrap_or(u64::MAX))
    }
}
