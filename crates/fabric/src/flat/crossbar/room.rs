//! Which heads may go: those with room behind their output.

use crate::flat::{Flat, Mode, NONE, T};
use observe::Observer;

impl<M: Mode> Flat<M> {
    /// `iq`: whether the link behind an output takes a packet now.
    pub(crate) fn is_open(&mut self, observer: &mut impl Observer, p: usize, t: T) -> bool {
        if self.port[p].ready <= t && !self.has_named(p) {
            self.settle_back(observer, p, t + 1, t);
        }
        let busy = self.port[p].busy;
        if busy > t {
            self.ask_crossbar(self.port[p].element as usize, busy);
        }
        busy <= t
    }

    /// Whether a head of an input may go to an output now; which is kept.
    #[inline(always)]
    pub(super) fn pick(
        &mut self,
        observer: &mut impl Observer,
        (s, first): (usize, usize),
        (input, output): (usize, usize),
        t: T,
        overdue: bool,
    ) -> bool {
        if self.rare.shared || self.rare.oldest_first || overdue {
            return self.pick_of_many(observer, s, input, output, t, overdue);
        }
        let p = first + input;
        let queue = self.ingress_map.of_output(output);
        let k = self.queues[self.port[p].ingress as usize + queue].head as usize;
        self.has_room(observer, first + output, k, t)
    }

    /// Whether there is room for a packet behind an output.
    #[inline(always)]
    pub(crate) fn has_room(
        &mut self,
        observer: &mut impl Observer,
        p: usize,
        k: usize,
        t: T,
    ) -> bool {
        let fits = self.fits(observer, p, k, t);
        if !fits {
            self.await_room(p, t);
        }
        fits
    }

    #[inline(always)]
    pub(crate) fn fits(&mut self, observer: &mut impl Observer, p: usize, k: usize, t: T) -> bool {
        let packet = &self.packets.slots[k];
        let (class, cells) = (packet.next_class, packet.cells);
        self.room_behind(observer, p, class, cells, t) >= cells
    }

    /// Free cells of a class behind an output, at least if they are not `enough`.
    #[inline(always)]
    pub(crate) fn room_behind(
        &mut self,
        observer: &mut impl Observer,
        p: usize,
        class: u16,
        enough: u16,
        t: T,
    ) -> u16 {
        if self.rare.is_iq {
            let at = self.port[p].credits as usize + usize::from(class);
            if self.counters[at] < enough {
                self.settle_credit_once(observer, p, t);
            }
            return self.counters[at];
        }
        let at = self.port[p].room as usize + usize::from(class);
        if self.counters[at] < enough {
            self.settle_tail(p, t);
        }
        self.counters[at]
    }

    #[cold]
    #[inline(never)]
    pub(super) fn settle_credit_once(&mut self, observer: &mut impl Observer, p: usize, t: T) {
        let awaited = self.port[p].awaits_credit;
        self.settle_credit(observer, p, t);
        if awaited {
            // A head of another class, or another input, may wait for it still.
            self.await_credit(p, t);
        }
    }

    /// A head lacks room behind an output: the crossbar is looked at when some comes.
    #[cold]
    #[inline(never)]
    pub(crate) fn await_room(&mut self, p: usize, t: T) {
        if self.rare.is_iq {
            return self.await_credit(p, t);
        }
        let end = self.port[p].tail_end;
        if end == NONE || !self.is_for_anybody(p) {
            self.port[p].awaits_room = true;
        } else {
            self.ask_crossbar(self.port[p].element as usize, end);
        }
    }

    /// Of several queues of an input that request an output.
    #[inline(never)]
    pub(super) fn pick_of_many(
        &mut self,
        observer: &mut impl Observer,
        s: usize,
        input: usize,
        output: usize,
        t: T,
        overdue: bool,
    ) -> bool {
        let (first, ports) = (self.switches[s].first as usize, usize::from(self.switches[s].ports));
        let (p, port) = (first + input, first + output);
        let pair = input * ports + output;
        if overdue {
            self.scratch.queue_of[pair] = 0;
        }
        let holder =
            if overdue { self.switches[s].waiting.holder(false, output, input) } else { None };
        let (mut found, mut starved) = (None, false);
        let start =
            if self.rare.shared { self.pointers[self.pairs[p] as usize + output] } else { 0 };
        let mut from = usize::from(start);
        let words = self.requesting(p, output);
        if self.rare.many && holder.is_none() {
            // Most have no room, in a full switch: those are not looked up.
            self.settle_tail(port, t);
            for (word, room) in self.scratch_words.iter_mut().zip(self.many.with_room(port)) {
                starved |= *word & !room != 0;
                *word &= room;
            }
        }
        loop {
            let queue = match holder {
                Some(queue) => usize::from(queue),
                None => {
                    match units::bits::first_from_words(&self.scratch_words[..words], from, |_| {
                        true
                    }) {
                        Some(queue) => {
                            self.scratch_words[queue / 64] &= !(1 << (queue % 64));
                            queue
                        }
                        None => break,
                    }
                }
            };
            from = queue + 1;
            let k = self.queues[self.port[p].ingress as usize + queue].head;
            let fits = k != NONE && {
                let k = k as usize;
                self.packets.slots[k].visible <= t && {
                    let fits = self.fits(observer, port, k, t)
                        && !(overdue && self.is_claimed(s, (input, output), queue, k, false));
                    starved |= !fits;
                    fits
                }
            };
            if fits {
                let age = self.packets.slots[k as usize].stored;
                if !self.rare.oldest_first {
                    found = Some((queue, age));
                    break;
                }
                if found.is_none_or(|(_, oldest)| age < oldest) {
                    found = Some((queue, age));
                }
            }
            if holder.is_some() {
                break;
            }
        }
        match found {
            Some((queue, age)) => {
                self.scratch.queue_of[pair] = queue as u16;
                if self.rare.oldest_first {
                    self.scratch.ages[pair] = age.into();
                }
                true
            }
            None => {
                if starved {
                    self.await_room(port, t);
                }
                false
            }
        }
    }

    /// Fills `scratch_words` with the queues of an input that request an output; how many words.
    pub(super) fn requesting(&mut self, p: usize, output: usize) -> usize {
        if self.rare.shared {
            let at = (self.pairs[p] as usize + output) * self.pair_words;
            let words = &self.pair[at..at + self.pair_words];
            self.scratch_words[..words.len()].copy_from_slice(words);
            return words.len();
        }
        let queue = self.ingress_map.of_output(output);
        self.scratch_words[0] = 1 << queue;
        1
    }
}
