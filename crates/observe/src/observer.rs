//! The trait, and what comes with what an observer is told.

use endnode::Offered;
use switch::{Event, Packet, Packets, Place};
use units::{ClassId, ElementId, PacketId, PortId, QueueId, Span, Tick};

/// The element and the port that a wire number stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Owner {
    /// Switches first, then end nodes.
    pub element: ElementId,
    /// Port of the element; 0 for an end node.
    pub port: PortId,
}

/// What an observer may look up.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// The present tick.
    pub now: Tick,
    /// All packets.
    pub packets: &'a Packets,
    /// Whose ports they are, by wire.
    pub owners: &'a [Owner],
}

/// The hook points. All do nothing unless an observer says otherwise.
///
/// An observer is told of everything in the tick in which it happens; of one port in the order in
/// which it happens there.
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
    /// Something happened at a port. Packets that it names are in [`View::packets`], also one that
    /// is lost or stranded.
    #[inline]
    fn event(&mut self, _view: View<'_>, _place: Place, _event: Event) {}
    /// [`Event::Stored`].
    #[inline]
    fn stored(&mut self, view: View<'_>, place: Place, packet: PacketId, queue: QueueId) {
        self.event(view, place, Event::Stored { packet, queue });
    }
    /// [`Event::Departed`].
    #[inline]
    fn departed(
        &mut self,
        view: View<'_>,
        place: Place,
        packet: PacketId,
        queue: QueueId,
        output: PortId,
    ) {
        let event = Event::Departed {
            packet,
            queue,
            output,
        };
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
    fn ejected(&mut self, _view: View<'_>, _place: Place, _packet: &Packet) {}
    /// A packet will be ejected soon: asks for what that touches of a table too large for the
    /// cache, if there is one. Only large fabrics call it.
    #[inline]
    fn prefetch_ejection(&self, _packet: &Packet) {}
}

/// Whether an event tells of SAQs or of messages about them, not of packets and credit.
pub(crate) fn is_of_saqs(event: &Event) -> bool {
    match event {
        Event::ControlSent(_)
        | Event::SaqAllocated { .. }
        | Event::SaqFreed { .. }
        | Event::Swapped { .. }
        | Event::SaqRefused(_)
        | Event::Internal(_)
        | Event::Ignored(_) => true,
        Event::Stored { .. }
        | Event::Moved { .. }
        | Event::Departed { .. }
        | Event::Hop { .. }
        | Event::CreditSent { .. }
        | Event::Entry { .. }
        | Event::Paused { .. }
        | Event::Lost { .. }
        | Event::Stranded { .. } => false,
    }
}
