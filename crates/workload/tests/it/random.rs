//! Streams and draws.

use super::common::is_near;
use rand_core::Rng;
use units::Ratio;
use workload::rng::{below, chance, stream};

// "one stream per component from (seed, full name)", from an implementation outside this crate.
#[test]
fn values_are_pinned() {
    let mut rng = stream(1, "node12.random.destination");
    let words = [(); 4].map(|()| rng.next_u64());
    let pinned = [
        4_591_929_819_945_455_905,
        3_711_424_385_300_369_634,
        18_057_727_998_995_083_454,
        7_503_680_528_600_986_786,
    ];
    assert_eq!(words, pinned);
    let mut rng = stream(1, "node12.random.destination");
    assert_eq!([(); 8].map(|()| below(&mut rng, 64)), [15, 12, 62, 26, 39, 40, 49, 54]);
}

// "state derived from (seed, full name)": no two names or seeds of a large run share a stream.
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

// "exact integer Bernoulli".
#[test]
fn chance_meets_its_ratio() {
    let mut rng = stream(7, "chance");
    assert!((0..1000).all(|_| chance(&mut rng, Ratio::ONE)));
    for (num, den) in [(1, 3), (7, 8), (1, 100)] {
        let draws = 90_000;
        let hits =
            (0..draws).filter(|_| chance(&mut rng, Ratio::new(num, den).unwrap())).count() as i64;
        let mean = draws * num as i64 / den as i64;
        assert!(is_near(hits, mean), "{num}/{den}: {hits}");
    }
}
