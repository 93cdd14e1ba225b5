//! "The interval covers the truth 93 to 97 times in 100 over 1,000 replicas": for one long run by
//! batch means, and for independent runs by Student's t. A series that correlates too much has no
//! interval; such ones are counted apart, and must be few.

use super::process::{ar1, md1, md1_mean};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus as Stream;
use study::statistics::{CONFIDENCE, Interval, batch_means};

const REPLICAS: usize = 1000;

type Process = (&'static str, f64, fn(&mut Stream) -> Vec<f64>);

fn processes() -> [Process; 6] {
    [
        ("M/D/1, load 0.5", md1_mean(0.5), |s| md1(s, 0.5, 1000, 16_384)),
        ("M/D/1, load 0.8", md1_mean(0.8), |s| md1(s, 0.8, 2000, 16_384)),
        ("AR(1), 0", 0.0, |s| ar1(s, 0.0, 100)),
        ("AR(1), 0.5", 0.0, |s| ar1(s, 0.5, 1000)),
        ("AR(1), 0.9", 0.0, |s| ar1(s, 0.9, 4000)),
        ("AR(1), -0.5", 0.0, |s| ar1(s, -0.5, 1000)),
    ]
}

fn check(
    what: &str,
    refused_max: usize,
    interval: impl Fn(&mut Stream, fn(&mut Stream) -> Vec<f64>) -> Option<Interval>,
) {
    for (name, truth, make) in processes() {
        let mut stream = Stream::seed_from_u64(1);
        let all = (0..REPLICAS).filter_map(|_| interval(&mut stream, make));
        let all: Vec<Interval> = all.collect();
        let covers = |i: &&Interval| (i.mean - truth).abs() <= i.half.expect("many values");
        let covered = all.iter().filter(covers).count();
        let share = 100.0 * covered as f64 / all.len() as f64;
        let refused = REPLICAS - all.len();
        println!("{what}, {name}: {share:.1} % of {} covered", all.len());
        assert!((93.0..=97.0).contains(&share), "{what}, {name}: {share} %");
        assert!(refused <= refused_max, "{what}, {name}: {refused} refused");
    }
}

#[test]
fn batch_means_of_one_run() {
    check("batch means", 50, |stream, make| {
        batch_means(&make(stream), CONFIDENCE).map(|batches| batches.interval)
    });
}

#[test]
fn means_of_ten_independent_runs() {
    check("replicas", 0, |stream, make| {
        let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
        let means: Vec<f64> = (0..10).map(|_| mean(make(stream))).collect();
        Interval::at(&means, CONFIDENCE)
    });
}
