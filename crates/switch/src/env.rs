//! What a switch is given from outside in one tick: the tick, the packets, wires, an observer.
//! Units do not know it: the glue carries their effects here.

use crate::packet::Packets;
use flow_control::Control;
use observe::{Event, Place};
use units::{ClassId, PacketId, Tick, WireId};

/// The surroundings of a switch in one tick.
pub trait Env {
    /// The present tick.
    fn now(&self) -> Tick;
    /// All packets.
    fn packets(&mut self) -> &mut Packets;
    /// Something happens.
    fn observe(&mut self, place: Place, event: Event);
    /// A packet starts on a wire; it is stored at the other end in tick
    /// [`observe::PacketView::stored`].
    fn send_packet(&mut self, wire: WireId, packet: PacketId);
    /// Credit starts on a wire and is counted at the other end in tick `due`.
    fn send_credit(&mut self, wire: WireId, due: Tick, class: ClassId, cells: u32);
    /// Another control packet starts on a wire and arrives in tick `due`.
    fn send_control(&mut self, wire: WireId, due: Tick, control: Control);
}
