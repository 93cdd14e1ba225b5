//! Bit vectors against walks over every position.

use proptest::prelude::*;
use std::collections::BTreeSet;
use units::bits::{Set, first_from, first_from_words, nth_one, ones, ones_from, ones_of};

/// Sparse words, so that runs of empty words and single bits occur.
fn word() -> impl Strategy<Value = u64> {
    prop_oneof![
        2 => Just(0_u64),
        2 => (0_u32..64).prop_map(|bit| 1 << bit),
        1 => any::<u64>(),
    ]
}

fn is_set(words: &[u64], bit: usize) -> bool {
    words[bit / 64] >> (bit % 64) & 1 == 1
}

/// Every position once, from `start` on, cyclic; a start beyond the words is 0.
fn positions(words: &[u64], start: usize) -> impl Iterator<Item = usize> + '_ {
    let bits = words.len() * 64;
    let from = if start < bits { start } else { 0 };
    (0..bits).map(move |step| (from + step) % bits).filter(|&bit| is_set(words, bit))
}

proptest! {
    #![proptest_config(crate::fixed::fixed(1000, 2005))]

    // "the first set bit at or after bit `start`, cyclic, that `accept` takes": it is asked of
    // every set bit once, from the start on, until it takes one.
    #[test]
    fn cyclic_search_equals_a_scan(
        words in prop::collection::vec(word(), 0..5),
        start in prop_oneof![9 => 0_usize..400, 1 => Just(usize::MAX)],
        keep in 1_usize..9,
        takes_any in prop::bool::weighted(0.8),
    ) {
        let takes = |bit: usize| takes_any && bit.is_multiple_of(keep);
        let expected = positions(&words, start).find(|&bit| takes(bit));
        let mut seen = Vec::new();
        let found = first_from_words(&words, start, |bit| {
            seen.push(bit);
            takes(bit)
        });
        prop_assert_eq!(found, expected);
        let asked = positions(&words, start).take(seen.len());
        prop_assert!(asked.eq(seen.iter().copied()));
        prop_assert!(found.is_some() || seen.len() == ones_of(&words).count());
        if let [word] = *words {
            let start = u32::try_from(start).unwrap_or(u32::MAX);
            prop_assert_eq!(first_from(word, start, takes), expected);
        }
    }

    #[test]
    fn set_bits_come_from_the_lowest(words in prop::collection::vec(word(), 0..5)) {
        let expected = (0..words.len() * 64).filter(|&bit| is_set(&words, bit));
        prop_assert!(ones_of(&words).eq(expected));
        for word in words {
            prop_assert!(ones(word).eq((0..64).filter(|bit| word >> bit & 1 == 1)));
        }
    }

    #[test]
    fn set_bits_from_a_start_are_a_turned_list(word in word(), start in 0_u32..130) {
        prop_assert!(ones_from(word, start).eq(positions(&[word], start as usize)));
    }

    #[test]
    fn ranked_bit_is_the_nth_of_the_list(word in 1_u64.., rank in 0_u32..64) {
        let rank = rank % word.count_ones();
        prop_assert_eq!(Some(nth_one(word, rank)), ones(word).nth(rank as usize));
    }

    // A set answers alike whether it fits a word, just fits it or just does not.
    #[test]
    fn set_equals_a_plain_set(
        len in prop_oneof![Just(1_usize), Just(8), Just(64), Just(65), Just(128), Just(300)],
        steps in prop::collection::vec((any::<bool>(), any::<usize>()), 0..100),
        start in prop_oneof![9 => 0_usize..400, 1 => Just(usize::MAX)],
    ) {
        let mut set = Set::new(len);
        let mut plain = BTreeSet::new();
        for (insert, number) in steps {
            let number = number % len;
            if insert {
                set.insert(number);
                plain.insert(number);
            } else {
                set.remove(number);
                plain.remove(&number);
            }
            let from = plain.range(start..).next().or(plain.first()).copied();
            prop_assert_eq!(set.is_empty(), plain.is_empty());
            prop_assert_eq!(set.first_from(start, |_| true), from);
            let word = plain.iter().fold(0, |word, number| word | 1_u64 << (number % 64));
            prop_assert_eq!(set.only_word(), (len <= 64).then_some(word));
        }
    }
}
