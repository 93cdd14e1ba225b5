//! Latencies: a histogram, the exact sum and maximum; ages of what has not arrived among them.

use crate::record::{LatencyBucket, LatencyFigure, LatencyHistogram, LatencySummary};
use hdrhistogram::Histogram;
use units::{Span, TimeBase};

/// More than 5 simulated minutes, the longest run.
const TICKS_MAX: u64 = 1 << 40;

/// Latencies of messages or packets as they are recorded.
#[derive(Debug, Clone)]
pub(super) struct Latency {
    histogram: Histogram<u64>,
    sum: u128,
    max: Span,
    /// Of those in the histogram with their age: the largest value of their bucket.
    ages: Vec<u64>,
}

impl Latency {
    pub(super) fn new() -> Latency {
        // 250 KB.
        let histogram = Histogram::new_with_bounds(1, TICKS_MAX, 3).expect("legal bounds");
        Latency { histogram, sum: 0, max: Span::ZERO, ages: Vec::new() }
    }

    #[inline]
    pub(super) fn record(&mut self, span: Span) {
        self.histogram.saturating_record(span.0.max(1));
        self.sum += u128::from(span.0);
        self.max = self.max.max(span);
    }

    /// What has not arrived counts with its age.
    pub(super) fn record_undelivered(&mut self, age: Span) {
        self.record(age);
        let value = age.0.clamp(1, TICKS_MAX);
        self.ages.push(self.histogram.highest_equivalent(value));
    }

    pub(super) fn arrived(&self) -> u64 {
        self.histogram.len() - self.ages.len() as u64
    }

    pub(super) fn merge(&mut self, other: &Latency) {
        self.histogram.add(&other.histogram).expect("histograms of equal bounds");
        self.sum += other.sum;
        self.max = self.max.max(other.max);
        self.ages.extend(&other.ages);
    }

    pub(super) fn counts(&self, time_base: &TimeBase) -> LatencyCounts {
        let mut ages = self.ages.clone();
        ages.sort_unstable();
        let mut ages = ages.into_iter().peekable();
        let recorded = self.histogram.iter_recorded().map(|at| {
            let ticks = at.value_iterated_to();
            let of_it = std::iter::from_fn(|| ages.next_if_eq(&ticks));
            (ticks, at.count_at_value(), of_it.count() as u64)
        });
        let recorded: Vec<(u64, u64, u64)> = recorded.collect();
        let buckets = |ticks: fn(u64) -> u64| {
            let bucket = |&(largest, count, undelivered): &(u64, u64, u64)| LatencyBucket {
                latency_ns: time_base.span_to_ns(Span(ticks(largest))),
                count,
                undelivered,
            };
            recorded.iter().map(bucket).collect()
        };
        LatencyCounts {
            fine: buckets(|ticks| ticks),
            coarse: buckets(coarse),
            sum: self.sum,
            max: self.max,
        }
    }
}

/// Latencies of a set: buckets, the exact sum and the exact maximum. A figure that follows from
/// buckets is at most 1/1024 above the exact one, and never below it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LatencyCounts {
    /// As it was recorded: what figures are from.
    fine: LatencyHistogram,
    /// In buckets eight times as wide, at most 1/128: what files have.
    coarse: LatencyHistogram,
    sum: u128,
    max: Span,
}

impl LatencyCounts {
    pub(super) fn sum<'a>(sets: impl Iterator<Item = &'a LatencyCounts> + Clone) -> LatencyCounts {
        LatencyCounts {
            fine: LatencyHistogram::sum(sets.clone().map(|set| &set.fine)),
            coarse: LatencyHistogram::sum(sets.clone().map(|set| &set.coarse)),
            sum: sets.clone().map(|set| set.sum).sum(),
            max: sets.map(|set| set.max).max().unwrap_or_default(),
        }
    }

    pub(super) fn undelivered(&self) -> u64 {
        self.fine.undelivered()
    }

    /// How many have.
    pub(super) fn arrived(&self) -> u64 {
        self.fine.count() - self.undelivered()
    }

    /// The whole histogram as files have it.
    pub fn histogram(&self) -> &LatencyHistogram {
        &self.coarse
    }

    pub(super) fn summary(&self, time_base: &TimeBase) -> LatencySummary {
        let n = self.fine.count();
        if n == 0 {
            return LatencySummary::default();
        }
        let ns = |span| time_base.span_to_ns(span);
        let mut summary = self.fine.summary(ns(self.max));
        summary.mean = Some(ns(Span::TICK) * (self.sum as f64 / n as f64));
        summary.max = Some(ns(self.max));
        // Any age may yet grow, and the mean and the maximum with it.
        if self.undelivered() > 0 {
            summary.lower_bounds.insert(0, LatencyFigure::Mean);
            summary.lower_bounds.push(LatencyFigure::Max);
        }
        summary
    }
}

/// The largest value of the bucket of a value: all in it share the first eight binary digits.
fn coarse(value: u64) -> u64 {
    let rest = (u64::BITS - value.leading_zeros()).saturating_sub(8);
    value | ((1 << rest) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::{prop_assert, prop_assert_eq, proptest};
    use units::Ratio;

    fn summary(arrived: impl IntoIterator<Item = u64>, ages: &[u64]) -> LatencySummary {
        let mut latency = Latency::new();
        arrived.into_iter().for_each(|ticks| latency.record(Span(ticks)));
        ages.iter().for_each(|&age| latency.record_undelivered(Span(age)));
        // A tick is a nanosecond.
        let time_base = TimeBase::new(1, Ratio::ONE, Ratio::ONE).expect("legal");
        latency.counts(&time_base).summary(&time_base)
    }

    // "The rank is ceil(q n)": of 1 to n the quantile is its own rank, for every n below the
    // first rounded value.
    #[test]
    fn a_quantile_is_the_value_of_its_rank() {
        for n in 1..2000 {
            let s = summary(1..=n, &[]);
            let rank = |parts: u64, whole: u64| Some((n * parts).div_ceil(whole) as f64);
            let ranks = (rank(1, 2), rank(99, 100), rank(999, 1000));
            assert_eq!((s.p50, s.p99, s.p999), ranks, "{n} values");
        }
    }

    // "At most 1/1024 above the exact one, and never below it."
    #[test]
    fn a_quantile_is_within_its_error() {
        for exact in (2..40).map(|bits| (1u64 << bits) - (1 << (bits / 2)) + 1) {
            // The largest is apart, else it would cap the quantile.
            let p50 = summary([exact, exact, 1 << 40], &[]).p50.expect("values");
            let error = p50 / exact as f64 - 1.0;
            assert!((0.0..=1.0 / 1024.0).contains(&error), "{exact}: {p50}");
        }
    }

    proptest! {
        // "Merged over replicas": histograms of parts together are the histogram of all values
        // together; its figures are at most 1/128 above those of the statistics, as far from being
        // exact as they say; and thinning moves none of them.
        #[test]
        fn merged_histograms_are_that_of_all_values(
            parts in vec((vec(0..1u64 << 39, 0..40), vec(0..1u64 << 20, 0..3)), 1..5),
        ) {
            let time_base = TimeBase::new(1, Ratio::ONE, Ratio::ONE).expect("legal");
            let (mut merged, mut all) = (LatencyHistogram::default(), Latency::new());
            for (arrived, ages) in &parts {
                let mut part = Latency::new();
                for latency in [&mut part, &mut all] {
                    arrived.iter().for_each(|&ticks| latency.record(Span(ticks)));
                    ages.iter().for_each(|&age| latency.record_undelivered(Span(age)));
                }
                merged.merge(part.counts(&time_base).histogram());
            }
            let all = all.counts(&time_base);
            prop_assert_eq!(&merged, all.histogram());
            let exact = all.summary(&time_base);
            let given = merged.summary(exact.max.unwrap_or(0.0));
            let quantiles = |s: &LatencySummary| [s.p50, s.p99, s.p999];
            for (given, exact) in quantiles(&given).into_iter().zip(quantiles(&exact)) {
                let is_near = |(given, exact)| (exact..=exact * (1.0 + 1.0 / 128.0)).contains(&given);
                prop_assert!(given.zip(exact).is_none_or(is_near), "{:?} {:?}", given, exact);
                prop_assert_eq!(given.is_some(), exact.is_some());
            }
            prop_assert_eq!(given.undelivered, exact.undelivered);
            let is_quantile = |f: &&LatencyFigure| {
                !matches!(f, LatencyFigure::Mean | LatencyFigure::Max)
            };
            let mut bounds = exact.lower_bounds.iter().filter(is_quantile);
            prop_assert!(bounds.all(|figure| given.lower_bounds.contains(figure)));
            let thin = merged.thinned();
            prop_assert_eq!(thin.summary(exact.max.unwrap_or(0.0)), given);
            prop_assert!(thin.count() == merged.count() && thin.buckets().len() <= 128);
        }
    }

    // "A quantile is a lower bound exactly if an undelivered one has an age not above it."
    #[test]
    fn figures_with_ages_below_them_are_lower_bounds() {
        use LatencyFigure::{Max, Mean, P50, P99, P999};
        let arrived = || [10; 98];
        assert_eq!(summary(arrived(), &[]).lower_bounds, []);
        let late = summary(arrived(), &[700, 900]);
        assert_eq!((late.p50, late.p99), (Some(10.0), Some(700.0)));
        assert_eq!(late.undelivered, Some(0.02));
        assert_eq!(late.lower_bounds, [Mean, P99, P999, Max]);
        let young = summary(arrived(), &[9]);
        assert_eq!(young.lower_bounds, [Mean, P50, P99, P999, Max]);
    }
}
