//! End nodes: messages, admittance, injection, ejection, replies.

mod admit;
mod eject;
mod generate;

use super::{NONE, T};
use observe::{PacketKind, REPLY_SEQUENCE};
use std::collections::VecDeque;
use units::draw::Stream;
use units::{PerNode, Tick};
use workload::{Generator, Message};

/// Not looked up yet, or not since a CAM line came or went; more than there are queues.
const NOT_KNOWN: u8 = u8::MAX;

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
        Source { next: generator.next(), generator, shift: 0, not_before: 0, waits: false }
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
    /// That wait for their delay.
    pub(super) replies: VecDeque<Waiting>,
    /// By destination.
    queues: PerNode<Queue>,
    /// Number of the next reply, where replies are numbered apart.
    reply_sequences: Option<PerNode<u32>>,
    entries: Vec<Waiting>,
    free: u32,
    /// Destinations with messages that wait, a bit each.
    waiting: Box<[u64]>,
    /// How many, and how many answers of ECN wait.
    pub(super) waiting_count: u32,
    pointer: usize,
    /// By injection queue.
    pointers: Box<[u32]>,
    /// The injection queue of each destination, or [`NOT_KNOWN`]; empty where none is remembered.
    queues_to: Box<[u8]>,
    stream: Stream,
    /// Number of the next packet from each source, and of the next reply.
    expected: PerNode<u32>,
    expected_replies: Option<PerNode<u32>>,
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
        remembered: usize,
        stream: Stream,
    ) -> Node {
        let empty = Queue { head: NONE, tail: NONE, bytes: 0, sequence: 0 };
        let replies = replies_apart.then(|| PerNode::new(nodes, REPLY_SEQUENCE));
        Node {
            sources: generators.into_iter().map(Source::new).collect(),
            replies: VecDeque::new(),
            queues: PerNode::new(nodes, empty),
            reply_sequences: replies.clone(),
            entries: Vec::with_capacity(MESSAGES),
            free: NONE,
            waiting: vec![0; nodes.div_ceil(64)].into(),
            waiting_count: 0,
            pointer: 0,
            pointers: vec![0; queues].into(),
            queues_to: vec![NOT_KNOWN; remembered].into(),
            stream,
            expected: PerNode::new(nodes, 0),
            expected_replies: replies,
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

    /// Whether a group of its sources waits for answers.
    pub(super) fn is_closed(&self, group: u8) -> bool {
        let mut generators = self.sources.iter().map(|source| &source.generator);
        generators.any(|generator| generator.is_closed() && generator.group() == group)
    }

    /// The source that gives the messages of a trace.
    fn of_trace(&mut self) -> Option<&mut Source> {
        let mut sources = self.sources.iter_mut();
        sources.find(|source| source.generator.is_of_trace())
    }

    /// When the next message enters admittance; `stage` ticks after its generation.
    pub(super) fn due(&self, stage: T) -> Option<u64> {
        let sources = self.sources.iter().filter(|source| !source.waits);
        let next = sources.filter_map(Source::time).min();
        let reply = self.replies.front().map(|reply| u64::from(reply.born));
        let first = next.into_iter().chain(reply).min()?;
        Some(first + u64::from(stage))
    }

    /// A CAM line has come or gone.
    pub(super) fn forget_queues(&mut self) {
        self.queues_to.fill(NOT_KNOWN);
    }

    fn push(&mut self, message: Waiting) {
        let destination = message.destination as usize;
        let entry = Waiting { next: NONE, ..message };
        let id = self.free;
        let id = if id == NONE {
            self.entries.push(entry);
            (self.entries.len() - 1) as u32
        } else {
            self.free = self.entries[id as usize].next;
            self.entries[id as usize] = entry;
            id
        };
        let queue = self.queues.get_mut(destination);
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
    pub(super) fn messages(&self, visit: &mut dyn FnMut(&Waiting)) {
        for destination in units::bits::ones_of(&self.waiting) {
            let mut at = self.queues.get(destination).head;
            while let Some(entry) = self.entries.get(at as usize) {
                visit(entry);
                at = entry.next;
            }
        }
    }

    /// Visits the messages generated before `now` that have not come to admittance. One that waits
    /// for room, and what comes after it, is not generated yet.
    pub(super) fn unadmitted(&self, now: u64, visit: &mut dyn FnMut(Waiting)) {
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
        replies.take_while(|reply| u64::from(reply.born) < now).for_each(|reply| visit(*reply));
    }

    /// The oldest message for a destination that has one.
    fn front(&self, destination: usize) -> &Waiting {
        &self.entries[self.queues.get(destination).head as usize]
    }

    /// The number of the next packet of a kind from a source.
    #[inline(always)]
    pub(crate) fn expected(&mut self, source: u32, kind: PacketKind) -> &mut u32 {
        match &mut self.expected_replies {
            Some(next) if kind == PacketKind::Reply => next.get_mut(source as usize),
            _ => self.expected.get_mut(source as usize),
        }
    }

    /// The number of the next packet of a kind for a destination; that is taken.
    #[inline]
    fn number(&mut self, destination: usize, kind: PacketKind) -> u32 {
        let next = match &mut self.reply_sequences {
            Some(next) if kind == PacketKind::Reply => next.get_mut(destination),
            _ => &mut self.queues.get_mut(destination).sequence,
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
        let queue = self.queues.get_mut(destination);
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
