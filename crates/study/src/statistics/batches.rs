//! The interval of the mean of one series whose values depend on each other, by batch means.
//!
//! The number of batches is halved until von Neumann's test finds no correlation of neighbours
//! (Fishman, *Grouping observations in digital simulation*, Management Science 24(5), 1978). What
//! correlation such a test cannot see widens the interval, as in Skart (Tafazzoli and Wilson,
//! *Skart: a skewness- and autoregression-adjusted batch-means procedure for simulation analysis*,
//! IIE Transactions 43(2), 2011): by (1 + r) / (1 - r) of the variance, with r freed of its bias
//! (Marriott and Pope, Biometrika 41, 1954).
//!
//! Main decision: that factor is known no better than r, whose variance is 1 / count. Its logarithm
//! has a variance of 4 / count beside 2 / count of the variance of the means, so that the product
//! has a third of their degrees of freedom. Without this, intervals of short series cover too
//! seldom.

use super::interval::{Interval, mean, squares, student};
use statrs::distribution::{ContinuousCDF, Normal};

/// With fewer batches there is no interval.
pub const BATCHES_MIN: usize = 10;
/// Level of the test: where nothing correlates, one in ten series is grouped further. A stricter
/// test would refuse just the series that scatter most, and what is left would cover too seldom.
const LEVEL: f64 = 0.1;
/// Batches for a degree of freedom, see above.
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

/// The mean of a series without its warm-up, and the interval of it. `None`: however the values
/// are grouped into [`BATCHES_MIN`] batches or more, neighbours correlate; the series is too short.
pub fn batch_means(values: &[f64], confidence: f64) -> Option<Batches> {
    let mut size = 1;
    while values.len() / size >= BATCHES_MIN {
        let skipped = values.len() % size;
        let means: Vec<f64> = values[skipped..].chunks_exact(size).map(mean).collect();
        if let Some(interval) = interval(&means, confidence) {
            return Some(Batches { interval, count: means.len(), size, skipped });
        }
        size *= 2;
    }
    None
}

/// `None` if neighbours correlate.
fn interval(means: &[f64], confidence: f64) -> Option<Interval> {
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
    Some(Interval {
        mean,
        half: Some(student(means.len() / BATCHES_PER_FREEDOM, confidence) * error),
    })
}
