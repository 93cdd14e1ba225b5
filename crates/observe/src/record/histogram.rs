//! Whole histograms of latencies, as files have them: [`LatencyHistogram`].

use super::{LatencyFigure, LatencySummary};
use serde::{Deserialize, Serialize};

/// One line of `latency.csv`: a bucket of the histogram of the latencies of what was generated in a
/// window. The lines of a set, from the least latency on, are its whole histogram; buckets without
/// anything are left out, and of equal scenarios buckets are equal, so that histograms add. What
/// has not arrived when the run ends counts with its age.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct LatencyRow {
    /// `measured`, or a window of the scenario.
    pub window: String,
    /// `all`, `victims` (flows to no hot destination) or `group`.
    pub flows: String,
    /// Name of the group; empty for the others.
    pub group: String,
    /// `message`: from generation on; `packet`: from injection on.
    pub of: String,
    /// The largest latency of the bucket, ns, at most 1/128 above the least one.
    pub latency_ns: f64,
    /// How many are in the bucket.
    pub count: u64,
    /// How many of these had not arrived: their latency may be higher.
    pub undelivered: u64,
}

/// The lines of `latency.csv` that are of the same messages or packets.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LatencySet {
    /// As [`LatencyRow::window`].
    pub window: String,
    /// As [`LatencyRow::flows`].
    pub flows: String,
    /// As [`LatencyRow::group`].
    pub group: String,
    /// As [`LatencyRow::of`].
    pub of: String,
    /// Their latencies.
    pub histogram: LatencyHistogram,
}

/// A bucket of a [`LatencyHistogram`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct LatencyBucket {
    /// As [`LatencyRow::latency_ns`].
    pub latency_ns: f64,
    /// As [`LatencyRow::count`].
    pub count: u64,
    /// As [`LatencyRow::undelivered`].
    pub undelivered: u64,
}

/// Latencies of a set of messages or packets, from the least on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LatencyHistogram {
    buckets: Vec<LatencyBucket>,
}

impl FromIterator<LatencyBucket> for LatencyHistogram {
    /// Of buckets in any order; equal ones are added.
    fn from_iter<I: IntoIterator<Item = LatencyBucket>>(buckets: I) -> Self {
        let mut all: Vec<LatencyBucket> = buckets.into_iter().collect();
        all.sort_by(|a, b| a.latency_ns.total_cmp(&b.latency_ns));
        all.dedup_by(|next, kept| {
            let is_same = next.latency_ns == kept.latency_ns;
            if is_same {
                kept.count += next.count;
                kept.undelivered += next.undelivered;
            }
            is_same
        });
        LatencyHistogram { buckets: all }
    }
}

impl LatencyHistogram {
    /// From the least on.
    pub fn buckets(&self) -> &[LatencyBucket] {
        &self.buckets
    }

    /// Adds what another has.
    pub fn merge(&mut self, other: &LatencyHistogram) {
        *self = LatencyHistogram::sum([&*self, other].into_iter());
    }

    /// What all have together.
    pub(crate) fn sum<'a>(all: impl Iterator<Item = &'a LatencyHistogram>) -> LatencyHistogram {
        all.flat_map(|one| &one.buckets).copied().collect()
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.buckets.iter().map(|bucket| bucket.count).sum()
    }

    /// How many of these had not arrived.
    pub(crate) fn undelivered(&self) -> u64 {
        self.buckets.iter().map(|bucket| bucket.undelivered).sum()
    }

    /// The latency of rank `ceil(n * parts / whole)` of `n`, ns, at most 1/128 above the exact
    /// one, and whether it is a lower bound, since something not above it had not arrived; `None`
    /// of nothing.
    pub fn quantile(&self, parts: u64, whole: u64) -> Option<(f64, bool)> {
        let rank = (u128::from(self.count()) * u128::from(parts)).div_ceil(u128::from(whole));
        let (mut seen, mut is_bound) = (0, false);
        let found = self.buckets.iter().find(|bucket| {
            seen += u128::from(bucket.count);
            is_bound |= bucket.undelivered > 0;
            seen >= rank.max(1)
        })?;
        Some((found.latency_ns, is_bound))
    }

    /// Its quantiles and what had not arrived; a mean is not in a histogram, nor is the exact
    /// maximum, `max_ns`, which no quantile is above.
    pub fn summary(&self, max_ns: f64) -> LatencySummary {
        let n = self.count();
        if n == 0 {
            return LatencySummary::default();
        }
        let mut lower_bounds = Vec::new();
        let mut figure = |figure, parts, whole| {
            let (latency_ns, is_bound) = self.quantile(parts, whole)?;
            lower_bounds.extend(is_bound.then_some(figure));
            Some(latency_ns.min(max_ns))
        };
        let p50 = figure(LatencyFigure::P50, 1, 2);
        let p99 = figure(LatencyFigure::P99, 99, 100);
        let p999 = figure(LatencyFigure::P999, 999, 1000);
        let undelivered = Some(self.undelivered() as f64 / n as f64);
        LatencySummary { p50, p99, p999, undelivered, lower_bounds, ..LatencySummary::default() }
    }

    /// The same with neighbouring buckets made one, at most 128: those stay apart that hold the
    /// quantile of a whole hundredth, or in the last hundredth of a part down to a
    /// hundred-thousandth, so that these quantiles stay what they are.
    pub fn thinned(&self) -> LatencyHistogram {
        let n = u128::from(self.count());
        let mut ranks = shares().map(|(parts, whole)| (n * parts).div_ceil(whole).max(1));
        let mut next = ranks.next();
        let (mut seen, mut open) = (0u128, LatencyBucket::default());
        let mut thin = Vec::new();
        for bucket in &self.buckets {
            seen += u128::from(bucket.count);
            open.latency_ns = bucket.latency_ns;
            open.count += bucket.count;
            open.undelivered += bucket.undelivered;
            if next.is_some_and(|rank| seen >= rank) {
                thin.push(std::mem::take(&mut open));
                while next.is_some_and(|rank| seen >= rank) {
                    next = ranks.next();
                }
            }
        }
        LatencyHistogram { buckets: thin }
    }
}

/// Shares at which a thinned histogram has its quantiles, parts of a whole.
fn shares() -> impl Iterator<Item = (u128, u128)> {
    let tail = |whole: u128| (whole - 9..whole).map(move |parts| (parts, whole));
    let percents = (0..100).map(|parts| (parts, 100));
    let tails = [1_000, 10_000, 100_000].into_iter().flat_map(tail);
    percents.chain(tails).chain([(1, 1)])
}
