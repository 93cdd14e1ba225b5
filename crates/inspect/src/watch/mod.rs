//! What happens to one packet or one port, as events of `tracing`.
//!
//! A [`Watch`] notes in words what happens to what was selected; [`emit`] writes it between two
//! pieces of a run, in the order of ticks, then places: the same for any engine and threads.

mod queues;
mod selection;
mod words;

pub(crate) use selection::whole;
pub use selection::{AbsentUnit, Selection, SelectionError};
pub use words::emit;
pub(crate) use words::sender;

use crate::points::Points;
use observe::{Event, Observer, Offered, PacketKey, PacketView, Place, Side, View};
use queues::{Id, Queues};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use topology::Network;
use turnpool::Point;
use units::{LineId, PortId, Tick, TimeBase, Unit, WireId};
use words::Line;

/// Configuration of a watch.
#[derive(Debug, Clone)]
pub struct WatchConfig {
    /// What is watched.
    pub selections: Vec<Selection>,
    /// For the roots of congestion trees.
    pub network: Arc<Network>,
    /// For conversions.
    pub time_base: TimeBase,
    /// Normal queues by wire, then side: SAQs have the numbers behind them.
    pub normal_queues: Vec<[u32; 2]>,
}

/// The observer.
#[derive(Debug, Clone)]
pub struct Watch {
    config: Arc<WatchConfig>,
    points: Points,
    /// When watched packets were stored where they are.
    since: BTreeMap<(Place, Id), Tick>,
    saqs: BTreeMap<(Place, LineId), Point>,
    queues: Queues,
    lines: Vec<Line>,
    /// Selections that something has happened to.
    seen: BTreeSet<usize>,
}

impl Watch {
    /// Nothing has happened yet.
    pub fn new(config: WatchConfig) -> Watch {
        Watch::of(Arc::new(config))
    }

    fn of(config: Arc<WatchConfig>) -> Watch {
        Watch {
            points: Points::new(config.network.clone()),
            config,
            since: BTreeMap::new(),
            saqs: BTreeMap::new(),
            queues: Queues::default(),
            lines: Vec::new(),
            seen: BTreeSet::new(),
        }
    }

    /// Selections that nothing has happened to, once the run is over.
    pub fn unseen(&self) -> impl Iterator<Item = &Selection> {
        let selections = self.config.selections.iter().enumerate();
        selections.filter(|(at, _)| !self.seen.contains(at)).map(|(_, selection)| selection)
    }

    fn is_watched(&mut self, unit: Unit, to: Option<PortId>, packet: Option<PacketKey>) -> bool {
        let mut any = false;
        for (at, selection) in self.config.selections.iter().enumerate() {
            if selection.has(unit, to.map(|port| port.0), packet) {
                any = true;
                self.seen.insert(at);
            }
        }
        any
    }

    /// Watched packets that an event makes heads of their queues.
    fn note_heads(&mut self, view: View<'_>, place: Place, event: Event) {
        let config = &self.config;
        if !config.selections.iter().any(Selection::is_a_packet) {
            return;
        }
        let is_watched = |key| config.selections.contains(&Selection::Packet(key));
        for (id, at) in self.queues.event(place, event, is_watched) {
            let (tick, unit, packet) = (view.now, self.unit(view, place), Some(id.0));
            self.lines.push(Line { tick, place, unit, packet, words: self.head(tick, at, id) });
        }
    }

    fn unit(&self, view: View<'_>, place: Place) -> Unit {
        self.points.unit(view, place)
    }
}

impl Observer for Watch {
    fn fork(&self) -> Option<Watch> {
        Some(Watch::of(self.config.clone()))
    }

    fn merge(&mut self, other: Watch) {
        self.lines.extend(other.lines);
        self.seen.extend(other.seen);
    }

    fn event(&mut self, view: View<'_>, place: Place, event: Event) {
        match event {
            Event::SaqAllocated { line, point, .. } => {
                self.saqs.insert((place, line), point);
            }
            Event::SaqFreed { line, .. } => {
                self.saqs.remove(&(place, line));
            }
            _ => {}
        }
        let (packet, to) = match event {
            Event::Departed { packet, output, .. } => (Some(packet), Some(output)),
            Event::Stored { packet, .. }
            | Event::Moved { packet, .. }
            | Event::Lost { packet }
            | Event::Stranded { packet, .. } => (Some(packet), None),
            _ => (None, None),
        };
        let key = packet.map(|packet: PacketView| packet.key());
        let unit = self.unit(view, place);
        if self.is_watched(unit, to, key) {
            let words = self.words(view, place, unit, event);
            self.lines.push(Line { tick: view.now, place, unit, packet: key, words });
        }
        self.note_heads(view, place, event);
    }

    fn offered(&mut self, view: View<'_>, offered: Offered) {
        let unit = Unit::Node { node: offered.source };
        if self.is_watched(unit, None, None) {
            let graph = self.config.network.graph();
            let place = Place {
                port: WireId::at(graph.ports_total() + offered.source as usize),
                side: Side::Ingress,
            };
            let words = words::offered(&offered, &self.ns(offered.born.0));
            self.lines.push(Line { tick: view.now, place, unit, packet: None, words });
        }
    }

    fn ejected(&mut self, view: View<'_>, place: Place, packet: PacketView) {
        let (unit, key) = (self.unit(view, place), packet.key());
        if self.is_watched(unit, None, Some(key)) {
            let [latency, network] = [packet.born, packet.injected]
                .map(|from| self.ns(view.now.0.saturating_sub(from.0)));
            let words = ("ejected", format!("ejected, latency {latency} ns, network {network}"));
            self.lines.push(Line { tick: view.now, place, unit, packet: Some(key), words });
        }
    }
}
