//! Counts of packets, apart for the run and for what follows to drain, and what has not arrived.

use super::{PauseCount, Stats, row};
use crate::event::Offered;
use crate::packet::{PacketKind, PacketView};
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
}

/// `+=` of counts, field by field: one that is left out does not compile.
macro_rules! add_fields {
    ($of:ident: $($field:ident),*) => {
        impl std::ops::AddAssign for $of {
            fn add_assign(&mut self, other: $of) {
                let $of { $($field),* } = other;
                $(self.$field += $field;)*
            }
        }
    };
}

add_fields!(Counts: generated, delivered, refused, lost, stranded, out_of_order, hops,
    acks_delivered, cnps_delivered, recn);
add_fields!(RecnCounts: allocations, refusals, frees, early_frees, notifications, xoffs, xons,
    tokens, nacks, internal_notifications, internal_xoffs, internal_xons, internal_tokens, ignored);
add_fields!(PauseCount: pauses, paused, sent, repeated, spread);

/// A message that has not arrived, or a packet of one that is in the network. Of a message whose
/// last packet is in the network that packet counts for both. A reply that waits for its delay has
/// not arrived either.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outstanding {
    /// Source node.
    pub source: u32,
    /// Destination node.
    pub destination: u32,
    /// Its group.
    pub group: u8,
    /// Whether it is a reply.
    pub kind: PacketKind,
    /// When the message was generated.
    pub born: Tick,
    /// Of a reply: when the request was generated.
    pub asked: Tick,
    /// It is the message, or its last packet.
    pub is_message: bool,
    /// When the packet started on its injection link, if it has.
    pub injected: Option<Tick>,
}

impl Stats {
    /// Messages generated in the measured time and not refused, and replies to them, less those
    /// that have arrived or were lost. Of all parts together it is not below zero.
    pub fn measured_underway(&self) -> i128 {
        let arrived = self.latencies.arrived(self.config.measured());
        i128::from(self.awaited) - i128::from(arrived)
    }

    /// When anything of a flow was delivered last.
    pub fn last_delivery(&self, source: u32, destination: u32) -> Option<Tick> {
        let flow = self.flows.of(source, destination);
        (flow.packets > 0).then_some(flow.last)
    }

    /// What has not arrived when the run ends counts with its age.
    pub fn never_arrived(&mut self, what: &Outstanding, end: Tick) {
        match what.kind {
            PacketKind::Data => self.request_never_arrived(what, end),
            PacketKind::Reply if what.is_message => {
                let row = row(what.group, self.flows.hot(what.source));
                if let Some(cell) = self.latencies.cell(what.asked, row) {
                    cell.round_trips().record_undelivered(end - what.asked);
                }
            }
            PacketKind::Reply | PacketKind::Ack | PacketKind::Cnp => {}
        }
    }

    fn request_never_arrived(&mut self, what: &Outstanding, end: Tick) {
        let row = row(what.group, self.flows.hot(what.destination));
        let Some(cell) = self.latencies.cell(what.born, row) else {
            return;
        };
        if what.is_message {
            cell.messages.record_undelivered(end - what.born);
            if self.config.asks(what.group) {
                cell.round_trips().record_undelivered(end - what.born);
            }
        }
        if let Some(injected) = what.injected {
            cell.packets.record_undelivered(end - injected);
        }
    }

    /// A packet will not arrive: its message is no longer outstanding.
    pub(super) fn will_not_arrive(&mut self, packet: PacketView) {
        if packet.last {
            self.awaited -= match packet.kind {
                PacketKind::Data => self.awaited_for(packet.group, packet.born),
                PacketKind::Reply => i64::from(self.config.is_measured(packet.asked)),
                PacketKind::Ack | PacketKind::Cnp => 0,
            };
        }
    }

    /// How much is to come for a message of a group generated in tick `born`: itself, and a reply.
    pub(super) fn awaited_for(&self, group: u8, born: Tick) -> i64 {
        if self.config.is_measured(born) { 1 + i64::from(self.config.asks(group)) } else { 0 }
    }

    /// Those of a tick: of the run, or of what follows to drain.
    #[inline]
    pub(super) fn at(&mut self, tick: Tick) -> &mut Counts {
        match tick < self.config.duration {
            true => &mut self.counts,
            false => &mut self.drained,
        }
    }

    /// What would reach admittance after the end of the run is in flight at its end.
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
        all += self.drained;
        all.generated -= self.refused_late;
        all.refused += self.refused_late;
        all
    }
}
