//! The course of time: bins of the series, windows and parts that end.

use super::{Stats, add};
use crate::record::SeriesRow;
use std::ops::Range;
use units::{Span, Tick};

/// Bins for which there is room from the start; more grow while a run goes on.
const RESERVED_MAX: u64 = 1 << 16;

/// How many of the bins of a run have room from the start; the last one may be cut short.
pub(super) fn bins_reserved(duration: Tick, bin: Span) -> usize {
    duration.0.div_ceil(bin.0).min(RESERVED_MAX) as usize
}

/// What was counted in each bin, by row.
#[derive(Debug, Clone, Default)]
pub(super) struct Bins {
    rows: usize,
    counts: Vec<u64>,
}

impl Bins {
    /// Nothing counted yet, with room for the bins of a run.
    pub(super) fn new(rows: usize, duration: Tick, bin: Span) -> Bins {
        Bins { rows, counts: Vec::with_capacity(bins_reserved(duration, bin) * rows) }
    }

    #[inline]
    pub(super) fn add(&mut self, bin: usize, row: usize, count: u64) {
        let at = bin * self.rows;
        if at >= self.counts.len() {
            self.counts.resize(at + self.rows, 0);
        }
        self.counts[at + row] += count;
    }

    pub(super) fn get(&self, bin: usize, row: usize) -> u64 {
        self.counts.get(bin * self.rows + row).copied().unwrap_or(0)
    }

    pub(super) fn merge(&mut self, other: &Bins) {
        let most = self.counts.len().max(other.counts.len());
        self.counts.resize(most, 0);
        add(&mut self.counts, &other.counts);
    }
}

impl Stats {
    /// Closes all that ends by `now`: call it before anything of tick `now` is counted.
    #[inline]
    pub(super) fn roll(&mut self, now: Tick) {
        if now >= self.next_cut {
            self.cut(now);
        }
    }

    #[cold]
    fn cut(&mut self, now: Tick) {
        while now >= self.bin_end {
            self.close_bin();
        }
        self.bytes.roll(now);
        if now >= self.parts.next() {
            let counts = self.bytes.counts();
            let sum = |hot, _, _| counts.iter().skip(hot).step_by(2).sum();
            self.parts.take(now, sum);
        }
        self.is_measuring = self.config.is_measured(now);
        self.next_cut = self.bin_end.min(self.bytes.next()).min(self.parts.next());
    }

    /// The run is over: after [`Stats::never_arrived`], before results are read.
    pub fn end(&mut self) {
        // No bin, window or part ends later.
        let last = self.config.duration;
        self.cut(last);
        self.offered.roll(last);
        if let Some(pauses) = &mut self.pauses {
            pauses.end();
        }
    }

    #[cold]
    pub(super) fn close_bin(&mut self) {
        self.ingress.end_tick();
        self.egress.end_tick();
        for (row, bytes) in self.bytes.counts().iter().enumerate() {
            self.delivered_bins.add(self.saqs.len(), row, *bytes);
        }
        let (ingress, egress) = (&self.ingress, &self.egress);
        self.saqs.push([
            ingress.bin_total,
            egress.bin_total,
            ingress.bin_max_port,
            egress.bin_max_port,
        ]);
        self.ingress.next_bin();
        self.egress.next_bin();
        let start = Tick::ZERO + self.config.series_bin * self.saqs.len() as u64;
        self.bin_end = if start < self.config.duration {
            (start + self.config.series_bin).min(self.config.duration)
        } else {
            Tick::MAX
        };
    }

    /// The series; the run has ended.
    pub fn series(&mut self) -> Vec<SeriesRow> {
        let bins = self.saqs.len();
        for (level, at) in [(&mut self.ingress, 0), (&mut self.egress, 1)] {
            let together = level.together(bins).unwrap_or_default();
            for (saqs, &total) in self.saqs.iter_mut().zip(together) {
                saqs[at] = total;
            }
        }
        let (time_base, bin) = (self.config.time_base, self.config.series_bin);
        let pauses = self.pauses.as_deref();
        let has_hot = !self.config.hot_destinations.is_empty();
        let groups = self.config.groups.len();
        let row = |(k, saqs): (usize, &[u32; 4])| {
            let delivered = |rows: Range<usize>, step: usize| -> u64 {
                let by_end_of = |bin| -> u64 {
                    let rows = rows.clone().step_by(step);
                    rows.map(|row| self.delivered_bins.get(bin, row)).sum()
                };
                by_end_of(k) - k.checked_sub(1).map_or(0, by_end_of)
            };
            let [offered_victims, offered_others] = [0, 1].map(|row| self.offered_bins.get(k, row));
            let start = Tick::ZERO + bin * k as u64;
            let ns = time_base.span_to_ns(bin.min(self.config.duration - start));
            SeriesRow {
                t_ns: time_base.tick_to_ns(start),
                delivered_bytes_per_ns: delivered(0..groups * 2, 1) as f64 / ns,
                offered_bytes_per_ns: (offered_victims + offered_others) as f64 / ns,
                saqs_ingress: saqs[0],
                saqs_egress: saqs[1],
                saqs_ingress_max_port: saqs[2],
                saqs_egress_max_port: saqs[3],
                victims_bytes_per_ns: has_hot.then(|| delivered(0..groups * 2, 2) as f64 / ns),
                victims_offered_bytes_per_ns: has_hot.then(|| offered_victims as f64 / ns),
                pause_ns: pauses.map(|pauses| time_base.span_to_ns(pauses.in_bin(k))),
                groups: (0..groups).map(|g| delivered(g * 2..g * 2 + 2, 1) as f64 / ns).collect(),
            }
        };
        self.saqs.iter().enumerate().map(row).collect()
    }
}
