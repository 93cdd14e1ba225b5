//! End nodes: messages, admittance, injection, ejection, replies.

use super::Flat;
use super::records::Packet;
use super::wheel::{Kind, NONE, T};
use draw::{Stream, below};
use endnode::{AdmittanceArbiter, GeneratorRule};
use observe::{Observer, Offered};
use observe::{PacketKind, REPLY_SEQUENCE, Side, payload};
use std::collections::VecDeque;
use turnpool::Route;
use units::Tick;
use workload::{Generator, Message};

/// Messages in the admittance of a node for which there is room from the start.
const MESSAGES: usize = 16;

/// A message that waits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Waiting {
    pub(crate) destination: u32,
    /// Bytes not yet taken.
    pub(crate) bytes: u32,
    pub(crate) born: T,
    pub(crate) asked: T,
    pub(crate) group: u8,
    pub(crate) kind: PacketKind,
    /// The message behind it.
    pub(super) next: u32,
}

/// The messages for a destination.
#[derive(Debug, Clone, Copy)]
struct Queue {
    head: u32,
    tail: u32,
    bytes: u32,
    /// Number of the next packet.
    sequence: u32,
}

/// A generator and the message that it will give next.
#[derive(Debug)]
struct Source {
    generator: Generator,
    next: Option<Message>,
    /// `delayed`, open loop: how much later than drawn everything is by now.
    shift: u64,
    /// `delayed`, closed loop: nothing is generated before this.
    not_before: u64,
    /// `delayed`: the message waits for room.
    waits: bool,
}

impl Source {
    fn new(mut generator: Generator) -> Source {
        Source {
            next: generator.next(),
            generator,
            shift: 0,
            not_before: 0,
            waits: false,
        }
    }

    fn time_of(&self, message: &Message) -> u64 {
        (message.tick.0 + self.shift).max(self.not_before)
    }

    fn is_in_window(&self, message: &Message) -> bool {
        let time = self.time_of(message);
        time == message.tick.0 || Tick(time) < self.generator.end_tick()
    }

    fn advance(&mut self) {
        let next = self.generator.next();
        self.next = next.filter(|message| self.is_in_window(message));
    }

    fn time(&self) -> Option<u64> {
        self.next.as_ref().map(|message| self.time_of(message))
    }
}

/// An end node.
#[derive(Debug)]
pub(crate) struct Node {
    sources: Vec<Source>,
    replies: VecDeque<Waiting>,
    queues: Box<[Queue]>,
    reply_sequences: Box<[u32]>,
    entries: Vec<Waiting>,
    free: u32,
    /// Destinations with messages that wait, a bit each.
    waiting: Box<[u64]>,
    /// How many, and how many answers of ECN wait.
    pub(super) waiting_count: u32,
    pointer: usize,
    /// By injection queue.
    pointers: Box<[u32]>,
    stream: Stream,
    /// Number of the next packet from each source.
    expected: Box<[u32]>,
    expected_replies: Box<[u32]>,
    admitted: T,
    admit_asked: T,
    generate_asked: T,
    /// Destinations to which no port of the switch leads, sorted.
    cut_off: Vec<u32>,
}

impl Node {
    pub(crate) fn new(
        generators: Vec<Generator>,
        nodes: usize,
        queues: usize,
        replies_apart: bool,
        stream: Stream,
    ) -> Node {
        let empty = Queue {
            head: NONE,
            tail: NONE,
            bytes: 0,
            sequence: 0,
        };
        let replies = if replies_apart { nodes } else { 0 };
        Node {
            sources: generators.into_iter().map(Source::new).collect(),
            replies: VecDeque::new(),
            queues: vec![empty; nodes].into(),
            reply_sequences: vec![REPLY_SEQUENCE; replies].into(),
            entries: Vec::with_capacity(MESSAGES),
            free: NONE,
            waiting: vec![0; nodes.div_ceil(64)].into(),
            waiting_count: 0,
            pointer: 0,
            pointers: vec![0; queues].into(),
            stream,
            expected: vec![0; nodes].into(),
            expected_replies: vec![REPLY_SEQUENCE; replies].into(),
            admitted: NONE,
            admit_asked: NONE,
            generate_asked: NONE,
            cut_off: Vec::new(),
        }
    }

    /// Whether a port of the switch leads to a destination: what goes nowhere is refused.
    #[inline(always)]
    fn leads_on(&self, destination: u32) -> bool {
        self.cut_off.is_empty() || self.cut_off.binary_search(&destination).is_err()
    }

    /// A port leads to a destination from now on, or none does.
    pub(super) fn set_leads_on(&mut self, destination: u32, leads_on: bool) {
        match self.cut_off.binary_search(&destination) {
            Ok(at) if leads_on => {
                self.cut_off.remove(at);
            }
            Err(at) if !leads_on => self.cut_off.insert(at, destination),
            Ok(_) | Err(_) => {}
        }
    }

    /// When the next message enters admittance; `stage` ticks after its generation.
    fn due(&self, stage: T) -> Option<u64> {
        let sources = self.sources.iter().filter(|source| !source.waits);
        let next = sources.filter_map(Source::time).min();
        let reply = self.replies.front().map(|reply| u64::from(reply.born));
        let first = next.into_iter().chain(reply).min()?;
        Some(first + u64::from(stage))
    }

    fn push(&mut self, message: Waiting) {
        let destination = message.destination as usize;
        let entry = Waiting {
            next: NONE,
            ..message
        };
        let id = self.free;
        let id = if id == NONE {
            self.entries.push(entry);
            (self.entries.len() - 1) as u32
        } else {
            self.free = self.entries[id as usize].next;
            self.entries[id as usize] = entry;
            id
        };
        let queue = &mut self.queues[destination];
        queue.bytes = queue.bytes.saturating_add(message.bytes);
        if queue.head == NONE {
            queue.head = id;
            self.waiting[destination / 64] |= 1 << (destination % 64);
            self.waiting_count += 1;
        } else {
            self.entries[queue.tail as usize].next = id;
        }
        queue.tail = id;
    }

    /// Visits the messages that wait.
    pub(super) fn messages(&self, visit: &mut impl FnMut(&Waiting)) {
        for destination in bits::ones_of(&self.waiting) {
            let mut at = self.queues[destination].head;
            while let Some(entry) = self.entries.get(at as usize) {
                visit(entry);
                at = entry.next;
            }
        }
    }

    /// Visits the messages generated before `now` that have not come to admittance. One that waits
    /// for room, and what comes after it, is not generated yet.
    pub(super) fn unadmitted(&self, now: u64, mut visit: impl FnMut(Waiting)) {
        for source in &self.sources {
            if source.waits || source.time().is_none_or(|time| time >= now) {
                continue;
            }
            let messages = source.next.into_iter().chain(source.generator.clone());
            for message in messages.take_while(|message| source.is_in_window(message)) {
                let born = source.time_of(&message);
                if born >= now {
                    break;
                }
                visit(waiting(&message, born));
            }
        }
        let replies = self.replies.iter();
        replies
            .take_while(|reply| u64::from(reply.born) < now)
            .for_each(|reply| visit(*reply));
    }

    /// Replies that are generated at `now` or later.
    pub(super) fn replies_from(&self, now: T) -> impl Iterator<Item = &Waiting> {
        self.replies.iter().filter(move |reply| reply.born >= now)
    }

    /// The oldest message for a destination that has one.
    fn front(&self, destination: usize) -> &Waiting {
        &self.entries[self.queues[destination].head as usize]
    }

    /// The number of the next packet of a kind from a source.
    #[inline(always)]
    pub(super) fn expected(&mut self, source: u32, kind: PacketKind) -> &mut u32 {
        match self.expected_replies.get_mut(source as usize) {
            Some(next) if kind == PacketKind::Reply => next,
            _ => &mut self.expected[source as usize],
        }
    }

    /// The number of the next packet of a kind for a destination; that is taken.
    fn number(&mut self, destination: usize, kind: PacketKind) -> u32 {
        let next = match self.reply_sequences.get_mut(destination) {
            Some(next) if kind == PacketKind::Reply => next,
            _ => &mut self.queues[destination].sequence,
        };
        let number = *next;
        *next += 1;
        number
    }

    /// Takes the next packet for a destination that has a message, and whether it is the last.
    fn take(&mut self, destination: usize, packet_bytes: u32) -> (Waiting, u32, bool) {
        let message = *self.front(destination);
        let bytes = message.bytes.min(packet_bytes);
        let number = self.number(destination, message.kind);
        let last = message.bytes <= packet_bytes;
        let queue = &mut self.queues[destination];
        queue.bytes -= bytes;
        let id = queue.head;
        let entry = &mut self.entries[id as usize];
        entry.bytes -= bytes;
        if last {
            queue.head = std::mem::replace(&mut entry.next, self.free);
            self.free = id;
            if queue.head == NONE {
                self.waiting[destination / 64] &= !(1 << (destination % 64));
                self.waiting_count -= 1;
            }
        }
        (Waiting { bytes, ..message }, number, last)
    }
}

fn waiting(message: &Message, born: u64) -> Waiting {
    Waiting {
        destination: message.destination,
        bytes: message.bytes,
        born: born as T,
        asked: 0,
        group: message.group,
        kind: PacketKind::Data,
        next: NONE,
    }
}

impl<const EAGER: bool> Flat<EAGER> {
    /// Asks for the next generation of a node.
    pub(crate) fn arm_generation(&mut self, n: usize, t: T, first: bool) {
        let Some(due) = self.nodes[n].due(self.times.injection) else {
            return;
        };
        let least = if first { 0 } else { u64::from(t) + 1 };
        let at = due.max(least);
        if at < u64::from(self.nodes[n].generate_asked) {
            let at = at as T;
            self.nodes[n].generate_asked = at;
            self.wheel.put(at, Kind::Generate, n);
        }
    }

    pub(super) fn offered(&self, n: usize, message: &Waiting, refused: bool) -> Offered {
        Offered {
            source: n as u32,
            destination: message.destination,
            bytes: message.bytes,
            packets: message.bytes.div_ceil(self.packet_bytes),
            group: message.group,
            kind: message.kind,
            born: Tick(message.born.into()),
            asked: Tick(message.asked.into()),
            refused,
        }
    }

    fn offer(
        &self,
        observer: &mut impl Observer,
        n: usize,
        message: &Waiting,
        refused: bool,
        t: T,
    ) {
        let offered = self.offered(n, message, refused);
        observer.offered(Self::view_at(&self.owners, t), offered);
    }

    /// Whether a message fits the queue of its destination.
    fn fits_queue(&self, n: usize, message: &Message) -> bool {
        let queued = self.nodes[n].queues[message.destination as usize].bytes;
        self.admittance_bytes
            .is_none_or(|limit| queued.saturating_add(message.bytes) <= limit)
    }

    /// Step 2: every message due enters its admittance queue or is refused.
    pub(crate) fn generate(&mut self, observer: &mut impl Observer, n: usize, t: T) {
        if self.nodes[n].generate_asked <= t {
            self.nodes[n].generate_asked = NONE;
        }
        let stage = u64::from(self.times.injection);
        let mut only: Option<Waiting> = None;
        for at in 0..self.nodes[n].sources.len() {
            loop {
                let source = &self.nodes[n].sources[at];
                let Some(message) = source.next.filter(|_| !source.waits) else {
                    break;
                };
                let born = source.time_of(&message);
                if born + stage > u64::from(t) {
                    break;
                }
                let cut_off = !self.nodes[n].leads_on(message.destination);
                let refused = cut_off
                    || !self.fits_queue(n, &message)
                    || only.is_some_and(|first| {
                        // It is not in its queue yet.
                        first.destination == message.destination
                            && self.admittance_bytes.is_some_and(|limit| {
                                let queued =
                                    self.nodes[n].queues[message.destination as usize].bytes;
                                queued + first.bytes + message.bytes > limit
                            })
                    });
                let source = &mut self.nodes[n].sources[at];
                if refused && !cut_off && self.generator == GeneratorRule::Delayed {
                    source.waits = true;
                    break;
                }
                if refused {
                    source.generator.answered(Tick(t.into()));
                }
                source.advance();
                let message = waiting(&message, born);
                self.offer(observer, n, &message, refused, t);
                if !refused {
                    self.enter(n, message, &mut only);
                }
            }
        }
        while let Some(reply) = self.nodes[n].replies.front().copied() {
            if u64::from(reply.born) + stage > u64::from(t) {
                break;
            }
            self.nodes[n].replies.pop_front();
            self.offer(observer, n, &reply, false, t);
            self.enter(n, reply, &mut only);
        }
        match only {
            Some(message) if self.admit_at_once(observer, n, &message, t) => {}
            Some(message) => {
                self.nodes[n].push(message);
                self.ask_to_admit_now(n);
            }
            None if self.nodes[n].waiting_count > 0 => self.ask_to_admit_now(n),
            None => {}
        }
        self.arm_generation(n, t, false);
    }

    /// A message enters admittance; the first one, where none waits, may go on at once.
    fn enter(&mut self, n: usize, message: Waiting, only: &mut Option<Waiting>) {
        if self.nodes[n].waiting_count == 0 && only.is_none() {
            *only = Some(message);
            return;
        }
        if let Some(first) = only.take() {
            self.nodes[n].push(first);
        }
        self.nodes[n].push(message);
    }

    pub(super) fn ask_to_admit_now(&mut self, n: usize) {
        self.admits.push(n as u32);
    }

    /// Admittance is looked at in a tick to come, if anything waits.
    pub(crate) fn ask_to_admit(&mut self, n: usize, at: T) {
        let node = &mut self.nodes[n];
        if node.waiting_count > 0 && at < node.admit_asked {
            node.admit_asked = at;
            self.wheel.put(at, Kind::Admit, n);
        }
    }

    /// A message of one packet that nobody else waits with goes to injection in the tick in which
    /// it enters admittance.
    #[inline(always)]
    fn admit_at_once(
        &mut self,
        observer: &mut impl Observer,
        n: usize,
        message: &Waiting,
        t: T,
    ) -> bool {
        if message.bytes > self.packet_bytes
            || self.nodes[n].admitted == t
            || self.admittance != AdmittanceArbiter::RoundRobin
            || self.answers
        {
            return false;
        }
        let mut packet = self.header(n, message);
        let Some(queue) = self.injection_queue(n, &packet, t) else {
            return false;
        };
        let node = &mut self.nodes[n];
        let destination = message.destination as usize;
        packet.sequence = node.number(destination, message.kind);
        node.pointer = destination + 1;
        node.pointers[queue] = message.destination + 1;
        node.admitted = t;
        self.inject(observer, n, packet, true, t);
        true
    }

    /// Step 3: at most one packet moves from admittance to injection.
    pub(crate) fn admit(&mut self, observer: &mut impl Observer, n: usize, t: T) {
        let node = &mut self.nodes[n];
        if node.admit_asked <= t {
            node.admit_asked = NONE;
        }
        if node.admitted == t || node.waiting_count == 0 {
            return;
        }
        node.admitted = t;
        if self.answers && self.admit_answer(observer, n, t) {
            return;
        }
        let Some(destination) = self.choose(n, t) else {
            if self.answers {
                self.await_start(n);
            }
            return self.await_injection(n, t + 1);
        };
        let (message, number, last) = self.nodes[n].take(destination, self.packet_bytes);
        if self.answers {
            self.sent(n, destination, message.bytes, t);
        }
        let mut packet = self.header(n, &message);
        packet.sequence = number;
        self.inject(observer, n, packet, last, t);
        self.retry_delayed(observer, n, t);
        self.ask_to_admit(n, t + 1);
    }

    /// The destination that is served, of those whose next packet injection takes.
    fn choose(&mut self, n: usize, t: T) -> Option<usize> {
        match self.admittance {
            AdmittanceArbiter::RoundRobin => self.take_turn(n, t),
            rule => {
                let waiting = self.nodes[n].waiting.clone();
                let mut movable = Vec::new();
                for destination in bits::ones_of(&waiting) {
                    if self.queue_of_next(n, destination, t).is_some() {
                        movable.push(destination);
                    }
                }
                if rule == AdmittanceArbiter::Random {
                    if movable.is_empty() {
                        return None;
                    }
                    let at = below(&mut self.nodes[n].stream, movable.len() as u64);
                    return Some(movable[at as usize]);
                }
                let born =
                    |destination: &usize| (self.nodes[n].front(*destination).born, *destination);
                movable.into_iter().min_by_key(born)
            }
        }
    }

    /// Round robin over the destinations that may move, which says what injection queue is next; of
    /// the destinations of that queue its own round robin chooses.
    fn take_turn(&mut self, n: usize, t: T) -> Option<usize> {
        let waiting = std::mem::take(&mut self.nodes[n].waiting);
        let chosen = self.turn_of(n, &waiting, t);
        self.nodes[n].waiting = waiting;
        chosen
    }

    fn turn_of(&mut self, n: usize, waiting: &[u64], t: T) -> Option<usize> {
        let pointer = self.nodes[n].pointer;
        let mut queue = None;
        let first = bits::first_from_words(waiting, pointer, |destination| {
            queue = self.queue_of_next(n, destination, t);
            queue.is_some()
        })?;
        let queue = queue?;
        let own = self.nodes[n].pointers[queue] as usize;
        let chosen = if own == pointer {
            first
        } else {
            bits::first_from_words(waiting, own, |destination| {
                self.queue_of_next(n, destination, t) == Some(queue)
            })?
        };
        let node = &mut self.nodes[n];
        node.pointer = first + 1;
        node.pointers[queue] = chosen as u32 + 1;
        Some(chosen)
    }

    /// The injection queue that takes the next packet for a destination, if one does.
    fn queue_of_next(&mut self, n: usize, destination: usize, t: T) -> Option<usize> {
        if self.answers && !self.may_start(n, destination, t) {
            return None;
        }
        let message = *self.nodes[n].front(destination);
        let bytes = message.bytes.min(self.packet_bytes);
        let packet = self.header(n, &Waiting { bytes, ..message });
        if self.is_paced() && !self.queue_takes_another(n, &packet) {
            return None;
        }
        self.injection_queue(n, &packet, t)
    }

    /// The queue that takes a packet; where queues share room, that of their class.
    #[inline(always)]
    pub(super) fn injection_queue(&mut self, n: usize, packet: &Packet, t: T) -> Option<usize> {
        let p = self.first_node + n;
        // A tail that leaves in this tick has made room.
        self.settle_tail(p, t + 1);
        let room = self.room[self.port[p].room as usize + usize::from(packet.class)];
        let cells = self.sizes[usize::from(packet.size)].cells;
        if cells > room {
            return None;
        }
        if self.recn.is_on {
            return self.injection_queue_of(p, packet);
        }
        Some(usize::from(packet.class))
    }

    /// The packet of a message, as far as its way goes; its number is not known yet.
    #[inline(always)]
    pub(super) fn header(&mut self, n: usize, message: &Waiting) -> Packet {
        let p = self.first_node + n;
        let destination = message.destination;
        let first_vc = self.first_vc(n as u32, destination);
        let vc = match message.kind {
            PacketKind::Reply => self.first_reply_vc + first_vc,
            PacketKind::Data | PacketKind::Ack | PacketKind::Cnp => first_vc,
        };
        let size = self.size_of(message.bytes);
        let mut packet = Packet {
            route: self.route(n as u32, destination),
            next: NONE,
            visible: 0,
            stored: 0,
            tail: 0,
            payload: 0,
            destination,
            size,
            class: 0,
            next_class: 0,
            out: 0,
            ahead: 0,
            sender: 0,
            vc,
            next_vc: vc,
            group: message.group,
            kind: message.kind,
            mark: false,
            last: true,
            assigned: false,
            source: n as u32,
            sequence: 0,
            bytes: message.bytes,
            born: message.born,
            injected: 0,
            asked: message.asked,
        };
        packet.ahead = self.look_ahead(p, &packet, 0);
        packet.class = self.class_of_egress(p, &packet);
        packet
    }

    /// Step 3: stores a packet for which there is room.
    #[inline(always)]
    pub(super) fn inject(
        &mut self,
        observer: &mut impl Observer,
        n: usize,
        mut packet: Packet,
        last: bool,
        t: T,
    ) {
        let p = self.first_node + n;
        let cells = self.sizes[usize::from(packet.size)].cells;
        self.room[self.port[p].room as usize + usize::from(packet.class)] -= cells;
        packet.payload = payload(
            packet.source,
            packet.destination,
            packet.sequence,
            packet.bytes,
        );
        packet.last = last;
        packet.stored = t;
        packet.tail = t;
        let k = self.packets.insert(packet) as usize;
        self.alive += 1;
        self.store_egress(observer, p, k, t);
    }

    /// A packet of a node starts on its link, whose tail leaves before `end`.
    #[inline(always)]
    pub(crate) fn injection_started(&mut self, p: usize, end: T, t: T) {
        let n = p - self.first_node;
        if (self.recn.is_on || self.is_paced()) && self.nodes[n].waiting_count > 0 {
            // A SAQ may have fallen below Xoff, or a queue takes another packet.
            self.ask_to_admit_now(n);
        }
        if end > t && self.nodes[n].waiting_count > 0 {
            let at = end - 1;
            if at == t {
                self.ask_to_admit_now(n);
            } else {
                self.ask_to_admit(n, at);
            }
        }
    }

    /// The tail that leaves in tick `from` or later may make room.
    fn await_injection(&mut self, n: usize, from: T) {
        let end = self.port[self.first_node + n].tail_end;
        if end != NONE && end > from {
            self.ask_to_admit(n, end - 1);
        }
    }

    /// `delayed`: a message that waited for room is generated now if there is some.
    fn retry_delayed(&mut self, observer: &mut impl Observer, n: usize, t: T) {
        if self.generator != GeneratorRule::Delayed {
            return;
        }
        for at in 0..self.nodes[n].sources.len() {
            let source = &self.nodes[n].sources[at];
            let Some(message) = source.next.filter(|_| source.waits) else {
                continue;
            };
            let refused = !self.nodes[n].leads_on(message.destination);
            if !refused && !self.fits_queue(n, &message) {
                continue;
            }
            let born = u64::from(t - self.times.injection);
            let source = &mut self.nodes[n].sources[at];
            if refused {
                source.generator.answered(Tick(t.into()));
            }
            source.waits = false;
            if source.generator.is_closed() {
                source.not_before = born;
            } else {
                source.shift = born.saturating_sub(message.tick.0);
            }
            source.advance();
            let message = waiting(&message, born);
            self.offer(observer, n, &message, refused, t);
            if !refused {
                self.nodes[n].push(message);
            }
        }
        self.arm_generation(n, t, false);
    }

    /// Step 2: tails that are ejected.
    #[inline(always)]
    pub(crate) fn eject(&mut self, observer: &mut impl Observer, p: usize, t: T) {
        while let Some(k) = self.take_from_wire(p, t) {
            let n = p - self.first_node;
            let packet = self.packets.slots[k];
            let cells = self.sizes[usize::from(packet.size)].cells;
            if self.faults.is_on && self.is_gone(k) {
                self.discard_at_end(observer, p, k, t);
            } else if self.answers && self.eject_with_answers(observer, n, &packet, t) {
                self.packets.remove(k as u32);
                self.ejected += 1;
            } else if self.reorder.is_empty() {
                self.deliver(observer, n, k, t);
            } else {
                self.deliver_in_order(observer, n, k, t);
            }
            if self.has_credits() {
                self.owe(observer, p, packet.class, cells, t + 1, t);
            }
        }
    }

    /// A packet is checked for place, contents and order. A request may be answered, or a reply
    /// free a place of a window.
    #[inline(always)]
    pub(super) fn deliver(&mut self, observer: &mut impl Observer, n: usize, k: usize, t: T) {
        let p = self.first_node + n;
        let packet = &self.packets.slots[k];
        let expected = self.nodes[n].expected(packet.source, packet.kind);
        let whole = payload(
            packet.source,
            packet.destination,
            packet.sequence,
            packet.bytes,
        );
        let is_late = self.is_order_kept && packet.sequence != *expected;
        *expected += 1;
        if packet.destination as usize != n || whole != packet.payload || is_late {
            self.broken(
                p,
                Side::Ingress,
                t,
                "a packet at the wrong place, with other contents or late",
            );
        }
        self.alive -= 1;
        self.ejected += 1;
        let packet = self.packets.slots[k];
        let mut asks = false;
        if packet.last {
            match packet.kind {
                PacketKind::Data => asks = self.requested(n, &packet, t),
                PacketKind::Reply => {
                    self.answered(n, packet.group, t);
                    asks = true;
                }
                PacketKind::Ack | PacketKind::Cnp => {}
            }
        }
        let (view, place) = (
            Self::view_at(&self.owners, t),
            Self::place(p, Side::Ingress),
        );
        observer.ejected(view, place, packet.view());
        self.packets.remove(k as u32);
        if asks {
            self.arm_generation(n, t, false);
        }
    }

    /// The last packet of a message has come: if its group asks for it, a reply follows.
    fn requested(&mut self, n: usize, packet: &Packet, t: T) -> bool {
        let Some(&Some(asked)) = self.replies.get(usize::from(packet.group)) else {
            return false;
        };
        let reply = Waiting {
            destination: packet.source,
            bytes: asked.bytes,
            born: t.saturating_add(T::try_from(asked.delay.0).unwrap_or(NONE)),
            asked: packet.born,
            group: packet.group,
            kind: PacketKind::Reply,
            next: NONE,
        };
        let replies = &mut self.nodes[n].replies;
        let behind = replies.partition_point(|other| other.born <= reply.born);
        replies.insert(behind, reply);
        true
    }

    /// A request of a group has been answered.
    pub(super) fn answered(&mut self, n: usize, group: u8, t: T) {
        let mut sources = self.nodes[n].sources.iter_mut();
        let is_of = |source: &&mut Source| {
            source.generator.is_closed() && source.generator.group() == group
        };
        if let Some(source) = sources.find(is_of) {
            source.generator.answered(Tick(t.into()));
            if source.next.is_none() {
                source.advance();
            }
        }
    }

    /// Turns from a source to a destination.
    #[inline(always)]
    fn route(&self, source: u32, destination: u32) -> Route {
        if !self.by_turns {
            return Route::EMPTY;
        }
        let at = source as usize * self.nodes.len() + destination as usize;
        match self.routes.get(at) {
            Some(&route) => route,
            None => self
                .network
                .route(source, destination)
                .expect("every pair was checked when the network was built"),
        }
    }

    #[inline(always)]
    fn first_vc(&self, source: u32, destination: u32) -> u8 {
        if self.vcs == 1 {
            return 0;
        }
        self.network.first_vc(source, destination)
    }
}
