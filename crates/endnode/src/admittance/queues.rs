//! The queues: lists of messages.

use observe::{Offered, PacketKind, REPLY_SEQUENCE};
use std::collections::VecDeque;
use units::Tick;
use units::bits::Set;

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
    /// This message of node `source`, all of it, as observers see it.
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

/// What waits for a destination.
#[derive(Debug, Clone, Default)]
struct Queue {
    messages: VecDeque<Waiting>,
    bytes: u32,
    /// Number of the next packet of this flow.
    sequence: u32,
}

/// A queue for each destination.
#[derive(Debug)]
pub(super) struct Queues {
    queues: Box<[Queue]>,
    /// Destinations with waiting messages.
    waiting: Set,
    /// By destination the number of the next packet of a reply, where these are numbered apart.
    reply_sequences: Box<[u32]>,
}

impl Queues {
    pub(super) fn new(nodes: usize, replies_apart: bool) -> Queues {
        Queues {
            queues: vec![Queue::default(); nodes].into(),
            waiting: Set::new(nodes),
            reply_sequences: vec![REPLY_SEQUENCE; if replies_apart { nodes } else { 0 }].into(),
        }
    }

    /// Bytes that wait for a destination.
    pub(super) fn bytes(&self, destination: u32) -> u32 {
        self.queues[destination as usize].bytes
    }

    /// Destinations with waiting messages.
    pub(super) fn waiting(&self) -> &Set {
        &self.waiting
    }

    /// Those destinations, the lowest first.
    pub(super) fn destinations(&self) -> impl Iterator<Item = u32> {
        let queues = (0..).zip(&self.queues);
        queues.filter(|(_, queue)| !queue.messages.is_empty()).map(|(destination, _)| destination)
    }

    /// The oldest message for a destination that has one.
    pub(super) fn front(&self, destination: u32) -> &Waiting {
        &self.queues[destination as usize].messages[0]
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
        let queue = &mut self.queues[message.destination as usize];
        queue.bytes = queue.bytes.saturating_add(message.bytes);
        queue.messages.push_back(message);
        self.waiting.insert(message.destination as usize);
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
        queue.messages[0].bytes -= piece.message.bytes;
        if piece.last {
            queue.messages.pop_front();
        }
        if queue.messages.is_empty() {
            self.waiting.remove(destination);
        }
        piece
    }

    /// Visits the messages that wait, by destination, then age.
    pub(super) fn messages(&self, visit: impl FnMut(Waiting)) {
        self.queues.iter().flat_map(|queue| &queue.messages).copied().for_each(visit);
    }
}
