//! Configuration of the statistics, and the windows of time that are counted apart.

use units::{Span, Tick, TimeBase, WireId};

/// Length that the parts come nearest to whose lowest mean is the dip of a window.
const DIP_PART_NS: f64 = 20_000.0;

/// Most parts of a window: one of more than 1.3 s has longer ones.
const DIP_PARTS_MAX: u64 = 1 << 16;

/// Parts of the measured time, half of them in each half, whose spread is the noise.
pub(super) const STEADY_PARTS: u64 = 16;

/// A window of time `[start, end)`, by tick.
pub type Window = (Tick, Tick);

/// Configuration of the statistics.
#[derive(Debug, Clone)]
pub struct StatsConfig {
    /// End nodes.
    pub nodes: usize,
    /// The first end node's port; those below belong to switches.
    pub first_node_port: WireId,
    /// Names of the groups.
    pub groups: Vec<String>,
    /// By group: whether it asks for replies.
    pub replies: Vec<bool>,
    /// Measurement starts here.
    pub warmup: Tick,
    /// Measurement ends here, and all counts; of what follows only latencies are taken.
    pub duration: Tick,
    /// Windows that are counted apart; none ends after `duration`. Empty ones count nothing.
    pub windows: Vec<Window>,
    /// Flows to these destinations are hot, those to all others are victims.
    pub hot_destinations: Vec<u32>,
    /// Bin of the series.
    pub series_bin: Span,
    /// For conversions.
    pub time_base: TimeBase,
    /// Links have pause in the place of credits: how long they are paused is counted. Engines then
    /// report in order: why an input sends PAUSE depends on what it holds.
    pub pauses: bool,
    /// Ports whose links are measured: the ports that send, in any order.
    pub measured_links: Vec<WireId>,
}

impl StatsConfig {
    /// With windows that are not empty, and links in order.
    pub(super) fn checked(mut self) -> StatsConfig {
        assert_eq!(self.groups.len(), self.replies.len(), "one for each group");
        for &(start, end) in &self.windows {
            assert!(
                start <= end && end <= self.duration,
                "window from tick {start} to {end}; legal: in order, and up to tick {}",
                self.duration
            );
        }
        self.windows.retain(|(start, end)| start < end);
        self.measured_links.sort_unstable();
        self.measured_links.dedup();
        self
    }

    #[inline]
    pub(super) fn asks(&self, group: u8) -> bool {
        self.replies[usize::from(group)]
    }

    #[inline]
    pub(super) fn is_measured(&self, tick: Tick) -> bool {
        let (start, end) = self.measured();
        (start..end).contains(&tick)
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    /// The page about statistics states the constants that they have.
    #[test]
    fn the_page_states_the_constants() {
        let page = include_str!("../../../../docs/statistics.md");
        let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
        for stated in [
            format!("Welch's test over {STEADY_PARTS} equal parts"),
            format!(
                "equal parts of about {} us: at least one part, at most {DIP_PARTS_MAX}",
                DIP_PART_NS / 1000.0
            ),
        ] {
            assert!(page.contains(&stated), "not in the page: {stated}");
        }
    }
}
