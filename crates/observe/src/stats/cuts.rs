//! The windows of time that are counted apart, and the ticks that bound them.

use super::StatsConfig;
use units::{Span, Tick};

/// Length that the parts come nearest to whose lowest mean is the dip of a window.
pub(super) const DIP_PART_NS: f64 = 20_000.0;

/// Most parts of a window: one of more than 1.3 s has longer ones.
pub(super) const DIP_PARTS_MAX: u64 = 1 << 16;

/// Parts of the measured time whose spread says what differences come by chance, half of them
/// in each half.
pub(super) const STEADY_PARTS: u64 = 16;

/// A window of time `[start, end)`, by tick.
pub type Window = (Tick, Tick);

impl StatsConfig {
    /// The measured time; empty if the warm-up takes the whole run.
    pub(crate) fn measured(&self) -> Window {
        (self.warmup.min(self.duration), self.duration)
    }

    /// Bounds of all windows that everything is counted in.
    pub(super) fn edges(&self) -> Vec<Tick> {
        let windows = self.windows.iter().copied().chain([self.measured()]);
        sorted(windows.flat_map(|(start, end)| [start, end]).collect())
    }

    /// Bounds of all parts that deliveries are counted in, for dips and for the steady state.
    pub(super) fn part_edges(&self) -> Vec<Tick> {
        let dips = self.windows.iter().flat_map(|&w| self.dip_parts(w));
        let steady = parts(self.measured(), STEADY_PARTS);
        sorted(dips.chain(steady).flat_map(|(start, end)| [start, end]).collect())
    }

    /// The equal parts of about 20 us of a window.
    pub(super) fn dip_parts(&self, window: Window) -> impl Iterator<Item = Window> + use<> {
        let ns = self.time_base.span_to_ns(window.1 - window.0);
        let count = (ns / DIP_PART_NS).round() as u64;
        parts(window, count.clamp(1, DIP_PARTS_MAX))
    }
}

/// A window cut into `count` parts, equal but for the rounding to ticks.
pub(super) fn parts((start, end): Window, count: u64) -> impl Iterator<Item = Window> + use<> {
    let length = u128::from((end - start).0);
    let edge = move |k: u64| {
        let ticks = u64::try_from(length * u128::from(k) / u128::from(count));
        ticks.map_or(end, |ticks| start + Span(ticks))
    };
    (0..count).map(move |k| (edge(k), edge(k + 1)))
}

fn sorted(mut ticks: Vec<Tick>) -> Vec<Tick> {
    ticks.sort_unstable();
    ticks.dedup();
    ticks
}
