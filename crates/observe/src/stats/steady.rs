//! Whether the two halves of the measured time differ beyond their noise.

use crate::record::Steady;

/// Half of the 95 % interval of Student's t, for 4 to 9 degrees of freedom: what two spreads of
/// eight values each have.
const T95: [f64; 6] = [2.776, 2.571, 2.447, 2.365, 2.306, 2.262];
const T95_FIRST: f64 = 4.0;

/// Compares the means of the two halves of equal parts by Welch's test; `rates` are those of
/// the parts, `halves` those of the halves. The spread of a half is that between neighbouring
/// parts (von Neumann), so that a drift, which is what is looked for, is not taken for noise.
pub(super) fn compare(rates: &[f64], halves: [f64; 2]) -> Steady {
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

/// The square of the standard error of a mean: half the mean square of the differences of
/// neighbours, over their number.
fn error_squared(values: &[f64]) -> f64 {
    let squares: f64 = values.windows(2).map(|v| (v[1] - v[0]).powi(2)).sum();
    squares / (2 * (values.len() - 1) * values.len()) as f64
}

/// Degrees of freedom of that spread: those of a variance of the same scatter, where values are
/// independent.
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
