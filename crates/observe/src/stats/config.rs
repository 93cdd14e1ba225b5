//! What statistics must know beforehand.

use crate::config::FabricConfig;
use units::{Tick, Ticks, TimeBase};

/// What statistics must know beforehand.
#[derive(Debug, Clone)]
pub struct StatsConfig {
    /// End nodes.
    pub nodes: usize,
    /// Dense number of the first end node's port; those below belong to switches.
    pub first_node_port: u32,
    /// Names of the groups.
    pub groups: Vec<String>,
    /// Measurement starts here.
    pub warmup: Tick,
    /// Measurement ends here.
    pub duration: Tick,
    /// Whether the run may go on after `duration`.
    pub drains: bool,
    /// Windows `[start, end)` that are counted apart; none is empty, and none ends after `duration`.
    pub windows: Vec<(Tick, Tick)>,
    /// Flows to these destinations are hot, those to all others are victims.
    pub hot_destinations: Vec<u32>,
    /// Bin of the series.
    pub series_bin: Ticks,
    /// For conversions.
    pub time_base: TimeBase,
    /// Dense port numbers whose links are measured, sorted.
    pub measured_links: Vec<u32>,
}

impl StatsConfig {
    /// For runs of a fabric.
    ///
    /// # Panics
    /// If a window ends before it starts or after the run.
    pub fn new(config: &FabricConfig) -> StatsConfig {
        let graph = config.network.graph();
        let links = named_links(config);
        let mut measured_links: Vec<u32> = links.iter().flat_map(|l| l.1.iter().copied()).collect();
        measured_links.sort_unstable();
        measured_links.dedup();
        for w in &config.windows {
            assert!(
                w.start <= w.end && w.end <= config.run.duration,
                "window `{}` from tick {} to {}; legal: in order, and up to tick {}",
                w.name,
                w.start,
                w.end,
                config.run.duration
            );
        }
        let windows = config.windows.iter().map(|w| (w.start, w.end));
        StatsConfig {
            nodes: graph.nodes(),
            first_node_port: graph.ports_total() as u32,
            groups: config.workload.groups.clone(),
            warmup: config.run.warmup,
            duration: config.run.duration,
            drains: config.run.drain > 0,
            windows: windows.filter(|(start, end)| start < end).collect(),
            hot_destinations: config.hot_destinations.clone(),
            series_bin: config.run.series_bin,
            time_base: config.time_base,
            measured_links,
        }
    }
}

/// The links that the results name, as dense numbers of the ports that send.
pub(crate) fn named_links(config: &FabricConfig) -> Vec<(String, Vec<u32>)> {
    let graph = config.network.graph();
    let number = |&(s, p): &(u32, u8)| (0..s).map(|t| graph.ports(t)).sum::<u32>() + u32::from(p);
    let links = config.named_links.iter();
    links
        .map(|(name, ports)| (name.clone(), ports.iter().map(number).collect()))
        .collect()
}
