//! Observers: statistics, traces and checks hang on fixed hook points and change nothing.

use crate::wires::Owner;
use switch::{Event, Packet, Packets, Place};
use units::Tick;

/// What an observer may look up.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// The present tick.
    pub now: Tick,
    /// All packets.
    pub packets: &'a Packets,
    /// Whose ports they are.
    pub owners: &'a [Owner],
}

/// A message at the moment of its generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offered {
    /// Source node.
    pub source: u32,
    /// Destination node.
    pub destination: u32,
    /// Length of the message.
    pub bytes: u32,
    /// Packets that it makes.
    pub packets: u32,
    /// Its group.
    pub group: u8,
    /// When it was generated.
    pub born: Tick,
    /// Whether it was refused at the source.
    pub refused: bool,
}

/// The hook points. All do nothing unless an observer says otherwise.
pub trait Observer {
    /// Something happened at a port.
    #[inline]
    fn event(&mut self, _view: View<'_>, _place: Place, _event: Event) {}
    /// A message was generated.
    #[inline]
    fn offered(&mut self, _view: View<'_>, _offered: Offered) {}
    /// The tail of a packet was ejected at its destination, at the ingress side of its port.
    #[inline]
    fn ejected(&mut self, _view: View<'_>, _place: Place, _packet: &Packet) {}
}

impl Observer for () {}

impl<A: Observer, B: Observer> Observer for (A, B) {
    #[inline]
    fn event(&mut self, view: View<'_>, place: Place, event: Event) {
        self.0.event(view, place, event);
        self.1.event(view, place, event);
    }
    #[inline]
    fn offered(&mut self, view: View<'_>, offered: Offered) {
        self.0.offered(view, offered);
        self.1.offered(view, offered);
    }
    #[inline]
    fn ejected(&mut self, view: View<'_>, place: Place, packet: &Packet) {
        self.0.ejected(view, place, packet);
        self.1.ejected(view, place, packet);
    }
}
