//! Moments and lengths of time, in ticks of the base clock: two types, so that they do not mix.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Rem, Sub, SubAssign};

/// A moment: ticks of the base clock since the start of the run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(transparent)]
pub struct Tick(pub u64);

/// A length of time, in ticks of the base clock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(transparent)]
pub struct Span(pub u64);

impl Tick {
    /// The start of the run.
    pub const ZERO: Tick = Tick(0);
    /// Later than any moment of a run: never.
    pub const MAX: Tick = Tick(u64::MAX);

    /// The moment after this one.
    #[inline(always)]
    #[must_use]
    pub const fn next(self) -> Tick {
        Tick(self.0 + 1)
    }

    /// The moment before this one, which must not be the start of the run.
    #[inline(always)]
    #[must_use]
    pub const fn before(self) -> Tick {
        Tick(self.0 - 1)
    }

    /// The length of time since `earlier`; none if that is later.
    #[inline(always)]
    #[must_use]
    pub const fn since(self, earlier: Tick) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }

    /// That much later; [`Tick::MAX`] beyond the largest number.
    #[inline(always)]
    #[must_use]
    pub const fn saturating_add(self, span: Span) -> Tick {
        Tick(self.0.saturating_add(span.0))
    }

    /// That much earlier, not before the start of the run.
    #[inline(always)]
    #[must_use]
    pub const fn saturating_sub(self, span: Span) -> Tick {
        Tick(self.0.saturating_sub(span.0))
    }
}

impl Span {
    /// No time.
    pub const ZERO: Span = Span(0);
    /// One tick.
    pub const TICK: Span = Span(1);
    /// Longer than any run: for ever.
    pub const MAX: Span = Span(u64::MAX);

    /// Whether it is no time.
    #[inline(always)]
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// The sum; [`Span::MAX`] beyond the largest number.
    #[inline(always)]
    #[must_use]
    pub const fn saturating_add(self, other: Span) -> Span {
        Span(self.0.saturating_add(other.0))
    }

    /// The difference, not below zero.
    #[inline(always)]
    #[must_use]
    pub const fn saturating_sub(self, other: Span) -> Span {
        Span(self.0.saturating_sub(other.0))
    }

    /// So many times as long; [`Span::MAX`] beyond the largest number.
    #[inline(always)]
    #[must_use]
    pub const fn saturating_mul(self, times: u64) -> Span {
        Span(self.0.saturating_mul(times))
    }
}

/// Left, right and result, by the numbers in them.
macro_rules! operators {
    ($($operator:ident::$method:ident: $left:ident, $right:ident = $result:ident;)+) => { $(
        impl $operator<$right> for $left {
            type Output = $result;
            #[inline(always)]
            fn $method(self, right: $right) -> $result {
                $result($operator::$method(self.0, right.0))
            }
        }
    )+ };
}

operators! {
    Add::add: Tick, Span = Tick;
    Sub::sub: Tick, Span = Tick;
    Sub::sub: Tick, Tick = Span;
    Add::add: Span, Span = Span;
    Sub::sub: Span, Span = Span;
    Rem::rem: Span, Span = Span;
}

/// The same in place.
macro_rules! assignments {
    ($($operator:ident::$method:ident: $left:ident;)+) => { $(
        impl $operator<Span> for $left {
            #[inline(always)]
            fn $method(&mut self, span: Span) {
                $operator::$method(&mut self.0, span.0);
            }
        }
    )+ };
}

assignments! {
    AddAssign::add_assign: Tick;
    AddAssign::add_assign: Span;
    SubAssign::sub_assign: Span;
}

impl Mul<u64> for Span {
    type Output = Span;
    #[inline(always)]
    fn mul(self, times: u64) -> Span {
        Span(self.0 * times)
    }
}

impl Div<u64> for Span {
    type Output = Span;
    #[inline(always)]
    fn div(self, parts: u64) -> Span {
        Span(self.0 / parts)
    }
}

impl Div for Span {
    type Output = u64;
    #[inline(always)]
    fn div(self, other: Span) -> u64 {
        self.0 / other.0
    }
}

impl Sum for Span {
    fn sum<I: Iterator<Item = Span>>(spans: I) -> Span {
        spans.fold(Span::ZERO, Add::add)
    }
}

impl fmt::Display for Tick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
