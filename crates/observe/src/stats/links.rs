//! How long named links carried data.

use super::cuts::Span;
use super::meter::Meter;
use units::{Tick, Ticks};

/// Ticks in which links carried a packet, counted by tick: a packet that spans a cut is split there.
#[derive(Debug, Clone)]
pub(super) struct Links {
    /// Dense port numbers, sorted.
    ports: Box<[u32]>,
    /// End of the last transfer of each. A link carries one packet at a time.
    busy_until: Box<[Tick]>,
    meter: Meter,
}

impl Links {
    pub(super) fn new(edges: &[Tick], ports: &[u32]) -> Links {
        Links {
            ports: ports.into(),
            busy_until: vec![0; ports.len()].into(),
            meter: Meter::new(edges, ports.len()),
        }
    }

    /// Whether none is measured.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.ports.is_empty()
    }

    /// A packet starts on the link behind `port` in tick `start`, and is on it for `ticks`.
    pub(super) fn add(&mut self, port: u32, start: Tick, ticks: Ticks) {
        if let Ok(at) = self.ports.binary_search(&port) {
            self.roll(start);
            self.meter.add(at, ticks);
            self.busy_until[at] = start + ticks;
        }
    }

    /// Takes the cuts up to `now`. What is on a link was counted whole: what of it is after a cut is taken off.
    pub(super) fn roll(&mut self, now: Tick) {
        let busy = &self.busy_until;
        if now >= self.meter.next() {
            self.meter.take(now, |link, ticks, cut| {
                ticks - busy[link].saturating_sub(cut)
            });
        }
    }

    /// Part of a span that a link carried data; `None` of an empty span, and of a link that is not measured.
    pub(super) fn utilisation(&self, port: u32, span: Span) -> Option<f64> {
        let at = self.ports.binary_search(&port).ok()?;
        (span.1 > span.0).then(|| self.meter.between(at, span) as f64 / (span.1 - span.0) as f64)
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
        let mut links = Links::new(&[0, 10, 15, 20], &[7]);
        links.add(7, 2, 4);
        links.add(7, 8, 10);
        links.roll(Tick::MAX);
        let used = |span| links.utilisation(7, span);
        assert_eq!(used((0, 10)), Some(0.6));
        assert_eq!(used((10, 15)), Some(1.0));
        assert_eq!(used((15, 20)), Some(0.6));
        assert_eq!(used((0, 20)), Some(0.7));
        assert_eq!(used((10, 10)), None);
        assert_eq!(links.utilisation(8, (0, 10)), None);
    }
}
