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

/// What the registers say about an input, and about the output of the same number.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C, align(32))]
struct PortRequests {
    /// Inputs that request the output, by class.
    inputs: [u64; 2],
    /// Outputs that the input requests, in either class.
    outputs: u64,
    /// Normal queues of the input that request, by output, where those of all outputs fit a word.
    queues: u64,
}

/// Bit vectors over queues, inputs and outputs.
#[derive(Debug, Clone)]
#[repr(C)]
pub struct RequestRegisters {
    ports: u16,
    /// Words of a set of normal queues.
    words: u16,
    /// Bits of such a set where those of all outputs fit a word, else 0.
    packed: u32,
    registers: Box<[PortRequests]>,
    /// `[input][output]`: normal queues that request, where they fit no word together.
    normal: Box<[u64]>,
    /// `[input][output]`: SAQs.
    saqs: Box<[u64]>,
}

impl RequestRegisters {
    /// No requests; `queues` is the largest number of normal queues of an input, at least 1.
    pub fn new(ports: usize, queues: usize) -> RequestRegisters {
        let fits = ports * queues <= 64;
        let words = queues.div_ceil(64);
        RequestRegisters {
            ports: ports as u16,
            words: words as u16,
            packed: if fits { queues as u32 } else { 0 },
            registers: vec![PortRequests::default(); ports].into(),
            normal: vec![0; if fits { 0 } else { ports * ports * words }].into(),
            saqs: vec![0; ports * ports].into(),
        }
    }

    /// Where a pair is in a table.
    #[inline(always)]
    fn pair(&self, input: usize, output: usize) -> usize {
        input * usize::from(self.ports) + output
    }

    /// Inputs that request `output` in `class`.
    #[inline]
    pub fn inputs(&self, class: Class, output: usize) -> u64 {
        self.registers[output].inputs[class as usize]
    }

    /// Inputs that request `output` in either class.
    #[inline]
    pub fn inputs_of_any_class(&self, output: usize) -> u64 {
        let [normal, saqs] = self.registers[output].inputs;
        normal | saqs
    }

    /// Outputs that `input` requests in either class.
    #[inline]
    pub fn outputs(&self, input: usize) -> u64 {
        self.registers[input].outputs
    }

    /// The first queue of `input` that requests `output` in `class`, at or after `start`, cyclic, that `accept` takes; SAQs are
    /// numbered by CAM line.
    #[inline]
    pub(crate) fn find(
        &self,
        (class, input, output): (Class, usize, usize),
        start: u32,
        accept: impl FnMut(usize) -> bool,
    ) -> Option<usize> {
        match self.only_word(class, input, output) {
            Some(word) => find_in_word(word, start, accept),
            None => find_in_words(self.words(input, output), start as usize, accept),
        }
    }

    /// All such queues, where they are one word.
    #[inline(always)]
    pub(crate) fn only_word(&self, class: Class, input: usize, output: usize) -> Option<u64> {
        match class {
            Class::Saq => Some(self.saqs[self.pair(input, output)]),
            Class::Normal if self.packed > 0 => {
                let queues = self.registers[input].queues >> (output as u32 * self.packed);
                Some(queues & (u64::MAX >> (64 - self.packed)))
            }
            Class::Normal if self.words == 1 => Some(self.normal[self.pair(input, output)]),
            Class::Normal => None,
        }
    }

    /// Words of the normal queues of a pair, where they fit no word together.
    #[inline]
    fn words(&self, input: usize, output: usize) -> &[u64] {
        let words = usize::from(self.words);
        &self.normal[self.pair(input, output) * words..][..words]
    }

    /// Asks for the registers of a pair ahead of their use.
    #[inline(always)]
    pub(crate) fn prefetch(&self, input: usize, output: usize) {
        self.prefetch_port(output);
        self.prefetch_port(input);
        if self.packed == 0 {
            prefetch::nth(
                &self.normal,
                self.pair(input, output) * usize::from(self.words),
            );
        }
    }

    /// The same of one input, and who requests the output of the same number.
    #[inline(always)]
    pub(crate) fn prefetch_port(&self, port: usize) {
        prefetch::nth(&self.registers, port);
    }

    /// Raises the request of a queue.
    #[inline(always)]
    pub fn set(&mut self, class: Class, input: usize, output: usize, queue: usize) {
        let (word, bit) = self.place(class, input, output, queue);
        *word |= 1 << bit;
        self.registers[output].inputs[class as usize] |= 1 << input;
        self.registers[input].outputs |= 1 << output;
    }

    /// Withdraws the request of a queue.
    #[inline(always)]
    pub fn clear(&mut self, class: Class, input: usize, output: usize, queue: usize) {
        let (word, bit) = self.place(class, input, output, queue);
        *word &= !(1 << bit);
        match self.only_word(class, input, output) {
            Some(0) => {}
            None if self.words(input, output).iter().all(|&word| word == 0) => {}
            _ => return,
        }
        let inputs = &mut self.registers[output].inputs;
        inputs[class as usize] &= !(1 << input);
        if (inputs[0] | inputs[1]) >> input & 1 == 0 {
            self.registers[input].outputs &= !(1 << output);
        }
    }

    /// The word that a queue's bit is in, and which bit it is.
    #[inline(always)]
    fn place(
        &mut self,
        class: Class,
        input: usize,
        output: usize,
        queue: usize,
    ) -> (&mut u64, u32) {
        let pair = self.pair(input, output);
        match class {
            Class::Saq => (&mut self.saqs[pair], queue as u32),
            Class::Normal if self.packed > 0 => {
                assert!(
                    queue < self.packed as usize,
                    "queue {queue} of {}",
                    self.packed
                );
                let bit = output as u32 * self.packed + queue as u32;
                (&mut self.registers[input].queues, bit)
            }
            Class::Normal => {
                let at = pair * usize::from(self.words) + queue / 64;
                (&mut self.normal[at], queue as u32 % 64)
            }
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

    /// As [`find_in_word`].
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

/// The first set bit at or after bit `start`, cyclic, that `accept` takes. A start beyond the word is bit 0.
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

/// The same of several words.
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
    use super::{Class, QueueSet, RequestRegisters, find_in_word, find_in_words};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn queues_of(
        registers: &RequestRegisters,
        class: Class,
        input: usize,
        output: usize,
    ) -> Vec<usize> {
        let mut queues = Vec::new();
        registers.find((class, input, output), 0, |queue| {
            queues.push(queue);
            false
        });
        queues
    }

    fn saq_or_few(class: Class, queues: usize) -> bool {
        class == Class::Saq || queues <= 64
    }

    proptest! {
        // "the first set bit at or after bit `start`, cyclic, that `accept` takes"
        #[test]
        fn cyclic_search_equals_a_scan(words in prop::collection::vec(any::<u64>(), 1..4), start in 0_usize..256, keep in 1_usize..9) {
            let bits = words.len() * 64;
            let from = if start < bits { start } else { 0 };
            let set = |bit: usize| words[bit / 64] >> (bit % 64) & 1 == 1 && bit.is_multiple_of(keep);
            let expected = (0..bits).map(|step| (from + step) % bits).find(|&bit| set(bit));
            prop_assert_eq!(find_in_words(&words, start, |bit| bit.is_multiple_of(keep)), expected);
            if let [word] = *words {
                prop_assert_eq!(find_in_word(word, start as u32, |bit| bit.is_multiple_of(keep)), expected);
            }
        }

        // "which queue of which input requests which output": as a plain set of requests, whatever the number of queues.
        #[test]
        fn registers_equal_a_set(
            // What fits a word, just fits it, and just does not.
            (ports, queues) in prop_oneof![
                (Just(5_usize), prop_oneof![1_usize..20, 60_usize..70, 130_usize..140]),
                (Just(8), 7_usize..10),
                (Just(1), 63_usize..66),
                (Just(64), 1_usize..3),
            ],
            steps in prop::collection::vec((any::<bool>(), any::<bool>(), any::<usize>(), any::<usize>(), any::<usize>()), 0..80),
        ) {
            let mut registers = RequestRegisters::new(ports, queues);
            let mut set = BTreeSet::new();
            for (raise, saq, input, output, queue) in steps {
                let (class, input, output) = (Class::ALL[usize::from(saq)], input % ports, output % ports);
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
                for port in 0..ports {
                    let outputs = (0..ports).filter(|&o| any(None, port, o)).fold(0, |m, o| m | 1 << o);
                    prop_assert_eq!(registers.outputs(port), outputs);
                    for class in Class::ALL {
                        let inputs = (0..ports).filter(|&i| any(Some(class), i, port)).fold(0, |m, i| m | 1 << i);
                        prop_assert_eq!(registers.inputs(class, port), inputs);
                        let found: Vec<usize> = queues_of(&registers, class, input, port);
                        let expected: Vec<usize> = set.iter()
                            .filter(|r| r.0 == class as usize && r.1 == input && r.2 == port).map(|r| r.3).collect();
                        let cyclic = expected.iter().copied().find(|&q| q >= queue).or(expected.first().copied());
                        prop_assert_eq!(registers.find((class, input, port), queue as u32, |_| true), cyclic);
                        prop_assert_eq!(registers.only_word(class, input, port).is_some(), saq_or_few(class, queues));
                        prop_assert_eq!(found, expected);
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
