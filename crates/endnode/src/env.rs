//! What an end node is given from outside in one tick, beyond what a switch is.

use observe::{Offered, Place};
use turnpool::Route;
use units::PacketId;

/// The surroundings of an end node in one tick.
pub trait NodeEnv: switch::Env {
    /// A message enters admittance or is refused.
    fn offered(&mut self, offered: Offered);
    /// A packet is ejected at a place; it is still among the packets.
    fn ejected(&mut self, place: Place, packet: PacketId);
    /// Whether the packet of this flow with this number was lost or stranded.
    fn is_gone(&self, source: u32, destination: u32, sequence: u32) -> bool;
    /// The turns from a source to a destination; empty where switches have tables.
    fn route(&mut self, source: u32, destination: u32) -> Route;
}
