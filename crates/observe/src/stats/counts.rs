//! Counts of packets, apart for the run and for what follows to drain.

use super::Stats;
use crate::event::Offered;
use crate::record::RecnCounts;
use units::Tick;

/// What is counted of all packets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Packets generated, refused not included.
    pub generated: u64,
    /// Packets ejected.
    pub delivered: u64,
    /// Packets refused at the source.
    pub refused: u64,
    /// Packets lost to faults.
    pub lost: u64,
    /// Packets removed since no port led to their destination.
    pub stranded: u64,
    /// Packets ejected after one of their flow with a higher number.
    pub out_of_order: u64,
    /// Packet-hops.
    pub hops: u64,
    /// ACKs ejected.
    pub acks_delivered: u64,
    /// CNPs ejected.
    pub cnps_delivered: u64,
    /// Protocol counts.
    pub recn: RecnCounts,
}

impl Counts {
    /// Packets that were generated and have neither been ejected nor lost.
    pub fn in_flight(&self) -> u64 {
        self.generated - self.delivered - self.lost - self.stranded
    }

    /// Adds others.
    pub(super) fn add(&mut self, other: Counts) {
        let Counts {
            generated,
            delivered,
            refused,
            lost,
            stranded,
            out_of_order,
            hops,
            acks_delivered,
            cnps_delivered,
            recn,
        } = other;
        self.generated += generated;
        self.delivered += delivered;
        self.refused += refused;
        self.lost += lost;
        self.stranded += stranded;
        self.out_of_order += out_of_order;
        self.hops += hops;
        self.acks_delivered += acks_delivered;
        self.cnps_delivered += cnps_delivered;
        self.recn.add(recn);
    }
}

impl RecnCounts {
    fn add(&mut self, other: RecnCounts) {
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
        self.allocations += allocations;
        self.refusals += refusals;
        self.frees += frees;
        self.early_frees += early_frees;
        self.notifications += notifications;
        self.xoffs += xoffs;
        self.xons += xons;
        self.tokens += tokens;
        self.nacks += nacks;
        self.internal_notifications += internal_notifications;
        self.internal_xoffs += internal_xoffs;
        self.internal_xons += internal_xons;
        self.internal_tokens += internal_tokens;
        self.ignored += ignored;
    }
}

impl Stats {
    /// Those of a tick: of the run, or of what follows to drain.
    #[inline]
    pub(super) fn at(&mut self, tick: Tick) -> &mut Counts {
        match tick < self.config.duration {
            true => &mut self.counts,
            false => &mut self.drained,
        }
    }

    /// What comes to admittance later than the run ends is on its way at its end.
    #[inline(never)]
    pub(super) fn count_refused(&mut self, now: Tick, offered: Offered) {
        let (end, packets) = (self.config.duration, u64::from(offered.packets));
        if offered.born < end && now >= end {
            self.counts.generated += packets;
            self.refused_late += packets;
        } else {
            self.at(offered.born).refused += packets;
        }
    }

    /// From tick 0 to the duration.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// To the end, drain included.
    pub fn counts_with_drain(&self) -> Counts {
        let mut all = self.counts;
        all.add(self.drained);
        all.generated -= self.refused_late;
        all.refused += self.refused_late;
        all
    }
}
