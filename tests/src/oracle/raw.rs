//! Raw events, written down as they come.

use crate::watch::Moment;
use flow_control::Control;
use observe::{Event, Observer, Offered, PacketView, Place, Side, View};
use turnpool::Point;
use units::{Span, Tick, WireId};

/// A SAQ that was allocated or freed.
#[derive(Debug, Clone, Copy)]
pub(super) struct SaqChange {
    /// When.
    pub(super) at: Tick,
    /// Where.
    pub(super) place: Place,
    /// Whether it is the injection side of an end node.
    pub(super) injection: bool,
    /// Its point.
    pub(super) point: Point,
    /// Allocated; else freed.
    pub(super) allocated: bool,
    /// SAQs in use at the place after it, as the event says.
    pub(super) in_use: u32,
}

/// Events of the protocol that are counted.
#[derive(Debug, Clone, Default)]
pub(super) struct Protocol {
    /// Allocations that found no free SAQ.
    pub(super) refusals: u64,
    /// Xoff and Xon without an exact match.
    pub(super) ignored: u64,
    /// Control packets on links, credits aside.
    pub(super) sent: Vec<Control>,
    /// Messages inside switches.
    pub(super) internal: Vec<Control>,
}

/// Everything that happened, in the order in which it did.
#[derive(Debug, Clone, Default)]
pub(super) struct Raw {
    /// Elements below this number are switches, the others end nodes.
    switches: u32,
    /// From then on the run drains.
    until: Tick,
    /// Messages that were generated.
    pub(super) offered: Vec<Offered>,
    /// Packets stored at the injection side of an end node: admitted.
    pub(super) admitted: Vec<Moment>,
    /// Packets that started on an injection link.
    pub(super) injected: Vec<Moment>,
    /// Packets whose tail was ejected.
    pub(super) ejected: Vec<Moment>,
    /// Wire that ends at the port, tick in which a tail leaves, time that the packet holds the
    /// link.
    pub(super) hops: Vec<(WireId, Tick, Span)>,
    /// SAQs allocated and freed.
    pub(super) saqs: Vec<SaqChange>,
    /// Up to the duration, and while the run drains.
    pub(super) protocol: [Protocol; 2],
}

impl Observer for Raw {
    fn event(&mut self, view: View<'_>, place: Place, event: Event) {
        let protocol = &mut self.protocol[usize::from(view.now >= self.until)];
        let element = view.owners[place.port.index()].element;
        let injection = place.side == Side::Egress && element.0 >= self.switches;
        match event {
            Event::Stored { packet, .. } if injection => {
                self.admitted.push(Moment { at: view.now, packet });
            }
            Event::Departed { packet, .. } if injection => {
                self.injected.push(Moment { at: view.now, packet });
            }
            Event::Stored { .. } | Event::Departed { .. } | Event::Moved { .. } => {}
            Event::Hop { at, span } => self.hops.push((place.port, at, span)),
            Event::SaqAllocated { point, in_use, .. } => {
                self.saq(view.now, place, injection, (point, true, in_use));
            }
            Event::SaqFreed { point, in_use, .. } => {
                self.saq(view.now, place, injection, (point, false, in_use));
            }
            Event::SaqRefused(_) => protocol.refusals += 1,
            Event::Ignored(_) => protocol.ignored += 1,
            Event::CreditSent { .. } | Event::Swapped { .. } => {}
            Event::Entry { .. } | Event::Paused { .. } => {}
            Event::Lost { .. } | Event::Stranded { .. } => {}
            Event::ControlSent(control) => protocol.sent.push(control),
            Event::Internal(control) => protocol.internal.push(control),
        }
    }

    fn offered(&mut self, _: View<'_>, offered: Offered) {
        self.offered.push(offered);
    }

    fn ejected(&mut self, view: View<'_>, _: Place, packet: PacketView) {
        self.ejected.push(Moment { at: view.now, packet });
    }
}

impl Raw {
    /// Nothing has happened yet in a fabric of so many switches, whose run ends `until` then.
    pub(super) fn new(switches: usize, until: Tick) -> Raw {
        Raw { switches: switches as u32, until, ..Raw::default() }
    }

    fn saq(&mut self, at: Tick, place: Place, injection: bool, saq: (Point, bool, u32)) {
        let (point, allocated, in_use) = saq;
        self.saqs.push(SaqChange { at, place, injection, point, allocated, in_use });
    }
}
