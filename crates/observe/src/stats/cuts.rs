//! The spans of time that are counted apart, and the ticks that bound them.

use super::StatsConfig;
use units::{Tick, Ticks};

/// Length that the parts come nearest to whose lowest mean is the dip of a window.
pub(super) const DIP_PART_NS: f64 = 20_000.0;

/// Most parts of a window: one of more than 1.3 s has longer ones.
pub(super) const DIP_PARTS_MAX: u64 = 1 << 16;

/// Parts of the measured time whose spread says what differences come by chance, half of them in each half.
pub(super) const STEADY_PARTS: u64 = 16;

/// A span `[start, end)`.
pub(super) type Span = (Tick, Tick);

impl StatsConfig {
    /// The measured time; empty if the warm-up takes the whole run.
    pub(super) fn measured(&self) -> Span {
        (self.warmup.min(self.duration), self.duration)
    }

    /// Bounds of all spans that everything is counted in.
    pub(super) fn edges(&self) -> Vec<Tick> {
        let spans = self.windows.iter().copied().chain([self.measured()]);
        sorted(spans.flat_map(|(start, end)| [start, end]).collect())
    }

    /// Bounds of all parts that deliveries are counted in, for dips and for the steady state.
    pub(super) fn part_edges(&self) -> Vec<Tick> {
        let dips = self.windows.iter().flat_map(|&w| self.dip_parts(w));
        let steady = parts(self.measured(), STEADY_PARTS);
        sorted(
            dips.chain(steady)
                .flat_map(|(start, end)| [start, end])
                .collect(),
        )
    }

    /// The equal parts of about 20 us of a window.
    pub(super) fn dip_parts(&self, window: Span) -> impl Iterator<Item = Span> + use<> {
        let ns = self.time_base.ticks_to_ns(window.1 - window.0);
        let count = (ns / DIP_PART_NS).round() as u64;
        parts(window, count.clamp(1, DIP_PARTS_MAX))
    }
}

/// A span cut into `count` parts, equal but for the rounding to ticks.
pub(super) fn parts((start, end): Span, count: u64) -> impl Iterator<Item = Span> + use<> {
    let length = u128::from(end - start);
    let edge = move |k: u64| {
        start + Ticks::try_from(length * u128::from(k) / u128::from(count)).unwrap_or(end - start)
    };
    (0..count).map(move |k| (edge(k), edge(k + 1)))
}

fn sorted(mut ticks: Vec<Tick>) -> Vec<Tick> {
    ticks.sort_unstable();
    ticks.dedup();
    ticks
}
