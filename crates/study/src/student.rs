//! The mean of a few values and its 95 % interval, by Student's t distribution.

/// A mean and how far the true one may be from it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Arithmetic mean.
    pub mean: f64,
    /// Half of the 95 % interval; `None` of a single value.
    pub half: Option<f64>,
}

impl Interval {
    /// Of independent values; `None` of none.
    pub fn of(values: &[f64]) -> Option<Interval> {
        let n = values.len();
        if n == 0 {
            return None;
        }
        let mean = values.iter().sum::<f64>() / n as f64;
        let half = (n > 1).then(|| {
            let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
            let error = (squares / (n - 1) as f64 / n as f64).sqrt();
            t95(n - 1) * error
        });
        Some(Interval { mean, half })
    }
}

/// The value that |t| exceeds with probability 0.05, for so many degrees of freedom.
fn t95(freedom: usize) -> f64 {
    let (mut low, mut high) = (1.0, 16.0);
    // As many halvings as a double has bits.
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if within(middle, freedom) < 0.95 {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

/// The probability of |T| <= t (Abramowitz and Stegun, *Handbook of Mathematical Functions*,
/// 26.7.3 and 26.7.4).
fn within(t: f64, freedom: usize) -> f64 {
    let angle = (t / (freedom as f64).sqrt()).atan();
    let (sin, cos) = angle.sin_cos();
    let is_odd = freedom % 2 == 1;
    // The series in powers of cos, every second one, up to cos^(freedom - 2).
    let (mut term, mut power) = if is_odd { (cos, 1) } else { (1.0, 0) };
    let mut sum = 0.0;
    while power + 2 <= freedom {
        sum += term;
        term *= cos * cos * (power + 1) as f64 / (power + 2) as f64;
        power += 2;
    }
    if is_odd {
        (angle + sin * sum) * std::f64::consts::FRAC_2_PI
    } else {
        sin * sum
    }
}

#[cfg(test)]
mod tests {
    use super::{Interval, t95};

    // Of any table of the distribution, two sides, 5 %.
    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (freedom, value) in [
            (1, 12.706),
            (2, 4.303),
            (3, 3.182),
            (4, 2.776),
            (5, 2.571),
            (6, 2.447),
            (7, 2.365),
            (8, 2.306),
            (9, 2.262),
            (10, 2.228),
            (15, 2.131),
            (19, 2.093),
            (20, 2.086),
            (30, 2.042),
            (60, 2.000),
            (120, 1.980),
        ] {
            assert!((t95(freedom) - value).abs() < 5.1e-4, "{freedom}: {value}");
        }
    }

    #[test]
    fn interval_is_that_of_the_mean() {
        assert_eq!(Interval::of(&[]), None);
        let one = Interval::of(&[3.0]).expect("a value");
        assert_eq!((one.mean, one.half), (3.0, None));
        // Standard deviation 1, three values: 4.303 / sqrt(3).
        let three = Interval::of(&[1.0, 2.0, 3.0]).expect("values");
        assert_eq!(three.mean, 2.0);
        let half = three.half.expect("more than one value");
        assert!((half - 2.484).abs() < 1e-3, "{half}");
        let same = Interval::of(&[5.0; 10]).expect("values");
        assert_eq!((same.mean, same.half), (5.0, Some(0.0)));
    }
}
