//! Streams and draws.

use rand_core::Rng;
use units::Ratio;
use workload::rng::{below, chance, stream};

fn ratio(num: u64, den: u64) -> Ratio {
    Ratio::new(num, den).unwrap()
}

// "one stream per component from (seed, full name)": values are pinned, as every golden result
// hangs on them.
#[test]
fn values_are_pinned() {
    let mut rng = stream(1, "node12.random.destination");
    let words: Vec<u64> = (0..4).map(|_| rng.next_u64()).collect();
    assert_eq!(words, PINNED_WORDS);
    let mut rng = stream(1, "node12.random.destination");
    let draws: Vec<u64> = (0..8).map(|_| below(&mut rng, 64)).collect();
    assert_eq!(draws, PINNED_DRAWS);
}

// From an implementation of its own, outside of this crate.
const PINNED_WORDS: [u64; 4] = [
    4_591_929_819_945_455_905,
    3_711_424_385_300_369_634,
    18_057_727_998_995_083_454,
    7_503_680_528_600_986_786,
];
const PINNED_DRAWS: [u64; 8] = [15, 12, 62, 26, 39, 40, 49, 54];

// "state derived from (seed, full name)": no two names of a large run share a stream, nor two
// seeds.
#[test]
fn streams_differ_by_seed_and_name() {
    let mut first: Vec<u64> = Vec::new();
    for seed in 0..3 {
        for node in 0..2048 {
            for what in ["phase", "destination", "bytes"] {
                first.push(stream(seed, &format!("node{node}.random.{what}")).next_u64());
            }
        }
    }
    let count = first.len();
    first.sort_unstable();
    first.dedup();
    assert_eq!(first.len(), count);
}

// "unbiased integer draw": a range that is not a power of two is met evenly (six standard
// deviations).
#[test]
fn draws_below_are_even() {
    for n in [1_u64, 2, 3, 5, 63, 64] {
        let mut rng = stream(7, "even");
        let mut counts = vec![0_i64; n as usize];
        let draws = 60_000_i64;
        for _ in 0..draws {
            counts[below(&mut rng, n) as usize] += 1;
        }
        let mean = draws / n as i64;
        assert!(counts.iter().all(|c| (c - mean).pow(2) <= 36 * (mean + 1)), "{n}: {counts:?}");
    }
}

// Lemire's rejection: with n = 3/4 of 2^64 four words fall on three numbers; unless one is
// rejected, every third number comes up half of the time.
#[test]
fn draws_below_large_bounds_reject() {
    let n = 3 << 62;
    let mut rng = stream(7, "large");
    let mut counts = [0_i64; 3];
    for _ in 0..30_000 {
        let draw = below(&mut rng, n);
        assert!(draw < n);
        counts[(draw % 3) as usize] += 1;
    }
    assert!(counts.iter().all(|count| (count - 10_000).pow(2) <= 36 * 10_000), "{counts:?}");
}

// "exact integer Bernoulli".
#[test]
fn chance_meets_its_ratio() {
    let mut rng = stream(7, "chance");
    assert!((0..1000).all(|_| chance(&mut rng, Ratio::ONE)));
    for (num, den) in [(1, 3), (7, 8), (1, 100)] {
        let draws = 90_000;
        let hits = (0..draws).filter(|_| chance(&mut rng, ratio(num, den))).count() as i64;
        let mean = draws * num as i64 / den as i64;
        assert!((hits - mean).pow(2) <= 36 * mean, "{num}/{den}: {hits}");
    }
}
