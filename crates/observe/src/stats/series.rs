//! The series of a run: bins that are closed as it goes on.

use super::Stats;
use crate::record::SeriesRow;
use units::Tick;

impl Stats {
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
        let counts = groups.chain([victims]);
        for ((total, in_bin), count) in self.bin_counts.iter_mut().zip(counts) {
            *in_bin = count - *total;
            *total = count;
        }
        let in_bin = self.bin_counts.iter().map(|(_, in_bin)| *in_bin);
        self.bins.push(in_bin, saqs);
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
