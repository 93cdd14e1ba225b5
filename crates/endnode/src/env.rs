//! What an end node is given from outside in one tick, beyond what a switch is.

use crate::admittance::Waiting;
use switch::{PacketKind, Place};
use turnpool::Route;
use units::{PacketId, Tick, VcId};

/// What an end node has to do at a moment, beside what its injection port has ([`switch::Due`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum NodeDue {
    /// Step 2: a packet is ejected. For the clock, which knows the wires: no end node asks for it.
    Eject,
    /// Step 2: messages enter admittance.
    Generate,
    /// Step 3: a packet moves from admittance to injection.
    Admit,
}

/// A message as it enters admittance, or is refused there: what observers are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offered {
    /// Source node.
    pub source: u32,
    /// Destination node.
    pub destination: u32,
    /// Length of the message.
    pub bytes: u32,
    /// Packets that it makes.
    pub packets: u32,
    /// Its group; of a reply that of the request.
    pub group: u8,
    /// Whether it is a reply.
    pub kind: PacketKind,
    /// When it was generated.
    pub born: Tick,
    /// Of a reply: when the request was generated.
    pub asked: Tick,
    /// Whether it was refused at the source.
    pub refused: bool,
}

impl Offered {
    /// This message of node `source`, all of it.
    pub fn new(source: u32, message: &Waiting, packet_bytes: u32, refused: bool) -> Offered {
        Offered {
            source,
            destination: message.destination,
            bytes: message.bytes,
            packets: message.bytes.div_ceil(packet_bytes),
            group: message.group,
            kind: message.kind,
            born: message.born,
            asked: message.asked,
            refused,
        }
    }
}

/// The surroundings of an end node in one tick. Its injection port asks through
/// [`switch::Env::at`], as port 0.
pub trait NodeEnv: switch::Env {
    /// Something is due at this node; in the present tick only for phases still to come.
    fn at_node(&mut self, tick: Tick, due: NodeDue);
    /// A message enters admittance or is refused.
    fn offered(&mut self, offered: Offered);
    /// A packet is ejected at a place; it is still among the packets.
    fn ejected(&mut self, place: Place, packet: PacketId);
    /// Whether the packet of this flow with this number was lost or stranded.
    fn is_gone(&self, source: u32, destination: u32, sequence: u32) -> bool;
    /// The turns from a source to a destination; empty where switches have tables.
    fn route(&mut self, source: u32, destination: u32) -> Route;
    /// The VC of the injection link on that way.
    fn first_vc(&mut self, source: u32, destination: u32) -> VcId;
}
