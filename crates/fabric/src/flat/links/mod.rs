//! Links: the arbiter of an egress port, packets and control packets that start, and credit.
//!
//! Credit is no event while nobody waits for it. What waits to go back over a link starts as soon
//! as that is free: whoever looks at the link settles first what has started by then
//! ([`Flat::settle_back`]). What is on its way is a field of the port that it goes to; who lacks
//! credit there settles both, and only then waits.

mod back;
mod credit;
mod start;

use super::records::Words;
use super::wheel::Wheel;
use super::{Flat, Kind, Mode, NONE, Port, T};
use observe::{Event, Observer, Place, Side, View};
use units::{Tick, WireId};

/// Puts a number into a set.
#[inline(always)]
pub(crate) fn insert(word: &mut u64, words: Words, wide: &mut [u64], number: usize) {
    if words.fits_word() {
        *word |= 1 << number;
        return;
    }
    let at = words.word(wide, number);
    *word += u64::from(*at >> (number % 64) & 1 == 0);
    *at |= 1 << (number % 64);
}

/// Takes a number out of a set.
#[inline(always)]
pub(crate) fn remove(word: &mut u64, words: Words, wide: &mut [u64], number: usize) {
    if words.fits_word() {
        *word &= !(1 << number);
        return;
    }
    let at = words.word(wide, number);
    *word -= *at >> (number % 64) & 1;
    *at &= !(1 << (number % 64));
}

/// The first number of a set from `start` on, cyclic, that `accept` takes.
#[inline(always)]
pub(crate) fn first(
    word: u64,
    words: Words,
    wide: &[u64],
    start: u32,
    accept: impl FnMut(usize) -> bool,
) -> Option<usize> {
    if words.fits_word() {
        units::bits::first_from(word, start, accept)
    } else {
        units::bits::first_from_words(words.all(wide), start as usize, accept)
    }
}

/// The link of a port, whose number is `p`, is looked at in a tick to come.
#[inline(always)]
fn ask(port: &mut Port, wheel: &mut Wheel, p: usize, at: T) {
    if at < port.asked {
        port.asked = at;
        wheel.put(at, Kind::Link, p);
    }
}

impl<M: Mode> Flat<M> {
    #[inline(always)]
    pub(crate) fn place(port: usize, side: Side) -> Place {
        Place { port: WireId(port as u32), side }
    }

    #[inline(always)]
    pub(crate) fn view_at(owners: &[observe::Owner], at: T) -> View<'_> {
        View { now: Tick(at.into()), owners }
    }

    /// Observers are notified of what happens at a side in tick `t`.
    #[inline(always)]
    pub(crate) fn observe(
        &self,
        observer: &mut impl Observer,
        (p, side): (usize, Side),
        event: Event,
        t: T,
    ) {
        observer.event(Self::view_at(&self.owners, t), Self::place(p, side), event);
    }

    /// The link is looked at in a tick to come.
    #[inline(always)]
    pub(crate) fn ask_link(&mut self, p: usize, at: T) {
        ask(&mut self.port[p], &mut self.wheel, p, at);
    }

    /// Whether named control packets wait for a link: in a plain fabric only SAQs have such.
    #[inline(always)]
    pub(crate) fn has_named(&self, p: usize) -> bool {
        (!M::PLAIN || self.rare.saqs) && self.port[p].named
    }

    /// Evaluate and step 1 of a link.
    #[inline(always)]
    pub(crate) fn link(&mut self, observer: &mut impl Observer, p: usize, t: T) {
        let port = &mut self.port[p];
        if port.asked <= t {
            port.asked = NONE;
        }
        if self.has_named(p) && !self.link_named(observer, p, t) {
            return;
        }
        if self.port[p].ready <= t {
            self.settle_back(observer, p, t + 1, t);
        }
        let port = &mut self.port[p];
        // With the port at hand. If data starts too the link is busy then, and it is asked again.
        self.rare.ask_for_back(port, &mut self.wheel, p, t);
        if port.eligible != 0 {
            let busy = port.busy;
            if busy > t {
                ask(port, &mut self.wheel, p, busy);
            } else {
                self.data(observer, p, t, false);
            }
        }
    }

    /// The link arbiter: round robin over the queues whose head is visible and has credit.
    /// `settled`: all credit that has come is counted.
    #[inline(always)]
    fn data(&mut self, observer: &mut impl Observer, p: usize, t: T, settled: bool) {
        let port = &self.port[p];
        let (mut soon, mut starved) = (NONE, false);
        let (packets, queues) = (&self.packets.slots, &self.queues);
        let (first_queue, credits) = (port.egress as usize, port.credits as usize);
        let look = |queue: usize| {
            let head = &packets[queues[first_queue + queue].head as usize];
            if head.visible > t {
                soon = soon.min(head.visible);
                return false;
            }
            let cells = head.cells;
            let fits = self.counters[credits + usize::from(head.next_class)] >= cells;
            starved |= !fits;
            // What has come may change it.
            fits || !settled
        };
        let (words, pointer) = (self.rare.words(port.egress_words), u32::from(port.pointer));
        let found = first(port.eligible, words, &self.wide, pointer, look);
        match found {
            Some(queue) if settled || !starved => self.start(observer, p, queue, t),
            Some(_) => self.starved(observer, p, t),
            None => {
                if starved {
                    self.await_credit(p, t);
                }
                if soon != NONE {
                    self.ask_link(p, soon);
                }
            }
        }
    }

    /// The next head lacks credit as far as it is counted.
    #[cold]
    #[inline(never)]
    fn starved(&mut self, observer: &mut impl Observer, p: usize, t: T) {
        self.settle_credit(observer, p, t);
        self.data(observer, p, t, true);
    }
}
