//! Statistics of the process behind values: intervals of means, differences on the same
//! seeds, the end of a warm-up, batch means of one long run. Pure functions over `&[f64]`, in any
//! unit. How often their intervals cover known truths: `docs/statistics.md`.
//!
//! Batch means: the number of batches is halved until von Neumann's test finds no correlation of
//! neighbours (Fishman, *Grouping observations in digital simulation*, Management Science 24(5),
//! 1978), and the interval is widened as in Skart (Tafazzoli and Wilson, *Skart: a skewness- and
//! autoregression-adjusted batch-means procedure for simulation analysis*, IIE Transactions 43(2),
//! 2011; bias: Marriott and Pope, Biometrika 41, 1954).
//!
//! Warm-up: MSER-5 (White, *An effective truncation heuristic for bias reduction in simulation
//! output*, Simulation 69(6), 1997; with batches of five: White, Cobb and Spratt, *A comparison of
//! five steady-state truncation heuristics for simulation*, WSC 2000).

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// The confidence of an interval where none is asked for.
pub const CONFIDENCE: f64 = 0.95;

/// A mean and how far the true one may be from it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// Arithmetic mean.
    pub mean: f64,
    /// Half of the interval; `None` of a single value.
    pub half: Option<f64>,
}

impl Interval {
    /// Of independent values, at 95 %; `None` of none.
    pub fn of(values: &[f64]) -> Option<Interval> {
        Interval::at(values, CONFIDENCE)
    }

    /// Of independent values, at a confidence above 0 and below 1; `None` of none.
    pub fn at(values: &[f64], confidence: f64) -> Option<Interval> {
        let n = values.len();
        if n == 0 {
            return None;
        }
        let mean = mean(values);
        let half = (n > 1).then(|| {
            let error = (squares(values, mean) / (n - 1) as f64 / n as f64).sqrt();
            student(n - 1, confidence) * error
        });
        Some(Interval { mean, half })
    }
}

/// Mean of `a - b` on the same seeds; `None` of none, or of unequal numbers of them.
pub fn paired(a: &[f64], b: &[f64]) -> Option<Interval> {
    let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    (a.len() == b.len()).then(|| Interval::of(&differences))?
}

/// The mean of `a` divided by that of `b`, where both have a value for each seed; its spread is
/// that of `a - ratio * b` (Cochran, *Sampling Techniques*, 1977, section 6.4). `None` where there
/// are none, not as many of one as of the other, or the mean of `b` is 0.
pub fn ratio(a: &[f64], b: &[f64]) -> Option<Interval> {
    let below = mean(b);
    if a.is_empty() || a.len() != b.len() || below == 0.0 {
        return None;
    }
    let ratio = mean(a) / below;
    let rest: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - ratio * b).collect();
    let half = Interval::of(&rest)?.half;
    Some(Interval { mean: ratio, half: half.map(|half| half / below.abs()) })
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The sum of the squares of what values differ from their mean.
fn squares(values: &[f64], mean: f64) -> f64 {
    values.iter().map(|value| (value - mean).powi(2)).sum()
}

/// What |t| exceeds with probability 1 - `confidence`, for so many degrees of freedom, at least 1.
fn student(freedom: usize, confidence: f64) -> f64 {
    let distribution = StudentsT::new(0.0, 1.0, freedom as f64).expect("at least 1");
    distribution.inverse_cdf((1.0 + confidence) / 2.0)
}

/// With fewer batches there is no interval.
pub const BATCHES_MIN: usize = 10;
/// Level of the test: where nothing correlates, one in ten series is grouped further. A stricter
/// test would refuse just the series that scatter most, and what is left would cover too seldom.
const LEVEL: f64 = 0.1;
/// Batches for a degree of freedom. The factor of the variance is known no better than r, whose
/// variance is 1 / count: its logarithm has 4 / count beside 2 / count of the means, and the
/// product a third of their degrees of freedom. Without this, intervals of short series cover too
/// seldom.
const BATCHES_PER_FREEDOM: usize = 3;

/// The mean of a series by means of batches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Batches {
    /// Mean and half of its interval.
    pub interval: Interval,
    /// How many batches, at least [`BATCHES_MIN`].
    pub count: usize,
    /// Values of a batch.
    pub size: usize,
    /// Values of the front that belong to no batch: fewer than a batch has.
    pub skipped: usize,
}

/// `None`: neighbours correlate in [`BATCHES_MIN`] batches too; the series is too short.
pub fn batch_means(values: &[f64], confidence: f64) -> Option<Batches> {
    let mut size = 1;
    while values.len() / size >= BATCHES_MIN {
        let skipped = values.len() % size;
        let means: Vec<f64> = values[skipped..].chunks_exact(size).map(mean).collect();
        if let Some(interval) = of_batches(&means, confidence) {
            return Some(Batches { interval, count: means.len(), size, skipped });
        }
        size *= 2;
    }
    None
}

/// `None` if neighbours correlate. Correlation r that the test cannot see widens the interval, by
/// (1 + r) / (1 - r) of the variance.
fn of_batches(means: &[f64], confidence: f64) -> Option<Interval> {
    let count = means.len() as f64;
    let mean = mean(means);
    let all = squares(means, mean);
    if all == 0.0 {
        return Some(Interval { mean, half: Some(0.0) });
    }
    let steps: f64 = means.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum();
    // 1 - half of von Neumann's ratio: about the correlation of neighbours; 0 and of this variance
    // where there is none.
    let likeness = 1.0 - steps / (2.0 * all);
    let deviation = ((count - 2.0) / (count * count - 1.0)).sqrt();
    let most = Normal::standard().inverse_cdf(1.0 - LEVEL);
    if likeness > most * deviation {
        return None;
    }
    let products: f64 = means.windows(2).map(|pair| (pair[0] - mean) * (pair[1] - mean)).sum();
    let correlation = products / all + 1.0 / count;
    let widening = (1.0 + correlation) / (1.0 - correlation);
    let error = (widening * all / (count - 1.0) / count).sqrt();
    let half = student(means.len() / BATCHES_PER_FREEDOM, confidence) * error;
    Some(Interval { mean, half: Some(half) })
}

const MSER_BATCH: usize = 5;
/// The last batches of a series are too few to estimate their scatter.
const MSER_TAIL: usize = 5;
/// With fewer values no end of a warm-up is estimated.
pub const VALUES_MIN: usize = 2 * MSER_TAIL * MSER_BATCH;

/// How many first values belong to the warm-up: those without which the standard error, by MSER-5,
/// is least. `None`: it lies in the second half, or there are fewer than [`VALUES_MIN`] values.
pub fn mser5(values: &[f64]) -> Option<usize> {
    if values.len() < VALUES_MIN {
        return None;
    }
    let batches: Vec<f64> = values.chunks_exact(MSER_BATCH).map(mean).collect();
    // From the back, the mean and squares of all that was seen (Welford).
    let (mut seen_mean, mut seen_squares) = (0.0, 0.0);
    let (mut least, mut first) = (f64::INFINITY, 0);
    for (at, &batch) in batches.iter().enumerate().rev() {
        let seen = (batches.len() - at) as f64;
        let from_mean = batch - seen_mean;
        seen_mean += from_mean / seen;
        seen_squares += from_mean * (batch - seen_mean);
        let error = seen_squares / (seen * seen);
        // Of equal ones the first: as little as can be is cut.
        if batches.len() - at >= MSER_TAIL && error <= least {
            (least, first) = (error, at);
        }
    }
    (first <= batches.len() / 2).then_some(first * MSER_BATCH)
}
