//! Credit that goes back over a link.

use super::{ask, first, insert, remove};
use crate::flat::wheel::Wheel;
use crate::flat::{Flat, Fly, Mode, NONE, Port, Rare, T};
use observe::{Event, Observer, Side};
use units::ClassId;

impl<M: Mode> Rare<M> {
    /// As [`Flat::ask_for_back`], of port `p`.
    #[inline(always)]
    pub(super) fn ask_for_back(&self, port: &mut Port, wheel: &mut Wheel, p: usize, t: T) {
        if (!M::EAGER || port.returns_urgently) && port.ready != NONE {
            let at = port.ready.max(port.later_busy(self.out_of_band)).max(t + 1);
            ask(port, wheel, p, at);
        }
    }
}

impl<M: Mode> Flat<M> {
    /// Asks for the start of credit that waits, where somebody is to be told of it in its tick.
    #[inline(always)]
    pub(crate) fn ask_for_back(&mut self, p: usize, t: T) {
        self.rare.ask_for_back(&mut self.port[p], &mut self.wheel, p, t);
    }

    /// Credit of a class goes back over the link of a port, from tick `from` on.
    #[inline(always)]
    pub(crate) fn return_credit(
        &mut self,
        observer: &mut impl Observer,
        p: usize,
        class: u16,
        cells: u16,
        from: T,
        t: T,
    ) {
        // The links were looked at before, in this tick too.
        if self.port[p].ready <= t && !self.has_named(p) {
            self.settle_back(observer, p, t + 1, t);
        }
        let port = &mut self.port[p];
        if port.waiting == 0 {
            port.ready = from;
            let class = usize::from(class);
            let words = self.rare.words(port.back_words);
            insert(&mut port.waiting, words, &mut self.wide, class);
            self.counters[port.back as usize + class] = cells;
            self.rare.ask_for_back(port, &mut self.wheel, p, t);
        } else {
            self.return_beside(p, Fly { due: from, class, cells });
            self.ask_for_back(p, t);
        }
    }

    /// Other credit waits, or will.
    #[inline(always)]
    pub(super) fn return_beside(&mut self, p: usize, credit: Fly) {
        if credit.due >= self.port[p].ready {
            return self.return_later(p, credit);
        }
        self.return_before(p, credit);
    }

    /// What waits from a later tick on makes way.
    #[cold]
    #[inline(never)]
    pub(super) fn return_before(&mut self, p: usize, credit: Fly) {
        let port = &mut self.port[p];
        let (words, back) = (self.rare.words(port.back_words), port.back as usize);
        let due = std::mem::replace(&mut port.ready, credit.due);
        while let Some(class) = first(self.port[p].waiting, words, &self.wide, 0, |_| true) {
            remove(&mut self.port[p].waiting, words, &mut self.wide, class);
            let cells = std::mem::take(&mut self.counters[back + class]);
            let class = class as u16;
            self.return_later(p, Fly { due, class, cells });
        }
        let class = usize::from(credit.class);
        insert(&mut self.port[p].waiting, words, &mut self.wide, class);
        self.counters[back + class] = credit.cells;
    }

    /// Credit waits from a later tick on than what is next.
    #[inline(always)]
    pub(super) fn return_later(&mut self, p: usize, mut credit: Fly) {
        let port = &mut self.port[p];
        let next = Fly { due: port.later, class: port.later_class, cells: port.later_cells };
        if credit.due < next.due {
            (port.later, port.later_class, port.later_cells) =
                (credit.due, credit.class, credit.cells);
            if next.due == NONE {
                return;
            }
            credit = next;
        }
        let further = &mut self.later[p];
        let at = further.partition_point(|other| other.due <= credit.due);
        further.insert(at, credit);
    }

    /// All credit packets that start on a link before tick `end`, in tick `t`.
    #[inline(always)]
    pub(crate) fn settle_back(&mut self, observer: &mut impl Observer, p: usize, end: T, t: T) {
        let port = &mut self.port[p];
        let start = port.ready.max(port.later_busy(self.rare.out_of_band));
        let (waiting, later) = (port.waiting, port.later);
        if later != NONE
            || !self.rare.words(port.back_words).fits_word()
            || waiting & waiting.wrapping_sub(1) != 0
        {
            return self.settle_several(observer, p, end, t);
        }
        if start >= end {
            return;
        }
        let class = waiting.trailing_zeros() as u16;
        (port.waiting, port.ready) = (0, NONE);
        let cells = std::mem::take(&mut self.counters[port.back as usize + usize::from(class)]);
        self.send_credit(observer, p, start, class, cells, t);
    }

    /// Where credit of several classes waits, or from several ticks on.
    #[inline(never)]
    pub(super) fn settle_several(&mut self, observer: &mut impl Observer, p: usize, end: T, t: T) {
        loop {
            let port = &mut self.port[p];
            let start = port.ready.max(port.later_busy(self.rare.out_of_band));
            let (words, back) = (self.rare.words(port.back_words), port.back as usize);
            // What waits by then goes along, or with what is next.
            while port.later <= start && start != NONE {
                let class = usize::from(port.later_class);
                insert(&mut port.waiting, words, &mut self.wide, class);
                self.counters[back + class] += port.later_cells;
                next_later(&mut self.later, port, p);
            }
            if start >= end {
                return;
            }
            let class = if words.fits_word() && port.waiting & (port.waiting - 1) == 0 {
                port.waiting.trailing_zeros() as usize
            } else {
                let from = u32::from(port.back_pointer);
                let found = first(port.waiting, words, &self.wide, from, |_| true);
                found.expect("credit that waits")
            };
            remove(&mut port.waiting, words, &mut self.wide, class);
            let cells = std::mem::take(&mut self.counters[back + class]);
            if port.waiting == 0 {
                port.ready = port.later;
                if port.later != NONE {
                    let class = usize::from(port.later_class);
                    insert(&mut port.waiting, words, &mut self.wide, class);
                    self.counters[back + class] = port.later_cells;
                    next_later(&mut self.later, port, p);
                }
            }
            let is_last = port.ready == NONE;
            self.send_credit(observer, p, start, class as u16, cells, t);
            if is_last {
                return;
            }
        }
    }

    /// A credit packet has started on a link at `start`.
    #[inline(always)]
    pub(super) fn send_credit(
        &mut self,
        observer: &mut impl Observer,
        p: usize,
        start: T,
        class: u16,
        cells: u16,
        t: T,
    ) {
        if !M::EAGER {
            let sent = Event::CreditSent { class: ClassId(class), cells: cells.into() };
            self.observe(observer, (p, Side::Egress), sent, start);
        }
        let port = &mut self.port[p];
        if !self.rare.out_of_band {
            port.busy = start + self.times.credit;
        }
        port.back_pointer = class + 1;
        let due = start + self.times.credit + port.latency + self.times.credit_return;
        let (to, fly) = (port.peer as usize, Fly { due, class, cells });
        if port.is_cut {
            return self.post_credit(to, fly);
        }
        self.credit_goes_to(to, fly, t);
    }

    /// Credit is on its way to a port.
    #[inline(always)]
    pub(crate) fn credit_goes_to(&mut self, to: usize, fly: Fly, t: T) {
        self.land(to, t);
        let there = &mut self.port[to];
        let awaits_credit = there.awaits_credit;
        if there.flying == 0 && fly.due < t {
            self.give(to, fly, t);
        } else if let Some(place) = there.fly.get_mut(usize::from(there.flying)) {
            *place = fly;
            there.flying += 1;
        } else {
            self.further[to].push_back(fly);
        }
        if awaits_credit {
            self.wake_for_credit(to, fly.due.max(t) + 1);
        }
    }
}

/// Of credit that waits from later ticks on, the next comes up.
#[inline(always)]
fn next_later(later: &mut [Vec<Fly>], port: &mut Port, p: usize) {
    port.later = NONE;
    let further = &mut later[p];
    if !further.is_empty() {
        let Fly { due, class, cells } = further.remove(0);
        (port.later, port.later_class, port.later_cells) = (due, class, cells);
    }
}
