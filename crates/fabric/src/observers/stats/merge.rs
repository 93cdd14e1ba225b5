//! Statistics of the parts of a fabric put together. Everything is a sum or a maximum of integers: the order does not show.

use super::Stats;
use super::level::SaqLevel;
use crate::record::RecnCounts;

impl Stats {
    pub(super) fn meet_levels(&mut self, others: &mut [&mut Stats]) {
        let bin = self.config.series_bin;
        let (mut ingress, mut egress) = (vec![&mut self.ingress], vec![&mut self.egress]);
        for other in others {
            ingress.push(&mut other.ingress);
            egress.push(&mut other.egress);
        }
        SaqLevel::meet(&mut ingress, bin);
        SaqLevel::meet(&mut egress, bin);
    }

    pub(super) fn merge_all(&mut self, mut other: Stats) {
        self.generated += other.generated;
        self.delivered += other.delivered;
        self.refused += other.refused;
        self.hops += other.hops;
        self.offered_bytes += other.offered_bytes;
        self.delivered_bytes += other.delivered_bytes;
        add(&mut self.group_bytes, &other.group_bytes);
        add(&mut self.link_ticks, &other.link_ticks);
        merge_counts(&mut self.recn, other.recn);
        self.latency.merge(&other.latency);
        self.network_latency.merge(&other.network_latency);
        self.ingress.merge_peak(&other.ingress);
        self.egress.merge_peak(&other.egress);
        self.injection.merge_peak(&other.injection);
        // A destination is in one part.
        for (own, others) in self.flows.iter_mut().zip(other.flows.drain(..)) {
            if own.is_empty() {
                *own = others;
            }
        }
        self.merge_bins(other);
    }

    fn merge_bins(&mut self, mut other: Stats) {
        let bins = self
            .bins
            .len()
            .max(other.bins.len())
            .max(self.bins_in_run());
        self.close_bins(bins);
        other.close_bins(bins);
        self.bins.merge(&other.bins);
    }
}

pub(super) fn add(own: &mut [u64], others: &[u64]) {
    for (own, others) in own.iter_mut().zip(others) {
        *own += others;
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
