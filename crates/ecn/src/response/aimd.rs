//! AIMD, additive increase and multiplicative decrease (spec: ecn.md).

use super::Spacing;
use super::fixed::ONE;
use units::Ratio;

/// In units of the lowest rate Rmin, with r from 1 to M. Unmarked: r := min(M, r + 1). Marked: r :=
/// max(1, r / 2), rounded down.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Aimd {
    /// r, 32 binary places.
    rate: u64,
}

impl Aimd {
    /// `start`: its rate, of the link rate.
    pub(crate) fn new(rate_ratio: u32, start: Ratio) -> Aimd {
        let most = u64::from(rate_ratio) * ONE;
        let rate = u128::from(most) * u128::from(start.num()) / u128::from(start.den());
        Aimd { rate: (rate as u64).clamp(ONE, most) }
    }

    pub(crate) fn acked(&mut self, marked: bool, rate_ratio: u32) {
        self.rate = if marked {
            (self.rate / 2).max(ONE)
        } else {
            (self.rate + ONE).min(u64::from(rate_ratio) * ONE)
        };
    }

    pub(crate) fn spacing(&self, rate_ratio: u32) -> Spacing {
        Spacing::of_rate(self.rate, u64::from(rate_ratio) * ONE)
    }
}
