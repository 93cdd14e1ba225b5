//! Links: the arbiter of an egress port, packets and control packets that start, and credit.
//!
//! Credit is no event while nobody waits for it. What waits to go back over a link starts as soon
//! as that is free: whoever looks at the link settles first what has started by then
//! ([`Flat::settle_back`]). What is on its way is a field of the port that it goes to; who lacks
//! credit there settles both, and only then waits.

use super::Flat;
use super::records::{Fly, Words};
use super::wheel::{Kind, NONE, T};
use observe::{Observer, View};
use observe::{Place, Side};
use std::collections::BTreeMap;
use units::{ClassId, PortId, QueueId, Span, Tick, WireId};

/// Puts a number into a set.
#[inline(always)]
pub(crate) fn insert(word: &mut u64, words: Words, wide: &mut [u64], number: usize) {
    if words.len == 0 {
        *word |= 1 << number;
        return;
    }
    let at = &mut wide[words.range()][number / 64];
    *word += u64::from(*at >> (number % 64) & 1 == 0);
    *at |= 1 << (number % 64);
}

/// Takes a number out of a set.
#[inline(always)]
pub(crate) fn remove(word: &mut u64, words: Words, wide: &mut [u64], number: usize) {
    if words.len == 0 {
        *word &= !(1 << number);
        return;
    }
    let at = &mut wide[words.range()][number / 64];
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
    if words.len == 0 {
        bits::first_from(word, start, accept)
    } else {
        bits::first_from_words(&wide[words.range()], start as usize, accept)
    }
}

impl<const EAGER: bool> Flat<EAGER> {
    #[inline(always)]
    pub(crate) fn place(port: usize, side: Side) -> Place {
        Place {
            port: WireId(port as u32),
            side,
        }
    }

    #[inline(always)]
    pub(crate) fn view_at(owners: &[observe::Owner], at: T) -> View<'_> {
        View {
            now: Tick(at.into()),
            owners,
        }
    }

    /// The link is looked at in a tick to come.
    #[inline(always)]
    pub(crate) fn ask_link(&mut self, p: usize, at: T) {
        let out = &mut self.out[p];
        if at < out.asked {
            out.asked = at;
            self.wheel.put(at, Kind::Link, p);
        }
    }

    /// Evaluate and step 1 of a link.
    #[inline(always)]
    pub(crate) fn link(&mut self, observer: &mut impl Observer, p: usize, t: T) {
        let out = &mut self.out[p];
        if out.asked <= t {
            out.asked = NONE;
        }
        if out.named && !self.link_named(observer, p, t) {
            return;
        }
        let out = &self.out[p];
        if out.ready <= t {
            self.settle_back(observer, p, t + 1, t);
        }
        let out = &self.out[p];
        if out.busy > t {
            if out.eligible != 0 {
                let busy = out.busy;
                self.ask_link(p, busy);
            }
        } else if out.eligible != 0 {
            self.data(observer, p, t, false);
        }
        self.ask_for_back(p, t);
    }

    /// Asks for the start of credit that waits, where somebody is to be told of it in its tick.
    #[inline(always)]
    pub(crate) fn ask_for_back(&mut self, p: usize, t: T) {
        let out = &self.out[p];
        if out.ready != NONE && (!EAGER || self.out[self.port[p].peer as usize].awaits_credit) {
            let at = out.ready.max(out.later_busy(self.out_of_band)).max(t + 1);
            self.ask_link(p, at);
        }
    }

    /// The link arbiter: round robin over the queues whose head is visible and has credit.
    /// `settled`: all credit that has come is counted.
    #[inline(always)]
    fn data(&mut self, observer: &mut impl Observer, p: usize, t: T, settled: bool) {
        let (out, port) = (&self.out[p], &self.port[p]);
        let (mut soon, mut starved) = (NONE, false);
        let (packets, queues, credits) = (&self.packets.slots, &self.queues, &self.credits);
        let look = |queue: usize| {
            let head = &packets[queues[port.egress as usize + queue].head as usize];
            if head.visible > t {
                soon = soon.min(head.visible);
                return false;
            }
            let cells = self.sizes[usize::from(head.size)].cells;
            let fits = credits[port.credits as usize + usize::from(head.next_class)] >= cells;
            starved |= !fits;
            // What has come may change it.
            fits || !settled
        };
        let found = first(
            out.eligible,
            port.egress_words,
            &self.wide,
            out.pointer,
            look,
        );
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

    /// Counts all credit that has come to a port before tick `t`.
    #[inline(never)]
    pub(crate) fn settle_credit(&mut self, observer: &mut impl Observer, p: usize, t: T) {
        self.out[p].awaits_credit = false;
        let peer = self.port[p].peer as usize;
        if self.out[peer].ready < t && !self.out[peer].named {
            self.settle_back(observer, peer, t, t);
        }
        self.land(p, t);
    }

    /// Counts all that has come to a port, or left it, before the present tick: for looks.
    pub(crate) fn settle_unseen(&mut self, p: usize) {
        let t = self.now;
        self.settle_tail(p, t);
        if self.out[p].ready < t {
            self.settle_back(&mut (), p, t, t);
        }
        self.land(p, t);
    }

    /// Counts what has come before tick `t` of what is on its way to a port.
    #[inline(always)]
    pub(crate) fn land(&mut self, p: usize, t: T) {
        while self.out[p].flying > 0 && self.out[p].fly[0].due < t {
            let out = &mut self.out[p];
            let Fly { due, class, cells } = out.fly[0];
            out.fly[0] = out.fly[1];
            out.flying -= 1;
            self.give(p, class, cells, due, t);
            if self.out[p].flying == 1 {
                self.land_further(p);
            }
        }
    }

    /// The next of those that had no place comes up.
    #[inline(always)]
    fn land_further(&mut self, p: usize) {
        if let Some(next) = self.further[p].pop_front() {
            let out = &mut self.out[p];
            out.fly[1] = next;
            out.flying = 2;
        }
    }

    #[inline(always)]
    fn give(&mut self, p: usize, class: u16, cells: u16, due: T, t: T) {
        let port = &self.port[p];
        let credit = &mut self.credits[port.credits as usize + usize::from(class)];
        *credit += cells;
        if *credit > port.credit_cells {
            self.broken(p, Side::Egress, t, "more credit than there is");
        }
        if self.extras {
            self.credit_where_marked(p, class, due);
        }
    }

    /// Who waits for credit at a port is looked at.
    fn wake_for_credit(&mut self, p: usize, at: T) {
        if self.is_iq && self.port[p].at_switch {
            self.ask_crossbar(self.port[p].element as usize, at);
        } else {
            self.ask_link(p, at);
        }
    }

    /// A head lacks credit behind a port, and all that has come is counted: when the next comes it
    /// is looked at again.
    #[inline(never)]
    pub(crate) fn await_credit(&mut self, p: usize, t: T) {
        if std::mem::replace(&mut self.out[p].awaits_credit, true) {
            return;
        }
        for at in 0..usize::from(self.out[p].flying) {
            let due = self.out[p].fly[at].due;
            self.wake_for_credit(p, due + 1);
        }
        for at in 0..self.further[p].len() {
            let due = self.further[p][at].due;
            self.wake_for_credit(p, due + 1);
        }
        self.ask_for_back(self.port[p].peer as usize, t);
    }

    /// Credit of a class goes back over the link of a port, from tick `from` on.
    #[inline(always)]
    pub(crate) fn owe(
        &mut self,
        observer: &mut impl Observer,
        p: usize,
        class: u16,
        cells: u16,
        from: T,
        t: T,
    ) {
        if self.out[p].ready < t && !self.out[p].named {
            self.settle_back(observer, p, t, t);
        }
        let (out, port) = (&mut self.out[p], &self.port[p]);
        if out.waiting == 0 {
            out.ready = from;
            insert(
                &mut out.waiting,
                port.back_words,
                &mut self.wide,
                usize::from(class),
            );
            self.back[port.back as usize + usize::from(class)] = cells;
        } else {
            self.owe_beside(
                p,
                Fly {
                    due: from,
                    class,
                    cells,
                },
            );
        }
        self.ask_for_back(p, t);
    }

    /// Other credit waits, or will.
    #[inline(always)]
    fn owe_beside(&mut self, p: usize, owed: Fly) {
        let out = &mut self.out[p];
        if owed.due >= out.ready && out.later == NONE {
            (out.later, out.later_class, out.later_cells) = (owed.due, owed.class, owed.cells);
            return;
        }
        self.owe_among(p, owed);
    }

    /// More than one is to come.
    #[cold]
    #[inline(never)]
    fn owe_among(&mut self, p: usize, mut owed: Fly) {
        let (out, port) = (&mut self.out[p], &self.port[p]);
        if owed.due < out.ready {
            // What waits from a later tick on makes way for it.
            let mut classes = Vec::new();
            while let Some(class) = first(out.waiting, port.back_words, &self.wide, 0, |_| true) {
                remove(&mut out.waiting, port.back_words, &mut self.wide, class);
                let cells = std::mem::take(&mut self.back[port.back as usize + class]);
                classes.push((class as u16, cells));
            }
            let ready = std::mem::replace(&mut out.ready, owed.due);
            insert(
                &mut out.waiting,
                port.back_words,
                &mut self.wide,
                usize::from(owed.class),
            );
            self.back[port.back as usize + usize::from(owed.class)] = owed.cells;
            for (class, cells) in classes {
                self.owe_beside(
                    p,
                    Fly {
                        due: ready,
                        class,
                        cells,
                    },
                );
            }
            return;
        }
        let out = &mut self.out[p];
        if owed.due < out.later {
            let first = Fly {
                due: out.later,
                class: out.later_class,
                cells: out.later_cells,
            };
            (out.later, out.later_class, out.later_cells) = (owed.due, owed.class, owed.cells);
            owed = first;
        }
        let further = self.later.entry(p as u32).or_default();
        let at = further.partition_point(|other| other.due <= owed.due);
        further.insert(at, owed);
    }

    /// All credit packets that start on a link before tick `end`, in tick `t`.
    #[inline(never)]
    pub(crate) fn settle_back(&mut self, observer: &mut impl Observer, p: usize, end: T, t: T) {
        loop {
            let start = {
                let out = &self.out[p];
                out.ready.max(out.later_busy(self.out_of_band))
            };
            let port = &self.port[p];
            // What waits by then goes along, or with what is next.
            while self.out[p].later <= start && start != NONE {
                let out = &mut self.out[p];
                let class = usize::from(out.later_class);
                insert(&mut out.waiting, port.back_words, &mut self.wide, class);
                self.back[port.back as usize + class] += out.later_cells;
                out.later = NONE;
                if !self.later.is_empty() {
                    next_later(&mut self.later, &mut self.out[p], p);
                }
            }
            if start >= end {
                return;
            }
            let out = &mut self.out[p];
            let class = if port.back_words.len == 0 && out.waiting & (out.waiting - 1) == 0 {
                out.waiting.trailing_zeros() as usize
            } else {
                let from = u32::from(out.back_pointer);
                let found = first(out.waiting, port.back_words, &self.wide, from, |_| true);
                found.expect("credit that waits")
            };
            remove(&mut out.waiting, port.back_words, &mut self.wide, class);
            let cells = std::mem::take(&mut self.back[port.back as usize + class]);
            if out.waiting == 0 {
                out.ready = NONE;
                if out.later != NONE {
                    let (class, cells) = (usize::from(out.later_class), out.later_cells);
                    out.ready = out.later;
                    out.later = NONE;
                    insert(&mut out.waiting, port.back_words, &mut self.wide, class);
                    self.back[port.back as usize + class] = cells;
                    if !self.later.is_empty() {
                        next_later(&mut self.later, &mut self.out[p], p);
                    }
                }
            }
            self.send_credit(observer, p, start, class as u16, cells, t);
            if self.out[p].ready == NONE {
                return;
            }
        }
    }

    /// A credit packet has started on a link at `start`.
    #[inline(always)]
    fn send_credit(
        &mut self,
        observer: &mut impl Observer,
        p: usize,
        start: T,
        class: u16,
        cells: u16,
        t: T,
    ) {
        if !EAGER {
            let view = Self::view_at(&self.owners, start);
            let place = Self::place(p, Side::Egress);
            observer.credit_sent(view, place, ClassId(class), cells.into());
        }
        let out = &mut self.out[p];
        if !self.out_of_band {
            out.busy = start + self.times.credit;
        }
        out.back_pointer = class + 1;
        let port = &self.port[p];
        let (to, due) = (
            port.peer as usize,
            start + self.times.credit + port.latency + self.times.credit_return,
        );
        if due < t && self.out[to].flying == 0 {
            return self.give(to, class, cells, due, t);
        }
        self.land(to, t);
        let there = &mut self.out[to];
        let fly = Fly { due, class, cells };
        if let Some(place) = there.fly.get_mut(usize::from(there.flying)) {
            *place = fly;
            there.flying += 1;
        } else {
            self.further[to].push_back(fly);
        }
        if self.out[to].awaits_credit {
            self.wake_for_credit(to, due.max(t) + 1);
        }
    }

    /// The tail before has left: its cells are room.
    #[inline(always)]
    pub(crate) fn settle_tail(&mut self, p: usize, t: T) {
        let out = &mut self.out[p];
        if out.tail_end <= t {
            out.tail_end = NONE;
            let (class, cells) = (usize::from(out.leaving_class), out.leaving_cells);
            let port = &self.port[p];
            let room = &mut self.room[port.room as usize + class];
            *room += cells;
            if *room > port.room_cells {
                self.broken(p, Side::Egress, t, "more room than there is");
            }
        }
    }

    /// Step 1: the head of an egress queue starts on the link.
    #[inline(always)]
    fn start(&mut self, observer: &mut impl Observer, p: usize, queue: usize, t: T) {
        self.settle_tail(p, t);
        let port = &self.port[p];
        let (at_switch, egress) = (port.at_switch, port.egress as usize + queue);
        let k = self.pop(egress);
        let next = self.queues[egress].head;
        let (out, port) = (&mut self.out[p], &self.port[p]);
        out.pointer = queue as u32 + 1;
        if next == NONE {
            remove(&mut out.eligible, port.egress_words, &mut self.wide, queue);
        }
        let packet = &mut self.packets.slots[k];
        if !at_switch {
            packet.injected = t;
        }
        let (class, cells) = (packet.class, self.sizes[usize::from(packet.size)].cells);
        let view = Self::view_at(&self.owners, t);
        let place = Self::place(p, Side::Egress);
        let (told, number) = (packet.view(), QueueId(queue as u16));
        observer.departed(view, place, told, number, PortId(0));
        let end = self.launch(observer, p, k, 0, t);
        if self.has_saqs(self.egress_side(p)) {
            self.left_egress(p, queue, t);
        }
        if self.extras {
            self.left_red(p, queue, cells);
        }
        let out = &mut self.out[p];
        out.tail_end = end;
        out.leaving_class = class;
        out.leaving_cells = cells;
        if out.eligible != 0 {
            self.ask_link(p, end);
        }
        let out = &mut self.out[p];
        if at_switch {
            if std::mem::take(&mut out.awaits_room) {
                self.ask_crossbar(self.port[p].element as usize, end);
            }
        } else {
            self.injection_started(p, end, t);
        }
    }

    /// A packet starts on a link, its head `stage` late. When the link is free again.
    #[inline(always)]
    pub(crate) fn launch(
        &mut self,
        observer: &mut impl Observer,
        p: usize,
        k: usize,
        stage: T,
        t: T,
    ) -> T {
        let has_credits = self.has_credits();
        let port = &self.port[p];
        let packet = &mut self.packets.slots[k];
        let size = &self.sizes[usize::from(packet.size)];
        let credit = &mut self.credits[port.credits as usize + usize::from(packet.next_class)];
        debug_assert!(*credit >= size.cells);
        if has_credits {
            *credit -= size.cells;
        }
        packet.class = packet.next_class;
        packet.vc = packet.next_vc;
        let end = (t + size.link).max(packet.tail + self.times.link_phit);
        let on_the_way = stage + port.latency;
        self.sent += 1;
        let out = &mut self.out[p];
        out.busy = end;
        out.awaits_credit = false;
        if port.at_switch {
            let (view, place) = (Self::view_at(&self.owners, t), Self::place(p, Side::Egress));
            let (at, span) = (Tick(u64::from(end) - 1), Span((end - t).into()));
            observer.hop(view, place, at, span);
        }
        let peer = port.peer as usize;
        if port.to_switch {
            packet.tail = end + on_the_way + self.times.ingress;
            packet.stored = if self.store_and_forward {
                packet.tail
            } else {
                t + on_the_way + self.times.ingress
            };
            if self.times_ingress(observer, peer, k, t) {
                let at = self.packets.slots[k].stored;
                self.put_on_wire(peer, k);
                self.wheel.put(at, Kind::Store, peer);
            } else {
                self.store(observer, peer, k);
            }
        } else {
            packet.tail = end + on_the_way;
            packet.stored = packet.tail;
            let at = packet.tail;
            self.put_on_wire(peer, k);
            self.wheel.put(at, Kind::Eject, peer);
        }
        end
    }

    /// A packet comes to a port, behind those that are on their way there.
    #[inline(always)]
    pub(crate) fn put_on_wire(&mut self, p: usize, k: usize) {
        let wire = self.wires[p];
        self.packets.slots[k].next = NONE;
        if wire.0 == NONE {
            self.wires[p] = (k as u32, k as u32);
        } else {
            self.packets.slots[wire.1 as usize].next = k as u32;
            self.wires[p].1 = k as u32;
        }
    }

    /// Takes the packet that comes to a port by tick `t`.
    #[inline(always)]
    pub(crate) fn take_from_wire(&mut self, p: usize, t: T) -> Option<usize> {
        let k = self.wires[p].0;
        if k == NONE || self.packets.slots[k as usize].stored > t {
            return None;
        }
        self.wires[p].0 = self.packets.slots[k as usize].next;
        Some(k as usize)
    }

    /// Takes the head of a queue that has one.
    #[inline(always)]
    pub(crate) fn pop(&mut self, queue: usize) -> usize {
        let queue = &mut self.queues[queue];
        let k = queue.head as usize;
        queue.head = self.packets.slots[k].next;
        queue.packets -= 1;
        k
    }

    /// Puts a packet behind the last one of a queue. Whether it is the first.
    #[inline(always)]
    pub(crate) fn push(&mut self, queue: usize, k: usize) -> bool {
        self.packets.slots[k].next = NONE;
        let queue = &mut self.queues[queue];
        let tail = std::mem::replace(&mut queue.tail, k as u32);
        queue.packets += 1;
        if queue.head == NONE {
            queue.head = k as u32;
            return true;
        }
        self.packets.slots[tail as usize].next = k as u32;
        false
    }

    /// A head is stored in an egress memory, or in that of an end node.
    #[inline(always)]
    pub(crate) fn store_egress(&mut self, observer: &mut impl Observer, p: usize, k: usize, t: T) {
        let packet = &self.packets.slots[k];
        let mut queue = self.egress_queue(p, packet);
        let side = self.egress_side(p);
        let has_saqs = self.has_saqs(side);
        if has_saqs {
            queue = self.queue_by_cam(side, &packet.route, queue);
        }
        if self.extras {
            self.red(p, k, queue);
        }
        let packet = &mut self.packets.slots[k];
        packet.visible = packet.stored + self.times.arbitration;
        let (view, place) = (
            Self::view_at(&self.owners, packet.stored),
            Self::place(p, Side::Egress),
        );
        observer.stored(view, place, packet.view(), QueueId(queue as u16));
        let visible = packet.visible;
        self.packets.slots[k].next_class = self.class_in_next_memory(p, k);
        let first = self.push(self.port[p].egress as usize + queue, k);
        if has_saqs {
            if first {
                self.refresh_egress(p, queue, t);
            }
            self.stored_at_egress((p, k), queue, t);
        } else if first {
            let (out, port) = (&mut self.out[p], &self.port[p]);
            insert(&mut out.eligible, port.egress_words, &mut self.wide, queue);
            let at = visible.max(out.busy).max(t + 1);
            self.ask_link(p, at);
        }
    }
}

impl super::records::Out {
    /// From when on a control packet may start: out of band it needs no idle link.
    #[inline(always)]
    pub(crate) fn later_busy(&self, out_of_band: bool) -> T {
        if out_of_band { 0 } else { self.busy }
    }
}

/// Of credit that waits from later ticks on, the next comes up.
#[cold]
#[inline(never)]
fn next_later(later: &mut BTreeMap<u32, Vec<Fly>>, out: &mut super::records::Out, p: usize) {
    if let Some(further) = later.get_mut(&(p as u32)) {
        let Fly { due, class, cells } = further.remove(0);
        if further.is_empty() {
            later.remove(&(p as u32));
        }
        (out.later, out.later_class, out.later_cells) = (due, class, cells);
    }
}
