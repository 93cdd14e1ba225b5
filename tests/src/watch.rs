//! What tests look at: an observer that keeps ejections and events.

use flow_control::Control;
use observe::{Event, Observer, PacketView, Place, Side, View};
use turnpool::Point;
use units::{LineId, QueueId, Tick};

/// A packet as it was ejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ejected {
    /// Tick of its tail.
    pub at: Tick,
    /// When its message was generated.
    pub born: Tick,
    /// Source node.
    pub source: u32,
    /// Destination node.
    pub destination: u32,
    /// Length.
    pub bytes: u32,
    /// Group of flows.
    pub group: u8,
}

/// An event and where it was.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seen {
    /// When.
    pub at: Tick,
    /// Switches first, then end nodes.
    pub element: u32,
    /// Port of the element.
    pub port: u8,
    /// Side of the port.
    pub side: Side,
    /// What.
    pub event: Event,
}

/// Keeps every ejection, and events if asked.
#[derive(Debug, Clone, Default)]
pub struct Watch {
    /// Packets in the order of their ejection.
    pub ejected: Vec<Ejected>,
    /// Events in the order in which they happened.
    pub events: Vec<Seen>,
    keep_events: bool,
}

impl Watch {
    /// Keeps events too.
    pub fn with_events() -> Watch {
        Watch { keep_events: true, ..Watch::default() }
    }
}

impl Observer for Watch {
    fn event(&mut self, view: View<'_>, place: Place, event: Event) {
        if self.keep_events {
            let owner = view.owners[place.port.index()];
            self.events.push(Seen {
                at: view.now,
                element: owner.element.0,
                port: owner.port.0,
                side: place.side,
                event,
            });
        }
    }

    fn ejected(&mut self, view: View<'_>, _place: Place, p: PacketView) {
        let (source, destination, bytes, group) = (p.source, p.destination, p.bytes, p.group);
        self.ejected.push(Ejected {
            at: view.now,
            born: p.born,
            source,
            destination,
            bytes,
            group,
        });
    }
}

/// Events of one side of a port.
pub fn at(events: &[Seen], element: u32, port: u32, side: Side) -> impl Iterator<Item = &Seen> {
    events.iter().filter(move |s| (s.element, u32::from(s.port), s.side) == (element, port, side))
}

/// Control packets other than credits on the link behind a port, with their starts.
pub fn named(events: &[Seen], element: u32, port: u32) -> Vec<(Tick, Control)> {
    let sent = at(events, element, port, Side::Egress).filter_map(|s| match s.event {
        Event::ControlSent(control) => Some((s.at, control)),
        _ => None,
    });
    sent.collect()
}

/// (tick, line, point) of every SAQ allocated at a port.
pub fn allocations(
    events: &[Seen],
    element: u32,
    port: u32,
    side: Side,
) -> Vec<(Tick, LineId, Point)> {
    let made = at(events, element, port, side).filter_map(|s| match s.event {
        Event::SaqAllocated { line, point, .. } => Some((s.at, line, point)),
        _ => None,
    });
    made.collect()
}

/// When SAQs of a port were freed.
pub fn frees(events: &[Seen], element: u32, port: u32, side: Side) -> Vec<Tick> {
    at(events, element, port, side)
        .filter(|s| matches!(s.event, Event::SaqFreed { .. }))
        .map(|s| s.at)
        .collect()
}

/// (tick, packets in the queue then) of every arrival in a queue of switch 0, SAQs that are swapped
/// in aside.
pub fn arrivals(events: &[Seen], port: u32, side: Side, wanted: QueueId) -> Vec<(Tick, u32)> {
    let (mut packets, mut arrivals) = (0, Vec::new());
    for seen in at(events, 0, port, side) {
        match seen.event {
            Event::Stored { queue, .. } if queue == wanted => {
                packets += 1;
                arrivals.push((seen.at, packets));
            }
            Event::Departed { queue, .. } if queue == wanted => packets -= 1,
            _ => {}
        }
    }
    arrivals
}
