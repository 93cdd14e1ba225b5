//! A packet as observers see it.

use std::fmt;
use units::{PortId, Tick, VcId};

/// What a packet is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PacketKind {
    /// Part of a message of the workload.
    #[default]
    Data,
    /// Part of the answer to one.
    Reply,
    /// Notifies the source of a packet that it has arrived, and whether it was marked (ECN).
    Ack,
    /// Notifies the source of a flow that packets of it were marked (DCQCN).
    Cnp,
}

/// Where replies have VCs of their own they are numbered apart, from here on: order holds among
/// data and among replies, not between them.
pub const REPLY_SEQUENCE: u32 = 1 << 31;

/// A packet in an event: values, as they are when it happens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PacketView {
    /// Source node.
    pub source: u32,
    /// Destination node.
    pub destination: u32,
    /// Number within its flow (source, destination), from 0; of a reply with VCs of its own from
    /// [`REPLY_SEQUENCE`].
    pub sequence: u32,
    /// In place of the contents; see [`payload`].
    pub payload: u32,
    /// Length.
    pub bytes: u32,
    /// When its message was generated.
    pub born: Tick,
    /// When it started on the injection link.
    pub injected: Tick,
    /// Of a reply: when the message that it answers was generated.
    pub asked: Tick,
    /// At an ingress port: when its head was stored there.
    pub stored: Tick,
    /// At an ingress port: output port that it requests.
    pub output: PortId,
    /// At an ingress port: VC of that memory.
    pub vc: VcId,
    /// At an ingress port: VC of the link behind [`PacketView::output`].
    pub next_vc: VcId,
    /// Group of flows it belongs to.
    pub group: u8,
    /// What it is for.
    pub kind: PacketKind,
    /// A switch has marked it (ECN).
    pub mark: bool,
    /// Last packet of its message.
    pub last: bool,
}

impl PacketView {
    /// A packet that is at its source, the last of its message, with all else still to come.
    #[must_use]
    pub fn new(key: PacketKey, bytes: u32) -> PacketView {
        let PacketKey { source, destination, sequence } = key;
        PacketView {
            source,
            destination,
            sequence,
            payload: payload(source, destination, sequence, bytes),
            bytes,
            last: true,
            ..PacketView::default()
        }
    }

    /// Which packet of its flow it is.
    #[inline]
    pub fn key(&self) -> PacketKey {
        PacketKey { source: self.source, destination: self.destination, sequence: self.sequence }
    }

    /// Which it is of all that there are at a time: an ACK has the number of what it answers.
    #[inline]
    pub fn id(&self) -> (PacketKey, PacketKind) {
        (self.key(), self.kind)
    }
}

/// Which packet it is: source, destination and number, of all that there ever are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PacketKey {
    /// Source node.
    pub source: u32,
    /// Destination node.
    pub destination: u32,
    /// Number within the flow.
    pub sequence: u32,
}

impl fmt::Display for PacketKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PacketKey { source, destination, sequence } = self;
        write!(f, "n{source}->n{destination}#{sequence}")
    }
}

/// What the contents of a packet are taken to be: a mix of all that identifies it.
pub fn payload(source: u32, destination: u32, sequence: u32, bytes: u32) -> u32 {
    let mut x = (u64::from(source) << 32 | u64::from(destination))
        ^ (u64::from(sequence) << 17 | u64::from(bytes));
    x = (x ^ (x >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (x >> 32) as u32
}
