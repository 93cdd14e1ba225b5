//! How long named links carried data.

use super::config::Window;
use units::{Span, Tick, WireId};

/// Ticks in which links carried a packet, counted by tick: a packet that spans a cut is split
/// there. Transfers may be reported in any order.
#[derive(Debug, Clone)]
pub(super) struct Links {
    /// The ports that send, sorted.
    ports: Box<[WireId]>,
    /// Sorted and distinct.
    cuts: Box<[Tick]>,
    /// By time between cuts, from before the first to after the last, then port.
    ticks: Vec<u64>,
}

impl Links {
    pub(super) fn new(cuts: &[Tick], ports: &[WireId]) -> Links {
        Links {
            ports: ports.into(),
            cuts: cuts.into(),
            ticks: vec![0; (cuts.len() + 1) * ports.len()],
        }
    }

    /// Whether none is measured.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.ports.is_empty()
    }

    /// A packet starts on the link behind `port` in tick `start`, and is on it for `span`.
    pub(super) fn add(&mut self, port: WireId, start: Tick, span: Span) {
        let Ok(at) = self.ports.binary_search(&port) else {
            return;
        };
        let (mut from, end) = (start, start + span);
        let mut cut = self.cuts.partition_point(|&cut| cut <= from);
        while from < end {
            let to = self.cuts.get(cut).map_or(end, |&cut| cut.min(end));
            self.ticks[cut * self.ports.len() + at] += (to - from).0;
            from = to;
            cut += 1;
        }
    }

    /// Part of a window that a link carried data; `None` of an empty window, and of a link that is
    /// not measured. Windows start and end at cuts.
    pub(super) fn utilisation(&self, port: WireId, (start, end): Window) -> Option<f64> {
        let at = self.ports.binary_search(&port).ok()?;
        let [from, to] = [start, end].map(|edge| self.cuts.partition_point(|&cut| cut <= edge));
        let parts = self.ticks.chunks(self.ports.len());
        let busy: u64 = parts.take(to).skip(from).map(|part| part[at]).sum();
        let ticks = end.since(start).0;
        (ticks > 0).then(|| busy as f64 / ticks as f64)
    }

    pub(super) fn merge(&mut self, other: &Links) {
        super::add(&mut self.ticks, &other.ticks);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // "A transfer that spans a boundary is split by ticks", also one that is longer than a window;
    // in any order.
    #[test]
    fn a_transfer_over_a_cut_is_split() {
        let link = WireId(7);
        let mut links = Links::new(&[0, 10, 15, 20].map(Tick), &[link]);
        links.add(link, Tick(8), Span(10));
        links.add(link, Tick(2), Span(4));
        let used = |start, end| links.utilisation(link, (Tick(start), Tick(end)));
        assert_eq!(used(0, 10), Some(0.6));
        assert_eq!(used(10, 15), Some(1.0));
        assert_eq!(used(15, 20), Some(0.6));
        assert_eq!(used(0, 20), Some(0.7));
        assert_eq!(used(10, 10), None);
        assert_eq!(links.utilisation(WireId(8), (Tick(0), Tick(10))), None);
    }
}
