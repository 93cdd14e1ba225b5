//! What an end node is given from outside in one tick, beyond what a switch is.

use observe::{Offered, Place};
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
