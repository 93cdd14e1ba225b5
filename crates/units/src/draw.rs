//! Random streams and unbiased integer draws. Integers only, so that a seed gives equal numbers on
//! every machine.

use rand_core::Rng;

/// A random stream: xoshiro256++, whose values do not change with the version of the library.
pub use rand_xoshiro::Xoshiro256PlusPlus as Stream;

/// The next output of SplitMix64: words of any seed, to start other generators from.
pub fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A number below `limit`, each with exactly the same probability: multiply-shift, with rejection
/// of the few products that would favour some numbers (Lemire 2019). A limit of 0 gives 0. Takes at
/// least one number from the stream, whatever the limit.
#[inline]
pub fn below(stream: &mut Stream, limit: u64) -> u64 {
    let mut product = u128::from(stream.next_u64()) * u128::from(limit);
    if (product as u64) < limit {
        // The modulo is paid only here, where a rejection is possible at all.
        let rejected_below = limit.wrapping_neg() % limit;
        while (product as u64) < rejected_below {
            product = u128::from(stream.next_u64()) * u128::from(limit);
        }
    }
    (product >> 64) as u64
}
