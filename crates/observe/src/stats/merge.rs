//! Statistics of the parts of a fabric put together. Everything is a sum or a maximum of
//! integers: the order does not show.

use super::Stats;
use super::level::SaqLevel;
use crate::record::RecnCounts;

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
        super::sums::add(&mut self.marked, &other.marked);
        self.bytes.merge(&other.bytes);
        self.parts.merge(&other.parts);
        self.offered.merge(&other.offered);
        self.offered_bins.merge(&other.offered_bins);
        self.links.merge(&other.links);
        self.awaited += other.awaited;
        merge_counts(&mut self.recn, other.recn);
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

fn merge_counts(own: &mut RecnCounts, other: RecnCounts) {
    let RecnCounts {
        allocations,
        refusals,
        frees,
        early_frees,
        notifications,
        xoffs,
        xons,
        tokens,
        nacks,
        internal_notifications,
        internal_xoffs,
        internal_xons,
        internal_tokens,
        ignored,
    } = other;
    own.allocations += allocations;
    own.refusals += refusals;
    own.frees += frees;
    own.early_frees += early_frees;
    own.notifications += notifications;
    own.xoffs += xoffs;
    own.xons += xons;
    own.tokens += tokens;
    own.nacks += nacks;
    own.internal_notifications += internal_notifications;
    own.internal_xoffs += internal_xoffs;
    own.internal_xons += internal_xons;
    own.internal_tokens += internal_tokens;
    own.ignored += ignored;
}
