//! What moves between elements, and the surroundings of an element in one tick.

use super::dues::{Due, Dues};
use super::routing::Routing;
use super::wires::{Credit, Wire};
use crate::faults::seen::Seen;
use crate::gone::GonePackets;
use endnode::NodeEnv;
use flow_control::Control;
use observe::{Event, Observer, Offered, Owner, Place, View};
use std::sync::Arc;
use switch::{Env, Packets};
use turnpool::Route;
use units::{ClassId, PacketId, Tick, WireId};

/// What moves between the elements.
#[derive(Debug)]
pub(crate) struct Transit {
    pub(crate) packets: Packets,
    /// By the port at which they end.
    pub(crate) wires: Box<[Wire]>,
    /// At which ports wires end.
    pub(crate) owners: Arc<[Owner]>,
    pub(crate) routing: Routing,
    pub(crate) gone: GonePackets,
    /// What has happened of faults since the last one.
    pub(crate) recovery: Seen,
    /// Packets put on a wire: the watchdog's sign of life.
    pub(crate) sent: u64,
    /// Packets ejected.
    pub(crate) ejected: u64,
    pub(crate) dues: Dues,
}

impl Transit {
    /// Nothing moves yet: wires end at the ports of `owners`, of so many switches and of end nodes.
    pub(crate) fn new(owners: Arc<[Owner]>, switches: usize, routing: Routing) -> Transit {
        Transit {
            packets: Packets::default(),
            wires: vec![Wire::default(); owners.len()].into(),
            dues: Dues::new(owners.len(), switches),
            owners,
            routing,
            gone: GonePackets::default(),
            recovery: Seen::default(),
            sent: 0,
            ejected: 0,
        }
    }
}

/// The surroundings of one element in one tick.
pub(crate) struct ElementContext<'a, O> {
    pub(crate) now: Tick,
    pub(crate) transit: &'a mut Transit,
    pub(crate) observer: &'a mut O,
}

impl<O> ElementContext<'_, O> {
    pub(crate) fn observer_and_view(&mut self) -> (&mut O, View<'_>) {
        let view = View { now: self.now, owners: &self.transit.owners };
        (self.observer, view)
    }
}

impl<O: Observer> Env for ElementContext<'_, O> {
    fn now(&self) -> Tick {
        self.now
    }
    fn packets(&mut self) -> &mut Packets {
        &mut self.transit.packets
    }
    fn observe(&mut self, place: Place, event: Event) {
        match event {
            Event::Lost { packet } => {
                self.transit.recovery.lost += 1;
                self.transit.gone.add(packet);
            }
            Event::Stranded { packet, .. } => {
                self.transit.recovery.stranded += 1;
                self.transit.gone.add(packet);
            }
            Event::Entry { .. } => self.transit.recovery.changed = self.now,
            Event::ControlSent(Control::Recovery(_)) => self.transit.recovery.messages += 1,
            _ => {}
        }
        let (observer, view) = self.observer_and_view();
        observer.event(view, place, event);
    }
    fn send_packet(&mut self, wire: WireId, packet: PacketId) {
        let transit = &mut *self.transit;
        transit.sent += 1;
        transit.wires[wire.index()].packets.push_back(packet);
        transit.dues.hasten(Due::Wire(wire), transit.packets[packet].stored);
    }
    fn send_credit(&mut self, wire: WireId, due: Tick, class: ClassId, cells: u32) {
        let credit = Credit { due, cells, class };
        self.transit.wires[wire.index()].credits.push_back(credit);
        self.transit.dues.hasten(Due::Wire(wire), due);
    }
    fn send_control(&mut self, wire: WireId, due: Tick, control: Control) {
        self.transit.wires[wire.index()].named.push_back((due, control));
        self.transit.dues.hasten(Due::Wire(wire), due);
    }
}

impl<O: Observer> NodeEnv for ElementContext<'_, O> {
    fn offered(&mut self, offered: Offered) {
        let (observer, view) = self.observer_and_view();
        observer.offered(view, offered);
    }
    fn ejected(&mut self, place: Place, packet: PacketId) {
        self.transit.ejected += 1;
        let packet = self.transit.packets[packet].view();
        let (observer, view) = self.observer_and_view();
        observer.ejected(view, place, packet);
    }
    fn is_gone(&self, source: u32, destination: u32, sequence: u32) -> bool {
        let gone = (source, destination, sequence);
        self.transit.gone.contains(gone)
    }
    fn route(&mut self, source: u32, destination: u32) -> Route {
        self.transit.routing.route(source, destination)
    }
}
