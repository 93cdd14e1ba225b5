//! Draws: pinned, even, below their limit.

use rand_core::SeedableRng;
use units::draw::{Stream, below};

// Same seed, same numbers, on every machine and with every version of the library.
#[test]
fn draws_of_a_seed_are_pinned() {
    let mut stream = Stream::seed_from_u64(42);
    let drawn: [u64; 8] = std::array::from_fn(|_| below(&mut stream, 10));
    assert_eq!(drawn, [8, 3, 9, 7, 7, 5, 1, 6]);
}

// Each of 6 numbers is expected 10,000 times with a standard deviation of 91.
#[test]
fn draws_are_even() {
    let mut stream = Stream::seed_from_u64(1);
    let mut counts = [0_i64; 6];
    for _ in 0..60_000 {
        counts[below(&mut stream, 6) as usize] += 1;
    }
    let even = counts.iter().all(|count| (count - 10_000).abs() < 500);
    assert!(even, "{counts:?}");
}

// A limit that is no power of two and far from one: the products that favour some are rejected.
// Below 2^63 + 1 half of them are, and both halves of the range are drawn alike.
#[test]
fn large_limits_are_even_too() {
    let limit = (1 << 63) + 1;
    let mut stream = Stream::seed_from_u64(2);
    let low = (0..10_000).filter(|_| below(&mut stream, limit) < limit / 2).count();
    assert!(low.abs_diff(5000) < 250, "{low}");
}

// "A limit of 0 gives 0"; limits of 0 and 1 take one number like any other.
#[test]
fn limits_without_a_choice_take_one_number() {
    for limit in [0, 1] {
        let (mut drawn, mut other) = (Stream::seed_from_u64(3), Stream::seed_from_u64(3));
        assert_eq!(below(&mut drawn, limit), 0);
        below(&mut other, 7);
        assert_eq!(drawn, other);
    }
}
