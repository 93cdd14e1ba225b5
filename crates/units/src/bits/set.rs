//! A set of small numbers.

use super::{first_from, first_from_words};

/// A set of numbers below a limit, such as the queues of a port. Nearly every port has at most 64:
/// their word is in place.
#[derive(Debug, Clone, PartialEq, Eq)]
#[repr(C)]
pub struct Set {
    /// The set; with a limit of more than 64, how many numbers are in it.
    word: u64,
    /// All words, where one is not enough.
    words: Box<[u64]>,
}

impl Set {
    /// The empty set of numbers below `len`.
    pub fn new(len: usize) -> Set {
        let words = if len > 64 { len.div_ceil(64) } else { 0 };
        Set { word: 0, words: vec![0; words].into() }
    }

    /// Whether no number is in it.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.word == 0
    }

    /// Puts a number in, which must be below the limit; it may be in already.
    #[inline(always)]
    pub fn insert(&mut self, number: usize) {
        if self.words.is_empty() {
            debug_assert!(number < 64, "number {number} in a set of at most 64");
            self.word |= 1 << (number % 64);
        } else {
            self.change(number, true);
        }
    }

    /// Takes a number out, which must be below the limit; it need not be in.
    #[inline(always)]
    pub fn remove(&mut self, number: usize) {
        if self.words.is_empty() {
            debug_assert!(number < 64, "number {number} in a set of at most 64");
            self.word &= !(1 << (number % 64));
        } else {
            self.change(number, false);
        }
    }

    #[inline(never)]
    fn change(&mut self, number: usize, is_in: bool) {
        let (word, bit) = (&mut self.words[number / 64], number % 64);
        let was_in = *word >> bit & 1;
        *word = *word & !(1 << bit) | u64::from(is_in) << bit;
        self.word = self.word + u64::from(is_in) - was_in;
    }

    /// Its word, where that is all: with a limit of at most 64.
    #[inline(always)]
    pub fn only_word(&self) -> Option<u64> {
        self.words.is_empty().then_some(self.word)
    }

    /// The first number at or after `start`, cyclic, that `accept` takes. A start beyond the limit
    /// is 0.
    #[inline(always)]
    pub fn first_from(&self, start: usize, accept: impl FnMut(usize) -> bool) -> Option<usize> {
        match self.only_word() {
            Some(word) => first_from(word, u32::try_from(start).unwrap_or(0), accept),
            None => first_from_words(&self.words, start, accept),
        }
    }
}
