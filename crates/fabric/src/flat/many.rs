//! Many queues, each with its own room behind the crossbar (`voq-net`, `dbbm`): sets of those that
//! have any. In a full switch most have none, and are not looked at one by one.

use super::waiting::{Waiter, Waiting};
use super::{Flat, Mode, T};
use units::bits::ones;

/// Sets by port, in words; all empty where there are none. Queues have the same numbers before and
/// behind the crossbar, and each has its room; a head that stands requests until it goes.
#[derive(Debug, Default)]
pub(crate) struct Many {
    /// All packets are of one size, of which that room is a multiple: no head finds less than it
    /// needs but some, which it would claim.
    pub(crate) is_whole: bool,
    words: usize,
    /// Queues behind the crossbar with room.
    room: Vec<u64>,
    /// Queues at the input whose head is in the list of those that have waited for long.
    listed: Vec<u64>,
}

impl Many {
    /// Of so many ports with so many words of queues.
    pub(crate) fn new(ports: usize, words: usize, is_whole: bool) -> Many {
        Many {
            is_whole,
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
        put(&mut self.room, p * self.words, queue.into(), cells > 0);
    }

    /// The head of a queue goes.
    #[inline(always)]
    pub(crate) fn unlist(&mut self, p: usize, queue: usize) {
        put(&mut self.listed, p * self.words, queue, false);
    }

    /// The list of a switch of so many ports, whose port 0 is `first`, is made anew: its places by
    /// input and queue.
    pub(super) fn list(
        &mut self,
        (first, ports): (usize, usize),
        waiters: &[Waiter],
        places: &mut Vec<u32>,
    ) {
        places.resize(ports * self.words * 64, 0);
        for (place, &(_, input, queue)) in waiters.iter().enumerate() {
            let (input, queue) = (usize::from(input), usize::from(queue));
            put(&mut self.listed, (first + input) * self.words, queue, true);
            places[input * self.words * 64 + queue] = place as u32;
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

impl<M: Mode> Flat<M> {
    /// Whether any head wants the room of the tail that leaves a port.
    #[inline(always)]
    pub(super) fn is_for_anybody(&self, p: usize) -> bool {
        !self.rare.many || self.is_for_any_of_many(p)
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

    /// Places of overdue heads with room: all, or where no head claims the oldest of each input for
    /// an output, which stands for the others. Where one lacks room it is waited for.
    pub(super) fn overdue_with_room(
        &mut self,
        s: usize,
        lists: &mut Waiting,
        overdue: usize,
        t: T,
    ) {
        lists.with_room.clear();
        if overdue <= lists.gone {
            return;
        }
        let (first, words) = (self.switches[s].first as usize, self.many.words);
        for output in ones(self.switches[s].wanted) {
            let port = first + output;
            self.settle_tail(port, t);
            let mut lacks = 0;
            for input in ones(self.crossing[port].inputs) {
                let pair = &self.pair[(self.pairs[first + input] as usize + output) * words..];
                let listed = &self.many.listed[(first + input) * words..];
                let room = self.many.with_room(port);
                let mut oldest = overdue as u32;
                for (at, ((pair, listed), room)) in pair.iter().zip(listed).zip(room).enumerate() {
                    lacks |= pair & listed & !room;
                    for bit in ones(pair & listed & room) {
                        let place = lists.places[(input * words + at) * 64 + bit];
                        if self.many.is_whole {
                            oldest = oldest.min(place);
                        } else if (place as usize) < overdue {
                            lists.with_room.push(place);
                        }
                    }
                }
                lists.with_room.extend(((oldest as usize) < overdue).then_some(oldest));
            }
            if lacks != 0 {
                self.await_room(port, t);
            }
        }
        lists.with_room.sort_unstable();
    }

    /// Whether each listed head of an input stands where the list says.
    pub(super) fn is_list_right(&self, p: usize) -> bool {
        let port = &self.port[p];
        let s = port.element as usize;
        let lists = &self.switches[s].waiting;
        (0..port.ingress_queues).filter(|&queue| self.many.is_listed(p, queue.into())).all(
            |queue| {
                let at = usize::from(port.number) * self.many.words * 64 + usize::from(queue);
                let head = lists.waiters[lists.places[at] as usize];
                head.1 == port.number
                    && head.2 == queue
                    && self.waits_since(s, head.1, queue) == Some(head.0)
            },
        )
    }
}
