//! Time that goes on: bins of the series, windows and parts that end.

use super::{Stats, add};
use crate::record::SeriesRow;
use units::{Span, Tick};

/// Bins for which there is room from the start. More than any plot shows; the room of a run of
/// more grows while it runs.
const RESERVED_MAX: u64 = 1 << 16;

/// What each bin had, in two rows of numbers: a bin that is closed allocates nothing.
#[derive(Debug, Clone)]
pub(super) struct Bins {
    /// Numbers of bytes of a bin.
    rows: usize,
    /// Bytes by the end of each bin, then group, victims last.
    bytes: Vec<u64>,
    /// SAQs at ingress and egress ports, then the most at one port of each.
    saqs: Vec<[u32; 4]>,
}

impl Bins {
    /// No bins yet, with room for those of a run.
    pub(super) fn new(rows: usize, duration: Tick, bin: Span) -> Bins {
        // The last one may be cut short.
        let bins = duration.0.div_ceil(bin.0).min(RESERVED_MAX) as usize;
        Bins { rows, bytes: Vec::with_capacity(bins * rows), saqs: Vec::with_capacity(bins) }
    }

    pub(super) fn len(&self) -> usize {
        self.saqs.len()
    }

    pub(super) fn push(&mut self, bytes: impl Iterator<Item = u64>, saqs: [u32; 4]) {
        self.bytes.extend(bytes);
        self.saqs.push(saqs);
    }

    /// Bytes of all groups and of the victims in a bin, and SAQs.
    fn get(&self, bin: usize) -> (Vec<u64>, [u32; 4]) {
        let at = bin * self.rows;
        let before = |row: usize| at.checked_sub(self.rows).map_or(0, |at| self.bytes[at + row]);
        let bytes = (0..self.rows).map(|row| self.bytes[at + row] - before(row));
        (bytes.collect(), self.saqs[bin])
    }

    pub(super) fn saqs_mut(&mut self) -> &mut [[u32; 4]] {
        &mut self.saqs
    }

    /// Adds those of another part; both have all of the run.
    pub(super) fn merge(&mut self, other: &Bins) {
        add(&mut self.bytes, &other.bytes);
        for (saqs, others) in self.saqs.iter_mut().zip(&other.saqs) {
            // Totals come from `SaqLevel::together`.
            for at in [2, 3] {
                saqs[at] = saqs[at].max(others[at]);
            }
        }
    }
}

/// What was offered in each bin, by the tick in which it was generated: messages are told of in
/// that order, but later, when the bin may be closed.
#[derive(Debug, Clone)]
pub(super) struct OfferedBins {
    bin: Span,
    duration: Tick,
    /// Bytes to destinations that are not hot, then all others, replies among them.
    bins: Vec<[u64; 2]>,
}

impl OfferedBins {
    pub(super) fn new(duration: Tick, bin: Span) -> OfferedBins {
        OfferedBins { bin, duration, bins: Vec::new() }
    }

    #[inline]
    pub(super) fn add(&mut self, born: Tick, is_of_victims: bool, bytes: u32) {
        if born < self.duration {
            let bin = (born.0 / self.bin.0) as usize;
            if bin >= self.bins.len() {
                self.bins.resize(bin + 1, [0; 2]);
            }
            self.bins[bin][usize::from(!is_of_victims)] += u64::from(bytes);
        }
    }

    /// Of the victims, and of all.
    pub(super) fn get(&self, bin: usize) -> (u64, u64) {
        let [victims, others] = self.bins.get(bin).copied().unwrap_or_default();
        (victims, victims + others)
    }

    pub(super) fn merge(&mut self, other: &OfferedBins) {
        let most = self.bins.len().max(other.bins.len());
        self.bins.resize(most, [0; 2]);
        for (own, other) in self.bins.iter_mut().zip(&other.bins) {
            add(own, other);
        }
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

    /// The run is over: closes all that there is. Call it after [`Stats::never_arrived`], before
    /// results are read.
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
        let saqs = [
            self.ingress.bin_total,
            self.egress.bin_total,
            self.ingress.bin_max_port,
            self.egress.bin_max_port,
        ];
        let counts = self.bytes.counts();
        let victims = counts.iter().step_by(2).sum();
        let groups = counts.chunks_exact(2).map(|of_group| of_group.iter().sum());
        self.bins.push(groups.chain([victims]), saqs);
        self.ingress.next_bin();
        self.egress.next_bin();
        let start = Tick::ZERO + self.config.series_bin * self.bins.len() as u64;
        self.bin_end = if start < self.config.duration {
            (start + self.config.series_bin).min(self.config.duration)
        } else {
            Tick::MAX
        };
    }

    /// The series; the run has ended.
    pub fn series(&mut self) -> Vec<SeriesRow> {
        let bins = self.bins.len();
        for (level, at) in [(&mut self.ingress, 0), (&mut self.egress, 1)] {
            let together = level.together(bins).unwrap_or_default();
            for (saqs, &total) in self.bins.saqs_mut().iter_mut().zip(together) {
                saqs[at] = total;
            }
        }
        let (time_base, bin) = (self.config.time_base, self.config.series_bin);
        let pauses = self.pauses.as_deref();
        let has_hot = !self.config.hot_destinations.is_empty();
        let row = |k: usize| {
            let (bytes, saqs) = self.bins.get(k);
            let (victims, bytes) = bytes.split_last().expect("victims come last");
            let (victims_offered, offered) = self.offered_bins.get(k);
            let start = Tick::ZERO + bin * k as u64;
            let ns = time_base.span_to_ns(bin.min(self.config.duration - start));
            SeriesRow {
                t_ns: time_base.tick_to_ns(start),
                delivered_bytes_per_ns: bytes.iter().sum::<u64>() as f64 / ns,
                offered_bytes_per_ns: offered as f64 / ns,
                saqs_ingress: saqs[0],
                saqs_egress: saqs[1],
                saqs_ingress_max_port: saqs[2],
                saqs_egress_max_port: saqs[3],
                victims_bytes_per_ns: has_hot.then(|| *victims as f64 / ns),
                victims_offered_bytes_per_ns: has_hot.then(|| victims_offered as f64 / ns),
                pause_ns: pauses.map(|pauses| time_base.span_to_ns(pauses.in_bin(k))),
                groups: bytes.iter().map(|&b| b as f64 / ns).collect(),
            }
        };
        (0..bins).map(row).collect()
    }
}
