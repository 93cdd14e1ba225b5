//! The reaction point of DCQCN (spec: pfc.md, DCQCN; `zhu-dcqcn-2015`).

use units::Tick;

use super::fixed::{ONE, PLACES};
use super::{Dcqcn, Spacing};

/// Registers of a flow. Rates are fractions of the link rate with 32 binary places.
///
/// Timers stand still where they would change nothing: both before the first CNP, that of alpha
/// once alpha is 0, that of the rate once the rate is the link rate. They are seen to when somebody
/// looks: [`settle`](Self::settle) comes before anything else that takes the tick.
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
