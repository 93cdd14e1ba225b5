//! The mean of independent values and its interval, by Student's t distribution.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// The confidence of an interval where none is asked for.
pub const CONFIDENCE: f64 = 0.95;

/// A mean and how far the true one may be from it.
#[derive(Debug, Clone, Copy, PartialEq)]
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

/// The mean of `a - b`, value by value: two schemes on the same seeds, whose common noise drops
/// out. `None` where there are none, or not as many of one as of the other.
pub fn paired(a: &[f64], b: &[f64], confidence: f64) -> Option<Interval> {
    let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    (a.len() == b.len()).then(|| Interval::at(&differences, confidence))?
}

/// The mean of `a` divided by that of `b`, where both have a value for each seed; its spread is
/// that of `a - ratio * b` (Cochran, *Sampling Techniques*, 1977, section 6.4). `None` where there
/// are none, not as many of one as of the other, or the mean of `b` is 0.
pub fn ratio(a: &[f64], b: &[f64], confidence: f64) -> Option<Interval> {
    let below = Interval::at(b, confidence)?.mean;
    if a.len() != b.len() || below == 0.0 {
        return None;
    }
    let ratio = mean(a) / below;
    let rest: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - ratio * b).collect();
    let half = Interval::at(&rest, confidence)?.half;
    Some(Interval { mean: ratio, half: half.map(|half| half / below.abs()) })
}

pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The sum of the squares of what values differ from their mean.
pub(crate) fn squares(values: &[f64], mean: f64) -> f64 {
    values.iter().map(|value| (value - mean).powi(2)).sum()
}

/// What |t| exceeds with probability 1 - `confidence`, for so many degrees of freedom, at least 1.
pub(crate) fn student(freedom: usize, confidence: f64) -> f64 {
    let distribution = StudentsT::new(0.0, 1.0, freedom as f64).expect("at least 1");
    distribution.inverse_cdf((1.0 + confidence) / 2.0)
}
