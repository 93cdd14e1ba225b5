//! Observers: statistics, traces and checks hang on fixed hook points and change nothing.

use crate::wires::Owner;
use flow_control::Control;
use switch::{Event, Packet, PacketId, Packets, Place};
use units::{Tick, Ticks};

/// What an observer may look up.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// The tick of what is told: the present one, or a past one ([`Observer::IN_ORDER`]).
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
///
/// Every packet passes `stored`, `departed`, `hop` and `credit_sent` in every hop: unless an observer has a short way for
/// them, they come to [`Observer::event`] like all else.
///
/// On several threads every part of a fabric has an observer of its own, which sees all events of its ports, and those alone.
/// An observer can be split if what it says follows from that, whatever the parts are.
pub trait Observer: Send {
    /// Whether it must be told of stores and credit packets in the tick in which they happen. Else it may be told when somebody
    /// looks at what they changed, with the tick in [`View::now`] (decision 0015).
    const IN_ORDER: bool = true;
    /// An observer for another part, asked for before the first tick; it has seen nothing. `None`: this one must see all events,
    /// and the fabric runs on one thread.
    fn fork(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }
    /// All parts have come to the same tick, this one and the others: called before the first tick, and whenever a piece of the
    /// run ends. For what needs all parts and cannot wait for the end.
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
    /// [`Event::Stored`].
    #[inline]
    fn stored(&mut self, view: View<'_>, place: Place, packet: PacketId, queue: u16) {
        self.event(view, place, Event::Stored { packet, queue });
    }
    /// [`Event::Departed`].
    #[inline]
    fn departed(&mut self, view: View<'_>, place: Place, packet: PacketId, queue: u16, output: u8) {
        self.event(
            view,
            place,
            Event::Departed {
                packet,
                queue,
                output,
            },
        );
    }
    /// [`Event::Hop`].
    #[inline]
    fn hop(&mut self, view: View<'_>, place: Place, at: Tick, ticks: Ticks) {
        self.event(view, place, Event::Hop { at, ticks });
    }
    /// [`Event::ControlSent`] of a credit.
    #[inline]
    fn credit_sent(&mut self, view: View<'_>, place: Place, class: u16, cells: u32) {
        self.event(
            view,
            place,
            Event::ControlSent(Control::Credit { class, cells }),
        );
    }
    /// A message was generated, at [`Offered::born`]: told in that order when it comes to admittance, where it may be refused. Those
    /// that are on their way there when a run ends are told then.
    #[inline]
    fn offered(&mut self, _view: View<'_>, _offered: Offered) {}
    /// The tail of a packet was ejected at its destination, at the ingress side of its port.
    #[inline]
    fn ejected(&mut self, _view: View<'_>, _place: Place, _packet: &Packet) {}
    /// A packet will be ejected soon: asks for what that touches of a table too large for the cache, if there is one. Only large
    /// fabrics call it.
    #[inline]
    fn prefetch_ejection(&self, _packet: &Packet) {}
}

impl Observer for () {
    const IN_ORDER: bool = false;
    fn fork(&self) -> Option<()> {
        Some(())
    }
}

/// Both are told everything, the first one first.
impl<A: Observer, B: Observer> Observer for (A, B) {
    const IN_ORDER: bool = A::IN_ORDER || B::IN_ORDER;
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
    #[inline]
    fn event(&mut self, view: View<'_>, place: Place, event: Event) {
        self.0.event(view, place, event);
        self.1.event(view, place, event);
    }
    #[inline]
    fn stored(&mut self, view: View<'_>, place: Place, packet: PacketId, queue: u16) {
        self.0.stored(view, place, packet, queue);
        self.1.stored(view, place, packet, queue);
    }
    #[inline]
    fn departed(&mut self, view: View<'_>, place: Place, packet: PacketId, queue: u16, output: u8) {
        self.0.departed(view, place, packet, queue, output);
        self.1.departed(view, place, packet, queue, output);
    }
    #[inline]
    fn hop(&mut self, view: View<'_>, place: Place, at: Tick, ticks: Ticks) {
        self.0.hop(view, place, at, ticks);
        self.1.hop(view, place, at, ticks);
    }
    #[inline]
    fn credit_sent(&mut self, view: View<'_>, place: Place, class: u16, cells: u32) {
        self.0.credit_sent(view, place, class, cells);
        self.1.credit_sent(view, place, class, cells);
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
    #[inline]
    fn prefetch_ejection(&self, packet: &Packet) {
        self.0.prefetch_ejection(packet);
        self.1.prefetch_ejection(packet);
    }
}
