//! The request registers of a switch: which queue of which input requests which output, kept up to date one head at a
//! time, so that arbitration never searches.

use saq::QueueId;

/// Class of a queue: normal queues request with priority over SAQs (garcia-mesh-2005).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub enum Class {
    /// Normal and detection queues.
    Normal = 0,
    /// SAQs.
    Saq = 1,
}

impl Class {
    /// Both, by priority.
    pub const ALL: [Class; 2] = [Class::Normal, Class::Saq];
}

/// Bit vectors over queues, inputs and outputs.
#[derive(Debug, Clone)]
#[repr(C)]
pub struct RequestRegisters {
    ports: u16,
    /// Words of a set of normal queues.
    words: u16,
    /// Words of a row.
    row: u32,
    /// `[output][class]`: inputs that request it.
    inputs: Box<[[u64; 2]]>,
    /// `[input]`: outputs that it requests, in either class, and by output the normal queues that do.
    rows: Box<[u64]>,
    /// `[input][output]`: SAQs.
    saqs: Box<[u64]>,
}

impl RequestRegisters {
    /// No requests; `queues` is the largest number of normal queues of an input.
    pub fn new(ports: usize, queues: usize) -> RequestRegisters {
        let words = queues.div_ceil(64);
        RequestRegisters {
            ports: ports as u16,
            words: words as u16,
            row: (1 + ports * words) as u32,
            inputs: vec![[0; 2]; ports].into(),
            rows: vec![0; ports * (1 + ports * words)].into(),
            saqs: vec![0; ports * ports].into(),
        }
    }

    /// Where the row of an input begins.
    #[inline(always)]
    fn row(&self, input: usize) -> usize {
        input * self.row as usize
    }

    /// Where the words of a pair begin.
    #[inline(always)]
    fn pair(&self, class: Class, input: usize, output: usize) -> usize {
        match class {
            Class::Normal => self.row(input) + 1 + output * usize::from(self.words),
            Class::Saq => input * usize::from(self.ports) + output,
        }
    }

    /// Inputs that request `output` in `class`.
    #[inline]
    pub fn inputs(&self, class: Class, output: usize) -> u64 {
        self.inputs[output][class as usize]
    }

    /// Inputs that request `output` in either class.
    #[inline]
    pub fn inputs_of_any_class(&self, output: usize) -> u64 {
        let [normal, saqs] = self.inputs[output];
        normal | saqs
    }

    /// Outputs that `input` requests in either class.
    #[inline]
    pub fn outputs(&self, input: usize) -> u64 {
        self.rows[self.row(input)]
    }

    /// Queues of `input` that request `output` in `class`: words of a bit vector; SAQs are numbered by CAM line.
    #[inline]
    pub fn queues(&self, class: Class, input: usize, output: usize) -> &[u64] {
        let at = self.pair(class, input, output);
        match class {
            Class::Normal => &self.rows[at..at + usize::from(self.words)],
            Class::Saq => &self.saqs[at..=at],
        }
    }

    /// The same where one word is all.
    #[inline(always)]
    pub(crate) fn only_word(&self, class: Class, input: usize, output: usize) -> Option<u64> {
        match class {
            Class::Normal => (self.words == 1).then(|| self.rows[self.row(input) + 1 + output]),
            Class::Saq => Some(self.saqs[self.pair(class, input, output)]),
        }
    }

    /// Asks for the registers of a pair ahead of their use.
    #[inline(always)]
    pub(crate) fn prefetch(&self, input: usize, output: usize) {
        self.prefetch_output(output);
        prefetch::nth(&self.rows, self.row(input));
        prefetch::nth(&self.rows, self.row(input) + 1 + output);
    }

    /// The same of who requests an output.
    #[inline(always)]
    pub(crate) fn prefetch_output(&self, output: usize) {
        prefetch::nth(&self.inputs, output);
    }

    /// Raises the request of a queue.
    #[inline(always)]
    pub fn set(&mut self, class: Class, input: usize, output: usize, queue: usize) {
        *self.word_mut(class, input, output, queue) |= 1 << (queue % 64);
        self.inputs[output][class as usize] |= 1 << input;
        let row = self.row(input);
        self.rows[row] |= 1 << output;
    }

    /// Withdraws the request of a queue.
    #[inline(always)]
    pub fn clear(&mut self, class: Class, input: usize, output: usize, queue: usize) {
        let word = self.word_mut(class, input, output, queue);
        *word &= !(1 << (queue % 64));
        if *word != 0 || (self.words > 1 && self.has_more(class, input, output)) {
            return;
        }
        let inputs = &mut self.inputs[output];
        inputs[class as usize] &= !(1 << input);
        if (inputs[0] | inputs[1]) >> input & 1 == 0 {
            let row = self.row(input);
            self.rows[row] &= !(1 << output);
        }
    }

    #[inline(never)]
    fn has_more(&self, class: Class, input: usize, output: usize) -> bool {
        self.queues(class, input, output).iter().any(|&w| w != 0)
    }

    /// The word that a queue's bit is in.
    #[inline(always)]
    fn word_mut(&mut self, class: Class, input: usize, output: usize, queue: usize) -> &mut u64 {
        let at = self.pair(class, input, output);
        match class {
            Class::Normal => &mut self.rows[at + queue / 64],
            Class::Saq => &mut self.saqs[at],
        }
    }
}

/// A set of queues of one port. Nearly every port has at most 64: their word is in place.
#[derive(Debug, Clone)]
#[repr(C)]
pub(crate) struct QueueSet {
    /// The set; of more than 64 queues the number of those in it.
    word: u64,
    /// All words, where one is not enough.
    words: Box<[u64]>,
}

impl QueueSet {
    /// The empty set of a port with `queues` queues.
    pub(crate) fn new(queues: usize) -> QueueSet {
        let words = if queues > 64 { queues.div_ceil(64) } else { 0 };
        QueueSet {
            word: 0,
            words: vec![0; words].into(),
        }
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.word == 0
    }

    #[inline(always)]
    pub(crate) fn insert(&mut self, queue: QueueId) {
        if self.words.is_empty() {
            self.word |= 1 << (queue % 64);
        } else {
            self.change(queue, true);
        }
    }

    #[inline(always)]
    pub(crate) fn remove(&mut self, queue: QueueId) {
        if self.words.is_empty() {
            self.word &= !(1 << (queue % 64));
        } else {
            self.change(queue, false);
        }
    }

    #[inline(never)]
    fn change(&mut self, queue: QueueId, is_in: bool) {
        let (word, bit) = (&mut self.words[usize::from(queue / 64)], queue % 64);
        let was_in = *word >> bit & 1;
        *word = *word & !(1 << bit) | u64::from(is_in) << bit;
        self.word = self.word + u64::from(is_in) - was_in;
    }

    /// Its word, where that is all.
    #[inline(always)]
    pub(crate) fn only_word(&self) -> Option<u64> {
        self.words.is_empty().then_some(self.word)
    }

    /// As [`find_cyclic`].
    #[inline(always)]
    pub(crate) fn find(&self, start: usize, accept: impl FnMut(usize) -> bool) -> Option<usize> {
        if self.words.is_empty() {
            find_in_word(self.word, start as u32, accept)
        } else {
            find_in_words(&self.words, start, accept)
        }
    }
}

/// Set bits of a word, from the lowest.
#[inline]
pub fn bits(mut word: u64) -> impl Iterator<Item = usize> {
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
pub fn bits_of(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words
        .iter()
        .enumerate()
        .flat_map(|(i, &w)| bits(w).map(move |b| i * 64 + b))
}

/// The first set bit at or after bit `start`, cyclic, that `accept` takes. A start beyond the words is bit 0.
#[inline]
pub fn find_cyclic(
    words: &[u64],
    start: usize,
    accept: impl FnMut(usize) -> bool,
) -> Option<usize> {
    match *words {
        [] => None,
        [word] => find_in_word(word, start as u32, accept),
        _ => find_in_words(words, start, accept),
    }
}

/// As [`find_cyclic`], of one word.
#[inline(always)]
pub(crate) fn find_in_word(
    word: u64,
    start: u32,
    mut accept: impl FnMut(usize) -> bool,
) -> Option<usize> {
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

#[inline(never)]
fn find_in_words(
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
    // The first word is looked at twice: from the start on, and at the end below it.
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

#[cfg(test)]
mod tests {
    use super::{Class, QueueSet, RequestRegisters, find_cyclic};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        // "the first set bit at or after bit `start`, cyclic, that `accept` takes"
        #[test]
        fn cyclic_search_equals_a_scan(words in prop::collection::vec(any::<u64>(), 1..4), start in 0_usize..256, keep in 1_usize..9) {
            let bits = words.len() * 64;
            let from = if start < bits { start } else { 0 };
            let set = |bit: usize| words[bit / 64] >> (bit % 64) & 1 == 1 && bit.is_multiple_of(keep);
            let expected = (0..bits).map(|step| (from + step) % bits).find(|&bit| set(bit));
            prop_assert_eq!(find_cyclic(&words, start, |bit| bit.is_multiple_of(keep)), expected);
        }

        // "which queue of which input requests which output": as a plain set of requests, whatever the number of queues.
        #[test]
        fn registers_equal_a_set(
            queues in prop_oneof![1_usize..9, 60_usize..70, 130_usize..140],
            steps in prop::collection::vec((any::<bool>(), any::<bool>(), 0_usize..5, 0_usize..5, any::<usize>()), 0..80),
        ) {
            let mut registers = RequestRegisters::new(5, queues);
            let mut set = BTreeSet::new();
            for (raise, saq, input, output, queue) in steps {
                let class = Class::ALL[usize::from(saq)];
                let queue = queue % if saq { 64 } else { queues };
                let request = (class as usize, input, output, queue);
                if raise {
                    registers.set(class, input, output, queue);
                    set.insert(request);
                } else {
                    registers.clear(class, input, output, queue);
                    set.remove(&request);
                }
                let any = |c: Option<Class>, i: usize, o: usize| {
                    set.iter().any(|r| c.is_none_or(|c| c as usize == r.0) && r.1 == i && r.2 == o)
                };
                for port in 0..5 {
                    let outputs = (0..5).filter(|&o| any(None, port, o)).fold(0, |m, o| m | 1 << o);
                    prop_assert_eq!(registers.outputs(port), outputs);
                    for class in Class::ALL {
                        let inputs = (0..5).filter(|&i| any(Some(class), i, port)).fold(0, |m, i| m | 1 << i);
                        prop_assert_eq!(registers.inputs(class, port), inputs);
                        let words = registers.queues(class, input, port);
                        let found: Vec<usize> = super::bits_of(words).collect();
                        let expected: Vec<usize> = set.iter()
                            .filter(|r| r.0 == class as usize && r.1 == input && r.2 == port).map(|r| r.3).collect();
                        prop_assert_eq!(found, expected);
                        let only = registers.only_word(class, input, port);
                        prop_assert_eq!(only, (words.len() == 1).then(|| words[0]));
                    }
                }
            }
        }

        #[test]
        fn queue_set_equals_a_set(
            queues in prop_oneof![Just(8_usize), Just(64), Just(65), Just(300)],
            steps in prop::collection::vec((any::<bool>(), any::<usize>()), 0..100),
        ) {
            let mut queue_set = QueueSet::new(queues);
            let mut set = BTreeSet::new();
            for (insert, queue) in steps {
                let queue = queue % queues;
                if insert {
                    queue_set.insert(queue as u16);
                    set.insert(queue);
                } else {
                    queue_set.remove(queue as u16);
                    set.remove(&queue);
                }
                prop_assert_eq!(queue_set.is_empty(), set.is_empty());
                prop_assert_eq!(queue_set.find(0, |_| true), set.first().copied());
                prop_assert_eq!(queue_set.only_word().is_some(), queues <= 64);
            }
        }
    }
}
