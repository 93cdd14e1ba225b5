//! What tests read: an observer that keeps what it sees.

use fabric::{Engine, Fabric};
use observe::{Event, Observer, Offered, PacketView, Place, Side, View};
use plan::FabricConfig;
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

/// Element (switches first, then end nodes), its port, and the side of that.
pub type Port = (u32, u8, Side);

/// An event and where it was.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seen {
    /// When.
    pub at: Tick,
    /// Where.
    pub port: Port,
    /// What.
    pub event: Event,
}

/// Keeps everything, events only if asked: a fabric is compiled anew for each type of observer, so
/// that this one is all that tests of one thread have.
#[derive(Debug, Clone, Default)]
pub struct Watch {
    /// Messages in the order in which they came to admittance.
    pub offered: Vec<Offered>,
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

    /// What is seen of the fast engine up to tick `until`.
    #[must_use]
    pub fn of(self, config: &FabricConfig, until: Tick) -> Watch {
        let mut fabric = Fabric::new(config, Engine::Fast, self).expect("a legal configuration");
        fabric.run_until(until).expect("no deadlock");
        fabric.observer
    }
}

impl Observer for Watch {
    fn event(&mut self, view: View<'_>, place: Place, event: Event) {
        if self.keep_events {
            let owner = view.owners[place.port.index()];
            let port = (owner.element.0, owner.port.0, place.side);
            self.events.push(Seen { at: view.now, port, event });
        }
    }

    fn offered(&mut self, _: View<'_>, offered: Offered) {
        self.offered.push(offered);
    }

    fn ejected(&mut self, view: View<'_>, _: Place, packet: PacketView) {
        self.ejected.push(Moment { at: view.now, packet });
    }
}
