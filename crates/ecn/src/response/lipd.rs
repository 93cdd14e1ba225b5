//! LIPD, linear inter-packet delay (spec: ecn.md; `santos-infocom-2003`).

use super::Spacing;
use super::fixed::ONE;
use units::Ratio;

/// Marked: x := min(M, x + 1). Unmarked: x := max(1, x (1 - 1/M)), with x / M rounded up.
/// From x + 1 back to x takes M packet times, whatever x is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Lipd {
    /// x, 32 binary places.
    spacing: u64,
}

impl Lipd {
    /// `start`: its rate, of the link rate.
    pub(crate) fn new(start: Ratio) -> Lipd {
        let Spacing(spacing) = Spacing::of_rate(start.num(), start.den());
        Lipd { spacing }
    }

    pub(crate) fn acked(&mut self, marked: bool, rate_ratio: u32) {
        let m = u64::from(rate_ratio);
        self.spacing = if marked {
            (self.spacing + ONE).min(m * ONE)
        } else {
            (self.spacing - self.spacing.div_ceil(m)).max(ONE)
        };
    }

    pub(crate) fn spacing(&self) -> Spacing {
        Spacing(self.spacing)
    }
}
