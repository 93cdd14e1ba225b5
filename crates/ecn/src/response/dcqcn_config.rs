//! Parameters of DCQCN.

use thiserror::Error;
use units::{Ratio, Span};

use super::RATIO_MAX;
use super::fixed::fraction;

/// A parameter of DCQCN that is not legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum DcqcnError {
    /// Not a fraction that 32 binary places hold.
    #[error("{name} of {given}; legal: 1/4294967296 to 1")]
    Fraction {
        /// Which.
        name: &'static str,
        /// What was given.
        given: Ratio,
    },
    /// The flow would all but stop.
    #[error("a lowest rate of {given} of the link rate; legal: 1/{RATIO_MAX} to 1")]
    LowestRate {
        /// What was given.
        given: Ratio,
    },
    /// An event that would never end.
    #[error("{name} of 0; at least 1 is needed")]
    Zero {
        /// Which.
        name: &'static str,
    },
}

/// Parameters of DCQCN in fixed point, made by the checked [`Dcqcn::new`] and the methods that
/// follow it (spec: pfc.md, DCQCN). Rates are fractions of the link rate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dcqcn {
    pub(crate) g: u64,
    pub(crate) additive: u64,
    pub(crate) hyper: u64,
    pub(crate) lowest: u64,
    pub(crate) alpha_timer: Span,
    pub(crate) rate_timer: Span,
    pub(crate) byte_counter: u64,
    pub(crate) fast_recovery: u32,
}

fn part(name: &'static str, given: Ratio) -> Result<u64, DcqcnError> {
    fraction(given).ok_or(DcqcnError::Fraction { name, given })
}

impl Dcqcn {
    /// The published parameters at 40 Gbit/s, rates as fractions of that: g = 1/256, R_AI =
    /// 1/1000, R_HAI = 1/100, F = 5, a byte counter of 10 MB; lowest rate 1/1000 (of our own). The
    /// timers, 55 us both, in ticks.
    ///
    /// # Errors
    /// A timer of 0.
    pub fn new(alpha_timer: Span, rate_timer: Span) -> Result<Dcqcn, DcqcnError> {
        for (name, timer) in [("alpha timer", alpha_timer), ("rate timer", rate_timer)] {
            if timer.is_zero() {
                return Err(DcqcnError::Zero { name });
            }
        }
        let fixed = |num, den| {
            let given = Ratio::new(num, den).expect("not zero");
            fraction(given).expect("32 binary places hold it")
        };
        Ok(Dcqcn {
            g: fixed(1, 256),
            additive: fixed(1, 1000),
            hyper: fixed(1, 100),
            lowest: fixed(1, 1000),
            alpha_timer,
            rate_timer,
            byte_counter: 10_000_000,
            fast_recovery: 5,
        })
    }

    /// With another weight of alpha, g.
    ///
    /// # Errors
    /// [`DcqcnError::Fraction`].
    pub fn with_g(self, given: Ratio) -> Result<Dcqcn, DcqcnError> {
        let g = part("g", given)?;
        Ok(Dcqcn { g, ..self })
    }

    /// With other rates of additive and hyper increase, R_AI and R_HAI.
    ///
    /// # Errors
    /// [`DcqcnError::Fraction`].
    pub fn with_increase(self, additive: Ratio, hyper: Ratio) -> Result<Dcqcn, DcqcnError> {
        let additive = part("an additive increase", additive)?;
        let hyper = part("a hyper increase", hyper)?;
        Ok(Dcqcn { additive, hyper, ..self })
    }

    /// With another lowest rate: a CNP does not lower the rate below it.
    ///
    /// # Errors
    /// [`DcqcnError::LowestRate`].
    pub fn with_lowest_rate(self, given: Ratio) -> Result<Dcqcn, DcqcnError> {
        let least = Ratio::new(1, RATIO_MAX.into()).expect("not zero");
        let lowest = fraction(given).filter(|_| given >= least);
        let lowest = lowest.ok_or(DcqcnError::LowestRate { given })?;
        Ok(Dcqcn { lowest, ..self })
    }

    /// With another byte counter, in bytes.
    ///
    /// # Errors
    /// [`DcqcnError::Zero`].
    pub fn with_byte_counter(self, byte_counter: u64) -> Result<Dcqcn, DcqcnError> {
        if byte_counter == 0 {
            let name = "a byte counter";
            return Err(DcqcnError::Zero { name });
        }
        Ok(Dcqcn { byte_counter, ..self })
    }

    /// With another number of events of fast recovery, F; 0: none.
    #[must_use]
    pub fn with_fast_recovery(self, fast_recovery: u32) -> Dcqcn {
        Dcqcn { fast_recovery, ..self }
    }
}
