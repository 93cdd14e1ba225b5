//! The surroundings of the nodes: they note everything.

use super::{NODES, WIDTH};
use endnode::{NodeDue, NodeEnv};
use flow_control::Control;
use observe::{Event, Offered, Place};
use std::collections::BTreeSet;
use switch::{Due, Env, Packet, Packets};
use turnpool::Route;
use units::{ClassId, PacketId, PortId, Tick, VcId, WireId};

/// What a phase of a tick is for, in order.
pub(super) const LINK: u8 = 0;
pub(super) const EJECT: u8 = 1;
pub(super) const GENERATE: u8 = 2;
pub(super) const ADMIT: u8 = 3;
pub(super) const RECN: u8 = 4;

/// The surroundings.
#[derive(Default)]
pub(crate) struct Fake {
    pub(crate) now: Tick,
    pub(super) node: u32,
    pub(super) vcs: u32,
    pub(super) packets: Packets,
    pub(super) asked: BTreeSet<(Tick, u32, u8)>,
    pub(super) wire: Vec<(Tick, PacketId)>,
    /// How often a node has asked for a look at admittance.
    pub(crate) admits: u64,
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
    fn at(&mut self, tick: Tick, due: Due, _: PortId) {
        let phase = match due {
            Due::Link => LINK,
            Due::Recn => RECN,
            _ => panic!("an end node has no {due:?}"),
        };
        self.asked.insert((tick, self.node, phase));
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
    fn take_credit(&mut self, _: WireId) -> Option<(ClassId, u32)> {
        None
    }
    fn await_credit(&mut self, _: WireId) {}
    fn send_control(&mut self, _: WireId, _: Tick, _: Control) {}
}

impl NodeEnv for Fake {
    fn at_node(&mut self, tick: Tick, due: NodeDue) {
        let phase = match due {
            NodeDue::Eject => EJECT,
            NodeDue::Generate => GENERATE,
            NodeDue::Admit => ADMIT,
        };
        self.admits += u64::from(phase == ADMIT);
        self.asked.insert((tick, self.node, phase));
    }
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
        // Of a second switch, which nobody looks at but a CAM.
        route.push_back(0, WIDTH).expect("short");
        route
    }
    fn first_vc(&mut self, _: u32, destination: u32) -> VcId {
        VcId((destination % self.vcs) as u8)
    }
}
