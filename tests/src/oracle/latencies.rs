//! Latencies from exact sorted lists.

use super::figures::ROUNDING;
use super::history::History;
use observe::{LatencyFigure, LatencySummary};
use units::Span;

/// What a quantile may be too high by, relative: the histogram keeps three digits and gives the
/// highest value of its class.
const QUANTILE_ERROR: f64 = 1e-3;

/// What was measured: latencies of what was delivered, ages of what was not.
pub(super) struct Samples {
    pub(super) delivered: Vec<Span>,
    pub(super) ages: Vec<Span>,
}

impl Samples {
    /// Of these: a latency of what was delivered, and an age.
    pub(super) fn of(all: impl Iterator<Item = (Option<Span>, Span)>) -> Samples {
        let mut samples = Samples { delivered: Vec::new(), ages: Vec::new() };
        for (latency, age) in all {
            match latency {
                Some(latency) => samples.delivered.push(latency),
                None => samples.ages.push(age),
            }
        }
        samples
    }

    /// All figures; a printed quantile stands where the list allows it.
    pub(super) fn summary(
        &self,
        history: &History<'_>,
        printed: &LatencySummary,
    ) -> LatencySummary {
        let mut all = [&self.delivered[..], &self.ages].concat();
        all.sort_unstable();
        let n = all.len();
        let Some(&last) = all.last() else {
            return LatencySummary::default();
        };
        let sum: u128 = all.iter().map(|&t| u128::from(t.0)).sum();
        let (max, any) = (history.ns(last), !self.ages.is_empty());
        let mut lower_bounds = Vec::from_iter(any.then_some(LatencyFigure::Mean));
        let [p50, p99, p999] = [
            (LatencyFigure::P50, printed.p50, 500),
            (LatencyFigure::P99, printed.p99, 990),
            (LatencyFigure::P999, printed.p999, 999),
        ]
        .map(|(which, printed_ns, per_mille)| {
            // The smallest value that so many of a thousand are not above.
            let exact = all[(n * per_mille).div_ceil(1000) - 1];
            let (low, high) = (1.0 - ROUNDING, 1.0 + QUANTILE_ERROR + ROUNDING);
            let high = (history.ns(exact) * high).min(max * (1.0 + ROUNDING));
            let legal = history.ns(exact) * low..=high;
            let value = printed_ns.filter(|ns| legal.contains(ns)).unwrap_or(history.ns(exact));
            // An age between the exact value and the printed one may count or not.
            let surely = self.ages.iter().any(|&age| age <= exact);
            let maybe = self.ages.iter().any(|&age| history.ns(age) <= value);
            let is_bound = surely || maybe && printed.lower_bounds.contains(&which);
            lower_bounds.extend(is_bound.then_some(which));
            Some(value)
        });
        lower_bounds.extend(any.then_some(LatencyFigure::Max));
        LatencySummary {
            mean: Some(history.ns(Span::TICK) * (sum as f64 / n as f64)),
            p50,
            p99,
            p999,
            max: Some(max),
            undelivered: Some(self.ages.len() as f64 / n as f64),
            lower_bounds,
        }
    }
}
