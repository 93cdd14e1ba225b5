//! Named random streams and exact integer draws: xoshiro256++, which is value-stable. The state of
//! a stream depends on the seed and its full name alone.

use rand_core::SeedableRng;
use units::Ratio;
use units::draw::split_mix;
pub use units::draw::{Stream, below};

const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01b3;

/// The stream called `name` (such as `node12.random.destination`) of a run with `seed`.
///
/// State: FNV-1a/64 over the eight little-endian bytes of the seed, then the name, starts
/// SplitMix64, whose first four outputs are the four words: never all zero, since it repeats none
/// within its period.
pub fn stream(seed: u64, name: &str) -> Stream {
    let mut state = FNV_OFFSET;
    for byte in seed.to_le_bytes().into_iter().chain(name.bytes()) {
        state = (state ^ u64::from(byte)).wrapping_mul(FNV_PRIME);
    }
    let mut words = [0; 32];
    for word in words.chunks_exact_mut(8) {
        word.copy_from_slice(&split_mix(&mut state).to_le_bytes());
    }
    Stream::from_seed(words)
}

/// True with exactly the probability `p`, 1 or more: always. Takes a draw in every case.
#[inline]
pub fn chance(rng: &mut Stream, p: Ratio) -> bool {
    below(rng, p.den()) < p.num()
}
