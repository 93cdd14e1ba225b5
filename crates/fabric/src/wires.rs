//! The wires: packets and control packets on their way, by the port at which they will arrive.

use flow_control::Control;
use std::collections::VecDeque;
use switch::{Fifo, PacketId, Packets};
use units::Tick;

/// The element and the port that a dense port number stands for. Elements: switches first, then end nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Owner {
    /// Element number.
    pub element: u32,
    /// Port of the element; 0 for an end node.
    pub port: u8,
}

/// Elements from this number on are in other parts of the fabric.
const AWAY: u32 = 1 << 31;

impl Owner {
    /// Somebody in another part.
    pub(crate) fn away(part: u32) -> Owner {
        Owner {
            element: AWAY | part,
            port: 0,
        }
    }

    /// Whether it is in another part.
    #[inline]
    pub(crate) fn is_away(self) -> bool {
        self.element >= AWAY
    }

    /// Which other part.
    #[inline]
    pub(crate) fn part(self) -> u32 {
        self.element & !AWAY
    }
}

/// A credit packet on its way.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Credit {
    pub(crate) due: Tick,
    pub(crate) cells: u32,
    pub(crate) class: u16,
}

/// No credit packet.
const NO_CREDIT: Credit = Credit {
    due: Tick::MAX,
    cells: 0,
    class: 0,
};

/// Classes whose credit can wait at the end of a wire.
pub(crate) const LANDED: usize = 12;

/// What the receiver at the end of a wire wants, a bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Flags(u8);

impl Flags {
    /// To be woken by each credit packet.
    const CREDIT_AWAITED: u8 = 1;
    /// To store heads in their tick.
    const IN_TIME: u8 = 2;

    #[inline(always)]
    fn has(self, flag: u8) -> bool {
        self.0 & flag != 0
    }

    /// Returns what it was before.
    #[inline(always)]
    fn set(&mut self, flag: u8, on: bool) -> bool {
        let before = self.has(flag);
        self.0 = self.0 & !flag | if on { flag } else { 0 };
        before
    }
}

/// One wire, by the port at which it ends: one cache line.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
struct Wire {
    /// See [`Owner`].
    element: u32,
    port: u8,
    flags: Flags,
    /// Classes with landed credit, one bit each.
    landed_classes: u16,
    packets: Fifo,
    /// Credit packets, apart from the others: their stage at the receiver makes them later than a named packet sent after
    /// them. The first in place, since there is seldom another; [`NO_CREDIT`] if there is none.
    credit: Credit,
    /// Credit that has come and that the receiver has not needed yet, in cells, by class.
    landed: [u16; LANDED],
    /// Credit packets behind the first, in the pool: the next and the last, [`NONE`] if there are none.
    next: u32,
    last: u32,
}

/// Credit packets behind the first ones of their wires.
#[derive(Debug, Clone, Default)]
struct Pool {
    /// Each with the one behind it on its wire, or the next free one.
    credits: Vec<(Credit, u32)>,
    /// A free one; 0 is never used.
    free: u32,
}

/// No place in the pool.
const NONE: u32 = 0;

impl Pool {
    /// A place for a credit packet.
    fn put(&mut self, credit: Credit) -> u32 {
        if self.free == NONE {
            // The first place stands for none.
            let at = self.credits.len().max(1);
            self.credits.resize(at, (NO_CREDIT, NONE));
            self.credits.push((credit, NONE));
            return at as u32;
        }
        let at = self.free;
        let place = &mut self.credits[at as usize];
        self.free = place.1;
        *place = (credit, NONE);
        at
    }

    /// Takes what is in a place, and the place behind it.
    fn take(&mut self, at: u32) -> (Credit, u32) {
        let place = &mut self.credits[at as usize];
        let free = std::mem::replace(&mut self.free, at);
        let (credit, next) = *place;
        place.1 = free;
        (credit, next)
    }

    /// Those from `first` on.
    fn from(&self, first: u32) -> impl Iterator<Item = &Credit> {
        std::iter::successors(self.credits.get(first as usize), |(_, next)| {
            self.credits.get(*next as usize)
        })
        .take_while(|(credit, _)| credit.due != NO_CREDIT.due)
        .map(|(credit, _)| credit)
    }
}

const _: () = assert!(size_of::<Wire>() == 64);

impl Wire {
    /// The first credit packet has come: if there is a place for its credit, it is no packet any more.
    #[inline(always)]
    fn land(&mut self) -> bool {
        let Credit { class, cells, .. } = self.credit;
        let Some(landed) = self.landed.get_mut(usize::from(class)) else {
            return false;
        };
        // More than any memory holds stays a packet: the receiver's `Credits` names the overflow.
        let Ok(sum) = u16::try_from(u32::from(*landed) + cells) else {
            return false;
        };
        *landed = sum;
        self.landed_classes |= 1 << class;
        true
    }

    /// The first credit packet is dealt with.
    #[inline(always)]
    fn advance(&mut self, pool: &mut Pool) {
        if self.next == NONE {
            self.credit.due = NO_CREDIT.due;
        } else {
            self.pull_more(pool);
        }
    }

    #[inline(never)]
    fn push_more(&mut self, credit: Credit, pool: &mut Pool) {
        let at = pool.put(credit);
        if self.next == NONE {
            self.next = at;
        } else {
            pool.credits[self.last as usize].1 = at;
        }
        self.last = at;
    }

    #[inline(never)]
    fn pull_more(&mut self, pool: &mut Pool) {
        (self.credit, self.next) = pool.take(self.next);
    }

    /// Takes the credit of one class that has landed: class and cells.
    #[inline(never)]
    fn take_landed(&mut self) -> (u16, u32) {
        let class = self.landed_classes.trailing_zeros() as u16;
        self.landed_classes &= self.landed_classes - 1;
        let cells = std::mem::take(&mut self.landed[usize::from(class)]);
        (class, u32::from(cells))
    }

    /// Packets that are on their way, or have come and hold their credit themselves.
    fn credits<'a>(&'a self, pool: &'a Pool) -> impl Iterator<Item = &'a Credit> {
        let first = Some(&self.credit).filter(|credit| credit.due != NO_CREDIT.due);
        first.into_iter().chain(pool.from(self.next))
    }
}

/// Everything on wires.
#[derive(Debug, Clone, Default)]
pub struct Wires {
    wires: Vec<Wire>,
    pool: Pool,
    named: Vec<VecDeque<(Tick, Control)>>,
}

impl Wires {
    /// Wires that end at these ports; element numbers are those within the part of the fabric. The near end of a wire to
    /// another part is always awaited: what is put on it goes on.
    pub fn new(owners: impl ExactSizeIterator<Item = Owner>) -> Wires {
        let named = vec![VecDeque::new(); owners.len()];
        let mut here = 0;
        let wire = |owner: Owner| {
            here += usize::from(!owner.is_away());
            Wire {
                element: owner.element,
                port: owner.port,
                flags: Flags(if owner.is_away() {
                    Flags::CREDIT_AWAITED
                } else {
                    0
                }),
                packets: Fifo::default(),
                credit: NO_CREDIT,
                landed_classes: 0,
                landed: [0; LANDED],
                next: NONE,
                last: NONE,
            }
        };
        let wires = owners.map(wire).collect();
        let pool = Pool {
            // A second credit packet on each wire; the first place is never used.
            credits: Vec::with_capacity(here + 1),
            ..Pool::default()
        };
        Wires { wires, pool, named }
    }

    /// Whose port it is.
    #[inline]
    pub fn owner(&self, port: u32) -> Owner {
        let Wire { element, port, .. } = self.wires[port as usize];
        Owner { element, port }
    }

    /// Takes the only credit packet off the wire to `to`.
    pub(crate) fn take_back_credit(&mut self, to: u32) -> Option<Credit> {
        let wire = &mut self.wires[to as usize];
        debug_assert!(
            wire.next == NONE && wire.landed_classes == 0,
            "it goes on at once"
        );
        let credit = std::mem::replace(&mut wire.credit, NO_CREDIT);
        Some(credit).filter(|credit| credit.due != NO_CREDIT.due)
    }

    /// Puts a packet on the wire to `to`.
    #[inline]
    pub fn send(&mut self, to: u32, packets: &mut Packets, id: PacketId) {
        self.wires[to as usize].packets.push(packets, id);
    }

    /// The packet that arrives next at `at`.
    #[inline]
    pub fn front(&self, at: u32) -> Option<PacketId> {
        self.wires[at as usize].packets.front()
    }

    /// When the next packet is due at `at`.
    #[inline]
    pub fn packet_due(&self, at: u32, packets: &Packets) -> Option<Tick> {
        self.wires[at as usize].packets.due(packets)
    }

    /// Takes the packet that arrives next at `at`, if it is due by `now`.
    #[inline]
    pub fn take_due(&mut self, at: u32, now: Tick, packets: &Packets) -> Option<PacketId> {
        let wire = &mut self.wires[at as usize].packets;
        wire.due(packets).filter(|&due| due <= now)?;
        wire.pop(packets)
    }

    /// Puts a control packet other than credit on the wire to `to`.
    #[inline]
    pub fn send_named(&mut self, to: u32, due: Tick, control: Control) {
        self.named[to as usize].push_back((due, control));
    }

    /// Puts a credit packet on the wire to `to`, in tick `now`.
    #[inline(always)]
    pub fn send_credit(&mut self, to: u32, now: Tick, due: Tick, class: u16, cells: u32) {
        let wire = &mut self.wires[to as usize];
        let credit = Credit { due, cells, class };
        // All that has come: one at a time, a wire that had two on it would keep a queue until its receiver ran short.
        while wire.credit.due < now && wire.land() {
            wire.advance(&mut self.pool);
        }
        if wire.credit.due == NO_CREDIT.due {
            wire.credit = credit;
        } else {
            wire.push_more(credit, &mut self.pool);
        }
    }

    /// Whether the receiver at `to` wants to be woken by every credit packet.
    #[inline]
    pub fn is_credit_awaited(&self, to: u32) -> bool {
        self.wires[to as usize].flags.has(Flags::CREDIT_AWAITED)
    }

    /// Whether the receiver at `to` may store heads late.
    #[inline]
    pub fn is_late(&self, to: u32) -> bool {
        !self.wires[to as usize].flags.has(Flags::IN_TIME)
    }

    /// From now on the receiver at `at` may store heads late, or does it in their tick.
    pub fn set_late(&mut self, at: u32, late: bool) {
        self.wires[at as usize].flags.set(Flags::IN_TIME, !late);
    }

    /// From now on the receiver at `at` wants to be woken by every credit packet. Returns when those arrive that are on
    /// the wire already and that nobody was woken for.
    pub fn await_credit(&mut self, at: u32) -> impl Iterator<Item = Tick> + '_ {
        let wire = &mut self.wires[at as usize];
        let new = !wire.flags.set(Flags::CREDIT_AWAITED, true);
        wire.credits(&self.pool)
            .filter(move |_| new)
            .map(|credit| credit.due)
    }

    /// Every receiver wants to be woken by every credit packet.
    pub fn await_all_credit(&mut self) {
        for wire in &mut self.wires {
            wire.flags.set(Flags::CREDIT_AWAITED, true);
        }
    }

    /// The receiver at `at` was woken by a credit packet: it will say if it goes on waiting.
    #[inline]
    pub fn end_await(&mut self, at: u32) {
        let flags = &mut self.wires[at as usize].flags;
        flags.set(Flags::CREDIT_AWAITED, false);
    }

    /// Takes a credit packet that is due at `at` before `end`: class and cells.
    #[inline(always)]
    pub fn take_credit(&mut self, at: u32, end: Tick) -> Option<(u16, u32)> {
        let wire = &mut self.wires[at as usize];
        if wire.landed_classes != 0 {
            return Some(wire.take_landed());
        }
        if wire.credit.due >= end {
            return None;
        }
        let Credit { class, cells, .. } = wire.credit;
        wire.advance(&mut self.pool);
        Some((class, cells))
    }

    /// Takes another control packet that is due at `at` by `now`.
    #[inline]
    pub fn take_named(&mut self, at: u32, now: Tick) -> Option<Control> {
        let wire = &mut self.named[at as usize];
        if wire.front().is_none_or(|&(due, _)| due > now) {
            return None;
        }
        wire.pop_front().map(|(_, control)| control)
    }

    /// Asks for a wire ahead of its use.
    #[inline(always)]
    pub(crate) fn prefetch(&self, to: u32) {
        prefetch::nth(&self.wires, to as usize);
    }

    /// Packets on the wire to `to`.
    pub fn packets_to<'a>(
        &self,
        to: u32,
        packets: &'a Packets,
    ) -> impl Iterator<Item = PacketId> + 'a {
        std::iter::successors(self.wires[to as usize].packets.front(), |&id| {
            packets[id].behind()
        })
    }

    /// Credits on the wire to `to`, or landed: class and cells.
    pub fn credits_to(&self, to: u32) -> impl Iterator<Item = (u16, u32)> + '_ {
        let wire = &self.wires[to as usize];
        let landed = wire.landed.iter().zip(0u16..).filter(|l| *l.0 > 0);
        wire.credits(&self.pool)
            .map(|credit| (credit.class, credit.cells))
            .chain(landed.map(|(&cells, class)| (class, u32::from(cells))))
    }

    /// Control packets on all wires.
    pub fn control_packets(&self) -> usize {
        self.wires
            .iter()
            .map(|wire| {
                wire.credits(&self.pool).count() + wire.landed_classes.count_ones() as usize
            })
            .sum::<usize>()
            + self.named.iter().map(VecDeque::len).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::{LANDED, NONE, Owner, Wires};
    use proptest::prelude::*;
    use std::collections::VecDeque;
    use units::Tick;

    /// Plain wires: every credit packet with its tick.
    #[derive(Default)]
    struct Plain(VecDeque<(Tick, u16, u32)>);

    impl Plain {
        fn take(&mut self, end: Tick) -> Vec<(u16, u32)> {
            let come = self.0.iter().take_while(|(due, ..)| *due < end).count();
            sums(self.0.drain(..come).map(|(_, class, cells)| (class, cells)))
        }
    }

    /// Cells by class.
    fn sums(credits: impl Iterator<Item = (u16, u32)>) -> Vec<(u16, u32)> {
        let mut cells = std::collections::BTreeMap::new();
        for (class, n) in credits {
            *cells.entry(class).or_insert(0) += n;
        }
        cells.into_iter().collect()
    }

    /// What happens at a wire: ticks go by, then credit is sent, taken, or waited for.
    #[derive(Debug, Clone)]
    enum Step {
        Send { class: u16, cells: u32, wire: u64 },
        Take { also_now: bool },
        Await,
        EndAwait,
    }

    fn step() -> impl Strategy<Value = Step> {
        let last = LANDED as u16;
        prop_oneof![
            6 => (prop_oneof![0..3_u16, last - 1..last + 2], 1..9_u32, 0..40_u64)
                .prop_map(|(class, cells, wire)| Step::Send { class, cells, wire }),
            2 => any::<bool>().prop_map(|also_now| Step::Take { also_now }),
            1 => Just(Step::Await),
            1 => Just(Step::EndAwait),
        ]
    }

    // "All that has come": a place in the pool costs a cache line, so nothing stays there that has come.
    #[test]
    fn all_credit_that_has_come_lands() {
        let mut wires = Wires::new(
            [Owner {
                element: 0,
                port: 0,
            }]
            .into_iter(),
        );
        for due in [10, 11, 12] {
            wires.send_credit(0, 5, due, 0, 1);
        }
        wires.send_credit(0, 20, 30, 0, 1);
        let wire = &wires.wires[0];
        assert_eq!((wire.credit.due, wire.next, wire.landed[0]), (30, NONE, 3));
    }

    proptest! {
        // Credit is seen from the tick after it has come, all of it and once, by class, however long it waits to be taken; who
        // begins to wait is told of all that is to come.
        #[test]
        fn credit_that_lands_is_credit_that_comes(steps in prop::collection::vec((0..30_u64, 0..2_u32, step()), 0..300)) {
            let owner = |element| Owner { element, port: 0 };
            let mut wires = Wires::new([owner(0), owner(1)].into_iter());
            let mut plain = [Plain::default(), Plain::default()];
            let mut awaited = [false; 2];
            let (mut now, mut last_due) = (0, [0; 2]);
            for (ticks, at, step) in steps {
                now += ticks;
                let n = at as usize;
                match step {
                    Step::Send { class, cells, wire } => {
                        // In the order in which it will come; late senders put on what is due already.
                        let due = last_due[n].max((now + wire).saturating_sub(20));
                        last_due[n] = due;
                        wires.send_credit(at, now, due, class, cells);
                        plain[n].0.push_back((due, class, cells));
                        prop_assert_eq!(wires.is_credit_awaited(at), awaited[n]);
                    }
                    Step::Take { also_now } => {
                        let end = now + u64::from(also_now);
                        let taken: Vec<_> = std::iter::from_fn(|| wires.take_credit(at, end)).collect();
                        prop_assert_eq!(sums(taken.into_iter()), plain[n].take(end));
                    }
                    Step::Await => {
                        // Whoever waits has taken what there is.
                        while wires.take_credit(at, now).is_some() {}
                        plain[n].take(now);
                        let dues: Vec<Tick> = wires.await_credit(at).collect();
                        let all: Vec<Tick> = plain[n].0.iter().map(|(due, ..)| *due).collect();
                        prop_assert_eq!(dues, if awaited[n] { vec![] } else { all });
                        awaited[n] = true;
                    }
                    Step::EndAwait => {
                        wires.end_await(at);
                        awaited[n] = false;
                    }
                }
                for (at, plain) in (0..).zip(&plain) {
                    let left = plain.0.iter().map(|&(_, class, cells)| (class, cells));
                    prop_assert_eq!(sums(wires.credits_to(at)), sums(left));
                }
                let any = plain.iter().any(|plain| !plain.0.is_empty());
                prop_assert_eq!(wires.control_packets() > 0, any);
            }
        }
    }
}
