//! Statistics of a run, over time and in total. What every figure is: `docs/statistics.md`.

mod config;
mod counts;
mod flows;
mod latencies;
mod latency;
mod level;
mod links;
mod meter;
mod observer;
mod pauses;
mod protocol;
mod results;
mod series;

pub use config::{StatsConfig, Window};
pub use counts::{Counts, Outstanding};
pub use latency::LatencyCounts;
pub use pauses::{PauseCause, PauseCount, Way};
pub use protocol::{Frees, is_early};
pub use results::{FlowSet, SetCounts};

use flows::Flows;
use latencies::Latencies;
use level::SaqLevel;
use links::Links;
use meter::Meter;
use pauses::Pauses;
use series::{Bins, bins_reserved};
use units::{Tick, VcId, WireId};

/// The default observer.
///
/// Bytes and latencies are counted by row: two for each group, that of flows to destinations that
/// are not hot (victims), then that of flows to hot ones.
#[derive(Debug, Clone)]
pub struct Stats {
    config: StatsConfig,
    counts: Counts,
    /// Of what follows to drain.
    drained: Counts,
    /// Packets generated in the run and refused in what follows.
    refused_late: u64,
    /// Packets ejected that were marked, by group.
    marked: Vec<u64>,
    /// The next tick at which a bin, a window or a part ends.
    next_cut: Tick,
    /// The present tick is measured.
    is_measuring: bool,
    /// Bytes delivered by row, cut at the edges of windows.
    bytes: Meter,
    /// Bytes delivered to destinations that are not hot, then to hot ones, by part.
    parts: Meter,
    /// Bytes offered by row, by the tick of their generation; the last row is that of replies.
    offered: Meter,
    /// Bytes by the bin in which they were offered: to victims, then all others and replies.
    offered_bins: Bins,
    links: Links,
    flows: Flows,
    latencies: Latencies,
    /// Messages and replies that are to come for what was generated in the measured time, arrived
    /// ones included. In one part of a fabric it may fall below zero.
    awaited: i64,
    ingress: SaqLevel,
    egress: SaqLevel,
    injection: SaqLevel,
    frees: Frees,
    /// With pause in the place of credits.
    pauses: Option<Box<Pauses>>,
    bin_end: Tick,
    /// Bytes delivered by the end of each bin, by row.
    delivered_bins: Bins,
    /// By bin that is closed: SAQs at ingress and egress ports, then the most at one port of each.
    saqs: Vec<[u32; 4]>,
}

#[inline]
fn row(group: u8, hot: usize) -> usize {
    usize::from(group) * 2 + hot
}

fn add(own: &mut [u64], others: &[u64]) {
    for (own, others) in own.iter_mut().zip(others) {
        *own += others;
    }
}

impl Stats {
    /// Nothing has happened yet.
    ///
    /// # Panics
    /// If a window ends before it starts or after the run, or `replies` has not one entry for each
    /// group.
    pub fn new(config: StatsConfig) -> Stats {
        let config = config.checked();
        let groups = config.groups.len();
        let (edges, rows) = (config.edges(), groups * 2);
        let mut windows = config.windows.clone();
        windows.push(config.measured());
        let parts = Meter::new(&config.part_edges(), 2);
        let bytes = Meter::new(&edges, rows);
        let bin_end = (Tick::ZERO + config.series_bin).min(config.duration);
        Stats {
            counts: Counts::default(),
            drained: Counts::default(),
            refused_late: 0,
            marked: vec![0; groups],
            next_cut: Tick::ZERO,
            is_measuring: false,
            bytes,
            parts,
            offered: Meter::new(&edges, rows + 1),
            offered_bins: Bins::new(2, config.duration, config.series_bin),
            links: Links::new(&edges, &config.measured_links),
            flows: Flows::new(config.nodes, &config.hot_destinations),
            latencies: Latencies::new(&edges, &windows, rows),
            awaited: 0,
            ingress: SaqLevel::new(),
            egress: SaqLevel::new(),
            injection: SaqLevel::new(),
            frees: Frees::default(),
            pauses: config.pauses.then(|| Box::new(Pauses::new(&config))),
            bin_end,
            delivered_bins: Bins::new(rows, config.duration, config.series_bin),
            saqs: Vec::with_capacity(bins_reserved(config.duration, config.series_bin)),
            config,
        }
    }

    /// The counts of a VC at one end of a link, by the wire that ends at the port there.
    pub fn pause_count(&self, port: WireId, vc: VcId) -> PauseCount {
        let pauses = self.pauses.as_ref();
        pauses.map_or(PauseCount::default(), |pauses| pauses.count(port, vc))
    }

    /// Why the receiver at a port sent most PAUSE words for a VC, repeats apart; `None` of none.
    pub fn pause_cause(&self, port: WireId, vc: VcId) -> Option<PauseCause> {
        self.pauses.as_ref()?.main_cause(port, vc)
    }

    /// Packets ejected that were marked, by group.
    pub fn marked(&self) -> &[u64] {
        &self.marked
    }
}
