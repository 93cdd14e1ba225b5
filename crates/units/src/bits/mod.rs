//! Bit vectors, as the request registers, port masks and CAM flags of a switch are: bit `b` of a
//! list of words is bit `b % 64` of word `b / 64`.
//!
//! ```
//! assert_eq!(units::bits::ones(0b1001).collect::<Vec<_>>(), [0, 3]);
//! // A round robin pick: the first at or after the pointer, cyclic.
//! assert_eq!(units::bits::first_from(0b1001, 1, |_| true), Some(3));
//! assert_eq!(units::bits::first_from(0b1001, 4, |_| true), Some(0));
//! ```

mod search;
mod set;

pub use search::{first_from, first_from_words, nth_one};
pub use set::Set;

/// Set bits of a word, from the lowest.
#[inline]
pub fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let bit = word.trailing_zeros() as usize;
            word &= word - 1;
            bit
        })
    })
}

/// Set bits of several words, from the lowest.
#[inline]
pub fn ones_of(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    let numbered = words.iter().enumerate();
    numbered.flat_map(|(at, &word)| ones(word).map(move |bit| at * 64 + bit))
}

/// Set bits of a word from bit `start` on, cyclic. A start beyond the word is bit 0.
#[inline]
pub fn ones_from(word: u64, start: u32) -> impl Iterator<Item = usize> {
    let at_or_after = word & u64::MAX.checked_shl(start).unwrap_or(0);
    ones(at_or_after).chain(ones(word & !at_or_after))
}
