//! What was counted in a window of time, as the record has it.

use super::Stats;
use super::config::{STEADY_PARTS, Window, parts};
use super::latencies::CellCounts;
use super::latency::LatencyCounts;
use super::level::SaqLevel;
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

/// Of a run that has ended ([`Stats::end`]). Windows are configured ones and the measured time.
impl Stats {
    /// The measured time.
    pub fn measured(&self) -> Window {
        self.config.measured()
    }

    /// What sets of flows did in windows. Replies are offered of all flows alone.
    pub fn sets(&self, wanted: impl IntoIterator<Item = (Window, FlowSet)>) -> Vec<SetCounts> {
        let counted = self.latencies.counted(&self.config.time_base);
        let of = |(window, set)| self.set(window, set, &counted);
        wanted.into_iter().map(of).collect()
    }

    fn set(&self, window: Window, set: FlowSet, counted: &[Option<CellCounts>]) -> SetCounts {
        let rows = self.config.groups.len() * 2;
        let (mut offered, mut delivered) = (0, 0);
        for row in (0..rows).filter(|&row| set.has(row)) {
            offered += self.offered.between(row, window);
            delivered += self.bytes.between(row, window);
        }
        if set == FlowSet::All {
            offered += self.offered.between(self.reply_row(), window);
        }
        let [messages, packets, round_trips] =
            self.latencies.sum(counted, window, |row| set.has(row));
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
        Some(compare(&rates, halves))
    }

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
        self.peaks(|level| level.peak_port)
    }

    /// The same, and protocol counts, from the duration on.
    pub fn saqs_of_drain(&self) -> DrainSummary {
        let saqs_peak = self.peaks(|level| level.peak_with_drain);
        DrainSummary { saqs_peak, recn: self.drained.recn }
    }

    fn peaks(&self, of: fn(&SaqLevel) -> u32) -> SaqPeaks {
        let [ingress, egress, injection] = [&self.ingress, &self.egress, &self.injection].map(of);
        SaqPeaks { ingress, egress, injection }
    }

    /// Jain's index over the measured bytes of the flows that had anything to send: those that
    /// delivered some, and `waiting` others.
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

/// Half of the 95 % interval of Student's t, for 4 to 9 degrees of freedom.
const T95: [f64; 6] = [2.776, 2.571, 2.447, 2.365, 2.306, 2.262];
const T95_FIRST: f64 = 4.0;

/// Compares the means of the two halves of equal parts by Welch's test; `rates` are those of
/// the parts, `halves` those of the halves. The spread of a half is that between neighbouring
/// parts (von Neumann), so that a drift is not taken for noise.
fn compare(rates: &[f64], halves: [f64; 2]) -> Steady {
    let (first, second) = rates.split_at(rates.len() / 2);
    let [a, b] = [first, second].map(error_squared);
    let noise = if a + b > 0.0 {
        let freedom = (a + b).powi(2) / (a * a / freedom_of(first) + b * b / freedom_of(second));
        // Rounded down, the wider interval; but what is a whole number is one after rounding too.
        let row = (freedom - T95_FIRST + 1e-9).clamp(0.0, (T95.len() - 1) as f64) as usize;
        T95[row] * (a + b).sqrt()
    } else {
        0.0
    };
    Steady {
        first_half_bytes_per_ns: halves[0],
        second_half_bytes_per_ns: halves[1],
        noise_bytes_per_ns: noise,
        differs: (halves[1] - halves[0]).abs() > noise,
    }
}

/// The squared standard error of a mean: half the mean square of neighbours' differences, over n.
fn error_squared(values: &[f64]) -> f64 {
    let squares: f64 = values.windows(2).map(|v| (v[1] - v[0]).powi(2)).sum();
    squares / (2 * (values.len() - 1) * values.len()) as f64
}

/// Degrees of freedom of that spread: those of a variance over independent values of that scatter.
fn freedom_of(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    2.0 * (n - 1.0).powi(2) / (3.0 * n - 4.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPREAD: [f64; 8] = [0.9, 1.1, 1.0, 1.0, 0.8, 1.2, 1.0, 1.0];

    fn halves(second: [f64; 8]) -> Steady {
        let rates: Vec<f64> = SPREAD.into_iter().chain(second).collect();
        let mean = |half: [f64; 8]| half.iter().sum::<f64>() / 8.0;
        compare(&rates, [SPREAD, second].map(mean))
    }

    // By hand: the squares of the differences of neighbours sum to .04 + .01 + 0 + .04 + .16 +
    // .04 + 0 = .29, the square of the error of a mean is .29 / 14 / 8, and of 9.8 degrees of
    // freedom 9 are looked up, or 4 of 4.9.
    #[test]
    fn noise_is_that_of_welchs_test_over_neighbours() {
        let error = 0.29f64 / 14.0 / 8.0;
        let noise = 2.262 * (2.0 * error).sqrt();
        let steady = halves(SPREAD.map(|v| v + noise * 0.99));
        assert!((steady.noise_bytes_per_ns - noise).abs() < 1e-9, "{steady:?}");
        assert!(!steady.differs, "{steady:?}");
        assert!(halves(SPREAD.map(|v| v + noise * 1.01)).differs);
        // The spread is all in one half.
        let steady = halves([1.0; 8]);
        assert!((steady.noise_bytes_per_ns - 2.776 * error.sqrt()).abs() < 1e-9);
    }

    // garcia-mesh-2005, configuration 4, case 1, the parts of its third millisecond: it falls
    // all the time, and its halves differ.
    #[test]
    fn a_drift_is_not_taken_for_noise() {
        let rates = [
            33.98, 34.09, 33.91, 34.63, 34.39, 34.16, 33.81, 34.6, 33.9, 34.57, 34.9, 33.82, 33.64,
            32.98, 32.94, 32.82,
        ];
        let mean = |half: &[f64]| half.iter().sum::<f64>() / 8.0;
        let steady = compare(&rates, [mean(&rates[..8]), mean(&rates[8..])]);
        assert!(steady.differs, "{steady:?}");
    }
}
