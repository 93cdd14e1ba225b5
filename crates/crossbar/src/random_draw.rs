//! Unbiased integer draws. Integers only, so that the same seed gives the same grants on every
//! machine.

use crate::PORTS_MAX;
use crate::pick::{bits, nth_set_bit};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The random stream of one arbiter: xoshiro256++, whose values do not change with the version of
/// the library.
pub(crate) type Stream = Xoshiro256PlusPlus;

/// The stream of a seed.
pub(crate) fn stream(seed: u64) -> Stream {
    Stream::seed_from_u64(seed)
}

/// A number below `limit` (1 or more), each with the same probability: multiply-shift, with
/// rejection of the few products that would favour some numbers (Lemire 2019). A limit of 1 draws
/// nothing.
#[inline]
pub(crate) fn below(stream: &mut Stream, limit: u32) -> u32 {
    debug_assert!(limit > 0);
    if limit <= 1 {
        return 0;
    }
    let mut product = u64::from(stream.next_u32()) * u64::from(limit);
    if (product as u32) < limit {
        let rejected_below = limit.wrapping_neg() % limit;
        while (product as u32) < rejected_below {
            product = u64::from(stream.next_u32()) * u64::from(limit);
        }
    }
    (product >> 32) as u32
}

/// One of the set bits of `mask`; `None` if there is none. A single set bit draws nothing.
#[inline]
pub(crate) fn pick(stream: &mut Stream, mask: u64) -> Option<u8> {
    match mask.count_ones() {
        0 => None,
        set => Some(nth_set_bit(mask, below(stream, set))),
    }
}

/// The set bits of `mask` in random order, every order with the same probability (Fisher-Yates):
/// the array and how many of its entries count. A single set bit draws nothing.
#[inline]
pub(crate) fn shuffled(stream: &mut Stream, mask: u64) -> ([u8; PORTS_MAX], usize) {
    let mut order = [0; PORTS_MAX];
    let mut len = 0;
    for bit in bits(mask) {
        order[len] = bit;
        len += 1;
    }
    for last in (1..len).rev() {
        order.swap(last, below(stream, last as u32 + 1) as usize);
    }
    (order, len)
}

#[cfg(test)]
mod tests {
    use super::*;

    // Same seed, same numbers, on every machine and with every version of the library.
    #[test]
    fn draws_of_a_seed_are_pinned() {
        let mut stream = stream(42);
        let drawn: Vec<u32> = (0..8).map(|_| below(&mut stream, 10)).collect();
        assert_eq!(drawn, PINNED);
    }

    const PINNED: [u32; 8] = [8, 3, 9, 7, 7, 5, 1, 6];

    // Each of 6 numbers is expected 10,000 times with a standard deviation of 91.
    #[test]
    fn draws_are_even() {
        let mut stream = stream(1);
        let mut counts = [0_i64; 6];
        for _ in 0..60_000 {
            counts[below(&mut stream, 6) as usize] += 1;
        }
        assert!(
            counts.iter().all(|count| (count - 10_000).abs() < 500),
            "{counts:?}"
        );
    }

    // Each of the 6 orders of three bits is expected 10,000 times.
    #[test]
    fn orders_are_even() {
        let mut stream = stream(2);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..60_000 {
            let (order, len) = shuffled(&mut stream, 0b1000_0101);
            *counts.entry(order[..len].to_vec()).or_insert(0_i64) += 1;
        }
        assert_eq!(counts.len(), 6);
        assert!(
            counts.values().all(|count| (count - 10_000).abs() < 500),
            "{counts:?}"
        );
    }

    #[test]
    fn a_single_choice_draws_nothing() {
        let mut drawn = stream(3);
        assert_eq!(below(&mut drawn, 1), 0);
        assert_eq!(pick(&mut drawn, 1 << 63), Some(63));
        assert_eq!(pick(&mut drawn, 0), None);
        assert_eq!(shuffled(&mut drawn, 1 << 5).1, 1);
        assert_eq!(drawn, stream(3));
    }
}
