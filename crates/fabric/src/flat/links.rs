//! Links: the arbiter of an egress port, packets and control packets that start, and credit.
//!
//! Credit is no event while nobody waits for it. What waits to go back over a link starts as soon
//! as that is free: whoever looks at the link settles first what has started by then
//! ([`Flat::settle_back`]). What is on its way is a field of the port that it goes to; who lacks
//! credit there settles both, and only then waits.

use super::Flat;
use super::records::{Fly, Port, Words};
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
        let port = &mut self.port[p];
        if at < port.asked {
            port.asked = at;
            self.wheel.put(at, Kind::Link, p);
        }
    }

    /// Evaluate and step 1 of a link.
    #[inline(always)]
    pub(crate) fn link(&mut self, observer: &mut impl Observer, p: usize, t: T) {
        let port = &mut self.port[p];
        if port.asked <= t {
            port.asked = NONE;
        }
        if port.named && !self.link_named(observer, p, t) {
            return;
        }
        if self.port[p].ready <= t {
            self.settle_back(observer, p, t + 1, t);
        }
        let port = &self.port[p];
        if port.eligible != 0 {
            let busy = port.busy;
            if busy > t {
                self.ask_link(p, busy);
            } else {
                self.data(observer, p, t, false);
            }
        }
        self.ask_for_back(p, t);
    }

    /// Asks for the start of credit that waits, where somebody is to be told of it in its tick.
    #[inline(always)]
    pub(crate) fn ask_for_back(&mut self, p: usize, t: T) {
        let port = &self.port[p];
        if (!EAGER || port.owes_urgently) && port.ready != NONE {
            let at = port.ready.max(port.later_busy(self.out_of_band)).max(t + 1);
            self.ask_link(p, at);
        }
    }

    /// The link arbiter: round robin over the queues whose head is visible and has credit.
    /// `settled`: all credit that has come is counted.
    #[inline(always)]
    fn data(&mut self, observer: &mut impl Observer, p: usize, t: T, settled: bool) {
        let port = &self.port[p];
        let (mut soon, mut starved) = (NONE, false);
        let packets = &self.packets.slots;
        let queues = &self.queues[port.egress as usize..];
        let credits = &self.credits[port.credits as usize..];
        let look = |queue: usize| {
            let head = &packets[queues[queue].head as usize];
            if head.visible > t {
                soon = soon.min(head.visible);
                return false;
            }
            let cells = self.sizes[usize::from(head.size)].cells;
            let fits = credits[usize::from(head.next_class)] >= cells;
            starved |= !fits;
            // What has come may change it.
            fits || !settled
        };
        let (words, pointer) = (port.egress_words, u32::from(port.pointer));
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

    /// Counts all credit that has come to a port before tick `t`.
    #[inline(never)]
    pub(crate) fn settle_credit(&mut self, observer: &mut impl Observer, p: usize, t: T) {
        self.waits_no_more(p);
        let peer = self.port[p].peer as usize;
        if self.port[peer].ready < t && !self.port[peer].named {
            self.settle_back(observer, peer, t, t);
        }
        self.land(p, t);
    }

    /// Nobody waits for credit at a port any more.
    #[inline(always)]
    fn waits_no_more(&mut self, p: usize) {
        let port = &mut self.port[p];
        if port.awaits_credit {
            port.awaits_credit = false;
            let peer = port.peer as usize;
            self.port[peer].owes_urgently = false;
        }
    }

    /// Counts all that has come to a port, or left it, before the present tick: for looks.
    pub(crate) fn settle_unseen(&mut self, p: usize) {
        let t = self.now;
        self.settle_tail(p, t);
        if self.port[p].ready < t {
            self.settle_back(&mut (), p, t, t);
        }
        self.land(p, t);
    }

    /// Counts what has come before tick `t` of what is on its way to a port.
    #[inline(always)]
    pub(crate) fn land(&mut self, p: usize, t: T) {
        loop {
            let port = &mut self.port[p];
            if port.flying == 0 || port.fly[0].due >= t {
                return;
            }
            let Fly { due, class, cells } = port.fly[0];
            port.fly[0] = port.fly[1];
            port.flying -= 1;
            if port.flying == 1 {
                self.land_further(p);
            }
            self.give(p, class, cells, due, t);
        }
    }

    /// The next of those that had no place comes up.
    #[inline(always)]
    fn land_further(&mut self, p: usize) {
        if let Some(next) = self.further[p].pop_front() {
            let port = &mut self.port[p];
            port.fly[1] = next;
            port.flying = 2;
        }
    }

    #[inline(always)]
    pub(crate) fn give(&mut self, p: usize, class: u16, cells: u16, due: T, t: T) {
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
    pub(crate) fn wake_for_credit(&mut self, p: usize, at: T) {
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
        let port = &mut self.port[p];
        let peer = port.peer as usize;
        if std::mem::replace(&mut port.awaits_credit, true) {
            return;
        }
        self.port[peer].owes_urgently = true;
        for at in 0..usize::from(self.port[p].flying) {
            let due = self.port[p].fly[at].due;
            self.wake_for_credit(p, due + 1);
        }
        for at in 0..self.further[p].len() {
            let due = self.further[p][at].due;
            self.wake_for_credit(p, due + 1);
        }
        self.ask_for_back(peer, t);
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
        // The links were looked at before, in this tick too.
        if self.port[p].ready <= t && !self.port[p].named {
            self.settle_back(observer, p, t + 1, t);
        }
        let port = &mut self.port[p];
        if port.waiting == 0 {
            port.ready = from;
            let class = usize::from(class);
            let words = port.back_words;
            insert(&mut port.waiting, words, &mut self.wide, class);
            self.back[port.back as usize + class] = cells;
        } else {
            let due = from;
            self.owe_beside(p, Fly { due, class, cells });
        }
        self.ask_for_back(p, t);
    }

    /// Other credit waits, or will.
    #[inline(always)]
    fn owe_beside(&mut self, p: usize, owed: Fly) {
        let port = &mut self.port[p];
        if owed.due >= port.ready && port.later == NONE {
            (port.later, port.later_class, port.later_cells) = (owed.due, owed.class, owed.cells);
            return;
        }
        self.owe_among(p, owed);
    }

    /// More than one is to come.
    #[cold]
    #[inline(never)]
    fn owe_among(&mut self, p: usize, mut owed: Fly) {
        let port = &mut self.port[p];
        let (words, back) = (port.back_words, port.back as usize);
        if owed.due < port.ready {
            // What waits from a later tick on makes way for it.
            let mut classes = Vec::new();
            while let Some(class) = first(port.waiting, words, &self.wide, 0, |_| true) {
                remove(&mut port.waiting, words, &mut self.wide, class);
                classes.push((class as u16, std::mem::take(&mut self.back[back + class])));
            }
            let due = std::mem::replace(&mut port.ready, owed.due);
            let class = usize::from(owed.class);
            insert(&mut port.waiting, words, &mut self.wide, class);
            self.back[back + class] = owed.cells;
            for (class, cells) in classes {
                self.owe_beside(p, Fly { due, class, cells });
            }
            return;
        }
        if owed.due < port.later {
            let first = Fly {
                due: port.later,
                class: port.later_class,
                cells: port.later_cells,
            };
            (port.later, port.later_class, port.later_cells) = (owed.due, owed.class, owed.cells);
            owed = first;
        }
        let further = self.later.entry(p as u32).or_default();
        let at = further.partition_point(|other| other.due <= owed.due);
        further.insert(at, owed);
    }

    /// All credit packets that start on a link before tick `end`, in tick `t`.
    #[inline(always)]
    pub(crate) fn settle_back(&mut self, observer: &mut impl Observer, p: usize, end: T, t: T) {
        let port = &mut self.port[p];
        let start = port.ready.max(port.later_busy(self.out_of_band));
        let (waiting, later) = (port.waiting, port.later);
        if later != NONE || port.back_words.len != 0 || waiting & waiting.wrapping_sub(1) != 0 {
            return self.settle_several(observer, p, end, t);
        }
        if start >= end {
            return;
        }
        let class = waiting.trailing_zeros() as u16;
        (port.waiting, port.ready) = (0, NONE);
        let cells = std::mem::take(&mut self.back[port.back as usize + usize::from(class)]);
        self.send_credit(observer, p, start, class, cells, t);
    }

    /// Where credit of several classes waits, or from several ticks on.
    #[inline(never)]
    fn settle_several(&mut self, observer: &mut impl Observer, p: usize, end: T, t: T) {
        loop {
            let port = &mut self.port[p];
            let start = port.ready.max(port.later_busy(self.out_of_band));
            let (words, back) = (port.back_words, port.back as usize);
            // What waits by then goes along, or with what is next.
            while port.later <= start && start != NONE {
                let class = usize::from(port.later_class);
                insert(&mut port.waiting, words, &mut self.wide, class);
                self.back[back + class] += port.later_cells;
                next_later(&mut self.later, port, p);
            }
            if start >= end {
                return;
            }
            let class = if words.len == 0 && port.waiting & (port.waiting - 1) == 0 {
                port.waiting.trailing_zeros() as usize
            } else {
                let from = u32::from(port.back_pointer);
                let found = first(port.waiting, words, &self.wide, from, |_| true);
                found.expect("credit that waits")
            };
            remove(&mut port.waiting, words, &mut self.wide, class);
            let cells = std::mem::take(&mut self.back[back + class]);
            if port.waiting == 0 {
                port.ready = port.later;
                if port.later != NONE {
                    let class = usize::from(port.later_class);
                    insert(&mut port.waiting, words, &mut self.wide, class);
                    self.back[back + class] = port.later_cells;
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
        let port = &mut self.port[p];
        if !self.out_of_band {
            port.busy = start + self.times.credit;
        }
        port.back_pointer = class + 1;
        let due = start + self.times.credit + port.latency + self.times.credit_return;
        let to = port.peer as usize;
        let there = &mut self.port[to];
        if there.flying == 0 {
            if due < t {
                return self.give(to, class, cells, due, t);
            }
        } else if there.fly[0].due < t {
            self.land(to, t);
        }
        let there = &mut self.port[to];
        let fly = Fly { due, class, cells };
        if let Some(place) = there.fly.get_mut(usize::from(there.flying)) {
            *place = fly;
            there.flying += 1;
        } else {
            self.further[to].push_back(fly);
        }
        if self.port[to].awaits_credit {
            self.wake_for_credit(to, due.max(t) + 1);
        }
    }

    /// The tail before has left: its cells are room.
    #[inline(always)]
    pub(crate) fn settle_tail(&mut self, p: usize, t: T) {
        if !self.port[p].settle_tail(&mut self.room, t) {
            self.broken(p, Side::Egress, t, "more room than there is");
        }
    }

    /// Step 1: the head of an egress queue starts on the link.
    #[inline(always)]
    fn start(&mut self, observer: &mut impl Observer, p: usize, queue: usize, t: T) {
        self.settle_tail(p, t);
        let port = &mut self.port[p];
        let at_switch = port.at_switch;
        let record = &mut self.queues[port.egress as usize + queue];
        let k = record.head as usize;
        let packet = &mut self.packets.slots[k];
        record.head = packet.next;
        record.packets -= 1;
        port.pointer = queue as u16 + 1;
        if packet.next == NONE {
            remove(&mut port.eligible, port.egress_words, &mut self.wide, queue);
        }
        if !at_switch {
            packet.injected = t;
        }
        let cells = self.sizes[usize::from(packet.size)].cells;
        (port.leaving_class, port.leaving_cells) = (packet.class, cells);
        let view = Self::view_at(&self.owners, t);
        let place = Self::place(p, Side::Egress);
        let (told, number, sender) = (packet.view(), QueueId(queue as u16), packet.sender);
        observer.departed(view, place, told, number, PortId(0));
        let end = self.launch(observer, p, k, 0, t);
        if self.has_saqs(self.egress_side(p)) {
            self.left_egress(p, queue, t);
        }
        if self.extras {
            self.left_red(p, queue, cells);
        }
        let port = &mut self.port[p];
        port.tail_end = end;
        if port.eligible != 0 {
            self.ask_link(p, end);
        }
        if !at_switch {
            return self.injection_started(p, end, t);
        }
        if self.is_oq {
            // The memory is the one that the link to its input has credit for.
            let input = self.port[p].first as usize + usize::from(sender);
            self.owe(observer, input, 0, cells, end, t);
        }
        let port = &mut self.port[p];
        if std::mem::take(&mut port.awaits_room) {
            let s = port.element as usize;
            self.ask_crossbar(s, end);
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
        self.waits_no_more(p);
        let port = &mut self.port[p];
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
        port.busy = end;
        let (peer, to_switch) = (port.peer as usize, port.to_switch);
        self.sent += 1;
        if to_switch {
            packet.tail = end + on_the_way + self.times.ingress;
            packet.stored = if self.store_and_forward {
                packet.tail
            } else {
                t + on_the_way + self.times.ingress
            };
        } else {
            packet.tail = end + on_the_way;
            packet.stored = packet.tail;
        }
        let at = packet.stored;
        if port.at_switch {
            let (view, place) = (Self::view_at(&self.owners, t), Self::place(p, Side::Egress));
            let (at, span) = (Tick(u64::from(end) - 1), Span((end - t).into()));
            observer.hop(view, place, at, span);
        }
        if !to_switch {
            self.put_on_wire(peer, k);
            self.wheel.put(at, Kind::Eject, peer);
        } else if self.times_ingress(observer, peer, k, t) {
            self.put_on_wire(peer, k);
            self.wheel.put(at, Kind::Store, peer);
        } else {
            self.store(observer, peer, k);
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
        let next_class = self.class_in_next_memory(p, packet);
        let side = self.egress_side(p);
        let has_saqs = self.has_saqs(side);
        if has_saqs {
            queue = self.queue_by_cam(side, &packet.route, queue);
        }
        if self.extras {
            self.red(p, k, queue);
        }
        let packet = &mut self.packets.slots[k];
        packet.next_class = next_class;
        let visible = packet.stored + self.times.arbitration;
        packet.visible = visible;
        let (view, place) = (
            Self::view_at(&self.owners, packet.stored),
            Self::place(p, Side::Egress),
        );
        observer.stored(view, place, packet.view(), QueueId(queue as u16));
        let first = self.push(self.port[p].egress as usize + queue, k);
        if has_saqs {
            if first {
                self.refresh_egress(p, queue, t);
            }
            self.stored_at_egress((p, k), queue, t);
        } else if first {
            let port = &mut self.port[p];
            insert(&mut port.eligible, port.egress_words, &mut self.wide, queue);
            let at = visible.max(port.busy).max(t + 1);
            self.ask_link(p, at);
        }
    }
}

/// Of credit that waits from later ticks on, the next comes up.
#[inline(always)]
fn next_later(later: &mut BTreeMap<u32, Vec<Fly>>, port: &mut Port, p: usize) {
    port.later = NONE;
    if !later.is_empty() {
        next_of_several(later, port, p);
    }
}

#[cold]
#[inline(never)]
fn next_of_several(later: &mut BTreeMap<u32, Vec<Fly>>, port: &mut Port, p: usize) {
    if let Some(further) = later.get_mut(&(p as u32)) {
        let Fly { due, class, cells } = further.remove(0);
        if further.is_empty() {
            later.remove(&(p as u32));
        }
        (port.later, port.later_class, port.later_cells) = (due, class, cells);
    }
}
