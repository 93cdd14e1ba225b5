//! A run in pieces of about equal time, so that an interrupt is seen soon however fast or slow the
//! engine is.

use std::time::{Duration, Instant};
use units::{Span, Tick};

/// A piece should take less than this: the time until an interrupt is seen.
const PIECE_MAX: Duration = Duration::from_millis(100);
/// A piece that takes less than this is made longer.
const PIECE_MIN: Duration = Duration::from_millis(25);
/// Ticks of the first piece.
const FIRST: u64 = 64;

/// How many ticks the next piece has.
pub(crate) struct Pace {
    ticks: u64,
}

impl Pace {
    pub(crate) fn new() -> Pace {
        Pace { ticks: FIRST }
    }

    /// Simulates a piece that starts at `now`; `advance` runs up to the tick that it is given.
    pub(crate) fn step<T>(&mut self, now: Tick, advance: impl FnOnce(Tick) -> T) -> T {
        let start = Instant::now();
        let result = advance(now.saturating_add(Span(self.ticks)));
        self.took(start.elapsed());
        result
    }

    fn took(&mut self, time: Duration) {
        if time < PIECE_MIN {
            self.ticks = self.ticks.saturating_mul(2);
        } else if time > PIECE_MAX {
            self.ticks = (self.ticks / 2).max(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // An interrupt is seen within about 100 ms of wall time, whatever a tick costs.
    #[test]
    fn pieces_come_to_take_less_than_a_tenth_of_a_second() {
        for tick_ns in [1, 1_000, 3_000_000] {
            let mut pace = Pace::new();
            for _ in 0..40 {
                pace.took(Duration::from_nanos(tick_ns * pace.ticks));
            }
            let piece = Duration::from_nanos(tick_ns * pace.ticks);
            assert!((PIECE_MIN..=PIECE_MAX).contains(&piece), "{tick_ns}: {piece:?}");
        }
    }
}
