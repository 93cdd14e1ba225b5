//! Admittance queues of an end node: one for each destination, messages stored whole, taken in
//! packets.

mod arbiter;
mod queues;

pub use queues::{Piece, Waiting};

use arbiter::Arbiter;
use plan::AdmittanceArbiter;
use queues::Queues;
use units::QueueId;
use units::draw::Stream;

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

/// All admittance queues of a node, and their arbiter.
#[derive(Debug)]
pub struct Admittance {
    queues: Queues,
    arbiter: Arbiter,
    limit_bytes: Option<u32>,
    packet_bytes: u32,
    /// Destinations that no port of the switch leads to.
    cut_off: Vec<u32>,
}

impl Admittance {
    /// No message waits.
    pub fn new(config: AdmittanceConfig) -> Admittance {
        Admittance {
            queues: Queues::new(config.nodes, config.replies_apart),
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
        let queued = self.queues.bytes(destination);
        self.limit_bytes.is_none_or(|limit| queued.saturating_add(bytes) <= limit)
    }

    /// Whether any message waits.
    pub fn is_waiting(&self) -> bool {
        !self.queues.waiting().is_empty()
    }

    /// Stores a message, also one that does not fit: whether it may be stored is the caller's
    /// question.
    pub fn push(&mut self, message: Waiting) {
        self.queues.push(message);
    }

    /// Takes a packet from the queue that the arbiter chooses among those that may move: `may_move`
    /// says of their next packet which injection queue takes it, if one does. Nothing changes where
    /// none may.
    pub fn take(&mut self, mut may_move: impl FnMut(&Piece) -> Option<QueueId>) -> Option<Piece> {
        let (queues, packet_bytes) = (&self.queues, self.packet_bytes);
        let next = |destination| may_move(&queues.next_piece(destination, packet_bytes));
        let chosen = self.arbiter.choose(queues, next)?;
        Some(self.queues.take(chosen, packet_bytes))
    }

    /// Visits the messages that wait, by destination, then age; one of which packets have left with
    /// what remains of it.
    pub fn messages(&self, visit: impl FnMut(Waiting)) {
        self.queues.messages(visit);
    }

    /// Packets that wait.
    pub fn packets(&self) -> u64 {
        let mut packets = 0;
        self.messages(|m| packets += u64::from(m.bytes.div_ceil(self.packet_bytes)));
        packets
    }
}
