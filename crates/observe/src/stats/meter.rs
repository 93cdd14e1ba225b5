//! Counts that run on, read at fixed ticks: what happened in any window between two of them is a
//! difference, so that adjacent windows sum to the whole.

use super::config::Window;
use units::{Tick, Unit, broken};

/// Counts by row, and their values at each cut. A cut at tick `t` lies before the events of `t`.
#[derive(Debug, Clone)]
pub(super) struct Meter {
    /// Sorted and distinct.
    cuts: Box<[Tick]>,
    /// How many of them were taken.
    reached: usize,
    /// The first that was not; [`Tick::MAX`] if all were.
    next: Tick,
    counts: Box<[u64]>,
    /// By cut, then row.
    taken: Vec<u64>,
}

impl Meter {
    /// Nothing counted yet, with room for all cuts.
    pub(super) fn new(cuts: &[Tick], rows: usize) -> Meter {
        Meter {
            cuts: cuts.into(),
            reached: 0,
            next: cuts.first().copied().unwrap_or(Tick::MAX),
            counts: vec![0; rows].into(),
            taken: Vec::with_capacity(cuts.len() * rows),
        }
    }

    #[inline]
    pub(super) fn next(&self) -> Tick {
        self.next
    }

    #[inline]
    pub(super) fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Takes the cuts up to `now`: call it before anything of tick `now` is added.
    #[inline]
    pub(super) fn roll(&mut self, now: Tick) {
        if now >= self.next {
            self.take(now, |_, count, _| count);
        }
    }

    /// Takes the cuts up to `now`, with `value` of (row, count, cut) in the place of the count.
    #[cold]
    pub(super) fn take(&mut self, now: Tick, value: impl Fn(usize, u64, Tick) -> u64) {
        while let Some(&cut) = self.cuts.get(self.reached).filter(|&&cut| cut <= now) {
            let counts = self.counts.iter().enumerate();
            self.taken.extend(counts.map(|(row, &count)| value(row, count, cut)));
            self.reached += 1;
        }
        self.next = self.cuts.get(self.reached).copied().unwrap_or(Tick::MAX);
    }

    #[inline]
    pub(super) fn add(&mut self, row: usize, count: u64) {
        self.counts[row] += count;
    }

    /// What a row counted in the window `[start, end)`, both of them cuts that were taken.
    pub(super) fn between(&self, row: usize, (start, end): Window) -> u64 {
        self.at(row, end) - self.at(row, start)
    }

    fn at(&self, row: usize, tick: Tick) -> u64 {
        let cut = self.cuts.binary_search(&tick);
        match cut.map(|cut| self.taken.get(cut * self.counts.len() + row)) {
            Ok(Some(&count)) => count,
            _ => broken(Unit::Switch { switch: 0 }, tick, &"statistics: no cut here"),
        }
    }

    /// Adds what another part counted; all cuts were taken in both.
    pub(super) fn merge(&mut self, other: &Meter) {
        super::add(&mut self.counts, &other.counts);
        super::add(&mut self.taken, &other.taken);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // "A window is [start, end) ticks. Two adjacent windows sum to the whole."
    #[test]
    fn what_happens_in_the_tick_of_a_cut_is_after_it() {
        let mut meter = Meter::new(&[0, 10, 20].map(Tick), 1);
        for tick in [0, 9, 10, 10, 19, 20] {
            meter.roll(Tick(tick));
            meter.add(0, 1);
        }
        meter.roll(Tick::MAX);
        let spans = [(0, 10), (10, 20), (0, 20)].map(|(start, end)| (Tick(start), Tick(end)));
        assert_eq!(spans.map(|span| meter.between(0, span)), [2, 3, 5]);
    }
}
