//! Whether the two halves of the measured time differ beyond their noise.

use crate::record::Steady;

/// Half of the 95 % interval of Student's t, for 7 to 14 degrees of freedom: what two means of eight values have.
const T95: [f64; 8] = [2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145];
const T95_FIRST: f64 = 7.0;

/// Compares the means of the two halves of equal parts by Welch's test; `rates` are those of the parts, `halves` those of the
/// halves.
pub(super) fn compare(rates: &[f64], halves: [f64; 2]) -> Steady {
    let (first, second) = rates.split_at(rates.len() / 2);
    let [a, b] = [first, second].map(error_squared);
    let noise = if a + b > 0.0 {
        let degrees = |half: &[f64]| (half.len() - 1) as f64;
        let freedom = (a + b).powi(2) / (a * a / degrees(first) + b * b / degrees(second));
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

/// The square of the standard error of a mean.
fn error_squared(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    squares / (n - 1.0) / n
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

    // Welch's test by hand: the variance of a half is .1 / 7, of its mean .1 / 56; 14 degrees of freedom.
    #[test]
    fn noise_is_that_of_welchs_test() {
        let noise = 2.145 * (2.0f64 * 0.1 / 56.0).sqrt();
        let steady = halves(SPREAD.map(|v| v + noise * 0.99));
        assert!(
            (steady.noise_bytes_per_ns - noise).abs() < 1e-9,
            "{steady:?}"
        );
        assert!(!steady.differs, "{steady:?}");
        assert!(halves(SPREAD.map(|v| v + noise * 1.01)).differs);
        // The spread is all in one half: 7 degrees of freedom.
        let steady = halves([1.0; 8]);
        assert!((steady.noise_bytes_per_ns - 2.365 * (0.1f64 / 56.0).sqrt()).abs() < 1e-9);
    }
}
