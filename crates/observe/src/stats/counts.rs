//! Counts of packets, apart for the run and for what follows to drain.

use super::Stats;
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

    /// From tick 0 to the duration.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// To the end, drain included.
    pub fn counts_with_drain(&self) -> Counts {
        let mut all = self.counts;
        all.add(self.drained);
        all
    }
}
