//! When something is to be done: a timing wheel of linked lists, one a kind and tick, and a heap
//! for what is far away. What is put in may turn out to be nothing to do; it may be there twice.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A tick; see [`crate::TICKS_MAX`].
pub(crate) type T = u32;

/// No tick, packet, port.
pub(crate) const NONE: u32 = u32::MAX;

const SLOTS: usize = 1024;
/// Slots that are scanned at once.
const STRIDE: usize = 8;
/// What is further away waits in the heap.
const HORIZON: u32 = SLOTS as u32 - 64;
const KIND_SHIFT: u32 = 28;
/// Ports, queues or switches that an entry can name.
pub(crate) const IDS_MAX: usize = 1 << KIND_SHIFT;

/// What there is to do, in the order of the phases of a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u32)]
pub(crate) enum Kind {
    /// A link may start something: by port.
    Link,
    /// The head of an ingress queue becomes visible: by queue.
    Head,
    /// The crossbar of a switch.
    Crossbar,
    /// A head is stored at an ingress port.
    Store,
    /// A head is stored at an egress port.
    StoreEgress,
    /// A tail is ejected at an end node.
    Eject,
    /// Messages of an end node.
    Generate,
    /// The PPU of an input.
    Ppu,
    /// A head is assigned to an output again: by queue.
    Decide,
    /// Admittance of an end node.
    Admit,
    /// Named control packets come to a port.
    Control,
    /// Words and pauses of a port.
    Pause,
    /// Forwarding delays of an ingress port end, for marks.
    Mark,
    /// Steps 5 to 8 of a switch or an end node.
    Recn,
}

/// Kinds.
pub(crate) const KINDS: usize = Kind::Recn as usize + 1;
/// Lists of a tick.
const LISTS: usize = 4;
pub(crate) const LINKS: usize = Kind::Link as usize;
pub(crate) const HEADS: usize = Kind::Head as usize;
pub(crate) const CROSSBARS: usize = Kind::Crossbar as usize;
/// That of all other kinds.
pub(crate) const OTHERS: usize = LISTS - 1;

/// An entry of a list.
#[derive(Debug, Clone, Copy)]
struct Entry {
    /// Kind and number.
    what: u32,
    next: u32,
}

/// All that is to come.
#[derive(Debug)]
pub(crate) struct Wheel {
    slots: Box<[[u32; LISTS]; SLOTS]>,
    /// By slot, 1 or 0: a byte, so that one is marked in one store.
    occupied: [u8; SLOTS],
    entries: Vec<Entry>,
    free: u32,
    far: BinaryHeap<Reverse<(T, u32)>>,
    /// The first of them.
    far_next: T,
    /// The present tick, and what is left of its lists.
    now: T,
    due: [u32; LISTS],
}

impl Wheel {
    /// With room for so many entries at once.
    pub(crate) fn with_room(entries: usize) -> Wheel {
        Wheel {
            slots: Box::new([[NONE; LISTS]; SLOTS]),
            occupied: [0; SLOTS],
            entries: Vec::with_capacity(entries),
            free: NONE,
            far: BinaryHeap::with_capacity(entries),
            far_next: NONE,
            now: 0,
            due: [NONE; LISTS],
        }
    }

    /// Something is to be done in a tick to come.
    #[inline(always)]
    pub(crate) fn put(&mut self, at: T, kind: Kind, id: usize) {
        let what = (kind as u32) << KIND_SHIFT | id as u32;
        if at.wrapping_sub(self.now) < HORIZON {
            self.insert(at, kind as usize, what);
        } else {
            self.put_far(at, what);
        }
    }

    #[cold]
    #[inline(never)]
    fn put_far(&mut self, at: T, what: u32) {
        assert!(at >= self.now, "a wake-up for tick {at}, in tick {}", self.now);
        if at != NONE {
            self.far.push(Reverse((at, what)));
            self.far_next = self.far_next.min(at);
        }
    }

    #[inline(always)]
    fn insert(&mut self, at: T, kind: usize, what: u32) {
        let (slot, list) = (at as usize % SLOTS, kind.min(OTHERS));
        let head = &mut self.slots[slot][list];
        let entry = Entry { what, next: *head };
        match self.entries.get_mut(self.free as usize) {
            Some(free) => {
                *head = self.free;
                self.free = free.next;
                *free = entry;
            }
            None => {
                *head = self.entries.len() as u32;
                self.entries.push(entry);
            }
        }
        self.occupied[slot] = 1;
    }

    /// The first tick from `from` on and before `end` with anything to do.
    #[inline]
    pub(crate) fn next(&mut self, from: T, end: T) -> Option<T> {
        if self.far_next < from.saturating_add(HORIZON) {
            self.pull(from);
        }
        let mut at = from;
        loop {
            let slot = at as usize % SLOTS;
            let bytes = self.occupied.as_chunks::<STRIDE>().0[slot / STRIDE];
            let word = u64::from_le_bytes(bytes) >> (slot % STRIDE * 8);
            if word != 0 {
                at += word.trailing_zeros() / 8;
                return (at < end).then_some(at);
            }
            at += (STRIDE - slot % STRIDE) as u32;
            if at >= from + SLOTS as u32 {
                return self.next_far(end);
            }
        }
    }

    /// The first tick from `from` on with anything to do, or [`NONE`]. What is far away stays so.
    pub(crate) fn first(&mut self, from: T) -> T {
        let far = self.far_next;
        self.next(from, far).unwrap_or(far)
    }

    #[cold]
    #[inline(never)]
    fn next_far(&mut self, end: T) -> Option<T> {
        let first = self.far_next;
        if first >= end {
            return None;
        }
        self.pull(first);
        Some(first)
    }

    /// What has come near goes to the slots.
    #[cold]
    #[inline(never)]
    fn pull(&mut self, from: T) {
        while let Some(&Reverse((at, what))) = self.far.peek() {
            if at >= from.saturating_add(HORIZON) {
                break;
            }
            self.far.pop();
            self.insert(at, (what >> KIND_SHIFT) as usize, what);
        }
        self.far_next = self.far.peek().map_or(NONE, |Reverse((at, _))| *at);
    }

    /// Tick `now` begins: what is due is to be taken with [`Wheel::take`], list by list.
    #[inline(always)]
    pub(crate) fn begin(&mut self, now: T) {
        self.now = now;
        let slot = now as usize % SLOTS;
        self.occupied[slot] = 0;
        self.due = std::mem::replace(&mut self.slots[slot], [NONE; LISTS]);
    }

    /// The numbers of a list, which stays as it is.
    pub(crate) fn ids(&self, list: usize, ids: &mut Vec<u32>) {
        ids.clear();
        let mut at = self.due[list];
        while let Some(entry) = self.entries.get(at as usize) {
            ids.push(entry.what % IDS_MAX as u32);
            at = entry.next;
        }
    }

    /// Takes an entry of a list: kind and number.
    #[inline(always)]
    pub(crate) fn take(&mut self, list: usize) -> Option<(usize, usize)> {
        let at = self.due[list];
        let entry = self.entries.get_mut(at as usize)?;
        let what = entry.what;
        self.due[list] = std::mem::replace(&mut entry.next, self.free);
        self.free = at;
        Some(((what >> KIND_SHIFT) as usize, what as usize % IDS_MAX))
    }
}
