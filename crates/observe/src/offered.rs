//! A message as observers are told of it.

use crate::packet::PacketKind;
use units::Tick;

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
