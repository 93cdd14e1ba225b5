//! Admittance queues of an end node: one for each destination, messages stored whole, taken in packets.

use crate::config::AdmittanceArbiter;
use rand::below;
use saq::QueueId;
use units::Tick;
use workload::rng as rand;

const NONE: u32 = u32::MAX;

#[derive(Debug, Clone, Copy)]
struct Message {
    born: Tick,
    /// Bytes not yet taken.
    bytes: u32,
    next: u32,
    group: u8,
}

#[derive(Debug, Clone, Copy)]
struct Queue {
    head: u32,
    tail: u32,
    bytes: u32,
    /// Number of the next packet of this flow.
    sequence: u32,
}

/// A message that waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Waiting {
    pub(crate) destination: u32,
    /// Bytes not yet taken.
    pub(crate) bytes: u32,
    pub(crate) born: Tick,
    pub(crate) group: u8,
}

/// One packet's worth of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) destination: u32,
    pub(crate) bytes: u32,
    pub(crate) sequence: u32,
    pub(crate) born: Tick,
    pub(crate) group: u8,
    pub(crate) last: bool,
}

/// All admittance queues of a node. What every message touches is one cache line.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Admittance {
    queues: Box<[Queue]>,
    messages: Vec<Message>,
    /// Destinations with waiting messages, one bit each.
    waiting: Box<[u64]>,
    waiting_count: u32,
    free: u32,
    pointer: usize,
    /// By injection queue: the destination that its own round robin begins with.
    pointers: Box<[u32]>,
    limit_bytes: Option<u32>,
    /// `random`, `oldest-first`: destinations that may move, reused.
    candidates: Vec<u32>,
    rng: rand::Xoshiro256PlusPlus,
}

const _: () = assert!(std::mem::offset_of!(Admittance, pointer) == 64);

impl Admittance {
    pub(crate) fn new(
        nodes: usize,
        injection_queues: usize,
        limit_bytes: Option<u32>,
        rng: rand::Xoshiro256PlusPlus,
    ) -> Admittance {
        Admittance {
            queues: vec![
                Queue {
                    head: NONE,
                    tail: NONE,
                    bytes: 0,
                    sequence: 0
                };
                nodes
            ]
            .into(),
            messages: Vec::new(),
            waiting: vec![0; nodes.div_ceil(64)].into(),
            waiting_count: 0,
            free: NONE,
            pointer: 0,
            pointers: vec![0; injection_queues].into(),
            limit_bytes,
            candidates: Vec::new(),
            rng,
        }
    }

    /// Asks for the registers, ahead of their use.
    #[inline(always)]
    pub(crate) fn prefetch(&self) {
        prefetch::line(&self.queues);
        prefetch::line(&self.pointer);
    }

    /// Asks for the bits that the round robin begins with.
    #[inline(always)]
    pub(crate) fn prefetch_waiting(&self) {
        prefetch::nth(&self.waiting, self.pointer / 64);
    }

    /// Asks for the queue that the round robin takes from next.
    #[inline(always)]
    pub(crate) fn prefetch_queue(&self) {
        if let Some(queue) = self.next_in_turn() {
            prefetch::line(queue);
        }
    }

    /// Asks for the message there.
    #[inline(always)]
    pub(crate) fn prefetch_message(&self) {
        if let Some(queue) = self.next_in_turn() {
            prefetch::nth(&self.messages, queue.head as usize);
        }
    }

    #[inline(always)]
    fn next_in_turn(&self) -> Option<&Queue> {
        let next = crossbar::rotate_pick_words(&self.waiting, self.queues.len(), self.pointer)?;
        self.queues.get(next)
    }

    /// Asks for what a message to `destination` touches, ahead of its use.
    #[inline(always)]
    pub(crate) fn prefetch_push(&self, destination: u32) {
        prefetch::nth(&self.queues, destination as usize);
        prefetch::nth(&self.waiting, destination as usize / 64);
        prefetch::nth(&self.messages, self.free as usize);
    }

    /// Whether a message fits the queue of its destination.
    #[inline]
    pub(crate) fn fits(&self, destination: u32, bytes: u32) -> bool {
        self.limit_bytes
            .is_none_or(|limit| self.queues[destination as usize].bytes + bytes <= limit)
    }

    /// Whether any message waits.
    #[inline]
    pub(crate) fn is_waiting(&self) -> bool {
        self.waiting_count > 0
    }

    /// Visits the messages that wait, by destination, then age; one of which packets have left with what remains of it.
    pub(crate) fn messages(&self, visit: &mut impl FnMut(Waiting)) {
        for destination in switch::bits_of(&self.waiting) {
            let mut at = self.queues[destination].head;
            while at != NONE {
                let message = &self.messages[at as usize];
                visit(Waiting {
                    destination: destination as u32,
                    bytes: message.bytes,
                    born: message.born,
                    group: message.group,
                });
                at = message.next;
            }
        }
    }

    /// Packets that wait.
    pub(crate) fn packets(&self, packet_bytes: u32) -> u64 {
        let mut packets = 0;
        self.messages(&mut |m| packets += u64::from(m.bytes.div_ceil(packet_bytes)));
        packets
    }

    /// Stores a message.
    pub(crate) fn push(&mut self, destination: u32, bytes: u32, group: u8, born: Tick) {
        let message = Message {
            born,
            bytes,
            next: NONE,
            group,
        };
        let id = if self.free == NONE {
            self.messages.push(message);
            (self.messages.len() - 1) as u32
        } else {
            let id = self.free;
            self.free = self.messages[id as usize].next;
            self.messages[id as usize] = message;
            id
        };
        let queue = &mut self.queues[destination as usize];
        queue.bytes = queue.bytes.saturating_add(bytes);
        if queue.head == NONE {
            queue.head = id;
            self.waiting[destination as usize / 64] |= 1 << (destination % 64);
            self.waiting_count += 1;
        } else {
            self.messages[queue.tail as usize].next = id;
        }
        queue.tail = id;
    }

    /// Takes a packet of at most `packet_bytes` from the queue that the arbiter chooses among those
    /// that may move: of a destination and the bytes of its next packet the injection queue, if
    /// that takes it. Nothing changes where none may.
    pub(crate) fn take(
        &mut self,
        arbiter: AdmittanceArbiter,
        packet_bytes: u32,
        may_move: impl Fn(u32, u32) -> Option<QueueId>,
    ) -> Option<Piece> {
        let bytes = |s: &Self, d: u32| {
            s.messages[s.queues[d as usize].head as usize]
                .bytes
                .min(packet_bytes)
        };
        let chosen = match arbiter {
            AdmittanceArbiter::RoundRobin => self.take_turn(|s, d| may_move(d, bytes(s, d))),
            AdmittanceArbiter::Random => {
                let mut candidates = std::mem::take(&mut self.candidates);
                candidates.extend(
                    switch::bits_of(&self.waiting)
                        .map(|d| d as u32)
                        .filter(|&d| may_move(d, bytes(self, d)).is_some()),
                );
                let chosen = match candidates.len() as u64 {
                    0 => None,
                    n => Some(candidates[below(&mut self.rng, n) as usize]),
                };
                candidates.clear();
                self.candidates = candidates;
                chosen
            }
            AdmittanceArbiter::OldestFirst => switch::bits_of(&self.waiting)
                .map(|d| d as u32)
                .filter(|&d| may_move(d, bytes(self, d)).is_some())
                .min_by_key(|&d| (self.messages[self.queues[d as usize].head as usize].born, d)),
        }?;
        Some(self.pop(chosen, packet_bytes))
    }

    /// Round robin over the destinations that may move, which says what injection queue is next; of
    /// the destinations of that queue its own round robin chooses. With one pointer for all, what
    /// goes to other queues would pass destinations over, as often as theirs falls free.
    fn take_turn(&mut self, queue_of: impl Fn(&Self, u32) -> Option<QueueId>) -> Option<u32> {
        let (first, queue) = self.next_that(self.pointer, |s, d| queue_of(s, d))?;
        let pointer = self.pointers[usize::from(queue)] as usize;
        let chosen = if pointer == self.pointer || self.waiting_count == 1 {
            first
        } else {
            let same = |s: &Self, d: u32| queue_of(s, d).filter(|&q| q == queue);
            self.next_that(pointer, same)?.0
        };
        self.pointer = first as usize + 1;
        self.pointers[usize::from(queue)] = chosen + 1;
        Some(chosen)
    }

    /// The first destination with waiting messages at or after `start`, cyclic, for which there is
    /// a queue.
    #[inline(always)]
    fn next_that(
        &self,
        start: usize,
        queue_of: impl Fn(&Self, u32) -> Option<QueueId>,
    ) -> Option<(u32, QueueId)> {
        let mut at = start;
        for _ in 0..self.waiting_count {
            let d = crossbar::rotate_pick_words(&self.waiting, self.queues.len(), at)? as u32;
            if let Some(queue) = queue_of(self, d) {
                return Some((d, queue));
            }
            at = d as usize + 1;
        }
        None
    }

    fn pop(&mut self, destination: u32, packet_bytes: u32) -> Piece {
        let queue = &mut self.queues[destination as usize];
        let id = queue.head;
        let message = &mut self.messages[id as usize];
        let bytes = message.bytes.min(packet_bytes);
        message.bytes -= bytes;
        let last = message.bytes == 0;
        let piece = Piece {
            destination,
            bytes,
            sequence: queue.sequence,
            born: message.born,
            group: message.group,
            last,
        };
        queue.sequence += 1;
        queue.bytes -= bytes;
        if last {
            queue.head = message.next;
            message.next = self.free;
            self.free = id;
            if queue.head == NONE {
                self.waiting[destination as usize / 64] &= !(1 << (destination % 64));
                self.waiting_count -= 1;
            }
        }
        piece
    }
}
