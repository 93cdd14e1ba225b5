//! The surroundings of a unit in one tick: [`switch::Env`] for both engines.

use crate::mail::{Mail, Outbox};
use crate::names::Names;
use crate::observer::{Observer, View};
use crate::wires::{LANDED, Owner, Wires};
use flow_control::Control;
use std::sync::Arc;
use switch::{Env, Event, PacketId, Packets, Place, Wake};
use units::{Tick, Ticks};

/// Where wake-ups go: a timing wheel, or nowhere for an engine that looks at everything.
pub(crate) trait Alarm {
    fn wake(&mut self, now: Tick, at: Tick, kind: Wake, element: u32, port: u8);
}

/// Between ticks: what somebody waits for has happened in time, so that nobody is to be woken.
pub(crate) struct Asleep(pub(crate) Names);

impl Alarm for Asleep {
    #[cold]
    fn wake(&mut self, now: Tick, at: Tick, kind: Wake, element: u32, port: u8) {
        let what = format_args!("a wake-up between ticks, for tick {at}: {kind:?}");
        self.0.broken((element, port), now, &what)
    }
}

/// What moves between units.
#[derive(Debug)]
pub(crate) struct Medium {
    pub(crate) packets: Packets,
    pub(crate) wires: Wires,
    /// Whose ports they are, for observers: elements by their numbers in the whole fabric.
    pub(crate) owners: Arc<[Owner]>,
    /// What goes to other parts.
    pub(crate) outbox: Outbox,
    /// Packets put on a wire: the watchdog's sign of life.
    pub(crate) sent: u64,
    /// Packets ejected.
    pub(crate) ejected: u64,
    /// From the tick in which a head comes to a switch to that in which it is stored late, if it is; 0 where none is.
    pub(crate) store_delay: Ticks,
}

impl Medium {
    /// Nothing moves yet; with so many links to each part of the fabric.
    pub(crate) fn new(wires: Wires, owners: Arc<[Owner]>, links: &[usize]) -> Medium {
        Medium {
            packets: Packets::new(),
            wires,
            owners,
            outbox: Outbox::new(links),
            sent: 0,
            ejected: 0,
            store_delay: 0,
        }
    }

    /// Puts a packet on a wire that ends at `owner` in this part, and has it woken. `few`: [`Env::send_packet`].
    #[inline(always)]
    fn put_packet(
        &mut self,
        (to, owner): (u32, Owner),
        (id, few): (PacketId, bool),
        now: Tick,
        switches: u32,
        alarm: &mut impl Alarm,
    ) {
        self.wires.send(to, &mut self.packets, id);
        let due = self.packets[id].due;
        let (due, kind) = if owner.element >= switches {
            (due, Wake::Eject)
        } else if few && self.store_delay > 0 && self.wires.is_late(to) {
            (due + self.store_delay, Wake::LateStore)
        } else {
            (due, Wake::Store)
        };
        alarm.wake(now, due, kind, owner.element, owner.port);
    }

    /// Credit for another part: takes it from the near end of the wire.
    #[inline(never)]
    fn forward_credit(&mut self, to: u32, owner: Owner) {
        if let Some(credit) = self.wires.take_back_credit(to) {
            self.outbox.credit(owner.part(), to, credit);
        }
    }

    /// Puts what another part has sent on the wires, and has its receivers woken as if it had been sent here.
    pub(crate) fn deliver(
        &mut self,
        mail: &mut Mail,
        now: Tick,
        switches: u32,
        alarm: &mut impl Alarm,
    ) {
        for (to, packet, few) in mail.packets.drain(..) {
            debug_assert!(packet.due >= now);
            let (id, owner) = (self.packets.insert(packet), self.wires.owner(to));
            self.put_packet((to, owner), (id, few), now, switches, alarm);
        }
        for (to, credit) in mail.credits.drain(..) {
            debug_assert!(credit.due >= now);
            let owner = self.wires.owner(to);
            self.wires
                .send_credit(to, now, credit.due, credit.class, credit.cells);
            if self.wires.is_credit_awaited(to) {
                alarm.wake(now, credit.due, Wake::Control, owner.element, owner.port);
            }
        }
        for (to, due, control) in mail.named.drain(..) {
            debug_assert!(due >= now);
            let owner = self.wires.owner(to);
            self.wires.send_named(to, due, control);
            alarm.wake(now, due, Wake::Control, owner.element, owner.port);
        }
    }
}

/// `PLAIN`: what [`Env::is_plain`] says.
pub(crate) struct TickEnv<'a, A, O, const PLAIN: bool = false> {
    pub(crate) now: Tick,
    pub(crate) medium: &'a mut Medium,
    pub(crate) alarm: &'a mut A,
    pub(crate) observer: &'a mut O,
    /// Number of switches: elements from here on are end nodes.
    pub(crate) switches: u32,
}

impl<A, O, const PLAIN: bool> TickEnv<'_, A, O, PLAIN> {
    #[inline]
    pub(crate) fn observer_and_view(&mut self) -> (&mut O, View<'_>) {
        let view = View {
            now: self.now,
            packets: &self.medium.packets,
            owners: &self.medium.owners,
        };
        (self.observer, view)
    }
}

impl<A: Alarm, O: Observer, const PLAIN: bool> Env for TickEnv<'_, A, O, PLAIN> {
    #[inline(always)]
    fn is_plain(&self) -> bool {
        PLAIN
    }
    #[inline(always)]
    fn stores_late(&self) -> bool {
        !O::IN_ORDER && (PLAIN || self.medium.store_delay > 0)
    }
    #[inline]
    fn now(&self) -> Tick {
        self.now
    }
    #[inline]
    fn packets(&mut self) -> &mut Packets {
        &mut self.medium.packets
    }
    #[inline]
    fn wake(&mut self, at: Tick, kind: Wake, element: u32, port: u8) {
        self.alarm.wake(self.now, at, kind, element, port);
    }
    #[inline(always)]
    fn send_packet(&mut self, to: u32, id: PacketId, few: bool) {
        let medium = &mut *self.medium;
        medium.sent += 1;
        let owner = medium.wires.owner(to);
        if owner.is_away() {
            let due = medium.packets[id].due;
            return medium.outbox.packet(owner.part(), to, (id, few), due);
        }
        medium.put_packet((to, owner), (id, few), self.now, self.switches, self.alarm);
    }
    #[inline]
    fn send_control(&mut self, to: u32, due: Tick, control: Control) {
        let owner = self.medium.wires.owner(to);
        if owner.is_away() {
            return self.medium.outbox.named(owner.part(), to, due, control);
        }
        self.medium.wires.send_named(to, due, control);
        self.alarm
            .wake(self.now, due, Wake::Control, owner.element, owner.port);
    }
    #[inline]
    fn take_packet(&mut self, at: u32, by: Tick) -> Option<PacketId> {
        self.medium.wires.take_due(at, by, &self.medium.packets)
    }
    fn set_late(&mut self, at: u32, late: bool) {
        let Medium { wires, packets, .. } = &mut *self.medium;
        wires.set_late(at, late);
        if !late {
            let owner = wires.owner(at);
            for id in wires.packets_to(at, packets) {
                self.alarm.wake(
                    self.now,
                    packets[id].due,
                    Wake::Store,
                    owner.element,
                    owner.port,
                );
            }
        }
    }
    #[inline]
    fn observe(&mut self, place: Place, event: Event) {
        let (observer, view) = self.observer_and_view();
        observer.event(view, place, event);
    }
    #[inline]
    fn stored(&mut self, place: Place, packet: PacketId, queue: u16, at: Tick) {
        let (observer, view) = self.observer_and_view();
        observer.stored(View { now: at, ..view }, place, packet, queue);
    }
    #[inline]
    fn departed(&mut self, place: Place, packet: PacketId, queue: u16, output: u8) {
        let (observer, view) = self.observer_and_view();
        observer.departed(view, place, packet, queue, output);
    }
    #[inline]
    fn hop(&mut self, place: Place, at: Tick, ticks: Ticks) {
        let (observer, view) = self.observer_and_view();
        observer.hop(view, place, at, ticks);
    }
    #[inline(always)]
    fn send_credit(
        &mut self,
        place: Place,
        to: u32,
        (start, due): (Tick, Tick),
        class: u16,
        cells: u32,
    ) -> bool {
        let (observer, view) = self.observer_and_view();
        observer.credit_sent(View { now: start, ..view }, place, class, cells);
        self.medium
            .wires
            .send_credit(to, self.now, due, class, cells);
        let awaited = self.medium.wires.is_credit_awaited(to);
        if awaited {
            let owner = self.medium.wires.owner(to);
            if owner.is_away() {
                self.medium.forward_credit(to, owner);
            } else {
                self.alarm
                    .wake(self.now, due, Wake::Control, owner.element, owner.port);
            }
        }
        awaited || O::IN_ORDER
    }
    #[inline(always)]
    fn take_credit(&mut self, at: u32) -> Option<(u16, u32)> {
        self.medium.wires.take_credit(at, self.now)
    }
    #[inline(always)]
    fn classes_that_land(&self) -> usize {
        LANDED
    }
    #[inline(never)]
    fn wait_for_credit(&mut self, at: u32) {
        let owner = self.medium.wires.owner(at);
        for due in self.medium.wires.await_credit(at) {
            self.alarm
                .wake(self.now, due, Wake::Control, owner.element, owner.port);
        }
    }
}
