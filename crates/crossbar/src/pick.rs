//! Single-resource round robin: the first requester at or after a pointer, cyclic.

/// The first set bit of `mask` at or after bit `pointer`, cyclic; `None` if `mask` is empty.
///
/// A pointer of 64 or more starts at bit 0. The caller moves its pointer one past what it grants;
/// it may leave it at the number of ports, since no bit is set there.
///
/// ```
/// assert_eq!(crossbar::rotate_pick(0b0101, 1), Some(2));
/// assert_eq!(crossbar::rotate_pick(0b0101, 3), Some(0));
/// ```
#[inline]
pub fn rotate_pick(mask: u64, pointer: u8) -> Option<u8> {
    if mask == 0 {
        return None;
    }
    let at_or_after = mask & u64::MAX.checked_shl(u32::from(pointer)).unwrap_or(0);
    let from = if at_or_after != 0 { at_or_after } else { mask };
    Some(from.trailing_zeros() as u8)
}

/// The first set bit at or after bit `pointer`, cyclic, among the lowest `bits` bits of `words`
/// (bit `b` is bit `b % 64` of word `b / 64`); `None` if none is set.
///
/// Set bits from `bits` on, and bits beyond the end of `words`, do not count. A pointer of `bits`
/// or more starts at bit 0.
#[inline]
pub fn rotate_pick_words(words: &[u64], bits: usize, pointer: usize) -> Option<usize> {
    let bits = bits.min(words.len() * 64);
    let pointer = if pointer < bits { pointer } else { 0 };
    first_in(words, pointer, bits).or_else(|| first_in(words, 0, pointer))
}

/// The first set bit in `from..end`; `end` is within `words`.
#[inline]
fn first_in(words: &[u64], from: usize, end: usize) -> Option<usize> {
    if from >= end {
        return None;
    }
    let first = from / 64;
    let mut word = words[first] & (u64::MAX << (from % 64));
    let mut at = first;
    loop {
        if word != 0 {
            let bit = at * 64 + word.trailing_zeros() as usize;
            return (bit < end).then_some(bit);
        }
        at += 1;
        if at * 64 >= end {
            return None;
        }
        word = words[at];
    }
}

/// The position of the set bit number `rank` (from 0, lowest first); `rank` is below the number of
/// set bits.
#[inline]
pub(crate) fn nth_set_bit(mask: u64, rank: u32) -> u8 {
    debug_assert!(rank < mask.count_ones());
    let (mut mask, mut rank, mut position) = (mask, rank, 0);
    for width in [32_u8, 16, 8, 4, 2, 1] {
        let below = (mask & ((1_u64 << width) - 1)).count_ones();
        if rank >= below {
            rank -= below;
            mask >>= width;
            position += width;
        }
    }
    position
}

/// The set bits of a mask, lowest first.
#[inline]
pub(crate) fn bits(mut mask: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let bit = mask.trailing_zeros() as u8;
            mask &= mask - 1;
            bit
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    // The plain oracle: walk over every position once, from the pointer on.
    fn scan(set: &dyn Fn(usize) -> bool, bits: usize, pointer: usize) -> Option<usize> {
        (0..bits)
            .map(|step| (pointer + step) % bits)
            .find(|&bit| set(bit))
    }

    // Sparse words, so that runs of empty words and single bits occur.
    fn word() -> impl Strategy<Value = u64> {
        prop_oneof![
            2 => Just(0_u64),
            2 => (0_u32..64).prop_map(|bit| 1 << bit),
            1 => any::<u64>(),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(2005), ..ProptestConfig::default() })]

        // "first set bit at or after pointer, cyclic"
        #[test]
        fn one_word_pick_equals_a_scan(mask in word(), pointer in 0_u8..64) {
            let expected = scan(&|bit| mask >> bit & 1 == 1, 64, usize::from(pointer));
            prop_assert_eq!(rotate_pick(mask, pointer).map(usize::from), expected);
        }

        #[test]
        fn word_list_pick_equals_a_scan(
            words in prop::collection::vec(word(), 1..6), bits_share in 1_usize..=384, pointer_share in 0_usize..384,
        ) {
            let bits = 1 + (bits_share - 1) % (words.len() * 64);
            let pointer = pointer_share % bits;
            let expected = scan(&|bit| words[bit / 64] >> (bit % 64) & 1 == 1, bits, pointer);
            prop_assert_eq!(rotate_pick_words(&words, bits, pointer), expected);
        }

        #[test]
        fn ranked_bit_is_the_nth_of_the_list(mask in 1_u64.., rank in 0_u32..64) {
            let rank = rank % mask.count_ones();
            prop_assert_eq!(Some(nth_set_bit(mask, rank)), bits(mask).nth(rank as usize));
        }
    }

    // "A pointer of 64 or more starts at bit 0", "a pointer of `bits` or more starts at bit 0".
    #[test]
    fn pointer_past_the_end_starts_at_bit_zero() {
        assert_eq!(rotate_pick(0b110, 64), Some(1));
        assert_eq!(rotate_pick_words(&[0b110], 3, 3), Some(1));
        assert_eq!(rotate_pick_words(&[0b110], 3, 1000), Some(1));
    }

    // "Set bits from `bits` on, and bits beyond the end of `words`, do not count."
    #[test]
    fn bits_outside_the_range_do_not_count() {
        assert_eq!(rotate_pick_words(&[0b1000], 3, 0), None);
        assert_eq!(rotate_pick_words(&[1], 500, 70), Some(0));
        assert_eq!(rotate_pick_words(&[], 0, 0), None);
        assert_eq!(rotate_pick_words(&[], 8, 3), None);
    }
}
