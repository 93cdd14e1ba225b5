//! The queues: linked lists of messages.

use observe::{Offered, PacketKind, REPLY_SEQUENCE};
use units::Tick;

/// "No message" in a link, where an `Option` would take the room of another: a network has the
/// square of its nodes of these queues.
const NONE: u32 = u32::MAX;

/// A message that waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waiting {
    /// Destination node.
    pub destination: u32,
    /// Bytes not yet taken.
    pub bytes: u32,
    /// When it was generated.
    pub born: Tick,
    /// Its group.
    pub group: u8,
    /// Whether it is a reply.
    pub kind: PacketKind,
    /// Of a reply: when the request was generated.
    pub asked: Tick,
}

impl Waiting {
    /// This message of node `source`, all of it, as observers are told.
    pub fn offered(&self, source: u32, packet_bytes: u32, refused: bool) -> Offered {
        Offered {
            source,
            destination: self.destination,
            bytes: self.bytes,
            packets: self.bytes.div_ceil(packet_bytes),
            group: self.group,
            kind: self.kind,
            born: self.born,
            asked: self.asked,
            refused,
        }
    }
}

/// One packet's worth of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// Of this message; `bytes` are those of the packet.
    pub message: Waiting,
    /// Number of the packet within its flow.
    pub sequence: u32,
    /// It is the last of its message.
    pub last: bool,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    message: Waiting,
    next: u32,
}

#[derive(Debug, Clone, Copy)]
struct Queue {
    head: u32,
    tail: u32,
    bytes: u32,
    /// Number of the next packet of this flow.
    sequence: u32,
}

impl Queue {
    const EMPTY: Queue = Queue { head: NONE, tail: NONE, bytes: 0, sequence: 0 };
}

/// A queue for each destination.
#[derive(Debug)]
pub(super) struct Queues {
    queues: Box<[Queue]>,
    entries: Vec<Entry>,
    /// First entry of the free list.
    free: u32,
    /// Destinations with waiting messages, one bit each, and how many.
    waiting: Box<[u64]>,
    waiting_count: u32,
    /// By destination the number of the next packet of a reply, where these are numbered apart.
    reply_sequences: Box<[u32]>,
}

impl Queues {
    pub(super) fn new(nodes: usize, replies_apart: bool) -> Queues {
        Queues {
            queues: vec![Queue::EMPTY; nodes].into(),
            entries: Vec::new(),
            free: NONE,
            waiting: vec![0; nodes.div_ceil(64)].into(),
            waiting_count: 0,
            reply_sequences: vec![REPLY_SEQUENCE; if replies_apart { nodes } else { 0 }].into(),
        }
    }

    /// Bytes that wait for a destination.
    pub(super) fn bytes(&self, destination: u32) -> u32 {
        self.queues[destination as usize].bytes
    }

    pub(super) fn is_waiting(&self) -> bool {
        self.waiting_count > 0
    }

    /// Destinations with waiting messages, one bit each.
    pub(super) fn waiting(&self) -> &[u64] {
        &self.waiting
    }

    /// The oldest message for a destination that has one.
    pub(super) fn front(&self, destination: u32) -> &Waiting {
        let head = self.queues[destination as usize].head;
        &self.entries[head as usize].message
    }

    /// The next packet for a destination that has a message.
    pub(super) fn next_piece(&self, destination: u32, packet_bytes: u32) -> Piece {
        let message = *self.front(destination);
        let of_replies = self.reply_sequences.get(destination as usize);
        let sequence = match (message.kind, of_replies) {
            (PacketKind::Reply, Some(&next)) => next,
            _ => self.queues[destination as usize].sequence,
        };
        Piece {
            message: Waiting { bytes: message.bytes.min(packet_bytes), ..message },
            sequence,
            last: message.bytes <= packet_bytes,
        }
    }

    pub(super) fn push(&mut self, message: Waiting) {
        let id = self.entry(message);
        let destination = message.destination as usize;
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

    fn entry(&mut self, message: Waiting) -> u32 {
        let entry = Entry { message, next: NONE };
        if self.free == NONE {
            self.entries.push(entry);
            return (self.entries.len() - 1) as u32;
        }
        let id = self.free;
        self.free = self.entries[id as usize].next;
        self.entries[id as usize] = entry;
        id
    }

    /// Takes the next packet for a destination that has a message.
    pub(super) fn take(&mut self, destination: u32, packet_bytes: u32) -> Piece {
        let piece = self.next_piece(destination, packet_bytes);
        let destination = destination as usize;
        let queue = &mut self.queues[destination];
        match (piece.message.kind, self.reply_sequences.get_mut(destination)) {
            (PacketKind::Reply, Some(next)) => *next += 1,
            _ => queue.sequence += 1,
        }
        queue.bytes -= piece.message.bytes;
        let id = queue.head;
        let entry = &mut self.entries[id as usize];
        entry.message.bytes -= piece.message.bytes;
        if piece.last {
            queue.head = std::mem::replace(&mut entry.next, self.free);
            self.free = id;
            if queue.head == NONE {
                self.waiting[destination / 64] &= !(1 << (destination % 64));
                self.waiting_count -= 1;
            }
        }
        piece
    }

    /// Visits the messages that wait, by destination, then age.
    pub(super) fn messages(&self, mut visit: impl FnMut(Waiting)) {
        for destination in units::bits::ones_of(&self.waiting) {
            let mut at = self.queues[destination].head;
            while at != NONE {
                let entry = &self.entries[at as usize];
                visit(entry.message);
                at = entry.next;
            }
        }
    }
}
