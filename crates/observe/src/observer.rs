//! The trait, the context of an event, and observers combined: none, and two.

use crate::event::{Event, Offered, Place};
use crate::packet::PacketView;
use units::{ElementId, PortId, QueueId, Tick};

/// The element and the port of a wire number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Owner {
    /// Switches first, then end nodes.
    pub element: ElementId,
    /// Port of the element; 0 for an end node.
    pub port: PortId,
}

/// When something happens, and what an observer may query.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// The tick in which it happens.
    pub now: Tick,
    /// Whose ports they are, by wire.
    pub owners: &'a [Owner],
}

/// The hook points. All do nothing by default.
///
/// An observer sees everything in the order of ticks, and of one port in the order in which it
/// happens there; one that is not [`Observer::IS_ORDERED`] may see stores, departures and hops as
/// soon as they are certain. One of plain runs has [`Observer::event`] inlined, so that what does
/// not concern it is left out at the caller.
///
/// On several threads every part has an observer of its own, for all events of its ports. One can
/// be split if its result follows from that, whatever the parts are.
pub trait Observer: Send {
    /// Whether it must see everything in the order of ticks. If not, stores, departures and
    /// hops may come before their tick and in any order; all else is in order.
    const IS_ORDERED: bool = true;

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
    /// A store that was reported ahead of its tick, [`View::now`] then, does not happen.
    #[inline]
    fn retract_stored(
        &mut self,
        _view: View<'_>,
        _place: Place,
        _packet: PacketView,
        _queue: QueueId,
    ) {
    }
    /// A message was generated, at [`Offered::born`]: reported in that order when it reaches
    /// admittance, where it may be refused; those still on their way there, when a run ends.
    #[inline]
    fn offered(&mut self, _view: View<'_>, _offered: Offered) {}
    /// The tail of a packet was ejected at its destination, at the ingress side of its port.
    #[inline]
    fn ejected(&mut self, _view: View<'_>, _place: Place, _packet: PacketView) {}
}

impl Observer for () {
    const IS_ORDERED: bool = false;

    fn fork(&self) -> Option<()> {
        Some(())
    }
}

/// Both see everything, the first one first.
impl<A: Observer, B: Observer> Observer for (A, B) {
    const IS_ORDERED: bool = A::IS_ORDERED || B::IS_ORDERED;

    fn fork(&self) -> Option<(A, B)> {
        Some((self.0.fork()?, self.1.fork()?))
    }

    fn meet(&mut self, others: &mut [&mut (A, B)]) {
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for (a, b) in others.iter_mut().map(|both| (&mut both.0, &mut both.1)) {
            first.push(a);
            second.push(b);
        }
        self.0.meet(&mut first);
        self.1.meet(&mut second);
    }

    fn merge(&mut self, other: (A, B)) {
        self.0.merge(other.0);
        self.1.merge(other.1);
    }

    #[inline(always)]
    fn event(&mut self, view: View<'_>, place: Place, event: Event) {
        self.0.event(view, place, event);
        self.1.event(view, place, event);
    }

    #[inline]
    fn retract_stored(&mut self, view: View<'_>, place: Place, packet: PacketView, queue: QueueId) {
        self.0.retract_stored(view, place, packet, queue);
        self.1.retract_stored(view, place, packet, queue);
    }

    #[inline]
    fn offered(&mut self, view: View<'_>, offered: Offered) {
        self.0.offered(view, offered);
        self.1.offered(view, offered);
    }

    #[inline]
    fn ejected(&mut self, view: View<'_>, place: Place, packet: PacketView) {
        self.0.ejected(view, place, packet);
        self.1.ejected(view, place, packet);
    }
}
