//! The surroundings of the nodes: they note everything.

use super::{NODES, WIDTH};
use endnode::NodeEnv;
use flow_control::Control;
use observe::{Event, Offered, Place};
use std::collections::BTreeSet;
use switch::{Env, Packet, Packets};
use turnpool::Route;
use units::{ClassId, PacketId, Tick, WireId};

#[derive(Default)]
pub(crate) struct Fake {
    pub(crate) now: Tick,
    pub(super) packets: Packets,
    pub(super) wire: Vec<(Tick, PacketId)>,
    /// Packets that are no ACKs are marked on the way.
    pub(crate) marks: bool,
    pub(crate) offers: Vec<Offered>,
    pub(crate) sent: Vec<(Tick, Packet)>,
    pub(crate) ejected: Vec<(Tick, Packet)>,
    pub(crate) gone: BTreeSet<(u32, u32, u32)>,
    pub(crate) events: Vec<(Tick, Place, Event)>,
}

impl Env for Fake {
    fn now(&self) -> Tick {
        self.now
    }
    fn packets(&mut self) -> &mut Packets {
        &mut self.packets
    }
    fn observe(&mut self, place: Place, event: Event) {
        self.events.push((self.now, place, event));
    }
    fn send_packet(&mut self, _: WireId, packet: PacketId) {
        let record = self.packets[packet].clone();
        self.wire.push((record.tail, packet));
        self.sent.push((self.now, record));
    }
    fn send_credit(&mut self, _: WireId, _: Tick, _: ClassId, _: u32) {}
    fn send_control(&mut self, _: WireId, _: Tick, _: Control) {}
}

impl NodeEnv for Fake {
    fn offered(&mut self, offered: Offered) {
        self.offers.push(offered);
    }
    fn ejected(&mut self, _: Place, packet: PacketId) {
        self.ejected.push((self.now, self.packets[packet].clone()));
    }
    fn is_gone(&self, source: u32, destination: u32, sequence: u32) -> bool {
        self.gone.contains(&(source, destination, sequence))
    }
    fn route(&mut self, source: u32, destination: u32) -> Route {
        let mut route = Route::EMPTY;
        let turn = turnpool::turn(source, destination, NODES);
        route.push_back(turn, WIDTH).expect("short");
        // Of a second switch, which a CAM alone reads.
        route.push_back(0, WIDTH).expect("short");
        route
    }
}
