//! A timing wheel: what happens at known ticks, by kind. Taking it in any order gives the same results, so lists are
//! last-in first-out.

use crate::env::Alarm;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use switch::Wake;
use units::Tick;

const SLOTS: usize = 1024;
const WORDS: usize = SLOTS / 64;
/// Wake-ups further away than this wait in the heap.
const HORIZON: Tick = SLOTS as Tick - 64;
/// Words of a slot: a list for each kind, and [`KINDS_DUE`]; one cache line.
const LISTS: usize = (Wake::KINDS + 1).next_power_of_two();
/// The last word of a slot: a bit for each kind that was put in.
const KINDS_DUE: usize = LISTS - 1;
const PORT_BITS: u32 = 6;
/// Elements that a wake-up can name.
pub(crate) const ELEMENTS_MAX: usize = 1 << (32 - PORT_BITS);
const NONE: u32 = u32::MAX;

/// A wake-up: element and port; and the next one in its list.
#[derive(Debug, Clone, Copy)]
struct Entry {
    what: u32,
    next: u32,
}

#[inline]
fn pack(element: u32, port: u8) -> u32 {
    element << PORT_BITS | u32::from(port)
}

#[inline]
fn unpack(what: u32) -> (u32, u8) {
    (what >> PORT_BITS, what as u8 % (1 << PORT_BITS))
}

/// First entries of the lists of one tick, by kind, and which kinds were put in.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Slot([u32; LISTS]);

/// Wake-ups of the next [`SLOTS`] ticks in lists by tick and kind, later ones in a heap.
///
/// Tables are arrays of a power of two, so that indices need no check, and small enough to stay in the cache. All lists
/// share one pool of entries, which grows only while a run warms up.
#[derive(Debug)]
pub(crate) struct Wheel {
    slots: Box<[Slot; SLOTS]>,
    /// Slots with anything in them, one bit each.
    occupied: [u64; WORDS],
    entries: Vec<Entry>,
    /// First entry not in use.
    free: u32,
    later: BinaryHeap<Reverse<(Tick, u8, u32)>>,
}

impl Wheel {
    pub(crate) fn new() -> Wheel {
        let mut empty = Slot([NONE; LISTS]);
        empty.0[KINDS_DUE] = 0;
        let slots = Box::new([empty; SLOTS]);
        Wheel {
            slots,
            occupied: [0; WORDS],
            entries: Vec::new(),
            free: NONE,
            later: BinaryHeap::new(),
        }
    }

    /// The first tick from `from` on, and before `end`, at which anything is due.
    #[inline]
    pub(crate) fn next(&mut self, from: Tick, end: Tick) -> Option<Tick> {
        if self
            .later
            .peek()
            .is_some_and(|Reverse((at, ..))| *at < from + HORIZON)
        {
            self.pull(from);
        }
        let mut at = from;
        loop {
            let slot = at as usize % SLOTS;
            let word = self.occupied[slot / 64] >> (slot % 64);
            if word != 0 {
                at += u64::from(word.trailing_zeros());
                return (at < end).then_some(at);
            }
            at += 64 - (slot % 64) as u64;
            if at >= from + SLOTS as u64 {
                return self.next_later(end);
            }
        }
    }

    /// The first tick from `from` on at which anything is due; [`Tick::MAX`] if nothing is. Unlike [`Wheel::next`] it does not
    /// turn the wheel: what comes before that tick may still be put in.
    pub(crate) fn first_due(&self, from: Tick) -> Tick {
        let slots = (0..WORDS as u64).map(|word| {
            let at = if word == 0 {
                from
            } else {
                (from / 64 + word) * 64
            };
            let slot = at as usize % SLOTS;
            (at, self.occupied[slot / 64] >> (slot % 64))
        });
        let near = slots
            .filter(|&(_, word)| word != 0)
            .map(|(at, word)| at + u64::from(word.trailing_zeros()))
            .next();
        let later = self.later.peek().map(|&Reverse((at, ..))| at);
        near.into_iter().chain(later).min().unwrap_or(Tick::MAX)
    }

    /// The wheel is empty: whatever comes is later.
    #[cold]
    #[inline(never)]
    fn next_later(&mut self, end: Tick) -> Option<Tick> {
        let Reverse((later, ..)) = *self.later.peek()?;
        if later >= end {
            return None;
        }
        self.pull(later);
        Some(later)
    }

    /// Moves what has come near enough from the heap to the wheel.
    #[cold]
    #[inline(never)]
    fn pull(&mut self, now: Tick) {
        while let Some(&Reverse((at, kind, what))) = self.later.peek()
            && at < now + HORIZON
        {
            self.later.pop();
            self.put(at, kind, what);
        }
    }

    #[cold]
    #[inline(never)]
    fn put_later(&mut self, at: Tick, kind: u8, what: u32) {
        self.later.push(Reverse((at, kind, what)));
    }

    #[inline(always)]
    fn put(&mut self, at: Tick, kind: u8, what: u32) {
        let Some(place) = self.entries.get_mut(self.free as usize) else {
            return self.put_and_grow(at, kind, what);
        };
        let slot = at as usize % SLOTS;
        let lists = &mut self.slots[slot].0;
        let list = &mut lists[usize::from(kind) % LISTS];
        let entry = std::mem::replace(&mut self.free, place.next);
        *place = Entry { what, next: *list };
        *list = entry;
        lists[KINDS_DUE] |= 1 << kind;
        self.occupied[slot / 64] |= 1 << (slot % 64);
    }

    #[cold]
    #[inline(never)]
    fn put_and_grow(&mut self, at: Tick, kind: u8, what: u32) {
        self.grow();
        self.put(at, kind, what);
    }

    fn grow(&mut self) {
        let (from, to) = (self.entries.len(), (2 * self.entries.len()).max(1024));
        self.entries.extend((from..to).map(|at| Entry {
            what: 0,
            next: at as u32 + 1,
        }));
        self.entries[to - 1].next = NONE;
        self.free = from as u32;
    }

    /// Whether anything of a kind may be due at `now`.
    #[inline(always)]
    pub(crate) fn is_due(&self, now: Tick, kind: Wake) -> bool {
        self.slots[now as usize % SLOTS].0[KINDS_DUE] >> kind as u8 & 1 == 1
    }

    /// Takes one entry of a kind that is due at `now`.
    #[inline(always)]
    pub(crate) fn take(&mut self, now: Tick, kind: Wake) -> Option<(u32, u8)> {
        let list = &mut self.slots[now as usize % SLOTS].0[kind as usize % LISTS];
        let at = *list;
        let entry = self.entries.get_mut(at as usize)?;
        *list = entry.next;
        entry.next = self.free;
        self.free = at;
        Some(unpack(entry.what))
    }

    /// Everything due at `now` was taken.
    #[inline]
    pub(crate) fn done(&mut self, now: Tick) {
        let slot = now as usize % SLOTS;
        let lists = &mut self.slots[slot].0;
        debug_assert!(lists[..Wake::KINDS].iter().all(|&list| list == NONE));
        lists[KINDS_DUE] = 0;
        self.occupied[slot / 64] &= !(1 << (slot % 64));
    }
}

impl Alarm for Wheel {
    #[inline(always)]
    fn wake(&mut self, now: Tick, at: Tick, kind: Wake, element: u32, port: u8) {
        debug_assert!(at >= now);
        let what = pack(element, port);
        if at - now < HORIZON {
            self.put(at, kind as u8, what);
        } else {
            self.put_later(at, kind as u8, what);
        }
    }
}
