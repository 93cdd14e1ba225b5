//! How long named links carried data.

use super::config::Window;
use units::{Span, Tick, WireId};

/// Ticks in which links carried a packet, counted by tick: a packet that spans a cut is split
/// there. Transfers may be reported in any order.
#[derive(Debug, Clone)]
pub(super) struct Links {
    /// By wire, up to the last one that is measured: its place among those, if it is one.
    places: Box<[Option<u32>]>,
    /// How many are measured.
    measured: usize,
    /// Sorted and distinct.
    cuts: Box<[Tick]>,
    /// By time between cuts, from before the first to after the last, then place.
    ticks: Vec<u64>,
}

impl Links {
    /// Of the links behind these ports, sorted.
    pub(super) fn new(cuts: &[Tick], ports: &[WireId]) -> Links {
        let mut places = vec![None; ports.last().map_or(0, |last| last.0 as usize + 1)];
        for (at, port) in ports.iter().enumerate() {
            places[port.0 as usize] = Some(at as u32);
        }
        Links {
            places: places.into(),
            measured: ports.len(),
            cuts: cuts.into(),
            ticks: vec![0; (cuts.len() + 1) * ports.len()],
        }
    }

    #[inline]
    fn place(&self, port: WireId) -> Option<usize> {
        self.places.get(port.0 as usize)?.map(|at| at as usize)
    }

    /// A packet starts on the link behind `port` in tick `start`, and is on it for `span`.
    #[inline]
    pub(super) fn add(&mut self, port: WireId, start: Tick, span: Span) {
        if let Some(at) = self.place(port) {
            self.add_at(at, start, span);
        }
    }

    fn add_at(&mut self, at: usize, start: Tick, span: Span) {
        let (mut from, end) = (start, start + span);
        let mut cut = self.cuts.partition_point(|&cut| cut <= from);
        while from < end {
            let to = self.cuts.get(cut).map_or(end, |&cut| cut.min(end));
            self.ticks[cut * self.measured + at] += (to - from).0;
            from = to;
            cut += 1;
        }
    }

    /// Part of a window between cuts that a link carried data; `None` if empty or not measured.
    pub(super) fn utilisation(&self, port: WireId, (start, end): Window) -> Option<f64> {
        let at = self.place(port)?;
        let [from, to] = [start, end].map(|edge| self.cuts.partition_point(|&cut| cut <= edge));
        let parts = self.ticks.chunks(self.measured);
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
