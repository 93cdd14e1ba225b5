//! Figures that can be worked out by hand or stand in tables.

use super::process::ar1;
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus as Stream;
use study::statistics::{CONFIDENCE, Interval, VALUES_MIN, batch_means, mser5, paired, ratio};

// Of any table of Student's t distribution, two sides, 5 % and 1 %: two values 0 and 2 have a mean
// whose standard error is 1; n values with the same error are built from them.
#[test]
fn interval_is_that_of_the_tables() {
    for (values, t95, t99) in [(2, 12.706, 63.657), (3, 4.303, 9.925), (10, 2.262, 3.250)] {
        // One of them away from all others: squares are n - 1, over n: the error is 1 / n.
        let mut sample = vec![0.0; values];
        sample[0] = 1.0;
        let n = values as f64;
        for (confidence, t) in [(CONFIDENCE, t95), (0.99, t99)] {
            let interval = Interval::at(&sample, confidence).expect("values");
            let half = interval.half.expect("several");
            assert!((interval.mean - 1.0 / n).abs() < 1e-12);
            assert!((half * n - t).abs() < 5.1e-4, "{values}, {confidence}: {half}");
        }
    }
    assert_eq!(Interval::of(&[]), None);
    let one = Interval::of(&[3.0]).expect("a value");
    assert_eq!((one.mean, one.half), (3.0, None));
    let same = Interval::of(&[5.0; 10]).expect("values");
    assert_eq!((same.mean, same.half), (5.0, Some(0.0)));
}

// Noise of the seeds, far larger than what schemes differ by, drops out.
#[test]
fn pairs_are_compared_on_the_same_seeds() {
    let noise = [40.0, 10.0, 90.0, 55.0, 70.0];
    let b = noise.to_vec();
    let a: Vec<f64> = noise.iter().zip([1.9, 2.1, 2.0, 2.0, 2.0]).map(|(n, d)| n + d).collect();
    let interval = paired(&a, &b, CONFIDENCE).expect("pairs");
    let half = interval.half.expect("several");
    assert!((interval.mean - 2.0).abs() < 1e-9);
    // Squares .02, four degrees of freedom: 2.776 * sqrt(.02 / 4 / 5).
    assert!((half - 0.0878).abs() < 1e-4, "{half}");
    assert_eq!(paired(&a, &b[1..], CONFIDENCE), None);

    let double: Vec<f64> = b.iter().map(|b| 2.0 * b).collect();
    let interval = ratio(&double, &b, CONFIDENCE).expect("pairs");
    assert!((interval.mean - 2.0).abs() < 1e-12 && interval.half.expect("several") < 1e-9);
    assert_eq!(ratio(&a, &[0.0; 5], CONFIDENCE), None);
    assert_eq!(ratio(&a, &b[1..], CONFIDENCE), None);
}

// The plain rule of the paper, as a sum a truncation: what `mser5` does in one pass.
fn plain_mser5(values: &[f64]) -> Option<usize> {
    let batches: Vec<f64> = values.chunks_exact(5).map(|b| b.iter().sum::<f64>() / 5.0).collect();
    let error = |first: usize| {
        let kept = &batches[first..];
        let mean = kept.iter().sum::<f64>() / kept.len() as f64;
        kept.iter().map(|b| (b - mean).powi(2)).sum::<f64>() / (kept.len() as f64).powi(2)
    };
    let all = 0..=batches.len().checked_sub(5)?;
    let first = all.min_by(|&a, &b| error(a).total_cmp(&error(b)))?;
    (first <= batches.len() / 2).then_some(first * 5)
}

#[test]
fn warmup_ends_where_the_standard_error_is_the_least() {
    let mut stream = Stream::seed_from_u64(7);
    let mut found = 0;
    for length in [50, 77, 200, 1000] {
        for rise in [0.0, 5.0, 50.0] {
            let mut values = ar1(&mut stream, 0.3, length);
            for (at, value) in values.iter_mut().enumerate() {
                *value += 100.0 - rise * (-(at as f64) / 20.0).exp();
            }
            let end = mser5(&values);
            assert_eq!(end, plain_mser5(&values), "{length}, {rise}");
            found += usize::from(end.is_some());
            // e^-(40/20) of 50 is 7: far above the noise, where there is enough to compare with.
            let is_short = length < 200 || rise < 50.0;
            assert!(is_short || end >= Some(40), "{length}: {end:?}");
        }
    }
    assert!(found > 6, "{found}");
}

// "Truncation in the first half only; else not found."
#[test]
fn drift_has_no_end_of_a_warmup() {
    let rising: Vec<f64> = (0..200).map(f64::from).collect();
    assert_eq!(mser5(&rising), None);
    assert_eq!(mser5(&vec![1.0; VALUES_MIN - 1]), None);
    assert_eq!(mser5(&[1.0; VALUES_MIN]), Some(0));
}

// "Else correlated: no interval", however the values are grouped.
#[test]
fn correlated_series_has_no_interval() {
    let rising: Vec<f64> = (0..1000).map(f64::from).collect();
    assert_eq!(batch_means(&rising, CONFIDENCE), None);
    assert_eq!(batch_means(&[1.0; 9], CONFIDENCE), None);
    let same = batch_means(&[2.5; 100], CONFIDENCE).expect("no correlation");
    assert_eq!((same.interval.half, same.count, same.size), (Some(0.0), 100, 1));
}

// Batches are all but the first values, and their mean is that of the values.
#[test]
fn batches_end_with_the_series() {
    let mut stream = Stream::seed_from_u64(3);
    for length in [101, 999, 4000] {
        let values = ar1(&mut stream, 0.8, length);
        let Some(batches) = batch_means(&values, CONFIDENCE) else {
            continue;
        };
        assert_eq!(batches.count * batches.size + batches.skipped, length);
        assert!(batches.skipped < batches.size && batches.size > 1);
        let kept = &values[batches.skipped..];
        let mean = kept.iter().sum::<f64>() / kept.len() as f64;
        assert!((batches.interval.mean - mean).abs() < 1e-12);
    }
}
