//! The watchdog: looks at a fabric every `run.watchdog` ticks, always in the same ticks, however
//! the run is cut into pieces.

mod error;
mod least;

pub use error::RunError;
pub use least::least_watchdog;

use crate::waits::{self, Locked, Signs, Standing};
use units::{Span, Tick};

/// A livelock: no packet ejected for so many times as long as a deadlock takes to be noticed.
const LIVELOCK: u64 = 10;

/// The watchdog and what it saw last.
#[derive(Debug)]
pub(crate) struct Watch {
    every: Span,
    /// Time without an ejection that is a livelock.
    livelock: Span,
    last: Tick,
    seen: Signs,
    /// Since when packets are in the network and none was ejected.
    no_ejection_since: Tick,
    locked: Locked,
}

impl Watch {
    /// Looks every `every` ticks, at least [`least_watchdog`]; `hops_max` is a bound on the
    /// switches of a route.
    pub(crate) fn new(every: Span, least: Span, hops_max: u64) -> Watch {
        let longest = least.saturating_mul(hops_max);
        Watch {
            every,
            livelock: every.max(longest).saturating_mul(LIVELOCK),
            last: Tick::ZERO,
            seen: Signs::default(),
            no_ejection_since: Tick::ZERO,
            locked: Locked::default(),
        }
    }

    /// The tick of the next look: everything before it has been simulated then.
    pub(crate) fn next(&self) -> Tick {
        self.last.saturating_add(self.every)
    }

    /// A look, at [`Watch::next`].
    ///
    /// # Errors
    /// Deadlock, standstill or livelock.
    pub(crate) fn look(&mut self, fabric: &impl Standing) -> Result<(), RunError> {
        let since = self.last;
        let signs = fabric.signs();
        let (tick, before) = self.note(signs);
        let in_network = signs.in_network;
        if in_network == 0 {
            return Ok(());
        }
        let queues = self.locked.search(fabric, since);
        if queues > 0 {
            let cycle = self.locked.cycle();
            return Err(RunError::Deadlock {
                tick,
                ticks: tick - Locked::since(fabric, &cycle),
                queues,
                in_network,
                cycle: waits::list(fabric, &cycle),
                dump: waits::dump(fabric),
            });
        }
        if signs == before && !fabric.may_have_moved(since) {
            return Err(RunError::Standstill {
                tick,
                ticks: tick - since,
                in_network,
                dump: waits::dump(fabric),
            });
        }
        let ticks = tick - self.no_ejection_since;
        if ticks >= self.livelock {
            return Err(RunError::Livelock { tick, ticks, in_network, dump: waits::dump(fabric) });
        }
        Ok(())
    }

    /// Notes what shows that packets move: the tick of the look, and what was seen at the last one.
    fn note(&mut self, signs: Signs) -> (Tick, Signs) {
        let tick = self.next();
        self.last = tick;
        let before = std::mem::replace(&mut self.seen, signs);
        // Of the packets that were there at the last look too some have stood or wandered since.
        let there = before.in_network > 0 && signs.in_network > 0;
        if !there || signs.ejected != before.ejected {
            self.no_ejection_since = tick;
        }
        (tick, before)
    }
}
