//! The responses to ACKs (spec: ecn.md, Source response): LIPD, linear inter-packet delay
//! (`santos-infocom-2003`); FIMD, fast increase and multiplicative decrease (US 7,920,476, claims
//! 2-3); AIMD, additive increase and multiplicative decrease.

use super::fixed::ONE;
use super::{Algorithm, Spacing};
use units::Ratio;

/// The register of a flow: x of LIPD, else r in units of the lowest rate, from 1 to M; integers
/// with 32 binary places. From x + 1 back to x, and by FIMD from r / 2 back to r, it takes M packet
/// times, whatever x and r are.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Register {
    /// Marked: x := min(M, x + 1). Unmarked: x := max(1, x (1 - 1/M)), with x / M rounded up.
    Lipd(u64),
    /// Unmarked: r := min(M, r 2^(1/r)). Marked: r := max(1, r / 2). Quotients and products as IEEE
    /// 754 rounds them, powers by `libm`.
    Fimd(f64),
    /// Unmarked: r := min(M, r + 1). Marked: r := max(1, r / 2), rounded down.
    Aimd(u64),
}

impl Register {
    /// `start`: its rate, of the link rate. None of those that answer no ACKs.
    pub(crate) fn new(algorithm: Algorithm, start: Ratio) -> Option<(Register, u32)> {
        let m = algorithm.rate_ratio()?;
        let register = match algorithm {
            Algorithm::Lipd { .. } => Register::Lipd(Spacing::of_rate(start.num(), start.den()).0),
            Algorithm::Fimd { .. } => {
                let most = f64::from(m);
                let rate = most * (start.num() as f64 / start.den() as f64);
                Register::Fimd(rate.clamp(1.0, most))
            }
            _ => {
                let most = u64::from(m) * ONE;
                let rate = u128::from(most) * u128::from(start.num()) / u128::from(start.den());
                Register::Aimd((rate as u64).clamp(ONE, most))
            }
        };
        Some((register, m))
    }

    pub(crate) fn acked(&mut self, marked: bool, m: u32) {
        let most = u64::from(m) * ONE;
        match (self, marked) {
            (Register::Lipd(x), true) => *x = (*x + ONE).min(most),
            (Register::Lipd(x), false) => *x = (*x - x.div_ceil(m.into())).max(ONE),
            (Register::Fimd(r), true) => *r = (*r / 2.0).max(1.0),
            (Register::Fimd(r), false) => *r = (*r * libm::exp2(1.0 / *r)).min(f64::from(m)),
            (Register::Aimd(r), true) => *r = (*r / 2).max(ONE),
            (Register::Aimd(r), false) => *r = (*r + ONE).min(most),
        }
    }

    pub(crate) fn spacing(&self, m: u32) -> Spacing {
        match *self {
            Register::Lipd(x) => Spacing(x),
            // At most 2^52, so that the whole number is exact.
            Register::Fimd(r) => Spacing(libm::ceil(f64::from(m) / r * ONE as f64) as u64),
            Register::Aimd(r) => Spacing::of_rate(r, u64::from(m) * ONE),
        }
    }
}
