//! Statistics as an observer.

use super::level::SaqLevel;
use super::pauses::{Request, Way};
use super::{Stats, row};
use crate::event::{Event, Offered, Place};
use crate::observer::{Observer, View};
use crate::packet::{PacketKind, PacketView};
use units::Tick;

impl Observer for Stats {
    const IS_ORDERED: bool = false;

    fn fork(&self) -> Option<Stats> {
        Some(Stats::new(self.config.clone()))
    }

    fn meet(&mut self, others: &mut [&mut Stats]) {
        let (bin, duration) = (self.config.series_bin, self.config.duration);
        let (mut ingress, mut egress) = (vec![&mut self.ingress], vec![&mut self.egress]);
        for other in others {
            ingress.push(&mut other.ingress);
            egress.push(&mut other.egress);
        }
        SaqLevel::meet(&mut ingress, bin, duration);
        SaqLevel::meet(&mut egress, bin, duration);
    }

    /// Everything is a sum or a maximum of integers: the order of the parts does not show.
    fn merge(&mut self, mut other: Stats) {
        self.end();
        other.end();
        self.counts += other.counts;
        self.drained += other.drained;
        self.refused_late += other.refused_late;
        super::add(&mut self.marked, &other.marked);
        self.bytes.merge(&other.bytes);
        self.parts.merge(&other.parts);
        self.offered.merge(&other.offered);
        self.offered_bins.merge(&other.offered_bins);
        self.delivered_bins.merge(&other.delivered_bins);
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
        for (own, other) in self.saqs.iter_mut().zip(&other.saqs) {
            // Totals come from `SaqLevel::together`.
            for at in [2, 3] {
                own[at] = own[at].max(other[at]);
            }
        }
    }

    #[inline(always)]
    fn event(&mut self, view: View<'_>, place: Place, event: Event) {
        match event {
            // At every hop: values in registers, not a packet in memory.
            Event::Stored { packet, .. } => {
                if let Some(pauses) = &mut self.pauses {
                    let way = Way { output: packet.output, vc: packet.next_vc };
                    pauses.stored(place, packet.id(), Request { vc: packet.vc, way });
                }
            }
            Event::Departed { packet, .. } => {
                if let Some(pauses) = &mut self.pauses {
                    pauses.departed(place, packet.id());
                }
            }
            Event::Hop { at, span } => {
                self.at(at).hops += 1;
                self.links.add(place.port, at.next() - span, span);
            }
            Event::Moved { .. } | Event::CreditSent { .. } => {}
            Event::Lost { packet } => {
                self.at(view.now).lost += 1;
                self.will_not_arrive(packet);
            }
            Event::Stranded { packet, .. } => {
                self.at(view.now).stranded += 1;
                self.will_not_arrive(packet);
            }
            other => self.saq_event(view, place, other),
        }
    }

    #[inline]
    fn offered(&mut self, view: View<'_>, offered: Offered) {
        let is_reply = offered.kind == PacketKind::Reply;
        if offered.refused {
            self.count_refused(view.now, offered);
            // The request waits for it no more.
            let asked = is_reply && self.config.is_measured(offered.asked);
            self.awaited -= i64::from(asked);
        } else {
            self.at(offered.born).generated += u64::from(offered.packets);
            if !is_reply {
                self.awaited += self.awaited_for(offered.group, offered.born);
            }
        }
        // Reported in the order of generation, each as much later as the stages of injection take.
        self.offered.roll(offered.born);
        let hot = self.flows.hot(offered.destination);
        let row = match is_reply {
            true => self.reply_row(),
            false => row(offered.group, hot),
        };
        self.offered.add(row, u64::from(offered.bytes));
        if offered.born < self.config.duration {
            // Reported later than it was generated, when its bin may be closed.
            let bin = (offered.born.0 / self.config.series_bin.0) as usize;
            let of_victims = !is_reply && hot == 0;
            let row = usize::from(!of_victims);
            self.offered_bins.add(bin, row, offered.bytes.into());
        }
    }

    #[inline]
    fn ejected(&mut self, view: View<'_>, _place: Place, packet: PacketView) {
        self.roll(view.now);
        if matches!(packet.kind, PacketKind::Ack | PacketKind::Cnp) {
            return self.answer_ejected(view.now, packet.kind);
        }
        let is_of_run = view.now < self.config.duration;
        self.marked[usize::from(packet.group)] += u64::from(packet.mark && is_of_run);
        let counted = [is_of_run, self.is_measuring];
        let (hot, is_late) = self.flows.add(&packet, view.now, counted);
        let counts = self.at(view.now);
        counts.delivered += 1;
        counts.out_of_order += u64::from(is_late);
        let row = row(packet.group, hot);
        self.bytes.add(row, u64::from(packet.bytes));
        match packet.kind {
            PacketKind::Data => {
                if let Some(cell) = self.latencies.cell(packet.born, row) {
                    if packet.last {
                        cell.messages.record(view.now - packet.born);
                    }
                    cell.packets.record(view.now - packet.injected);
                }
            }
            PacketKind::Reply => self.reply_ejected(view.now, packet),
            PacketKind::Ack | PacketKind::Cnp => {}
        }
    }
}

impl Stats {
    #[inline(never)]
    fn answer_ejected(&mut self, now: Tick, kind: PacketKind) {
        let counts = self.at(now);
        match kind {
            PacketKind::Cnp => counts.cnps_delivered += 1,
            _ => counts.acks_delivered += 1,
        }
    }

    /// The row of replies among those offered: they are in no group's load.
    pub(super) fn reply_row(&self) -> usize {
        self.config.groups.len() * 2
    }

    /// A round trip belongs to the request: to its row, and to the tick of its generation.
    fn reply_ejected(&mut self, now: Tick, packet: PacketView) {
        if packet.last {
            let row = row(packet.group, self.flows.hot(packet.source));
            if let Some(cell) = self.latencies.cell(packet.asked, row) {
                cell.round_trips().record(now - packet.asked);
            }
        }
    }
}
