//! The trait, and what comes with what an observer is told.

use crate::event::{Event, Place};
use crate::offered::Offered;
use crate::packet::PacketView;
use units::{ClassId, ElementId, PortId, QueueId, Span, Tick};

/// The element and the port that a wire number stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Owner {
    /// Switches first, then end nodes.
    pub element: ElementId,
    /// Port of the element; 0 for an end node.
    pub port: PortId,
}

/// When something happens, and what an observer may look up.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// The tick in which it happens.
    pub now: Tick,
    /// Whose ports they are, by wire.
    pub owners: &'a [Owner],
}

/// The hook points. All do nothing unless an observer says otherwise.
///
/// An observer is told of everything in the order of ticks, and of one port in the order in which
/// it happens there; one that is not [`Observer::is_ordered`] may be told of stores, departures and
/// hops as soon as they are certain.
///
/// Every packet passes `stored`, `departed`, `hop` and `credit_sent` in every hop: unless an
/// observer has a short way for them, they come to [`Observer::event`] like all else.
///
/// On several threads every part of a fabric has an observer of its own, which sees all events of
/// its ports, and those alone. An observer can be split if what it says follows from that, whatever
/// the parts are.
pub trait Observer: Send {
    /// An observer for another part, asked for before the first tick; it has seen nothing. `None`:
    /// this one must see all events, and the fabric runs on one thread.
    fn fork(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }
    /// All parts have come to the same tick, this one and the others: called before the first tick,
    /// and whenever a piece of the run ends. For what needs all parts and cannot wait for the end.
    fn meet(&mut self, _others: &mut [&mut Self])
    where
        Self: Sized,
    {
    }
    /// The run is over: takes over what an observer of another part has seen.
    fn merge(&mut self, _other: Self)
    where
        Self: Sized,
    {
    }
    /// Something happened at a port.
    #[inline]
    fn event(&mut self, _view: View<'_>, _place: Place, _event: Event) {}
    /// Whether it must be told of everything in the order of ticks. If not, stores, departures and
    /// hops may come before their tick and in any order; all else is in order.
    fn is_ordered(&self) -> bool {
        true
    }
    /// [`Event::Stored`].
    #[inline]
    fn stored(&mut self, view: View<'_>, place: Place, packet: PacketView, queue: QueueId) {
        self.event(view, place, Event::Stored { packet, queue });
    }
    /// A store that was told ahead of its tick, as [`View::now`] said then, does not happen.
    #[inline]
    fn retract_stored(
        &mut self,
        _view: View<'_>,
        _place: Place,
        _packet: PacketView,
        _queue: QueueId,
    ) {
    }
    /// [`Event::Departed`].
    #[inline]
    fn departed(
        &mut self,
        view: View<'_>,
        place: Place,
        packet: PacketView,
        queue: QueueId,
        output: PortId,
    ) {
        let event = Event::Departed { packet, queue, output };
        self.event(view, place, event);
    }
    /// [`Event::Hop`].
    #[inline]
    fn hop(&mut self, view: View<'_>, place: Place, at: Tick, span: Span) {
        self.event(view, place, Event::Hop { at, span });
    }
    /// [`Event::CreditSent`].
    #[inline]
    fn credit_sent(&mut self, view: View<'_>, place: Place, class: ClassId, cells: u32) {
        self.event(view, place, Event::CreditSent { class, cells });
    }
    /// A message was generated, at [`Offered::born`]: told in that order when it comes to
    /// admittance, where it may be refused. Those that are on their way there when a run ends are
    /// told then.
    #[inline]
    fn offered(&mut self, _view: View<'_>, _offered: Offered) {}
    /// The tail of a packet was ejected at its destination, at the ingress side of its port.
    #[inline]
    fn ejected(&mut self, _view: View<'_>, _place: Place, _packet: PacketView) {}
}
