//! When messages are generated.

use crate::interval::Grid;
use crate::rng::{Stream, below, chance};
use units::{Ratio, Tick, named};

/// The smallest load with Bernoulli arrivals is one part in so many: each trial is a draw.
pub const BERNOULLI_LOAD_PARTS_MAX: u64 = 1_000_000;

named! {
    /// The arrival process (key `workload.arrivals`; switch.md, end nodes).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Arrivals: "arrivals" {
        /// Arrival k of a node at floor(phase + k * interval) after its start, with interval =
        /// message ticks / load and a phase drawn from [0, interval) for each node.
        #[default]
        FixedInterval = "fixed-interval",
        /// One trial per message time, with the load as probability; nodes have the same slots.
        Bernoulli = "bernoulli",
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    grid: Grid,
    /// First tick after the window; `Tick::MAX` has no end.
    end: Tick,
    trial: Option<Box<Trial>>,
}

#[derive(Clone, Debug)]
struct Trial {
    rng: Stream,
    load: Ratio,
}

impl Schedule {
    /// `interval` apart from `start` on, the first after a phase from `rng`.
    pub(crate) fn fixed_interval(interval: Ratio, start: Tick, end: Tick, mut rng: Stream) -> Self {
        // A numerator over the interval's own denominator: the phase is as fine as the arrivals.
        let phase = below(&mut rng, interval.num());
        Self { grid: Grid::from_phase(interval, start, phase), end, trial: None }
    }

    /// Slots of `slot` ticks from tick 0; those that begin in `start..end` have a trial.
    pub(crate) fn bernoulli(slot: Ratio, load: Ratio, start: Tick, end: Tick, rng: Stream) -> Self {
        let grid = Grid::aligned(slot, start);
        let mut schedule = Self { grid, end, trial: Some(Box::new(Trial { rng, load })) };
        schedule.seek();
        schedule
    }

    #[inline]
    pub(crate) fn peek(&self) -> Option<Tick> {
        let tick = self.grid.tick();
        (tick < self.end).then_some(tick)
    }

    #[inline]
    pub(crate) fn end(&self) -> Tick {
        self.end
    }

    #[inline]
    pub(crate) fn advance(&mut self) {
        self.grid.advance();
        self.seek();
    }

    /// Stays if the current slot's trial succeeds, else on to the first that does.
    #[inline]
    fn seek(&mut self) {
        if let Some(trial) = &mut self.trial {
            while self.grid.tick() < self.end && !chance(&mut trial.rng, trial.load) {
                self.grid.advance();
            }
        }
    }
}
