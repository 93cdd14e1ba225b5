//! Searches: round robin over the bits of a register.

/// The first set bit at or after bit `start`, cyclic, that `accept` takes. A start beyond the word
/// is bit 0.
#[inline(always)]
pub fn first_from(word: u64, start: u32, mut accept: impl FnMut(usize) -> bool) -> Option<usize> {
    let start = if start < 64 { start } else { 0 };
    let mut turned = word.rotate_right(start);
    while turned != 0 {
        let bit = ((turned.trailing_zeros() + start) % 64) as usize;
        if accept(bit) {
            return Some(bit);
        }
        turned &= turned - 1;
    }
    None
}

/// As [`first_from`], in several words. A start beyond them is bit 0.
#[inline(always)]
pub fn first_from_words(
    words: &[u64],
    start: usize,
    accept: impl FnMut(usize) -> bool,
) -> Option<usize> {
    match *words {
        [] => None,
        [word] => first_from(word, start.min(64) as u32, accept),
        _ => first_from_many(words, start, accept),
    }
}

#[inline(never)]
fn first_from_many(
    words: &[u64],
    start: usize,
    mut accept: impl FnMut(usize) -> bool,
) -> Option<usize> {
    let (mut at, at_or_after) = if start / 64 < words.len() {
        (start / 64, u64::MAX << (start % 64))
    } else {
        (0, u64::MAX)
    };
    let mut mask = at_or_after;
    // The first word is scanned twice: from the start on, and at the end below it.
    for left in (0..=words.len()).rev() {
        let mut word = words[at] & mask;
        while word != 0 {
            let bit = at * 64 + word.trailing_zeros() as usize;
            if accept(bit) {
                return Some(bit);
            }
            word &= word - 1;
        }
        at = if at + 1 == words.len() { 0 } else { at + 1 };
        mask = if left == 1 { !at_or_after } else { u64::MAX };
    }
    None
}

/// The set bit number `rank`, from 0, lowest first; `rank` must be below the number of set bits.
#[inline]
pub fn nth_one(word: u64, rank: u32) -> usize {
    debug_assert!(rank < word.count_ones());
    let (mut word, mut rank, mut position) = (word, rank, 0);
    for width in [32, 16, 8, 4, 2, 1] {
        let below = (word & ((1 << width) - 1)).count_ones();
        if rank >= below {
            rank -= below;
            word >>= width;
            position += width;
        }
    }
    position
}
