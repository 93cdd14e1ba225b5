//! Observers put together: none, and two.

use crate::event::{Event, Place};
use crate::observer::{Observer, View};
use crate::offered::Offered;
use crate::packet::PacketView;
use units::{ClassId, PortId, QueueId, Span, Tick};

impl Observer for () {
    fn fork(&self) -> Option<()> {
        Some(())
    }

    fn is_ordered(&self) -> bool {
        false
    }
}

/// Both are told everything, the first one first.
impl<A: Observer, B: Observer> Observer for (A, B) {
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

    fn is_ordered(&self) -> bool {
        self.0.is_ordered() || self.1.is_ordered()
    }

    #[inline]
    fn event(&mut self, view: View<'_>, place: Place, event: Event) {
        self.0.event(view, place, event);
        self.1.event(view, place, event);
    }

    #[inline]
    fn stored(&mut self, view: View<'_>, place: Place, packet: PacketView, queue: QueueId) {
        self.0.stored(view, place, packet, queue);
        self.1.stored(view, place, packet, queue);
    }

    #[inline]
    fn retract_stored(&mut self, view: View<'_>, place: Place, packet: PacketView, queue: QueueId) {
        self.0.retract_stored(view, place, packet, queue);
        self.1.retract_stored(view, place, packet, queue);
    }

    #[inline]
    fn departed(
        &mut self,
        view: View<'_>,
        place: Place,
        packet: PacketView,
        queue: QueueId,
        output: PortId,
    ) {
        self.0.departed(view, place, packet, queue, output);
        self.1.departed(view, place, packet, queue, output);
    }

    #[inline]
    fn hop(&mut self, view: View<'_>, place: Place, at: Tick, span: Span) {
        self.0.hop(view, place, at, span);
        self.1.hop(view, place, at, span);
    }

    #[inline]
    fn credit_sent(&mut self, view: View<'_>, place: Place, class: ClassId, cells: u32) {
        self.0.credit_sent(view, place, class, cells);
        self.1.credit_sent(view, place, class, cells);
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
