//! Time that goes on: bins of the series, windows and parts that end.

use super::Stats;
use super::results::FlowSet;
use crate::record::SeriesRow;
use units::Tick;

impl Stats {
    /// Closes all that ends by `now`: call it before anything of tick `now` is counted.
    #[inline]
    pub(super) fn roll(&mut self, now: Tick) {
        if now >= self.bytes.next() {
            self.cut(now);
        }
    }

    #[cold]
    fn cut(&mut self, now: Tick) {
        while now >= self.bin_end {
            self.close_bin();
        }
        self.bytes.roll(now);
        self.is_measuring = self.config.is_measured(now);
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

    fn close_bin(&mut self) {
        self.ingress.end_tick();
        self.egress.end_tick();
        self.bins.push([
            self.ingress.bin_total,
            self.egress.bin_total,
            self.ingress.bin_max_port,
            self.egress.bin_max_port,
        ]);
        self.ingress.next_bin();
        self.egress.next_bin();
        let (start, end) = self.config.bin(self.bins.len() as u64);
        self.bin_end = if start < self.config.duration { end } else { Tick::MAX };
    }

    /// The series; the run has ended.
    pub fn series(&mut self) -> Vec<SeriesRow> {
        let bins = self.bins.len();
        for (level, at) in [(&mut self.ingress, 0), (&mut self.egress, 1)] {
            let together = level.together(bins).unwrap_or_default();
            for (saqs, &total) in self.bins.iter_mut().zip(together) {
                saqs[at] = total;
            }
        }
        (0..bins).map(|bin| self.series_row(bin)).collect()
    }

    fn series_row(&self, k: usize) -> SeriesRow {
        let (time_base, bin, saqs) =
            (self.config.time_base, self.config.bin(k as u64), self.bins[k]);
        let ns = time_base.span_to_ns(bin.1 - bin.0);
        let delivered = |set| self.bytes_delivered(set, bin) as f64 / ns;
        let offered = |set| self.bytes_offered(set, bin) as f64 / ns;
        let has_hot = !self.config.hot_destinations.is_empty();
        let pauses = self.pauses.as_deref();
        let groups = 0..self.config.groups.len();
        SeriesRow {
            t_ns: time_base.tick_to_ns(bin.0),
            delivered_bytes_per_ns: delivered(FlowSet::All),
            offered_bytes_per_ns: offered(FlowSet::All),
            saqs_ingress: saqs[0],
            saqs_egress: saqs[1],
            saqs_ingress_max_port: saqs[2],
            saqs_egress_max_port: saqs[3],
            victims_bytes_per_ns: has_hot.then(|| delivered(FlowSet::Victims)),
            victims_offered_bytes_per_ns: has_hot.then(|| offered(FlowSet::Victims)),
            pause_ns: pauses.map(|pauses| time_base.span_to_ns(pauses.in_bin(k))),
            groups: groups.map(|group| delivered(FlowSet::Group(group))).collect(),
        }
    }
}
