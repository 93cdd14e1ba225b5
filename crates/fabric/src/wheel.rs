//! A timing wheel: what happens at known ticks, by kind. Taking it in any order gives the same results, so lists are
//! last-in first-out.

use crate::env::Alarm;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use switch::Wake;
use units::Tick;

const SLOTS: usize = 4096;
/// Wake-ups further away than this wait in the heap; less than [`SLOTS`] by a word of the occupancy vector.
const HORIZON: Tick = SLOTS as Tick - 64;
const NONE: u32 = u32::MAX;

#[derive(Debug, Clone, Copy)]
struct Entry {
    what: u32,
    next: u32,
}

/// Element and port, packed: the port in the lowest 6 bits.
#[inline]
fn pack(element: u32, port: u8) -> u32 {
    element << 6 | u32::from(port)
}

#[inline]
fn unpack(what: u32) -> (u32, u8) {
    (what >> 6, (what & 63) as u8)
}

/// Wake-ups of the next [`SLOTS`] ticks in lists by tick and kind, later ones in a heap.
#[derive(Debug)]
pub(crate) struct Wheel {
    heads: Vec<[u32; Wake::KINDS]>,
    /// Slots with anything in them, one bit each.
    occupied: Vec<u64>,
    entries: Vec<Entry>,
    free: u32,
    later: BinaryHeap<Reverse<(Tick, u8, u32)>>,
}

impl Wheel {
    pub(crate) fn new() -> Wheel {
        Wheel {
            heads: vec![[NONE; Wake::KINDS]; SLOTS],
            occupied: vec![0; SLOTS / 64],
            entries: Vec::new(),
            free: NONE,
            later: BinaryHeap::new(),
        }
    }

    #[inline]
    fn put(&mut self, at: Tick, kind: usize, what: u32) {
        let slot = at as usize % SLOTS;
        let head = &mut self.heads[slot][kind];
        let entry = Entry { what, next: *head };
        if self.free == NONE {
            *head = self.entries.len() as u32;
            self.entries.push(entry);
        } else {
            *head = self.free;
            let place = &mut self.entries[self.free as usize];
            self.free = place.next;
            *place = entry;
        }
        self.occupied[slot / 64] |= 1 << (slot % 64);
    }

    /// The first tick from `from` on, and before `end`, at which anything is due.
    pub(crate) fn next(&mut self, from: Tick, end: Tick) -> Option<Tick> {
        self.pull(from);
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
                // The wheel is empty: whatever comes is later.
                let Reverse((later, _, _)) = *self.later.peek()?;
                if later >= end {
                    return None;
                }
                self.pull(later);
                return Some(later);
            }
        }
    }

    /// Moves what has come near enough from the heap to the wheel.
    #[inline]
    fn pull(&mut self, now: Tick) {
        while let Some(&Reverse((at, kind, what))) = self.later.peek()
            && at < now + HORIZON
        {
            self.later.pop();
            self.put(at, usize::from(kind), what);
        }
    }

    /// Takes one entry of a kind that is due at `now`.
    #[inline]
    pub(crate) fn take(&mut self, now: Tick, kind: Wake) -> Option<(u32, u8)> {
        let head = &mut self.heads[now as usize % SLOTS][kind as usize];
        let at = *head;
        if at == NONE {
            return None;
        }
        let entry = &mut self.entries[at as usize];
        *head = entry.next;
        let what = entry.what;
        entry.next = self.free;
        self.free = at;
        Some(unpack(what))
    }

    /// Everything due at `now` was taken.
    #[inline]
    pub(crate) fn done(&mut self, now: Tick) {
        let slot = now as usize % SLOTS;
        debug_assert!(self.heads[slot].iter().all(|&h| h == NONE));
        self.occupied[slot / 64] &= !(1 << (slot % 64));
    }
}

impl Alarm for Wheel {
    #[inline]
    fn wake(&mut self, now: Tick, at: Tick, kind: Wake, element: u32, port: u8) {
        debug_assert!(at >= now);
        let what = pack(element, port);
        if at - now < HORIZON {
            self.put(at, kind as usize, what);
        } else {
            self.later.push(Reverse((at, kind as u8, what)));
        }
    }
}
