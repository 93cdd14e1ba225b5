//! What was counted in a span of time, as the record has it.

use super::Stats;
use super::cuts::{STEADY_PARTS, Span, parts};
use super::steady;
use crate::record::{FlowRow, FlowSetResult, SaqPeaks, Steady};
use units::Ticks;

/// A set of flows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FlowSet {
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
}

/// Of a run that has ended ([`Stats::end`]). Spans are the measured time or a window.
impl Stats {
    /// The measured time.
    pub(crate) fn measured(&self) -> Span {
        self.config.measured()
    }

    /// What a set of flows did in a span.
    pub(crate) fn set(&self, span: Span, set: FlowSet) -> FlowSetResult {
        let rows = (0..self.config.groups.len() * 2).filter(|&row| set.has(row));
        let (mut offered, mut delivered) = (0, 0);
        for row in rows {
            offered += self.offered.between(row, span);
            delivered += self.bytes.between(row, span);
        }
        let latencies = self.latencies.of(span, |row| set.has(row));
        let time_base = &self.config.time_base;
        FlowSetResult {
            offered_bytes_per_ns: self.rate(offered, span),
            delivered_bytes_per_ns: self.rate(delivered, span),
            latency_ns: latencies.messages.summary(time_base),
            network_latency_ns: latencies.packets.summary(time_base),
        }
    }

    /// Bytes delivered of a group in a span, per ns.
    pub(crate) fn group_rate(&self, span: Span, group: usize) -> Option<f64> {
        let rows = [group * 2, group * 2 + 1];
        self.rate(
            rows.iter().map(|&r| self.bytes.between(r, span)).sum(),
            span,
        )
    }

    /// The lowest mean of a part of about 20 us of a window: all flows, or victims alone.
    pub(crate) fn dip(&self, window: Span, victims: bool) -> Option<f64> {
        let parts = self.config.dip_parts(window);
        let rates = parts.filter_map(|part| self.part_rate(part, victims));
        let lowest = rates.reduce(f64::min)?;
        // The mean is no less but for the rounding of its division.
        let mean = self.part_rate(window, victims)?;
        Some(lowest.min(mean))
    }

    /// The two halves of the measured time beside each other.
    pub(crate) fn steady(&self) -> Option<Steady> {
        let rates = parts(self.measured(), STEADY_PARTS).map(|part| self.part_rate(part, false));
        let rates: Vec<f64> = rates.collect::<Option<_>>()?;
        let mut halves = parts(self.measured(), 2).map(|half| self.part_rate(half, false));
        let halves = [halves.next()??, halves.next()??];
        Some(steady::compare(&rates, halves))
    }

    /// Bytes delivered in a part, per ns.
    fn part_rate(&self, part: Span, victims: bool) -> Option<f64> {
        let hot = if victims {
            0
        } else {
            self.parts.between(1, part)
        };
        self.rate(self.parts.between(0, part) + hot, part)
    }

    fn rate(&self, bytes: u64, (start, end): Span) -> Option<f64> {
        let ns = self.config.time_base.ticks_to_ns(end - start);
        (ns > 0.0).then(|| bytes as f64 / ns)
    }

    /// Mean part of a span that some links carried data; `None` of an empty span.
    pub(crate) fn utilisation(&self, ports: &[u32], span: Span) -> Option<f64> {
        let of = |&port: &u32| self.links.utilisation(port, span);
        let values: Vec<f64> = ports.iter().filter_map(of).collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    }

    /// The most SAQs at any one port.
    pub(crate) fn saqs_peak(&self) -> SaqPeaks {
        SaqPeaks {
            ingress: self.ingress.peak_port,
            egress: self.egress.peak_port,
            injection: self.injection.peak_port,
        }
    }

    /// Jain's index over the measured bytes of the flows that had anything to send in the measured time: those of which
    /// anything was delivered in it, and `waiting` others that had something to deliver when it ended.
    pub(crate) fn fairness_jain(&self, waiting: u64) -> Option<f64> {
        let (mut n, mut sum, mut squares) = (u128::from(waiting), 0u128, 0u128);
        for bytes in self.flows.measured() {
            n += 1;
            sum += u128::from(bytes);
            squares += u128::from(bytes).pow(2);
        }
        (squares > 0).then(|| (sum as f64).powi(2) / (n as f64 * squares as f64))
    }

    /// Bytes of a flow delivered in the measured time.
    pub(crate) fn measured_bytes(&self, source: u32, destination: u32) -> u64 {
        self.flows.of(source, destination).bytes_measured
    }

    /// The measured time in ns.
    pub(crate) fn measured_ns(&self) -> f64 {
        let (start, end): (Ticks, Ticks) = self.measured();
        self.config.time_base.ticks_to_ns(end - start)
    }

    /// `flows.csv`, with the flows that starved (source, destination; sorted).
    pub(crate) fn flows(&self, starved: &[(u32, u32)]) -> Vec<FlowRow> {
        self.flows.rows(starved)
    }
}
