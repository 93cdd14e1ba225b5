//! DCQCN (spec: pfc.md, DCQCN; `zhu-dcqcn-2015`): its parameters, the reaction point at the source
//! and the notification point at the destination.

use thiserror::Error;
use units::{Ratio, Span, Tick};

use super::fixed::{ONE, PLACES, fraction};
use super::{RATIO_MAX, Spacing};

/// A parameter of DCQCN that is not legal, and what is.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct DcqcnError(String);

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

/// 32 binary places hold it.
fn part(name: &str, given: Ratio) -> Result<u64, DcqcnError> {
    fraction(given)
        .ok_or_else(|| DcqcnError(format!("{name} of {given}; legal: 1/4294967296 to 1")))
}

/// An event of 0 would never end.
fn not_zero(name: &str, given: u64) -> Result<(), DcqcnError> {
    match given {
        0 => Err(DcqcnError(format!("{name} of 0; at least 1 is needed"))),
        _ => Ok(()),
    }
}

impl Dcqcn {
    /// The published parameters at 40 Gbit/s, rates as fractions of that: g = 1/256, R_AI =
    /// 1/1000, R_HAI = 1/100, F = 5, a byte counter of 10 MB; lowest rate 1/1000 (of our own). The
    /// timers, 55 us both, in ticks.
    ///
    /// # Errors
    /// A timer of 0.
    pub fn new(alpha_timer: Span, rate_timer: Span) -> Result<Dcqcn, DcqcnError> {
        not_zero("alpha timer", alpha_timer.0)?;
        not_zero("rate timer", rate_timer.0)?;
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
    /// Not a fraction that 32 binary places hold.
    pub fn with_g(self, given: Ratio) -> Result<Dcqcn, DcqcnError> {
        Ok(Dcqcn { g: part("g", given)?, ..self })
    }

    /// With another rate of additive increase, R_AI.
    ///
    /// # Errors
    /// As [`Dcqcn::with_g`].
    pub fn with_additive(self, given: Ratio) -> Result<Dcqcn, DcqcnError> {
        Ok(Dcqcn { additive: part("an additive increase", given)?, ..self })
    }

    /// With another rate of hyper increase, R_HAI.
    ///
    /// # Errors
    /// As [`Dcqcn::with_g`].
    pub fn with_hyper(self, given: Ratio) -> Result<Dcqcn, DcqcnError> {
        Ok(Dcqcn { hyper: part("a hyper increase", given)?, ..self })
    }

    /// With another lowest rate: a CNP does not lower the rate below it.
    ///
    /// # Errors
    /// A flow that would all but stop, or above the link rate.
    pub fn with_lowest_rate(self, given: Ratio) -> Result<Dcqcn, DcqcnError> {
        let least = Ratio::new(1, RATIO_MAX.into()).expect("not zero");
        match fraction(given).filter(|_| given >= least) {
            Some(lowest) => Ok(Dcqcn { lowest, ..self }),
            None => Err(DcqcnError(format!(
                "a lowest rate of {given} of the link rate; legal: 1/{RATIO_MAX} to 1"
            ))),
        }
    }

    /// With another byte counter, in bytes.
    ///
    /// # Errors
    /// 0.
    pub fn with_byte_counter(self, byte_counter: u64) -> Result<Dcqcn, DcqcnError> {
        not_zero("a byte counter", byte_counter)?;
        Ok(Dcqcn { byte_counter, ..self })
    }

    /// With another number of events of fast recovery, F; 0: none.
    #[must_use]
    pub fn with_fast_recovery(self, fast_recovery: u32) -> Dcqcn {
        Dcqcn { fast_recovery, ..self }
    }
}

/// Registers of a flow. Rates are fractions of the link rate with 32 binary places.
///
/// Timers stop where they would change nothing: both before the first CNP, that of alpha once alpha
/// is 0, that of the rate at the link rate. [`settle`](Self::settle) brings them up to date, before
/// anything else that takes the tick.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct ReactionPoint {
    /// RC.
    rate: u64,
    /// RT, never below RC.
    target: u64,
    alpha: u64,
    /// When the timer of alpha runs out.
    alpha_due: Option<Tick>,
    /// When the timer of the rate runs out.
    rate_due: Option<Tick>,
    /// Bytes since the last event of the byte counter.
    bytes: u64,
    /// Events of the timer since the last CNP.
    timer_events: u32,
    /// Events of the byte counter since the last CNP.
    byte_events: u32,
}

impl ReactionPoint {
    pub(crate) fn new() -> ReactionPoint {
        ReactionPoint {
            rate: ONE,
            target: ONE,
            alpha: ONE,
            alpha_due: None,
            rate_due: None,
            bytes: 0,
            timer_events: 0,
            byte_events: 0,
        }
    }

    /// A CNP: RT := RC; RC := RC (1 - alpha/2), rounded down; alpha := (1 - g) alpha + g, rounded
    /// down; timers and counters to zero.
    pub(crate) fn cnp(&mut self, config: &Dcqcn, now: Tick) {
        self.target = self.rate;
        // 1 - alpha/2 with one binary place more.
        let left = u128::from(2 * ONE - self.alpha);
        let cut = (u128::from(self.rate) * left) >> (PLACES + 1);
        self.rate = (cut as u64).max(config.lowest.min(self.rate));
        let rise = (u128::from(ONE - self.alpha) * u128::from(config.g)) >> PLACES;
        self.alpha += rise as u64;
        self.alpha_due = (self.alpha > 0).then(|| now.saturating_add(config.alpha_timer));
        let recovers = self.rate < ONE;
        self.rate_due = recovers.then(|| now.saturating_add(config.rate_timer));
        (self.bytes, self.timer_events, self.byte_events) = (0, 0, 0);
    }

    /// A packet of so many bytes starts: each full byte counter is an event of increase.
    pub(crate) fn sent(&mut self, config: &Dcqcn, bytes: u32) {
        if self.rate_due.is_none() {
            return;
        }
        self.bytes += u64::from(bytes);
        while self.bytes >= config.byte_counter {
            self.bytes -= config.byte_counter;
            self.byte_events = self.byte_events.saturating_add(1);
            self.increase(config);
        }
        self.rest();
    }

    /// Timers that have run out. Of the two, and of both in one tick, neither reads what the other
    /// writes.
    pub(crate) fn settle(&mut self, config: &Dcqcn, now: Tick) {
        while let Some(due) = self.alpha_due.filter(|&due| due <= now) {
            // alpha := (1 - g) alpha, rounded down, so that it comes to 0.
            let fall = (u128::from(self.alpha) * u128::from(config.g)).div_ceil(ONE.into());
            self.alpha -= fall as u64;
            self.alpha_due = (self.alpha > 0).then(|| due.saturating_add(config.alpha_timer));
        }
        while let Some(due) = self.rate_due.filter(|&due| due <= now) {
            self.timer_events = self.timer_events.saturating_add(1);
            self.increase(config);
            self.rate_due = Some(due.saturating_add(config.rate_timer));
            self.rest();
        }
    }

    /// When the rate next rises by itself.
    pub(crate) fn due(&self) -> Option<Tick> {
        self.rate_due
    }

    pub(crate) fn alpha(&self) -> u64 {
        self.alpha
    }

    pub(crate) fn spacing(&self) -> Spacing {
        Spacing::of_rate(self.rate, ONE)
    }

    /// An event of increase: fast recovery for the first F of each kind; then additive, and hyper
    /// when both are past F. RC := (RT + RC) / 2, rounded up, so that it comes to RT.
    fn increase(&mut self, config: &Dcqcn) {
        let (timer, bytes) = (self.timer_events, self.byte_events);
        let rise = if timer.max(bytes) <= config.fast_recovery {
            0
        } else if timer.min(bytes) <= config.fast_recovery {
            config.additive
        } else {
            let past = timer.min(bytes) - config.fast_recovery;
            config.hyper.saturating_mul(past.into())
        };
        self.target = self.target.saturating_add(rise).min(ONE);
        self.rate = (self.target + self.rate).div_ceil(2);
    }

    /// At the link rate nothing rises any more; the next CNP sets timers and counters anew.
    fn rest(&mut self) {
        if self.rate == ONE {
            self.rate_due = None;
        }
    }
}

/// The destination's register of one flow: when its last CNP went out (spec: pfc.md, DCQCN).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct NotificationPoint {
    last: Option<Tick>,
}

impl NotificationPoint {
    /// A marked packet of the flow has come; true where a CNP goes to its source: at most one in
    /// `interval` (key `dcqcn.cnp_interval_ns`). 0: one for each marked packet.
    #[must_use]
    pub fn marked(&mut self, now: Tick, interval: Span) -> bool {
        let notifies = self.last.is_none_or(|last| now.since(last) >= interval);
        if notifies {
            self.last = Some(now);
        }
        notifies
    }
}
