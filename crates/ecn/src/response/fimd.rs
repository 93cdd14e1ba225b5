//! FIMD, fast increase and multiplicative decrease (spec: ecn.md; US 7,920,476, claims 2-3).

use super::Spacing;
use super::fixed::ONE;
use units::Ratio;

/// In units of the lowest rate Rmin, with r from 1 to M. Unmarked: r := min(M, r 2^(1/r)). Marked:
/// r := max(1, r / 2). From r / 2 back to r takes M packet times, whatever r is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Fimd {
    /// r: quotients and products as IEEE 754 rounds them, powers by `libm`.
    rate: f64,
}

impl Fimd {
    /// `start`: its rate, of the link rate.
    pub(crate) fn new(rate_ratio: u32, start: Ratio) -> Fimd {
        let most = f64::from(rate_ratio);
        let rate = most * (start.num() as f64 / start.den() as f64);
        Fimd { rate: rate.clamp(1.0, most) }
    }

    pub(crate) fn acked(&mut self, marked: bool, rate_ratio: u32) {
        self.rate = if marked {
            (self.rate / 2.0).max(1.0)
        } else {
            (self.rate * libm::exp2(1.0 / self.rate)).min(f64::from(rate_ratio))
        };
    }

    pub(crate) fn spacing(&self, rate_ratio: u32) -> Spacing {
        // At most 2^52, so that the whole number is exact.
        let x = f64::from(rate_ratio) / self.rate * ONE as f64;
        Spacing(libm::ceil(x) as u64)
    }
}
