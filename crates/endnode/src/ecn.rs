//! ECN at an end node (spec: ecn.md): an ACK for every packet that is ejected, and the response of
//! each flow to the marks that come back.
//!
//! [`Ecn`] holds the ACKs that wait for injection and, by destination, a [`Response`], made when
//! the first packet goes there. It is told what starts and what comes back, and asked whether the
//! next packet may start. It does not know admittance, injection or the clock.

use crate::acks::{Ack, Acks};
use crate::cnp::Cnps;
use ecn::response::{Config, Response};
use observe::{PacketKind, payload};
use plan::EcnEndConfig;
use std::collections::BTreeMap;
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
    acks: Acks,
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
            acks: Acks::default(),
            flows: BTreeMap::new(),
        }
    }

    /// Bytes of an ACK or CNP.
    pub fn ack_bytes(&self) -> u32 {
        self.cnps.as_ref().map_or(self.ack_bytes, |cnps| cnps.config.bytes)
    }

    /// What packets are answered by.
    pub fn answer_kind(&self) -> PacketKind {
        match self.cnps {
            Some(_) => PacketKind::Cnp,
            None => PacketKind::Ack,
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
        self.acks.push(Ack { destination: packet.source, sequence, group: packet.group, mark });
    }

    /// ACKs that wait.
    pub fn acks(&self) -> &Acks {
        &self.acks
    }

    /// ACKs that wait: one of them goes to injection.
    pub fn acks_mut(&mut self) -> &mut Acks {
        &mut self.acks
    }

    /// An ACK or CNP is ejected: its flow is told.
    ///
    /// # Panics
    /// With [`units::Broken`] if it is of no packet of this node, or a CNP is not the next.
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
    ///
    /// # Panics
    /// With [`units::Broken`] if its window is closed.
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
