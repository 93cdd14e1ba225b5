//! ECN at an end node (spec: ecn.md): an ACK for every packet that is ejected, and the response of
//! each flow to the marks that come back. It does not know admittance, injection or the clock.

use ecn::response::{Config, NotificationPoint, Response};
use observe::{PacketKind, payload};
use plan::{CnpConfig, EcnEndConfig};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use switch::Packet;
use units::{Tick, Unit, broken};

/// ECN at one end node.
#[derive(Debug)]
pub struct Ecn {
    node: u32,
    ack_bytes: u32,
    cnps: Option<Cnps>,
    config: Arc<Config>,
    acks: VecDeque<Ack>,
    /// By destination.
    flows: BTreeMap<u32, Response>,
}

impl Ecn {
    /// Of a node that has sent nothing.
    pub fn new(node: u32, config: EcnEndConfig) -> Ecn {
        Ecn {
            node,
            ack_bytes: config.ack_bytes,
            cnps: config.cnps.map(Cnps::new),
            config: Arc::new(config.response),
            acks: VecDeque::new(),
            flows: BTreeMap::new(),
        }
    }

    /// What packets are answered by, and its bytes.
    pub fn answer(&self) -> (PacketKind, u32) {
        match &self.cnps {
            Some(cnps) => (PacketKind::Cnp, cnps.config.bytes),
            None => (PacketKind::Ack, self.ack_bytes),
        }
    }

    /// CNPs made so far; `None` with ACKs.
    pub fn cnps_made(&self) -> Option<u64> {
        self.cnps.as_ref().map(|cnps| cnps.made)
    }

    /// A packet is ejected: its ACK waits for injection, or a CNP.
    pub fn ejected(&mut self, packet: &Packet, now: Tick) {
        let (sequence, mark) = match &mut self.cnps {
            None => (packet.sequence, packet.mark),
            Some(cnps) => match cnps.ejected(packet, now) {
                Some(number) => (number, false),
                None => return,
            },
        };
        self.acks.push_back(Ack {
            destination: packet.source,
            sequence,
            group: packet.group,
            mark,
        });
    }

    /// ACKs that wait, the oldest first.
    pub fn acks(&self) -> &VecDeque<Ack> {
        &self.acks
    }

    /// Takes the oldest ACK that may move, of those that are first for their destination: one whose
    /// queue takes nothing holds up none of the others. Returns what `may_move` gives.
    pub fn take_ack<T>(&mut self, mut may_move: impl FnMut(&Ack) -> Option<T>) -> Option<T> {
        let mut held_up = BTreeSet::new();
        for (at, ack) in self.acks.iter().enumerate() {
            if held_up.contains(&ack.destination) {
                continue;
            }
            if let Some(moved) = may_move(ack) {
                self.acks.remove(at);
                return Some(moved);
            }
            held_up.insert(ack.destination);
        }
        None
    }

    /// An ACK or CNP is ejected: its flow responds.
    /// Panics: With [`units::Broken`] if it is of no packet of this node, or a CNP is not the next.
    pub fn acked(&mut self, ack: &Packet, now: Tick) {
        if let Some(cnps) = &mut self.cnps
            && !cnps.is_next(ack)
        {
            let (source, sequence) = (ack.source, ack.sequence);
            self.wrong(&format_args!("order: CNP #{sequence} of n{source}"), now);
        }
        let whole = payload(ack.source, ack.destination, ack.sequence, ack.bytes) == ack.payload;
        if ack.destination != self.node || !whole {
            self.wrong(&"an ACK for another node, or with other contents", now);
        }
        let Some(flow) = self.flows.get_mut(&ack.source) else {
            self.wrong(&format_args!("an ACK of n{}, which was sent nothing", ack.source), now);
        };
        if self.cnps.is_some() {
            return flow.cnp(now);
        }
        if let Err(error) = flow.acked(ack.mark, now) {
            self.wrong(&error, now);
        }
    }

    /// Whether the next packet to a destination may start now.
    pub fn may_start(&mut self, destination: u32, now: Tick) -> bool {
        let flow = self.flows.get_mut(&destination);
        flow.is_none_or(|flow| flow.next_start(now) <= now)
    }

    /// A packet starts.
    /// Panics: With [`units::Broken`] if its window is closed.
    pub fn sent(&mut self, destination: u32, bytes: u32, now: Tick) {
        let flow = self.flows.entry(destination);
        let flow = flow.or_insert_with(|| Response::new(Arc::clone(&self.config)));
        if let Err(error) = flow.sent(bytes, now) {
            self.wrong(&error, now);
        }
    }

    /// Packets sent without an ACK; 0 without a window.
    pub fn outstanding(&self) -> u64 {
        let flows = self.flows.values();
        flows.map(|flow| u64::from(flow.outstanding())).sum()
    }

    /// The response of a flow that has sent something.
    pub fn flow(&self, destination: u32) -> Option<&Response> {
        self.flows.get(&destination)
    }

    fn wrong(&self, what: &dyn std::fmt::Display, now: Tick) -> ! {
        broken(Unit::Node { node: self.node }, now, what)
    }
}

/// An ACK or CNP that waits for injection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ack {
    /// The source of the packet that it answers.
    pub destination: u32,
    /// The number of that packet; of a CNP its own.
    pub sequence: u32,
    /// Its group.
    pub group: u8,
    /// Whether it was marked.
    pub mark: bool,
}

/// CNPs: which marked packets are answered by one, and their order (spec: pfc.md, DCQCN).
#[derive(Debug)]
struct Cnps {
    config: CnpConfig,
    /// By source: when the last CNP went there, and the number of the next.
    points: BTreeMap<u32, (NotificationPoint, u32)>,
    /// By node that packets went to: the number of its next CNP.
    expected: BTreeMap<u32, u32>,
    /// Made so far.
    made: u64,
}

impl Cnps {
    fn new(config: CnpConfig) -> Cnps {
        Cnps { config, points: BTreeMap::new(), expected: BTreeMap::new(), made: 0 }
    }

    /// A packet is ejected: the number of the CNP that goes to its source, if one does.
    fn ejected(&mut self, packet: &Packet, now: Tick) -> Option<u32> {
        if !packet.mark {
            return None;
        }
        let (point, next) = self.points.entry(packet.source).or_default();
        if !point.marked(now, self.config.interval) {
            return None;
        }
        self.made += 1;
        let number = *next;
        *next += 1;
        Some(number)
    }

    /// A CNP has come: whether it is the next of its sender.
    fn is_next(&mut self, cnp: &Packet) -> bool {
        let expected = self.expected.entry(cnp.source).or_default();
        let is_next = *expected == cnp.sequence;
        *expected += 1;
        is_next
    }
}
