//! How long named links carried data.

use super::cuts::Window;
use super::meter::Meter;
use units::{Span, Tick, WireId};

/// Ticks in which links carried a packet, counted by tick: a packet that spans a cut is split
/// there.
#[derive(Debug, Clone)]
pub(super) struct Links {
    /// The ports that send, sorted.
    ports: Box<[WireId]>,
    /// End of the last transfer of each. A link carries one packet at a time.
    busy_until: Box<[Tick]>,
    meter: Meter,
}

impl Links {
    pub(super) fn new(edges: &[Tick], ports: &[WireId]) -> Links {
        Links {
            ports: ports.into(),
            busy_until: vec![Tick::ZERO; ports.len()].into(),
            meter: Meter::new(edges, ports.len()),
        }
    }

    /// Whether none is measured.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.ports.is_empty()
    }

    /// A packet starts on the link behind `port` in tick `start`, and is on it for `span`.
    pub(super) fn add(&mut self, port: WireId, start: Tick, span: Span) {
        if let Ok(at) = self.ports.binary_search(&port) {
            self.roll(start);
            self.meter.add(at, span.0);
            self.busy_until[at] = start + span;
        }
    }

    /// Takes the cuts up to `now`. What is on a link was counted whole: what of it is after a
    /// cut is taken off.
    pub(super) fn roll(&mut self, now: Tick) {
        let busy = &self.busy_until;
        if now >= self.meter.next() {
            self.meter
                .take(now, |link, ticks, cut| ticks - busy[link].since(cut).0);
        }
    }

    /// Part of a window that a link carried data; `None` of an empty window, and of a link that is
    /// not measured.
    pub(super) fn utilisation(&self, port: WireId, window: Window) -> Option<f64> {
        let at = self.ports.binary_search(&port).ok()?;
        let (start, end) = window;
        let ticks = end.since(start).0;
        (ticks > 0).then(|| self.meter.between(at, window) as f64 / ticks as f64)
    }

    /// Adds what was counted in another part.
    pub(super) fn merge(&mut self, other: &Links) {
        self.meter.merge(&other.meter);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // "A transfer that spans a boundary is split by ticks", also one that is longer than a window.
    #[test]
    fn a_transfer_over_a_cut_is_split() {
        let link = WireId(7);
        let mut links = Links::new(&[0, 10, 15, 20].map(Tick), &[link]);
        links.add(link, Tick(2), Span(4));
        links.add(link, Tick(8), Span(10));
        links.roll(Tick::MAX);
        let used = |start, end| links.utilisation(link, (Tick(start), Tick(end)));
        assert_eq!(used(0, 10), Some(0.6));
        assert_eq!(used(10, 15), Some(1.0));
        assert_eq!(used(15, 20), Some(0.6));
        assert_eq!(used(0, 20), Some(0.7));
        assert_eq!(used(10, 10), None);
        assert_eq!(links.utilisation(WireId(8), (Tick(0), Tick(10))), None);
    }
}
