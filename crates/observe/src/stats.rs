//! Statistics of a run: throughput, latency, SAQs, protocol counts, over time and in total.

mod bins;
mod config;
mod cuts;
mod flows;
mod frees;
mod latencies;
mod latency;
mod level;
mod links;
mod merge;
mod meter;
#[cfg(test)]
mod page;
mod results;
mod series;
mod steady;

pub use config::StatsConfig;
pub(crate) use config::named_links;
pub(crate) use results::FlowSet;

use crate::observer::{Observer, Offered, View};
use crate::outstanding::Outstanding;
use crate::record::RecnCounts;
use bins::Bins;
use flow_control::Control;
use flows::Flows;
use frees::Frees;
pub(super) use frees::is_early;
use latencies::Latencies;
use level::SaqLevel;
use links::Links;
use meter::Meter;
use switch::{Event, Packet, PacketId, Place, Side};
use units::{Tick, Ticks};

/// The default observer.
///
/// Bytes and latencies are counted by row: two for each group, that of flows to destinations that are not hot (victims), then
/// that of flows to hot ones.
#[derive(Debug, Clone)]
pub struct Stats {
    config: StatsConfig,
    /// Packets generated, refused not included.
    pub generated: u64,
    /// Packets ejected.
    pub delivered: u64,
    /// Packets refused at the source.
    pub refused: u64,
    /// Packet-hops.
    pub hops: u64,
    /// Protocol counts.
    pub recn: RecnCounts,
    /// The next tick at which a bin, a span or a part ends.
    next_cut: Tick,
    /// The present tick is measured.
    measuring: bool,
    /// Bytes delivered by row, cut at the edges of spans.
    bytes: Meter,
    /// Bytes delivered to destinations that are not hot, then to hot ones, cut at the edges of parts.
    parts: Meter,
    /// Bytes offered by row, by the tick of their generation.
    offered: Meter,
    links: Links,
    flows: Flows,
    latencies: Latencies,
    /// Messages generated in the measured time and not refused.
    measured_messages: u64,
    ingress: SaqLevel,
    egress: SaqLevel,
    injection: SaqLevel,
    frees: Frees,
    bin_end: Tick,
    /// Bytes of each group by the end of the last bin, and in it.
    bin_counts: Vec<(u64, u64)>,
    bins: Bins,
    /// Tails that leave before it are in the run as far as it is known.
    horizon: Tick,
    /// When tails leave that have started and leave later.
    late_hops: Vec<Tick>,
}

/// The row of a packet or message.
#[inline]
fn row(group: u8, hot: usize) -> usize {
    usize::from(group) * 2 + hot
}

impl Stats {
    /// Nothing has happened yet.
    pub fn new(config: StatsConfig) -> Stats {
        let groups = config.groups.len();
        let (edges, rows) = (config.edges(), groups * 2);
        let mut spans = config.windows.clone();
        spans.push(config.measured());
        let parts = Meter::new(&config.part_edges(), 2);
        let bytes = Meter::new(&edges, rows);
        let bin_end = config.series_bin.min(config.duration);
        Stats {
            generated: 0,
            delivered: 0,
            refused: 0,
            hops: 0,
            recn: RecnCounts::default(),
            next_cut: 0,
            measuring: false,
            bytes,
            parts,
            offered: Meter::new(&edges, rows),
            links: Links::new(&edges, &config.measured_links),
            flows: Flows::new(config.nodes, &config.hot_destinations),
            latencies: Latencies::new(&edges, &spans, rows),
            measured_messages: 0,
            ingress: SaqLevel::new(),
            egress: SaqLevel::new(),
            injection: SaqLevel::new(),
            frees: Frees::default(),
            bin_end,
            bin_counts: vec![(0, 0); groups],
            bins: Bins::new(groups, config.duration, config.series_bin),
            horizon: config.duration,
            late_hops: Vec::new(),
            config,
        }
    }

    /// Closes all that ends by `now`: call it before anything of tick `now` is counted.
    #[inline]
    fn roll(&mut self, now: Tick) {
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
        let measured = self.config.measured();
        self.measuring = (measured.0..measured.1).contains(&now);
        self.next_cut = self.bin_end.min(self.bytes.next()).min(self.parts.next());
    }

    /// The run is over: closes all that there is.
    pub(crate) fn end(&mut self) {
        // No bin, span or part ends later.
        let last = self.config.duration;
        self.cut(last);
        self.offered.roll(last);
        self.links.roll(last);
    }

    /// The run goes on, at least to `horizon`.
    pub(crate) fn extend(&mut self, horizon: Tick) {
        self.horizon = horizon;
        let before = self.late_hops.len();
        self.late_hops.retain(|&at| at >= horizon);
        self.hops += (before - self.late_hops.len()) as u64;
    }

    #[cold]
    fn late_hop(&mut self, at: Tick) {
        if self.config.drains {
            self.late_hops.push(at);
        }
    }

    /// Messages generated in the measured time and not refused, less those that have arrived.
    pub(crate) fn measured_underway(&self) -> i128 {
        let arrived = self.latencies.arrived(self.config.measured());
        i128::from(self.measured_messages) - i128::from(arrived)
    }

    /// When anything of a flow was delivered last.
    pub(crate) fn last_delivery(&self, source: u32, destination: u32) -> Option<Tick> {
        let flow = self.flows.of(source, destination);
        (flow.packets > 0).then_some(flow.last)
    }

    /// What has not arrived when the run ends counts with its age.
    pub(crate) fn never_arrived(&mut self, what: &Outstanding, end: Tick) {
        let row = row(what.group, self.flows.hot(what.destination));
        let Some(cell) = self.latencies.cell(what.born, row) else {
            return;
        };
        if what.is_message {
            cell.messages.record_undelivered(end - what.born);
        }
        if let Some(injected) = what.injected {
            cell.packets.record_undelivered(end - injected);
        }
    }

    fn level(&mut self, place: Place) -> &mut SaqLevel {
        match place.side {
            Side::Ingress => &mut self.ingress,
            Side::Egress if place.port >= self.config.first_node_port => &mut self.injection,
            Side::Egress => &mut self.egress,
        }
    }

    fn saq_event(&mut self, view: View<'_>, place: Place, event: Event) {
        self.roll(view.now);
        match event {
            Event::SaqAllocated { point, in_use, .. } => {
                self.recn.allocations += 1;
                let time_base = &self.config.time_base;
                let early = self.frees.allocated(place, point, view.now, time_base);
                self.recn.early_frees += u64::from(early);
                self.level(place).change(view.now, in_use, true);
            }
            Event::SaqFreed { point, in_use, .. } => {
                self.recn.frees += 1;
                let time_base = &self.config.time_base;
                self.frees.freed(place, point, view.now, time_base);
                self.level(place).change(view.now, in_use, false);
            }
            Event::SaqRefused(_) => self.recn.refusals += 1,
            Event::Ignored(_) => self.recn.ignored += 1,
            Event::ControlSent(control) => match control {
                Control::Notification(_) => self.recn.notifications += 1,
                Control::Xoff(_) => self.recn.xoffs += 1,
                Control::Xon(_) => self.recn.xons += 1,
                Control::Token(_) => self.recn.tokens += 1,
                Control::Nack(_) => self.recn.nacks += 1,
                Control::Credit { .. } => {}
            },
            Event::Internal(control) => match control {
                Control::Notification(_) => self.recn.internal_notifications += 1,
                Control::Xoff(_) => self.recn.internal_xoffs += 1,
                Control::Xon(_) => self.recn.internal_xons += 1,
                Control::Token(_) => self.recn.internal_tokens += 1,
                Control::Nack(_) | Control::Credit { .. } => {}
            },
            Event::Stored { .. }
            | Event::Moved { .. }
            | Event::Departed { .. }
            | Event::Hop { .. } => {}
        }
    }
}

impl Observer for Stats {
    const IN_ORDER: bool = false;

    fn fork(&self) -> Option<Stats> {
        Some(Stats::new(self.config.clone()))
    }

    fn meet(&mut self, others: &mut [&mut Stats]) {
        self.meet_levels(others);
    }

    fn merge(&mut self, other: Stats) {
        self.merge_all(other);
    }

    #[inline]
    fn event(&mut self, view: View<'_>, place: Place, event: Event) {
        match event {
            Event::Stored { .. }
            | Event::Moved { .. }
            | Event::Departed { .. }
            | Event::ControlSent(Control::Credit { .. }) => {}
            Event::Hop { at, ticks } => self.hop(view, place, at, ticks),
            other => self.saq_event(view, place, other),
        }
    }

    #[inline]
    fn stored(&mut self, _: View<'_>, _: Place, _: PacketId, _: u16) {}

    #[inline]
    fn departed(&mut self, _: View<'_>, _: Place, _: PacketId, _: u16, _: u8) {}

    #[inline]
    fn hop(&mut self, _: View<'_>, place: Place, at: Tick, ticks: Ticks) {
        if at < self.horizon {
            self.hops += 1;
        } else {
            self.late_hop(at);
        }
        if !self.links.is_empty() {
            self.links.add(place.port, at + 1 - ticks, ticks);
        }
    }

    #[inline]
    fn credit_sent(&mut self, _: View<'_>, _: Place, _: u16, _: u32) {}

    #[inline]
    fn offered(&mut self, _view: View<'_>, offered: Offered) {
        if offered.refused {
            self.refused += u64::from(offered.packets);
        } else {
            self.generated += u64::from(offered.packets);
            let (start, end) = self.config.measured();
            self.measured_messages += u64::from((start..end).contains(&offered.born));
        }
        // Told in the order of generation, each as much later as the stages of injection take.
        self.offered.roll(offered.born);
        let row = row(offered.group, self.flows.hot(offered.destination));
        self.offered.add(row, u64::from(offered.bytes));
    }

    #[inline]
    fn prefetch_ejection(&self, packet: &Packet) {
        self.flows.prefetch(packet.source, packet.destination);
    }

    #[inline]
    fn ejected(&mut self, view: View<'_>, _place: Place, packet: &Packet) {
        self.roll(view.now);
        let bytes = u64::from(packet.bytes);
        let flow = (packet.source, packet.destination);
        self.delivered += 1;
        let hot = self.flows.add(flow, view.now, bytes, self.measuring);
        let row = row(packet.group, hot);
        self.bytes.add(row, bytes);
        if let Some(cell) = self.latencies.cell(packet.born, row) {
            if packet.last {
                cell.messages.record(view.now - packet.born);
            }
            cell.packets.record(view.now - packet.injected);
        }
    }
}
