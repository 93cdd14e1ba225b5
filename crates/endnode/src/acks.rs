//! ACKs that wait for injection: a FIFO for each destination, as admittance has for messages, so
//! that one whose queue takes nothing holds up none of the others.

use std::collections::{BTreeMap, VecDeque};

/// An ACK or CNP that waits for injection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ack {
    /// The source of the packet that it tells of.
    pub destination: u32,
    /// The number of that packet; of a CNP its own.
    pub sequence: u32,
    /// Its group.
    pub group: u8,
    /// Whether it was marked.
    pub mark: bool,
}

/// The ACKs of a node that wait. Of those that may move the oldest does; of one destination they
/// move in order.
#[derive(Debug, Default)]
pub struct Acks {
    /// By destination, each with its age: how many came before it.
    queues: BTreeMap<u32, VecDeque<(u64, Ack)>>,
    /// Age and destination of the first of each queue that has any, the oldest first.
    fronts: Vec<(u64, u32)>,
    /// ACKs so far.
    made: u64,
    /// ACKs that wait.
    waiting: usize,
}

impl Acks {
    /// One more waits.
    pub fn push(&mut self, ack: Ack) {
        let queue = self.queues.entry(ack.destination).or_default();
        if queue.is_empty() {
            self.fronts.push((self.made, ack.destination));
        }
        queue.push_back((self.made, ack));
        self.made += 1;
        self.waiting += 1;
    }

    /// Takes the oldest that may move, of those that are first for their destination; `moved` is
    /// what `may_move` says of it.
    pub fn take<T>(&mut self, mut may_move: impl FnMut(&Ack) -> Option<T>) -> Option<T> {
        for at in 0..self.fronts.len() {
            let (_, destination) = self.fronts[at];
            let queue = self.queues.get_mut(&destination)?;
            let Some(moved) = queue.front().and_then(|(_, ack)| may_move(ack)) else {
                continue;
            };
            queue.pop_front();
            let next = queue.front().map(|&(age, _)| (age, destination));
            self.fronts.remove(at);
            if let Some(next) = next {
                let at = self.fronts.partition_point(|&front| front < next);
                self.fronts.insert(at, next);
            }
            self.waiting -= 1;
            return Some(moved);
        }
        None
    }

    /// ACKs that wait.
    pub fn len(&self) -> usize {
        self.waiting
    }

    /// None waits.
    pub fn is_empty(&self) -> bool {
        self.waiting == 0
    }

    /// All that wait, by destination, then age.
    pub fn iter(&self) -> impl Iterator<Item = &Ack> {
        self.queues.values().flatten().map(|(_, ack)| ack)
    }
}
