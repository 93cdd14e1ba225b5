//! Admittance queues of an end node: one for each destination, messages stored whole, taken in
//! packets.

mod arbiter;

use arbiter::Arbiter;
use observe::{Offered, PacketKind, REPLY_SEQUENCE};
use plan::AdmittanceArbiter;
use std::collections::VecDeque;
use units::bits::Set;
use units::draw::Stream;
use units::{QueueId, Tick};

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

/// What admittance is built from.
#[derive(Debug, Clone)]
pub struct AdmittanceConfig {
    /// End nodes of the network.
    pub nodes: usize,
    /// Queues of the injection memory, SAQs included.
    pub injection_queues: usize,
    /// Bound of each queue, bytes; `None` = unbounded.
    pub limit_bytes: Option<u32>,
    /// Who is served next.
    pub arbiter: AdmittanceArbiter,
    /// Largest packet.
    pub packet_bytes: u32,
    /// Replies are numbered apart: they have VCs of their own.
    pub replies_apart: bool,
    /// For the arbiter `random`.
    pub stream: Stream,
}

/// What waits for a destination.
#[derive(Debug, Clone, Default)]
struct Queue {
    messages: VecDeque<Waiting>,
    bytes: u32,
    /// Number of the next packet of this flow.
    sequence: u32,
}

/// All admittance queues of a node, and their arbiter.
#[derive(Debug)]
pub struct Admittance {
    /// By destination.
    queues: Box<[Queue]>,
    /// Destinations with waiting messages.
    waiting: Set,
    /// By destination the number of the next packet of a reply, where these are numbered apart.
    reply_sequences: Box<[u32]>,
    arbiter: Arbiter,
    limit_bytes: Option<u32>,
    packet_bytes: u32,
    /// Destinations that no port of the switch leads to.
    cut_off: Vec<u32>,
}

impl Admittance {
    /// No message waits.
    pub fn new(config: AdmittanceConfig) -> Admittance {
        let replies = if config.replies_apart { config.nodes } else { 0 };
        Admittance {
            queues: vec![Queue::default(); config.nodes].into(),
            waiting: Set::new(config.nodes),
            reply_sequences: vec![REPLY_SEQUENCE; replies].into(),
            arbiter: Arbiter::new(config.arbiter, config.injection_queues, config.stream),
            limit_bytes: config.limit_bytes,
            packet_bytes: config.packet_bytes,
            cut_off: Vec::new(),
        }
    }

    /// Whether a port of the switch leads to a destination: what goes nowhere is refused.
    pub fn leads_on(&self, destination: u32) -> bool {
        self.cut_off.is_empty() || self.cut_off.binary_search(&destination).is_err()
    }

    /// A port leads to a destination from now on, or none does.
    pub fn set_leads_on(&mut self, destination: u32, leads_on: bool) {
        match self.cut_off.binary_search(&destination) {
            Ok(at) if leads_on => {
                self.cut_off.remove(at);
            }
            Err(at) if !leads_on => self.cut_off.insert(at, destination),
            Ok(_) | Err(_) => {}
        }
    }

    /// Whether a message fits the queue of its destination.
    pub fn fits(&self, destination: u32, bytes: u32) -> bool {
        let queued = self.queues[destination as usize].bytes;
        self.limit_bytes.is_none_or(|limit| queued.saturating_add(bytes) <= limit)
    }

    /// Whether any message waits.
    pub fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Stores a message, also one that does not fit: whether it may be stored is the caller's
    /// question.
    pub fn push(&mut self, message: Waiting) {
        let queue = &mut self.queues[message.destination as usize];
        queue.bytes = queue.bytes.saturating_add(message.bytes);
        queue.messages.push_back(message);
        self.waiting.insert(message.destination as usize);
    }

    /// Takes a packet from the queue that the arbiter chooses among those that may move: `may_move`
    /// gives for their next packet the injection queue that takes it, if one does. Nothing changes
    /// where none may.
    pub fn take(&mut self, mut may_move: impl FnMut(&Piece) -> Option<QueueId>) -> Option<Piece> {
        let Admittance { queues, waiting, reply_sequences, arbiter, packet_bytes, .. } = self;
        let next = |at: usize| next_piece(&queues[at], reply_sequences.get(at), *packet_bytes);
        let at = arbiter.choose(queues, waiting, |at| may_move(&next(at)))?;
        let (piece, queue) = (next(at), &mut queues[at]);
        match (piece.message.kind, reply_sequences.get_mut(at)) {
            (PacketKind::Reply, Some(next)) => *next += 1,
            _ => queue.sequence += 1,
        }
        queue.bytes -= piece.message.bytes;
        queue.messages[0].bytes -= piece.message.bytes;
        if piece.last {
            queue.messages.pop_front();
        }
        if queue.messages.is_empty() {
            waiting.remove(at);
        }
        Some(piece)
    }

    /// Visits the messages that wait, by destination, then age; one of which packets have left with
    /// what remains of it.
    pub fn messages(&self, visit: impl FnMut(Waiting)) {
        self.queues.iter().flat_map(|queue| &queue.messages).copied().for_each(visit);
    }

    /// Packets that wait.
    pub fn packets(&self) -> u64 {
        let mut packets = 0;
        self.messages(|m| packets += u64::from(m.bytes.div_ceil(self.packet_bytes)));
        packets
    }
}

/// The next packet of a queue that has a message; `of_replies`: its number if it is of a reply.
fn next_piece(queue: &Queue, of_replies: Option<&u32>, packet_bytes: u32) -> Piece {
    let message = queue.messages[0];
    let sequence = match (message.kind, of_replies) {
        (PacketKind::Reply, Some(&next)) => next,
        _ => queue.sequence,
    };
    Piece {
        message: Waiting { bytes: message.bytes.min(packet_bytes), ..message },
        sequence,
        last: message.bytes <= packet_bytes,
    }
}
