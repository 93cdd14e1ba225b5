//! Many queues, each with its own room behind the crossbar (`voq-net`, `dbbm`): sets of those that
//! have any. In a full switch most have none, and are not looked at one by one.

use super::Flat;
use super::waiting::{Standing, Waiting};
use super::wheel::T;
use units::bits::ones;

/// Sets by port, in words. All is empty where it is off.
#[derive(Debug, Default)]
pub(crate) struct Many {
    /// Queues have the same numbers before and behind the crossbar, and each has its room; a head that stands requests until it goes.
    pub(crate) is_on: bool,
    words: usize,
    /// Queues behind the crossbar with room.
    room: Vec<u64>,
    /// Queues at the input whose head is in the list of those that have waited for long.
    listed: Vec<u64>,
}

impl Many {
    /// Of so many ports with so many words of queues.
    pub(crate) fn new(ports: usize, words: usize) -> Many {
        Many {
            is_on: true,
            words,
            room: vec![u64::MAX; ports * words],
            listed: vec![0; ports * words],
        }
    }

    /// The queues behind the crossbar that have room.
    pub(crate) fn with_room(&self, p: usize) -> &[u64] {
        &self.room[p * self.words..][..self.words]
    }

    /// Now a queue has room for so many cells.
    #[inline(always)]
    pub(crate) fn set_room(&mut self, p: usize, queue: u16, cells: u16) {
        if self.is_on {
            put_far(&mut self.room, p * self.words, queue, cells);
        }
    }

    /// The head of a queue goes.
    #[inline(always)]
    pub(crate) fn unlist(&mut self, p: usize, queue: usize) {
        if self.is_on {
            put(&mut self.listed, p * self.words, queue, false);
        }
    }

    /// The list of a switch, whose port 0 is `first`, is made anew: its places by input and queue.
    pub(super) fn list(&mut self, first: usize, standing: &[Standing], places: &mut Vec<u32>) {
        if !self.is_on {
            return;
        }
        for (place, &(_, input, queue)) in standing.iter().enumerate() {
            let (input, queue) = (usize::from(input), usize::from(queue));
            put(&mut self.listed, (first + input) * self.words, queue, true);
            let at = input * self.words * 64 + queue;
            places.resize(places.len().max(at + 1), 0);
            places[at] = place as u32;
        }
    }

    /// Whether a head is in the list.
    pub(super) fn is_listed(&self, p: usize, queue: usize) -> bool {
        self.listed[p * self.words + queue / 64] >> (queue % 64) & 1 == 1
    }
}

#[inline(always)]
fn put(words: &mut [u64], first: usize, number: usize, is_in: bool) {
    let word = &mut words[first + number / 64];
    *word = *word & !(1 << (number % 64)) | u64::from(is_in) << (number % 64);
}

/// Out of the way of those who have no such sets.
#[cold]
#[inline(never)]
fn put_far(words: &mut [u64], first: usize, queue: u16, cells: u16) {
    put(words, first, queue.into(), cells > 0);
}

impl<const EAGER: bool> Flat<EAGER> {
    /// Whether any head wants the room of the tail that leaves a port.
    #[inline(always)]
    pub(super) fn is_for_anybody(&self, p: usize) -> bool {
        !self.many.is_on || self.is_for_any_of_many(p)
    }

    #[cold]
    #[inline(never)]
    fn is_for_any_of_many(&self, p: usize) -> bool {
        let (port, words) = (&self.port[p], self.many.words);
        let (first, output) = (port.first(p), usize::from(port.number));
        let queue = usize::from(port.leaving_class);
        ones(self.crossing[p].inputs).any(|input| {
            let pair = (self.pairs[first + input] as usize + output) * words;
            self.pair[pair + queue / 64] >> (queue % 64) & 1 == 1
        })
    }

    /// Of each input's listed heads for an output the place of the oldest with room. Where a head
    /// lacks room it is waited for.
    pub(super) fn oldest_with_room(&mut self, s: usize, lists: &mut Waiting, t: T) {
        lists.oldest.clear();
        let (first, words) = (self.switches[s].first as usize, self.many.words);
        for output in ones(self.switches[s].wanted) {
            let port = first + output;
            self.settle_tail(port, t);
            let mut lacks = 0;
            for input in ones(self.crossing[port].inputs) {
                let pair = &self.pair[(self.pairs[first + input] as usize + output) * words..];
                let listed = &self.many.listed[(first + input) * words..];
                let room = self.many.with_room(port);
                let mut oldest = u32::MAX;
                for (at, ((pair, listed), room)) in pair.iter().zip(listed).zip(room).enumerate() {
                    lacks |= pair & listed & !room;
                    for bit in ones(pair & listed & room) {
                        oldest = oldest.min(lists.places[(input * words + at) * 64 + bit]);
                    }
                }
                lists.oldest.extend((oldest != u32::MAX).then_some(oldest));
            }
            if lacks != 0 {
                self.await_room(port, t);
            }
        }
        lists.oldest.sort_unstable();
    }
}
