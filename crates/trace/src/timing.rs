//! Which part of a trace is used, how fast, how often.

use crate::error::SettingError;
use units::Ratio;

/// Which part of a trace is used, how fast, how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Times are divided by it: 10 is ten times as fast, 0.5 half as fast.
    pub compression: Ratio,
    /// What is before this time of the trace is left out; it becomes time 0.
    pub start_ns: u64,
    /// What is at this time or later is left out.
    pub end_ns: Option<u64>,
    /// How often that part is played, one after the other; without an end a part is as long as to
    /// its last time and a ns.
    pub repetitions: u64,
}

impl Default for Timing {
    fn default() -> Timing {
        Timing { compression: Ratio::ONE, start_ns: 0, end_ns: None, repetitions: 1 }
    }
}

impl Timing {
    /// Refuses a part without any time and no repetition.
    pub(crate) fn check(&self) -> Result<(), SettingError> {
        if let Some(end) = self.end_ns.filter(|end| *end <= self.start_ns) {
            let legal = format!("more than start_ns, {}", self.start_ns);
            return Err(SettingError::new("end_ns", end, legal));
        }
        if self.repetitions == 0 {
            return Err(SettingError::new("repetitions", 0, "1 or more"));
        }
        Ok(())
    }
}

/// Where a time of the trace lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lies {
    Before,
    Behind,
    At(u64),
}

/// The times of all repetitions.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    timing: Timing,
    /// Repetitions that are over, and where the present one begins, uncompressed.
    done: u64,
    origin_ns: u128,
    /// How long the present one is so far.
    length_ns: u64,
}

impl Clock {
    pub(crate) fn new(timing: Timing) -> Clock {
        Clock {
            timing,
            done: 0,
            origin_ns: 0,
            length_ns: timing.end_ns.map_or(0, |end| end - timing.start_ns),
        }
    }

    /// Where a time of the trace lies; none where it does not fit in 64 bits of ns.
    pub(crate) fn at(&mut self, time_ns: u64) -> Option<Lies> {
        let Timing { start_ns, end_ns, .. } = self.timing;
        if time_ns < start_ns {
            return Some(Lies::Before);
        }
        if end_ns.is_some_and(|end| time_ns >= end) {
            return Some(Lies::Behind);
        }
        let inside = time_ns - start_ns;
        if end_ns.is_none() {
            self.length_ns = self.length_ns.max(inside.saturating_add(1));
        }
        let whole = self.origin_ns + u128::from(inside);
        let by = self.timing.compression;
        let scaled = whole.checked_mul(by.den().into())? / u128::from(by.num());
        u64::try_from(scaled).ok().map(Lies::At)
    }

    /// The present repetition is over. Whether another one follows.
    pub(crate) fn again(&mut self) -> bool {
        self.done += 1;
        self.origin_ns += u128::from(self.length_ns);
        self.done < self.timing.repetitions
    }
}
