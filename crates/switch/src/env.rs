//! What a switch is given from outside in one tick: the tick, the packets, wires, and whoever wants
//! to know what happens and what is due. The units know nothing of it: the glue carries their
//! effects here.

use crate::packet::Packets;
use flow_control::Control;
use observe::{Event, Place};
use units::{ClassId, PacketId, PortId, Tick, WireId};

/// What a port has to do at a moment, in the order of the phases of a tick. A clock that visits
/// everything in every tick finds each by looking at the registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Due {
    /// Evaluate, step 1: the link behind this port. (In `iq` it opens the crossbar output, so it
    /// comes first.)
    Link,
    /// Evaluate, step 1: the crossbar, for this output.
    Crossbar,
    /// Step 1, `oq`: the tail of the packet on this link leaves.
    LinkTail,
    /// Step 2: a head is stored at the ingress side.
    Store,
    /// Step 2: a head is stored at the egress side.
    StoreEgress,
    /// Step 3: the PPU of this port moves a packet.
    Ppu,
    /// Step 3: two-level routing: heads of this port are assigned to outputs again.
    Decide,
    /// Step 4: a control packet arrives at this port.
    Control,
    /// Steps 5 to 8: messages, markers, frees and tokens of the switch.
    Recn,
}

/// The surroundings of a switch in one tick.
pub trait Env {
    /// The present tick.
    fn now(&self) -> Tick;
    /// All packets.
    fn packets(&mut self) -> &mut Packets;
    /// Something is due at a port; in the present tick only for phases still to come.
    fn at(&mut self, tick: Tick, due: Due, port: PortId);
    /// Something happens.
    fn observe(&mut self, place: Place, event: Event);
    /// A packet starts on a wire; it is stored at the other end in tick [`crate::Packet::stored`].
    fn send_packet(&mut self, wire: WireId, packet: PacketId);
    /// Credit starts on a wire and is counted at the other end in tick `due`.
    fn send_credit(&mut self, wire: WireId, due: Tick, class: ClassId, cells: u32);
    /// Takes credit that has come over the wire that ends at a port before this tick and is not
    /// counted there yet ([`crate::Fcu`]).
    fn take_credit(&mut self, wire: WireId) -> Option<(ClassId, u32)>;
    /// A head lacks credit: the next that comes over this wire is told of as it comes
    /// ([`Due::Control`]).
    fn await_credit(&mut self, wire: WireId);
    /// Another control packet starts on a wire and arrives in tick `due`.
    fn send_control(&mut self, wire: WireId, due: Tick, control: Control);
}

/// For what is evaluated at most once a tick and asked for from several sides: when it was asked
/// for last, and when it was done. Bookkeeping of the clock, no register of the hardware.
#[derive(Debug, Clone, Copy)]
pub struct Once {
    asked: Tick,
    done: Tick,
}

impl Default for Once {
    fn default() -> Once {
        Once {
            asked: Tick::MAX,
            done: Tick::MAX,
        }
    }
}

impl Once {
    /// It is to be done at `tick`. Whether nobody has asked for that tick or an earlier one yet.
    #[inline(always)]
    pub fn ask(&mut self, tick: Tick) -> bool {
        let first = tick < self.asked;
        if first {
            self.asked = tick;
        }
        first
    }

    /// It is to be done at `tick`, whatever else was asked for. Whether that is new.
    #[inline(always)]
    pub fn ask_for(&mut self, tick: Tick) -> bool {
        std::mem::replace(&mut self.asked, tick) != tick
    }

    /// It is done now. Whether for the first time in this tick.
    #[inline(always)]
    pub fn begin(&mut self, now: Tick) -> bool {
        if self.asked <= now {
            self.asked = Tick::MAX;
        }
        std::mem::replace(&mut self.done, now) != now
    }
}
