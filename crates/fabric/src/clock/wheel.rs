//! A timing wheel: what happens at known ticks, by kind. Taking it in any order gives the same
//! results.

use crate::names::Names;
use crate::transit::{Alarm, Wake};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;
use units::{ElementId, PortId, Span, Tick};

const SLOTS: usize = 1024;
const WORDS: usize = SLOTS / 64;
/// Wake-ups further away than this wait in the heap.
const HORIZON: Span = Span(SLOTS as u64 - 64);
const PORT_BITS: u32 = 6;
const KIND_BITS: u32 = 4;
/// Elements that a wake-up can name.
pub(crate) const ELEMENTS_MAX: usize = 1 << (32 - PORT_BITS - KIND_BITS);
const NONE: u32 = u32::MAX;

const _: () = assert!(Wake::ALL.len() <= 1 << KIND_BITS);

/// A wake-up: element, port, kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entry(u32);

impl Entry {
    #[inline]
    fn new(wake: Wake, element: ElementId, port: PortId) -> Entry {
        let port = u32::from(port.0) << KIND_BITS;
        Entry(element.0 << (PORT_BITS + KIND_BITS) | port | wake as u32)
    }

    #[inline]
    fn kind(self) -> usize {
        self.0 as usize % (1 << KIND_BITS)
    }

    /// Element and port.
    #[inline(always)]
    pub(crate) fn at(self) -> (ElementId, PortId) {
        let port = self.0 >> KIND_BITS;
        (
            ElementId(self.0 >> (PORT_BITS + KIND_BITS)),
            PortId(port as u8 % (1 << PORT_BITS)),
        )
    }
}

/// Entries that fit a slot.
const ROOM: usize = 14;

/// The wake-ups of one tick, of all kinds: one cache line. When it is full its entries go to a
/// chunk.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
struct Slot {
    entries: [Entry; ROOM],
    used: u32,
    /// The chunk that was filled last.
    chunk: u32,
}

/// The entries of a full slot, and the chunk before; a free chunk has the next free one there.
#[derive(Debug, Clone, Copy)]
struct Chunk {
    entries: [Entry; ROOM],
    before: u32,
}

/// Wake-ups of the next [`SLOTS`] ticks by tick, later ones in a heap. Those of the present tick
/// are sorted by kind.
///
/// Chunks and lists grow only while a run warms up.
#[derive(Debug)]
pub(crate) struct Wheel {
    slots: Box<[Slot; SLOTS]>,
    /// Slots with anything in them, one bit each.
    occupied: [u64; WORDS],
    chunks: Vec<Chunk>,
    /// First chunk not in use.
    free: u32,
    /// The tick that is being carried out; [`Tick::MAX`] between ticks.
    present: Tick,
    /// What is due in it, by kind.
    due: [Vec<Entry>; 1 << KIND_BITS],
    /// Whether anything was put in for the present tick itself.
    added: bool,
    later: BinaryHeap<Reverse<(Tick, Entry)>>,
    /// What the elements of the part are called.
    names: Names,
}

impl Wheel {
    pub(crate) fn new() -> Wheel {
        let empty = Slot {
            entries: [Entry(0); ROOM],
            used: 0,
            chunk: NONE,
        };
        Wheel {
            slots: Box::new([empty; SLOTS]),
            occupied: [0; WORDS],
            chunks: Vec::new(),
            free: NONE,
            present: Tick::MAX,
            due: Default::default(),
            added: false,
            later: BinaryHeap::new(),
            names: Names::default(),
        }
    }

    /// Has room from the start for a tick in which all ports are woken.
    pub(crate) fn reserve(&mut self, ports: usize) {
        for due in &mut self.due {
            due.reserve(ports);
        }
    }

    /// Messages name elements so from now on.
    pub(crate) fn set_names(&mut self, names: Names) {
        self.names = names;
    }

    /// An engine has forgotten something.
    #[cold]
    #[inline(never)]
    fn broken(&self, entry: Entry, now: Tick, what: &dyn fmt::Display) -> ! {
        let kind = Wake::ALL[entry.kind()];
        self.names
            .broken(entry.at(), now, &format_args!("{what}: {kind:?}"))
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
            let slot = at.0 as usize % SLOTS;
            let word = self.occupied[slot / 64] >> (slot % 64);
            if word != 0 {
                at += Span(word.trailing_zeros().into());
                return (at < end).then_some(at);
            }
            at += Span(64 - (slot % 64) as u64);
            if at >= from + Span(SLOTS as u64) {
                return self.next_later(end);
            }
        }
    }

    /// The first tick from `from` on at which anything is due; [`Tick::MAX`] if nothing is. Unlike
    /// [`Wheel::next`] it does not turn the wheel: what comes before that tick may still be put in.
    pub(crate) fn first_due(&self, from: Tick) -> Tick {
        let slots = (0..WORDS as u64).map(|word| {
            let at = if word == 0 {
                from
            } else {
                Tick((from.0 / 64 + word) * 64)
            };
            let slot = at.0 as usize % SLOTS;
            (at, self.occupied[slot / 64] >> (slot % 64))
        });
        let near = slots
            .filter(|&(_, word)| word != 0)
            .map(|(at, word)| at + Span(word.trailing_zeros().into()))
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
        while let Some(&Reverse((at, entry))) = self.later.peek()
            && at < now + HORIZON
        {
            self.later.pop();
            self.put(at, entry);
        }
    }

    #[cold]
    #[inline(never)]
    fn put_later(&mut self, now: Tick, at: Tick, entry: Entry) {
        if at < now {
            let what = format_args!("a wake-up for tick {at}, which is past");
            self.broken(entry, now, &what);
        }
        self.later.push(Reverse((at, entry)));
    }

    #[inline(always)]
    fn put(&mut self, at: Tick, entry: Entry) {
        let number = at.0 as usize % SLOTS;
        let slot = &mut self.slots[number];
        let Some(place) = slot.entries.get_mut(slot.used as usize) else {
            return self.put_in_full_slot(number, entry);
        };
        *place = entry;
        slot.used += 1;
        self.occupied[number / 64] |= 1 << (number % 64);
    }

    #[inline(never)]
    fn put_in_full_slot(&mut self, number: usize, entry: Entry) {
        let slot = &mut self.slots[number];
        let full = Chunk {
            entries: slot.entries,
            before: slot.chunk,
        };
        if let Some(chunk) = self.chunks.get_mut(self.free as usize) {
            slot.chunk = std::mem::replace(&mut self.free, chunk.before);
            *chunk = full;
        } else {
            slot.chunk = self.chunks.len() as u32;
            self.chunks.push(full);
        }
        slot.entries[0] = entry;
        slot.used = 1;
    }

    /// Tick `now` begins: what is due in it is sorted by kind.
    #[inline]
    pub(crate) fn begin(&mut self, now: Tick) {
        self.present = now;
        let number = now.0 as usize % SLOTS;
        let slot = &mut self.slots[number];
        for &entry in slot.entries.get(..slot.used as usize).unwrap_or_default() {
            self.due[entry.kind()].push(entry);
        }
        slot.used = 0;
        let mut chunk = std::mem::replace(&mut slot.chunk, NONE);
        while chunk != NONE {
            let Chunk { entries, before } = self.chunks[chunk as usize];
            for entry in entries {
                self.due[entry.kind()].push(entry);
            }
            self.chunks[chunk as usize].before = std::mem::replace(&mut self.free, chunk);
            chunk = before;
        }
        self.occupied[number / 64] &= !(1 << (number % 64));
    }

    /// Whether anything of a kind is due in the present tick.
    #[inline(always)]
    pub(crate) fn is_due(&self, kind: Wake) -> bool {
        !self.due[kind as usize].is_empty()
    }

    /// What of a kind is left of what is due in the present tick; the last is taken next.
    #[inline(always)]
    pub(crate) fn due(&self, kind: Wake) -> &[Entry] {
        &self.due[kind as usize]
    }

    /// Takes one entry of a kind that is due in the present tick: element and port.
    #[inline(always)]
    pub(crate) fn take(&mut self, kind: Wake) -> Option<(ElementId, PortId)> {
        self.due[kind as usize].pop().map(Entry::at)
    }

    /// Everything due in the present tick was taken.
    #[inline]
    pub(crate) fn end(&mut self) {
        debug_assert!(self.added || self.due.iter().all(Vec::is_empty));
        if std::mem::take(&mut self.added)
            && let Some(entry) = self.due.iter().find_map(|due| due.last())
        {
            let what = "a wake-up for a phase of this tick that is past";
            self.broken(*entry, self.present, &what);
        }
        self.present = Tick::MAX;
    }
}

impl Alarm for Wheel {
    #[inline(always)]
    fn wake(&mut self, now: Tick, at: Tick, wake: Wake, element: ElementId, port: PortId) {
        let entry = Entry::new(wake, element, port);
        if at == self.present {
            self.added = true;
            self.due[wake as usize].push(entry);
        } else if at.0.wrapping_sub(now.0) < HORIZON.0 {
            self.put(at, entry);
        } else {
            self.put_later(now, at, entry);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Wheel;
    use crate::names::Names;
    use crate::transit::{Alarm, Wake};
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use units::{Broken, ElementId, PortId, Tick, Unit};

    /// Of a part with these elements; the third is an end node.
    fn wheel() -> Wheel {
        let mut wheel = Wheel::new();
        wheel.set_names(Names::new([
            Unit::Switch { switch: 8 },
            Unit::Switch { switch: 9 },
            Unit::Node { node: 16 },
        ]));
        wheel
    }

    /// What an invariant that is broken says.
    fn broken(act: impl FnOnce()) -> String {
        let payload = catch_unwind(AssertUnwindSafe(act)).expect_err("a broken invariant");
        let broken = payload.downcast::<Broken>().expect("of the model");
        broken.to_string()
    }

    fn wake(wheel: &mut Wheel, at: u64, wake: Wake, (element, port): (u32, u8)) {
        wheel.wake(Tick(42), Tick(at), wake, ElementId(element), PortId(port));
    }

    // "A broken invariant of the model is a panic, and these checks stay on in release builds."
    // Element numbers go on from the switches to the end nodes.
    #[test]
    fn the_past_is_refused() {
        let told = broken(|| wake(&mut wheel(), 41, Wake::Link, (1, 2)));
        let what = "a wake-up for tick 41, which is past: Link, port 2 at fabric.switch9, tick 42";
        assert_eq!(told, format!("broken invariant: {what}"));
        let told = broken(|| wake(&mut wheel(), 41, Wake::Admit, (2, 0)));
        let what = "a wake-up for tick 41, which is past: Admit, port 0 at fabric.node16, tick 42";
        assert_eq!(told, format!("broken invariant: {what}"));
    }

    #[test]
    fn a_phase_that_is_past_is_refused() {
        let told = broken(|| {
            let mut wheel = wheel();
            wheel.begin(Tick(42));
            wake(&mut wheel, 42, Wake::Store, (1, 2));
            wheel.end();
        });
        let what = "a wake-up for a phase of this tick that is past: Store, port 2";
        let where_and_when = "at fabric.switch9, tick 42";
        assert_eq!(told, format!("broken invariant: {what} {where_and_when}"));
    }

    #[test]
    fn a_phase_to_come_is_served() {
        let mut wheel = Wheel::new();
        wheel.begin(Tick(42));
        wake(&mut wheel, 42, Wake::Store, (3, 2));
        assert_eq!(wheel.take(Wake::Store), Some((ElementId(3), PortId(2))));
        wheel.end();
    }
}
