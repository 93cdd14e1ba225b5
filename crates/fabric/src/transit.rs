//! What moves between elements, and the surroundings of an element in one tick: [`switch::Env`] and
//! [`endnode::NodeEnv`] for all clocks.

use crate::faults::Seen;
use crate::gone::GonePackets;
use crate::mail::{Mail, Outbox};
use crate::routing::Routing;
use crate::wires::{Credit, End, Wires};
use endnode::{NodeDue, NodeEnv};
use flow_control::Control;
use observe::{Event, Observer, Offered, Owner, PacketView, Place, View};
use std::sync::Arc;
use switch::{Due, Env, Packets};
use turnpool::Route;
use units::{ClassId, ElementId, PacketId, PortId, Tick, VcId, WireId};

/// What is due, at an element and port, in the order of the phases of a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Wake {
    /// [`Due::Link`].
    Link,
    /// [`Due::Crossbar`].
    Crossbar,
    /// [`Due::LinkTail`].
    LinkTail,
    /// [`Due::Store`].
    Store,
    /// [`Due::StoreEgress`].
    StoreEgress,
    /// [`NodeDue::Eject`].
    Eject,
    /// [`NodeDue::Generate`].
    Generate,
    /// [`Due::Ppu`].
    Ppu,
    /// [`Due::Decide`].
    Decide,
    /// [`NodeDue::Admit`].
    Admit,
    /// [`Due::Control`].
    Control,
    /// [`Due::Recn`].
    Recn,
}

impl Wake {
    /// All, in the order of the phases.
    pub(crate) const ALL: [Wake; 12] = [
        Wake::Link,
        Wake::Crossbar,
        Wake::LinkTail,
        Wake::Store,
        Wake::StoreEgress,
        Wake::Eject,
        Wake::Generate,
        Wake::Ppu,
        Wake::Decide,
        Wake::Admit,
        Wake::Control,
        Wake::Recn,
    ];
}

impl From<Due> for Wake {
    #[inline(always)]
    fn from(due: Due) -> Wake {
        match due {
            Due::Link => Wake::Link,
            Due::Crossbar => Wake::Crossbar,
            Due::LinkTail => Wake::LinkTail,
            Due::Store => Wake::Store,
            Due::StoreEgress => Wake::StoreEgress,
            Due::Ppu => Wake::Ppu,
            Due::Decide => Wake::Decide,
            Due::Control => Wake::Control,
            Due::Recn => Wake::Recn,
        }
    }
}

impl From<NodeDue> for Wake {
    #[inline(always)]
    fn from(due: NodeDue) -> Wake {
        match due {
            NodeDue::Eject => Wake::Eject,
            NodeDue::Generate => Wake::Generate,
            NodeDue::Admit => Wake::Admit,
        }
    }
}

/// Where wake-ups go: a timing wheel, or nowhere for a clock that looks at everything.
pub(crate) trait Alarm {
    fn wake(&mut self, now: Tick, at: Tick, wake: Wake, element: ElementId, port: PortId);
}

/// What moves between the elements of a part.
#[derive(Debug)]
pub(crate) struct Transit {
    pub(crate) packets: Packets,
    pub(crate) wires: Wires,
    /// Whose ports they are, for observers: elements by their numbers in the whole fabric.
    pub(crate) owners: Arc<[Owner]>,
    /// What goes to other parts.
    pub(crate) outbox: Outbox,
    pub(crate) gone: GonePackets,
    /// What has happened of faults since the last one.
    pub(crate) recovery: Seen,
    /// Packets put on a wire: the watchdog's sign of life.
    pub(crate) sent: u64,
    /// Packets ejected.
    pub(crate) ejected: u64,
    /// Switches of the part: elements from here on are end nodes.
    switches: u32,
}

impl Transit {
    /// Nothing moves yet; with so many links to each part of the fabric.
    pub(crate) fn new(
        wires: Wires,
        owners: Arc<[Owner]>,
        links: &[usize],
        switches: u32,
    ) -> Transit {
        Transit {
            packets: Packets::new(),
            wires,
            owners,
            outbox: Outbox::new(links),
            gone: GonePackets::default(),
            recovery: Seen::default(),
            sent: 0,
            ejected: 0,
            switches,
        }
    }

    /// Puts a packet on a wire, and has it taken where it ends.
    #[inline(always)]
    fn put(&mut self, wire: WireId, id: PacketId, now: Tick, alarm: &mut impl Alarm) {
        let due = self.packets[id].stored;
        match self.wires.end(wire) {
            End::Here(Owner { element, port }) => {
                self.wires.send(wire, &mut self.packets, id);
                let wake = if element.0 < self.switches {
                    Wake::Store
                } else {
                    Wake::Eject
                };
                alarm.wake(now, due, wake, element, port);
            }
            End::Away { part } => self.outbox.packet(part, wire, id, due),
        }
    }

    #[inline(always)]
    fn put_credit(&mut self, wire: WireId, credit: Credit, now: Tick, alarm: &mut impl Alarm) {
        match self.wires.end(wire) {
            End::Here(Owner { element, port }) => {
                if self.wires.send_credit(wire, credit, now) {
                    alarm.wake(now, credit.due, Wake::Control, element, port);
                }
            }
            End::Away { part } => self.outbox.credit(part, wire, credit),
        }
    }

    #[inline]
    fn put_named(
        &mut self,
        wire: WireId,
        due: Tick,
        control: Control,
        now: Tick,
        alarm: &mut impl Alarm,
    ) {
        match self.wires.end(wire) {
            End::Here(Owner { element, port }) => {
                self.wires.send_named(wire, due, control);
                alarm.wake(now, due, Wake::Control, element, port);
            }
            End::Away { part } => self.outbox.named(part, wire, due, control),
        }
    }

    /// A packet is lost or stranded.
    #[cold]
    pub(crate) fn gone(&mut self, packet: PacketView) {
        let gone = self.gone.add(packet);
        self.outbox.gone(gone);
    }

    /// Puts what another part has sent on the wires, as if it had been sent here.
    pub(crate) fn deliver(&mut self, mail: &mut Mail, now: Tick, alarm: &mut impl Alarm) {
        for (wire, packet) in mail.packets.drain(..) {
            debug_assert!(packet.stored >= now);
            let id = self.packets.insert(packet);
            self.put(wire, id, now, alarm);
        }
        for (wire, credit) in mail.credits.drain(..) {
            self.put_credit(wire, credit, now, alarm);
        }
        for (wire, due, control) in mail.named.drain(..) {
            self.put_named(wire, due, control, now, alarm);
        }
        self.gone.hear(mail.gone.drain(..));
    }
}

/// The surroundings of one element in one tick.
pub(crate) struct Around<'a, A, O> {
    pub(crate) now: Tick,
    /// The element that is served.
    pub(crate) element: ElementId,
    pub(crate) transit: &'a mut Transit,
    pub(crate) routing: &'a Routing,
    pub(crate) alarm: &'a mut A,
    pub(crate) observer: &'a mut O,
}

impl<A, O> Around<'_, A, O> {
    #[inline(always)]
    pub(crate) fn observer_and_view(&mut self) -> (&mut O, View<'_>) {
        let view = View {
            now: self.now,
            owners: &self.transit.owners,
        };
        (self.observer, view)
    }
}

impl<A: Alarm, O: Observer> Env for Around<'_, A, O> {
    #[inline(always)]
    fn now(&self) -> Tick {
        self.now
    }
    #[inline(always)]
    fn packets(&mut self) -> &mut Packets {
        &mut self.transit.packets
    }
    #[inline(always)]
    fn at(&mut self, tick: Tick, due: Due, port: PortId) {
        self.alarm
            .wake(self.now, tick, due.into(), self.element, port);
    }
    #[inline(always)]
    fn observe(&mut self, place: Place, event: Event) {
        match event {
            Event::Lost { packet } => {
                self.transit.recovery.lost += 1;
                self.transit.gone(packet);
            }
            Event::Stranded { packet, .. } => {
                self.transit.recovery.stranded += 1;
                self.transit.gone(packet);
            }
            Event::Entry { .. } => self.transit.recovery.changed = self.now,
            Event::ControlSent(Control::Recovery(_)) => self.transit.recovery.messages += 1,
            _ => {}
        }
        let (observer, view) = self.observer_and_view();
        // What happens in every hop has a shorter way.
        match event {
            Event::Stored { packet, queue } => observer.stored(view, place, packet, queue),
            Event::Departed {
                packet,
                queue,
                output,
            } => observer.departed(view, place, packet, queue, output),
            Event::Hop { at, span } => observer.hop(view, place, at, span),
            Event::CreditSent { class, cells } => observer.credit_sent(view, place, class, cells),
            event => observer.event(view, place, event),
        }
    }
    #[inline(always)]
    fn send_packet(&mut self, wire: WireId, packet: PacketId) {
        self.transit.sent += 1;
        self.transit.put(wire, packet, self.now, self.alarm);
    }
    #[inline(always)]
    fn send_credit(&mut self, wire: WireId, due: Tick, class: ClassId, cells: u32) {
        let credit = Credit { due, cells, class };
        self.transit.put_credit(wire, credit, self.now, self.alarm);
    }
    #[inline(always)]
    fn take_credit(&mut self, wire: WireId) -> Option<(ClassId, u32)> {
        let credit = self.transit.wires.take_credit(wire, self.now)?;
        Some((credit.class, credit.cells))
    }
    #[inline(never)]
    fn await_credit(&mut self, wire: WireId) {
        if let Some(due) = self.transit.wires.await_credit(wire)
            && let End::Here(Owner { element, port }) = self.transit.wires.end(wire)
        {
            self.alarm.wake(self.now, due, Wake::Control, element, port);
        }
    }
    #[inline]
    fn send_control(&mut self, wire: WireId, due: Tick, control: Control) {
        self.transit
            .put_named(wire, due, control, self.now, self.alarm);
    }
}

impl<A: Alarm, O: Observer> NodeEnv for Around<'_, A, O> {
    #[inline(always)]
    fn at_node(&mut self, tick: Tick, due: NodeDue) {
        self.alarm
            .wake(self.now, tick, due.into(), self.element, PortId(0));
    }
    fn offered(&mut self, offered: Offered) {
        let (observer, view) = self.observer_and_view();
        observer.offered(view, offered);
    }
    #[inline]
    fn ejected(&mut self, place: Place, packet: PacketId) {
        self.transit.ejected += 1;
        let packet = self.transit.packets[packet].view();
        let (observer, view) = self.observer_and_view();
        observer.ejected(view, place, packet);
    }
    #[inline]
    fn is_gone(&self, source: u32, destination: u32, sequence: u32) -> bool {
        let gone = (source, destination, sequence);
        self.transit.gone.contains(gone)
    }
    #[inline]
    fn route(&mut self, source: u32, destination: u32) -> Route {
        self.routing.route(source, destination)
    }
    #[inline]
    fn first_vc(&mut self, source: u32, destination: u32) -> VcId {
        self.routing.first_vc(source, destination)
    }
}
