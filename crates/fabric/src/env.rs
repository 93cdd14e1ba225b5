//! The surroundings of a unit in one tick: [`switch::Env`] for both engines.

use crate::observer::{Observer, View};
use crate::wires::Wires;
use flow_control::Control;
use switch::{Env, Event, PacketId, Packets, Place, Wake};
use units::{Tick, Ticks};

/// Where wake-ups go: a timing wheel, or nowhere for an engine that looks at everything.
pub(crate) trait Alarm {
    fn wake(&mut self, now: Tick, at: Tick, kind: Wake, element: u32, port: u8);
}

/// What moves between units.
#[derive(Debug, Default)]
pub(crate) struct Medium {
    pub(crate) packets: Packets,
    pub(crate) wires: Wires,
    /// Packets put on a wire: the watchdog's sign of life.
    pub(crate) sent: u64,
    /// Packets ejected.
    pub(crate) ejected: u64,
}

pub(crate) struct TickEnv<'a, A, O> {
    pub(crate) now: Tick,
    pub(crate) medium: &'a mut Medium,
    pub(crate) alarm: &'a mut A,
    pub(crate) observer: &'a mut O,
    /// Number of switches: elements from here on are end nodes.
    pub(crate) switches: u32,
}

impl<A, O> TickEnv<'_, A, O> {
    #[inline]
    pub(crate) fn observer_and_view(&mut self) -> (&mut O, View<'_>) {
        let view = View {
            now: self.now,
            packets: &self.medium.packets,
            owners: &self.medium.wires.owners,
        };
        (self.observer, view)
    }
}

impl<A: Alarm, O: Observer> Env for TickEnv<'_, A, O> {
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
    fn send_packet(&mut self, to: u32, id: PacketId) {
        let medium = &mut *self.medium;
        medium.sent += 1;
        medium.wires.send(to, &mut medium.packets, id);
        let due = medium.packets[id].due;
        let owner = medium.wires.owners[to as usize];
        let kind = if owner.element < self.switches {
            Wake::Store
        } else {
            Wake::Eject
        };
        self.alarm
            .wake(self.now, due, kind, owner.element, owner.port);
    }
    #[inline]
    fn send_control(&mut self, to: u32, due: Tick, control: Control) {
        self.medium.wires.send_control(to, due, control);
        let owner = self.medium.wires.owners[to as usize];
        self.alarm
            .wake(self.now, due, Wake::Control, owner.element, owner.port);
    }
    #[inline]
    fn take_packet(&mut self, at: u32) -> PacketId {
        self.medium
            .wires
            .take(at, &self.medium.packets)
            .expect("a packet is due")
    }
    #[inline]
    fn observe(&mut self, place: Place, event: Event) {
        let (observer, view) = self.observer_and_view();
        observer.event(view, place, event);
    }
    #[inline]
    fn stored(&mut self, place: Place, packet: PacketId, queue: u16) {
        let (observer, view) = self.observer_and_view();
        observer.stored(view, place, packet, queue);
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
    fn send_credit(&mut self, place: Place, to: u32, due: Tick, class: u16, cells: u32) {
        let (observer, view) = self.observer_and_view();
        observer.credit_sent(view, place, class, cells);
        self.medium.wires.send_credit(to, due, class, cells);
        if self.medium.wires.is_credit_awaited(to) {
            let owner = self.medium.wires.owners[to as usize];
            self.alarm
                .wake(self.now, due, Wake::Control, owner.element, owner.port);
        }
    }
    #[inline(always)]
    fn take_credit(&mut self, at: u32) -> Option<(u16, u32)> {
        self.medium.wires.take_credit(at, self.now)
    }
    #[inline(never)]
    fn wait_for_credit(&mut self, at: u32) {
        let owner = self.medium.wires.owners[at as usize];
        for due in self.medium.wires.await_credit(at) {
            self.alarm
                .wake(self.now, due, Wake::Control, owner.element, owner.port);
        }
    }
}
