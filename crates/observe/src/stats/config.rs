//! What statistics must know beforehand.

use super::Window;
use units::{Span, Tick, TimeBase, WireId};

/// What statistics must know beforehand.
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

    /// Whether a group asks for replies.
    #[inline]
    pub(super) fn asks(&self, group: u8) -> bool {
        self.replies[usize::from(group)]
    }

    /// Whether a tick is in the measured time.
    #[inline]
    pub(super) fn is_measured(&self, tick: Tick) -> bool {
        let (start, end) = self.measured();
        (start..end).contains(&tick)
    }
}
