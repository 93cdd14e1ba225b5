//! What tests look at: an observer that keeps ejections and events.

use observe::{Event, Observer, PacketView, Place, Side, View};
use units::Tick;

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
