//! What tests look at: an observer that keeps ejections and events.

use observe::{Event, Observer, PacketView, Place, Side, View};
use std::ops::Deref;
use units::Tick;

/// A packet at one moment of its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// When.
    pub at: Tick,
    /// As it was then.
    pub packet: PacketView,
}

impl Moment {
    /// Source and destination.
    pub fn flow(&self) -> (u32, u32) {
        (self.source, self.destination)
    }
}

impl Deref for Moment {
    type Target = PacketView;

    fn deref(&self) -> &PacketView {
        &self.packet
    }
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
    /// Packets in the order of their ejection: ticks of their tails.
    pub ejected: Vec<Moment>,
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

    fn ejected(&mut self, view: View<'_>, _: Place, packet: PacketView) {
        self.ejected.push(Moment { at: view.now, packet });
    }
}
