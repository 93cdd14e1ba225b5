//! Where the warm-up of a series ends: MSER-5 (White, *An effective truncation heuristic for bias
//! reduction in simulation output*, Simulation 69(6), 1997; with batches of five: White, Cobb and
//! Spratt, *A comparison of five steady-state truncation heuristics for simulation*, WSC 2000).

use super::interval::mean;

/// Values of a batch.
const BATCH: usize = 5;
/// The last batches of a series are too few to tell how much they scatter.
const TAIL: usize = 5;
/// With fewer values no end of a warm-up is looked for.
pub const VALUES_MIN: usize = 2 * TAIL * BATCH;

/// How many values of the front belong to the warm-up: those without which the standard error of
/// the mean, by MSER-5, is the least. `None` if it lies in the second half, so that the series is
/// too short to tell, or if it has fewer than [`VALUES_MIN`] values.
pub fn mser5(values: &[f64]) -> Option<usize> {
    if values.len() < VALUES_MIN {
        return None;
    }
    let batches: Vec<f64> = values.chunks_exact(BATCH).map(mean).collect();
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
        if batches.len() - at >= TAIL && error <= least {
            (least, first) = (error, at);
        }
    }
    (first <= batches.len() / 2).then_some(first * BATCH)
}
