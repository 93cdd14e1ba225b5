//! Latencies: a histogram, the exact sum and the exact maximum.

use crate::record::LatencySummary;
use hdrhistogram::Histogram;
use units::{Ticks, TimeBase};

#[derive(Debug, Clone)]
pub(super) struct Latency {
    histogram: Histogram<u64>,
    sum: u128,
    max: u64,
}

impl Latency {
    pub(super) fn new() -> Latency {
        // 2^40 ticks are more than 5 simulated minutes; 250 KB.
        let histogram = Histogram::new_with_bounds(1, 1 << 40, 3).expect("legal bounds");
        Latency {
            histogram,
            sum: 0,
            max: 0,
        }
    }

    #[inline]
    pub(super) fn record(&mut self, ticks: Ticks) {
        self.histogram.saturating_record(ticks.max(1));
        self.sum += u128::from(ticks);
        self.max = self.max.max(ticks);
    }

    /// Adds what another part recorded.
    pub(super) fn merge(&mut self, other: &Latency) {
        self.histogram
            .add(&other.histogram)
            .expect("histograms of equal bounds");
        self.sum += other.sum;
        self.max = self.max.max(other.max);
    }

    pub(super) fn summary(&self, time_base: &TimeBase) -> LatencySummary {
        let n = self.histogram.len();
        if n == 0 {
            return LatencySummary::default();
        }
        let quantile = |q| {
            let ticks = self.histogram.value_at_quantile(q).min(self.max);
            Some(time_base.ticks_to_ns(ticks))
        };
        LatencySummary {
            mean: Some(time_base.ticks_to_ns(1) * (self.sum as f64 / n as f64)),
            p50: quantile(0.5),
            p99: quantile(0.99),
            p999: quantile(0.999),
            max: Some(time_base.ticks_to_ns(self.max)),
            ..LatencySummary::default()
        }
    }
}
