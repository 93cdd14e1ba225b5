//! Exact fractions of ticks and the grid of points that they space out.

use units::{Ratio, Span, Tick};

/// A fraction of ticks that is zero, or has a part of 2^63 or more in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{num}/{den} ticks is not a positive fraction with both parts below 2^63")]
pub struct IntervalError {
    /// Numerator as given.
    pub num: u128,
    /// Denominator as given.
    pub den: u128,
}

pub(crate) fn interval(num: u128, den: u128) -> Result<Ratio, IntervalError> {
    let is_legal = |ratio: &Ratio| (ratio.num() | ratio.den()) >> 63 == 0;
    Ratio::of_wide(num, den).ok().filter(is_legal).ok_or(IntervalError { num, den })
}

/// The interval at which messages of this length (link ticks) make up `load`: length / load.
pub(crate) fn at_load(length: Ratio, load: Ratio) -> Result<Ratio, IntervalError> {
    let times = |a: u64, b: u64| u128::from(a) * u128::from(b);
    interval(times(length.num(), load.den()), times(length.den(), load.num()))
}

/// The ticks origin + floor((first + k * num) / den): one, and the numerator of what is above it.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    tick: Tick,
    part: u64,
    step: Span,
    step_part: u64,
    den: u64,
}

impl Grid {
    /// Starts at origin + floor(first / den), den being that of the interval.
    pub(crate) fn from_phase(interval: Ratio, origin: Tick, first: u64) -> Self {
        let tick = origin.saturating_add(Span(first / interval.den()));
        Self::with(interval, tick, first % interval.den())
    }

    /// Starts at the first multiple k of the interval with floor(k * interval) >= `not_before`.
    pub(crate) fn aligned(interval: Ratio, not_before: Tick) -> Self {
        let (num, den) = (u128::from(interval.num()), u128::from(interval.den()));
        let k = (u128::from(not_before.0) * den).div_ceil(num);
        // k * num < not_before * den + num: no overflow.
        let at = k * num;
        Self::with(interval, u64::try_from(at / den).map_or(Tick::MAX, Tick), (at % den) as u64)
    }

    fn with(interval: Ratio, tick: Tick, part: u64) -> Self {
        Self {
            tick,
            part,
            step: Span(interval.num() / interval.den()),
            step_part: interval.num() % interval.den(),
            den: interval.den(),
        }
    }

    /// The current point; `Tick::MAX` once the clock has run out.
    #[inline]
    pub(crate) fn tick(&self) -> Tick {
        self.tick
    }

    #[inline]
    pub(crate) fn advance(&mut self) {
        // Both parts are below den < 2^63.
        let part = self.part + self.step_part;
        let carry = part >= self.den;
        self.part = if carry { part - self.den } else { part };
        self.tick = self.tick.saturating_add(self.step + Span(carry.into()));
    }
}
