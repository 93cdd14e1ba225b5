//! What was counted in a window of time, as the record has it.

use super::Stats;
use super::config::{STEADY_PARTS, Window, parts};
use super::latencies::{CellCounts, Counted};
use super::latency::LatencyCounts;
use super::steady;
use crate::record::{DrainSummary, FlowRow, FlowSetResult, SaqPeaks, Steady};
use units::WireId;

/// A set of flows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FlowSet {
    /// All.
    All,
    /// Those of the group of that number.
    Group(usize),
    /// Those to no hot destination.
    Victims,
}

impl FlowSet {
    fn has(self, row: usize) -> bool {
        match self {
            FlowSet::All => true,
            FlowSet::Group(group) => row / 2 == group,
            FlowSet::Victims => row.is_multiple_of(2),
        }
    }

    /// Whether any of its groups asks for replies.
    fn asks(self, replies: &[bool]) -> bool {
        match self {
            FlowSet::Group(group) => replies[group],
            FlowSet::All | FlowSet::Victims => replies.contains(&true),
        }
    }
}

/// What a set of flows did in a window.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SetCounts {
    /// As the record has it.
    pub result: FlowSetResult,
    /// Latencies of its messages.
    pub messages: LatencyCounts,
    /// Latencies of its packets, from injection on.
    pub packets: LatencyCounts,
}

/// Of a run that has ended ([`Stats::end`]). Windows are those of the configuration and the
/// measured time.
impl Stats {
    /// The measured time.
    pub fn measured(&self) -> Window {
        self.config.measured()
    }

    /// What sets of flows did in windows. Replies are offered of all flows alone, since they are in
    /// no group's load.
    pub fn sets(&self, wanted: impl IntoIterator<Item = (Window, FlowSet)>) -> Vec<SetCounts> {
        let latencies = self.latencies.counted();
        let of = |(window, set)| self.set(window, set, &latencies);
        wanted.into_iter().map(of).collect()
    }

    fn set(&self, window: Window, set: FlowSet, latencies: &Counted<'_>) -> SetCounts {
        let rows = self.config.groups.len() * 2;
        let (mut offered, mut delivered) = (0, 0);
        for row in (0..rows).filter(|&row| set.has(row)) {
            offered += self.offered.between(row, window);
            delivered += self.bytes.between(row, window);
        }
        if set == FlowSet::All {
            offered += self.offered.between(self.reply_row(), window);
        }
        let CellCounts { messages, packets, round_trips } =
            latencies.of(window, |row| set.has(row));
        let asks = set.asks(&self.config.replies);
        let time_base = &self.config.time_base;
        let result = FlowSetResult {
            offered_bytes_per_ns: self.rate(offered, window),
            delivered_bytes_per_ns: self.rate(delivered, window),
            ideal_bytes_per_ns: None,
            latency_ns: messages.summary(time_base),
            network_latency_ns: packets.summary(time_base),
            round_trip_ns: asks.then(|| round_trips.summary(time_base)),
            replies_delivered: asks.then(|| round_trips.arrived()),
            requests_under_way: asks.then(|| round_trips.undelivered()),
        };
        SetCounts { result, messages, packets }
    }

    /// Bytes delivered of a group in a window, per ns.
    pub fn group_rate(&self, window: Window, group: usize) -> Option<f64> {
        let rows = [group * 2, group * 2 + 1];
        self.rate(rows.iter().map(|&r| self.bytes.between(r, window)).sum(), window)
    }

    /// The lowest mean of a part of about 20 us of a window: all flows, or victims alone.
    pub fn dip(&self, window: Window, victims: bool) -> Option<f64> {
        let parts = self.config.dip_parts(window);
        let rates = parts.filter_map(|part| self.part_rate(part, victims));
        let lowest = rates.reduce(f64::min)?;
        // The mean is no less but for the rounding of its division.
        let mean = self.part_rate(window, victims)?;
        Some(lowest.min(mean))
    }

    /// The two halves of the measured time beside each other.
    pub fn steady(&self) -> Option<Steady> {
        let rates = parts(self.measured(), STEADY_PARTS).map(|part| self.part_rate(part, false));
        let rates: Vec<f64> = rates.collect::<Option<_>>()?;
        let mut halves = parts(self.measured(), 2).map(|half| self.part_rate(half, false));
        let halves = [halves.next()??, halves.next()??];
        Some(steady::compare(&rates, halves))
    }

    /// Bytes delivered in a part, per ns.
    fn part_rate(&self, part: Window, victims: bool) -> Option<f64> {
        let hot = if victims { 0 } else { self.parts.between(1, part) };
        self.rate(self.parts.between(0, part) + hot, part)
    }

    fn rate(&self, bytes: u64, (start, end): Window) -> Option<f64> {
        let ns = self.config.time_base.span_to_ns(end - start);
        (ns > 0.0).then(|| bytes as f64 / ns)
    }

    /// Mean part of a window that some links carried data; `None` of an empty window.
    pub fn utilisation(&self, ports: &[WireId], window: Window) -> Option<f64> {
        let of = |&port: &WireId| self.links.utilisation(port, window);
        let values: Vec<f64> = ports.iter().filter_map(of).collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    }

    /// The most SAQs at any one port.
    pub fn saqs_peak(&self) -> SaqPeaks {
        SaqPeaks {
            ingress: self.ingress.peak_port,
            egress: self.egress.peak_port,
            injection: self.injection.peak_port,
        }
    }

    /// The same, and protocol counts, from the duration on.
    pub fn saqs_of_drain(&self) -> DrainSummary {
        DrainSummary {
            saqs_peak: SaqPeaks {
                ingress: self.ingress.peak_with_drain,
                egress: self.egress.peak_with_drain,
                injection: self.injection.peak_with_drain,
            },
            recn: self.drained.recn,
        }
    }

    /// Jain's index over the measured bytes of the flows that had anything to send in the
    /// measured time: those of which anything was delivered in it, and `waiting` others that
    /// had something to deliver when it ended.
    pub fn fairness_jain(&self, waiting: u64) -> Option<f64> {
        let (mut n, mut sum, mut squares) = (u128::from(waiting), 0u128, 0u128);
        for bytes in self.flows.measured() {
            n += 1;
            sum += u128::from(bytes);
            squares += u128::from(bytes).pow(2);
        }
        (squares > 0).then(|| (sum as f64).powi(2) / (n as f64 * squares as f64))
    }

    /// Bytes of a flow delivered in the measured time.
    pub fn measured_bytes(&self, source: u32, destination: u32) -> u64 {
        self.flows.of(source, destination).bytes_measured
    }

    /// The measured time in ns.
    pub fn measured_ns(&self) -> f64 {
        let (start, end) = self.measured();
        self.config.time_base.span_to_ns(end - start)
    }

    /// `flows.csv`, with the flows that starved (source, destination; sorted).
    pub fn flows(&self, starved: &[(u32, u32)]) -> Vec<FlowRow> {
        self.flows.rows(starved)
    }
}
