//! Statistics of the parts of a fabric put together. Everything is a sum or a maximum of
//! integers: the order does not show.

use super::Stats;
use super::level::SaqLevel;

impl Stats {
    pub(super) fn meet_levels(&mut self, others: &mut [&mut Stats]) {
        let (bin, duration) = (self.config.series_bin, self.config.duration);
        let (mut ingress, mut egress) = (vec![&mut self.ingress], vec![&mut self.egress]);
        for other in others {
            ingress.push(&mut other.ingress);
            egress.push(&mut other.egress);
        }
        SaqLevel::meet(&mut ingress, bin, duration);
        SaqLevel::meet(&mut egress, bin, duration);
    }

    pub(super) fn merge_all(&mut self, mut other: Stats) {
        self.end();
        other.end();
        self.counts.add(other.counts);
        self.drained.add(other.drained);
        self.refused_late += other.refused_late;
        super::sums::add(&mut self.marked, &other.marked);
        self.bytes.merge(&other.bytes);
        self.parts.merge(&other.parts);
        self.offered.merge(&other.offered);
        self.offered_bins.merge(&other.offered_bins);
        self.links.merge(&other.links);
        self.awaited += other.awaited;
        self.latencies.merge(other.latencies);
        self.ingress.merge_peak(&other.ingress);
        self.egress.merge_peak(&other.egress);
        self.injection.merge_peak(&other.injection);
        if let (Some(own), Some(other)) = (&mut self.pauses, &other.pauses) {
            own.merge(other);
        }
        self.flows.merge(other.flows);
        self.bins.merge(&other.bins);
    }
}
