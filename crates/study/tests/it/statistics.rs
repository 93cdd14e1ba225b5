//! Intervals, warm-ups and batch means: by hand, from tables, and their coverage of known means.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus as Stream;
use study::statistics::{CONFIDENCE, Interval, VALUES_MIN, batch_means, mser5, paired, ratio};

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// A share above 0 and below 1.
fn share(stream: &mut Stream) -> f64 {
    ((stream.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
}

/// Waiting times in an M/D/1 queue with service time 1 (Lindley), without the first `skipped`.
fn md1(stream: &mut Stream, load: f64, skipped: usize, customers: usize) -> Vec<f64> {
    let mut wait = 0.0f64;
    let each = (0..skipped + customers).map(|_| {
        let now = wait;
        let gap = -share(stream).ln() / load;
        wait = (wait + 1.0 - gap).max(0.0);
        now
    });
    each.skip(skipped).collect()
}

/// Pollaczek and Khinchine.
fn md1_mean(load: f64) -> f64 {
    load / (2.0 * (1.0 - load))
}

fn normal(stream: &mut Stream) -> f64 {
    let radius = (-2.0 * share(stream).ln()).sqrt();
    radius * (std::f64::consts::TAU * share(stream)).cos()
}

/// An autoregressive process of order 1, mean 0, stationary; variance 1 / (1 - correlation^2).
fn ar1(stream: &mut Stream, correlation: f64, values: usize) -> Vec<f64> {
    let mut value = normal(stream) / (1.0 - correlation * correlation).sqrt();
    let each = (0..values).map(|_| {
        let now = value;
        value = correlation * value + normal(stream);
        now
    });
    each.collect()
}

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
    let interval = paired(&a, &b).expect("pairs");
    let half = interval.half.expect("several");
    assert!((interval.mean - 2.0).abs() < 1e-9);
    // Squares .02, four degrees of freedom: 2.776 * sqrt(.02 / 4 / 5).
    assert!((half - 0.0878).abs() < 1e-4, "{half}");
    assert_eq!(paired(&a, &b[1..]), None);

    let double: Vec<f64> = b.iter().map(|b| 2.0 * b).collect();
    let interval = ratio(&double, &b).expect("pairs");
    assert!((interval.mean - 2.0).abs() < 1e-12 && interval.half.expect("several") < 1e-9);
    assert_eq!(ratio(&a, &[0.0; 5]), None);
    assert_eq!(ratio(&a, &b[1..]), None);
}

// The plain rule of the paper, as a sum a truncation: what `mser5` does in one pass.
fn plain_mser5(values: &[f64]) -> Option<usize> {
    let batches: Vec<f64> = values.chunks_exact(5).map(mean).collect();
    let error = |first: usize| {
        let kept = &batches[first..];
        let mean = mean(kept);
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
        let Some(batches) = batch_means(&values, CONFIDENCE) else { continue };
        assert_eq!(batches.count * batches.size + batches.skipped, length);
        assert!(batches.skipped < batches.size && batches.size > 1);
        let mean = mean(&values[batches.skipped..]);
        assert!((batches.interval.mean - mean).abs() < 1e-12);
    }
}

const REPLICAS: usize = 1000;

type Make = fn(&mut Stream) -> Vec<f64>;

/// A series that correlates too much has no interval; such ones are counted apart, and must be few.
fn check(what: &str, refused_max: usize, interval: impl Fn(&mut Stream, Make) -> Option<Interval>) {
    let processes: [(&str, f64, Make); 6] = [
        ("M/D/1, load 0.5", md1_mean(0.5), |s| md1(s, 0.5, 1000, 16_384)),
        ("M/D/1, load 0.8", md1_mean(0.8), |s| md1(s, 0.8, 2000, 16_384)),
        ("AR(1), 0", 0.0, |s| ar1(s, 0.0, 100)),
        ("AR(1), 0.5", 0.0, |s| ar1(s, 0.5, 1000)),
        ("AR(1), 0.9", 0.0, |s| ar1(s, 0.9, 4000)),
        ("AR(1), -0.5", 0.0, |s| ar1(s, -0.5, 1000)),
    ];
    for (name, truth, make) in processes {
        let mut stream = Stream::seed_from_u64(1);
        let all: Vec<Interval> =
            (0..REPLICAS).filter_map(|_| interval(&mut stream, make)).collect();
        let covers = |i: &&Interval| (i.mean - truth).abs() <= i.half.expect("many values");
        let covered = all.iter().filter(covers).count();
        let share = 100.0 * covered as f64 / all.len() as f64;
        let refused = REPLICAS - all.len();
        println!("{what}, {name}: {share:.1} % of {} covered", all.len());
        assert!((93.0..=97.0).contains(&share), "{what}, {name}: {share} %");
        assert!(refused <= refused_max, "{what}, {name}: {refused} refused");
    }
}

// "The interval covers the truth 93 to 97 times in 100 over 1,000 replicas": for one long run by
// batch means, and for independent runs by Student's t.
#[test]
fn batch_means_of_one_run() {
    check("batch means", 50, |stream, make| {
        batch_means(&make(stream), CONFIDENCE).map(|batches| batches.interval)
    });
}

#[test]
fn means_of_ten_independent_runs() {
    check("replicas", 0, |stream, make| {
        let means: Vec<f64> = (0..10).map(|_| mean(&make(stream))).collect();
        Interval::at(&means, CONFIDENCE)
    });
}
