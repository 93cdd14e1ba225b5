use crate::{Ratio, Span, Tick};

/// The most ticks that a phit may take on a link: a finer speedup is refused.
pub const PHIT_TICKS_MAX: u64 = 1000;

/// The base clock of one scenario: how long a tick is, and how many a phit takes (spec `clock.md`,
/// Time).
///
/// A link moves a phit every [`link_phit_ticks`](TimeBase::link_phit_ticks) = p ticks, the crossbar
/// one every [`crossbar_phit_ticks`](TimeBase::crossbar_phit_ticks) = q ticks; speedup = p/q in
/// lowest terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeBase {
    phit_bytes: u32,
    link_phit_ticks: Span,
    crossbar_phit_ticks: Span,
    ticks_per_ns: Ratio,
}

/// Why a [`TimeBase`] was refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TimeBaseError {
    /// A phit has no bytes.
    #[error("a phit of 0 bytes; it needs at least 1")]
    ZeroPhit,
    /// The crossbar would be slower than a link.
    #[error("a speedup of {given} is below 1")]
    SpeedupBelowOne {
        /// The speedup as given.
        given: Ratio,
    },
    /// The speedup needs too fine a tick.
    #[error("a speedup of {given} needs {} ticks a phit; at most {limit} are legal", given.num())]
    SpeedupTooFine {
        /// The speedup as given.
        given: Ratio,
        /// The highest legal numerator of a speedup in lowest terms.
        limit: u64,
    },
    /// Span per nanosecond are no ratio of 64-bit numbers.
    #[error(
        "a link of {link_bytes_per_ns} bytes/ns with a speedup of {speedup} has no exact tick in 64 bits"
    )]
    RateTooLong {
        /// The link rate as given.
        link_bytes_per_ns: Ratio,
        /// The speedup as given.
        speedup: Ratio,
    },
}

/// A span in nanoseconds that is no whole number of ticks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{given} ns is not a whole number of ticks in 64 bits (a tick is {tick_ns} ns; next to it: {below} and {above} ticks)"
)]
pub struct NotWholeTicks {
    /// The span as given, in nanoseconds.
    pub given: Ratio,
    /// The length of a tick, in nanoseconds.
    pub tick_ns: Ratio,
    /// The whole number of ticks below it.
    pub below: Span,
    /// The whole number of ticks above it (the highest number where 64 bits do not hold it).
    pub above: Span,
}

/// A span in nanoseconds, whole or fractional. Zero is legal as a whole number.
pub trait IntoNs {
    /// The span as numerator and denominator, in nanoseconds.
    fn ns(self) -> (u64, u64);
}

impl IntoNs for u64 {
    fn ns(self) -> (u64, u64) {
        (self, 1)
    }
}

impl IntoNs for Ratio {
    fn ns(self) -> (u64, u64) {
        (self.num(), self.den())
    }
}

impl TimeBase {
    /// The base clock for a phit of `phit_bytes`, links of `link_bytes_per_ns` and a crossbar that
    /// is `speedup` times as fast.
    pub fn new(
        phit_bytes: u32,
        link_bytes_per_ns: Ratio,
        speedup: Ratio,
    ) -> Result<TimeBase, TimeBaseError> {
        if speedup < Ratio::ONE {
            return Err(TimeBaseError::SpeedupBelowOne { given: speedup });
        }
        if speedup.num() > PHIT_TICKS_MAX {
            return Err(TimeBaseError::SpeedupTooFine { given: speedup, limit: PHIT_TICKS_MAX });
        }
        // A phit takes phit_bytes / rate ns on a link, which are p ticks.
        let ticks_per_phit_byte =
            Ratio::new(speedup.num(), phit_bytes.into()).map_err(|_| TimeBaseError::ZeroPhit)?;
        let ticks_per_ns = link_bytes_per_ns
            .mul(ticks_per_phit_byte)
            .map_err(|_| TimeBaseError::RateTooLong { link_bytes_per_ns, speedup })?;
        Ok(TimeBase {
            phit_bytes,
            link_phit_ticks: Span(speedup.num()),
            crossbar_phit_ticks: Span(speedup.den()),
            ticks_per_ns,
        })
    }

    /// Bytes of a phit.
    #[inline]
    pub fn phit_bytes(&self) -> u32 {
        self.phit_bytes
    }

    /// Span that a phit takes on a link: p.
    #[inline]
    pub fn link_phit_ticks(&self) -> Span {
        self.link_phit_ticks
    }

    /// Span that a phit takes on the crossbar: q.
    #[inline]
    pub fn crossbar_phit_ticks(&self) -> Span {
        self.crossbar_phit_ticks
    }

    /// Span per nanosecond, exact.
    #[inline]
    pub fn ticks_per_ns(&self) -> Ratio {
        self.ticks_per_ns
    }

    /// Phits that `bytes` take; a phit begun counts as a whole one.
    #[inline]
    pub fn phits(&self, bytes: u32) -> u32 {
        bytes.div_ceil(self.phit_bytes)
    }

    /// Span that `bytes` take on a link, in whole phits.
    #[inline]
    pub fn link_ticks(&self, bytes: u32) -> Span {
        self.link_phit_ticks * u64::from(self.phits(bytes))
    }

    /// Span that `bytes` take on the crossbar, in whole phits.
    #[inline]
    pub fn crossbar_ticks(&self, bytes: u32) -> Span {
        self.crossbar_phit_ticks * u64::from(self.phits(bytes))
    }

    /// A span given as `u64` or [`Ratio`] nanoseconds in ticks, refused unless it is a whole number
    /// of them.
    pub fn ns_to_ticks_exact(&self, ns: impl IntoNs) -> Result<Span, NotWholeTicks> {
        let (num, den) = ns.ns();
        let Ok(given) = Ratio::new(num, den) else {
            return Ok(Span::ZERO); // the only number of nanoseconds that is no ratio
        };
        // The products of two u64 always fit a u128.
        let ticks = u128::from(given.num()) * u128::from(self.ticks_per_ns.num());
        let per = u128::from(given.den()) * u128::from(self.ticks_per_ns.den());
        let below = u64::try_from(ticks / per);
        match below {
            Ok(whole) if ticks.is_multiple_of(per) => Ok(Span(whole)),
            _ => {
                let below = below.unwrap_or(u64::MAX);
                let tick_ns = self.ticks_per_ns.recip();
                Err(NotWholeTicks {
                    given,
                    tick_ns,
                    below: Span(below),
                    above: Span(below.saturating_add(1)),
                })
            }
        }
    }

    /// A span in nanoseconds in ticks, rounded up; the highest number of ticks where 64 bits do not
    /// hold it.
    pub fn ns_to_ticks_ceil(&self, ns: u64) -> Span {
        let ticks = u128::from(ns) * u128::from(self.ticks_per_ns.num());
        let per = self.ticks_per_ns.den().into();
        u64::try_from(ticks.div_ceil(per)).map_or(Span::MAX, Span)
    }

    /// A moment in nanoseconds since the start of the run; for output.
    pub fn tick_to_ns(&self, tick: Tick) -> f64 {
        self.span_to_ns(Span(tick.0))
    }

    /// A length of time in nanoseconds; for output.
    pub fn span_to_ns(&self, span: Span) -> f64 {
        // Whole nanoseconds by integers: a long run keeps its fraction as far as a double holds it.
        let scaled = u128::from(span.0) * u128::from(self.ticks_per_ns.den());
        let per = u128::from(self.ticks_per_ns.num());
        (scaled / per) as f64 + (scaled % per) as f64 / per as f64
    }
}
