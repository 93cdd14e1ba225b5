//! Statistics of a run: throughput, latency, SAQs, protocol counts, over time and in total.

mod bins;
mod frees;
mod latency;
mod level;
mod merge;

use crate::observer::{Observer, Offered, View};
use crate::record::{FlowRow, LatencySummary, RecnCounts, SaqPeaks, SeriesRow};
use bins::Bins;
use flow_control::Control;
use frees::Frees;
pub(super) use frees::is_early;
use latency::Latency;
use level::SaqLevel;
use std::collections::BTreeMap;
use switch::{Event, Packet, PacketId, Place, Side};
use units::{Tick, Ticks, TimeBase};

/// What statistics must know beforehand.
#[derive(Debug, Clone)]
pub struct StatsConfig {
    /// End nodes.
    pub nodes: usize,
    /// Dense number of the first end node's port; those below belong to switches.
    pub first_node_port: u32,
    /// Names of the groups.
    pub groups: Vec<String>,
    /// Measurement starts here.
    pub warmup: Tick,
    /// The run covers ticks `0..duration`.
    pub duration: Tick,
    /// Bin of the series.
    pub series_bin: Ticks,
    /// For conversions.
    pub time_base: TimeBase,
    /// Dense port numbers whose links are measured, sorted.
    pub measured_links: Vec<u32>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Flow {
    packets: u64,
    bytes: u64,
    bytes_measured: u64,
}

/// The default observer.
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
    offered_bytes: u64,
    delivered_bytes: u64,
    group_bytes: Vec<u64>,
    /// By destination, then source; a destination that got nothing has none.
    flows: Vec<Box<[Flow]>>,
    latency: Latency,
    network_latency: Latency,
    ingress: SaqLevel,
    egress: SaqLevel,
    injection: SaqLevel,
    link_ticks: Vec<Ticks>,
    frees: Frees,
    bin_end: Tick,
    bin_bytes: Vec<u64>,
    bins: Bins,
}

impl Stats {
    /// Nothing has happened yet.
    pub fn new(config: StatsConfig) -> Stats {
        let groups = config.groups.len();
        Stats {
            generated: 0,
            delivered: 0,
            refused: 0,
            hops: 0,
            recn: RecnCounts::default(),
            offered_bytes: 0,
            delivered_bytes: 0,
            group_bytes: vec![0; groups],
            flows: vec![Box::default(); config.nodes],
            latency: Latency::new(),
            network_latency: Latency::new(),
            ingress: SaqLevel::new(),
            egress: SaqLevel::new(),
            injection: SaqLevel::new(),
            link_ticks: vec![0; config.measured_links.len()],
            frees: Frees::default(),
            bin_end: config.series_bin,
            bin_bytes: vec![0; groups],
            bins: Bins::new(groups, config.duration, config.series_bin),
            config,
        }
    }

    /// Closes the bins that end by `now`.
    #[inline]
    fn roll(&mut self, now: Tick) {
        while now >= self.bin_end {
            self.close_bin();
        }
    }

    #[cold]
    fn close_bin(&mut self) {
        self.ingress.end_tick();
        self.egress.end_tick();
        let saqs = [
            self.ingress.bin_total,
            self.egress.bin_total,
            self.ingress.bin_max_port,
            self.egress.bin_max_port,
        ];
        self.bins.push(&self.bin_bytes, saqs);
        self.bin_bytes.fill(0);
        self.ingress.next_bin();
        self.egress.next_bin();
        self.bin_end += self.config.series_bin;
    }

    fn level(&mut self, place: Place) -> &mut SaqLevel {
        match place.side {
            Side::Ingress => &mut self.ingress,
            Side::Egress if place.port >= self.config.first_node_port => &mut self.injection,
            Side::Egress => &mut self.egress,
        }
    }

    /// A packet held the link behind `port` for `ticks`, this one the last.
    fn measure_link(&mut self, now: Tick, port: u32, ticks: Ticks) {
        if now >= self.config.warmup
            && let Ok(at) = self.config.measured_links.binary_search(&port)
        {
            self.link_ticks[at] += ticks.min(now + 1 - self.config.warmup);
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

    /// Ticks that are measured.
    fn window(&self) -> Ticks {
        self.config.duration.saturating_sub(self.config.warmup)
    }

    fn rate(&self, bytes: u64) -> Option<f64> {
        let ns = self.config.time_base.ticks_to_ns(self.window());
        (ns > 0.0).then(|| bytes as f64 / ns)
    }

    /// Delivered after warm-up, bytes per ns.
    pub fn delivered_rate(&self) -> Option<f64> {
        self.rate(self.delivered_bytes)
    }

    /// Offered after warm-up, refused included, bytes per ns.
    pub fn offered_rate(&self) -> Option<f64> {
        self.rate(self.offered_bytes)
    }

    /// Delivered bytes per ns of each group.
    pub fn group_rates(&self) -> BTreeMap<String, Option<f64>> {
        let rates = self.group_bytes.iter().map(|&b| self.rate(b));
        self.config.groups.iter().cloned().zip(rates).collect()
    }

    /// Dense port numbers of the measured links.
    pub fn measured(&self) -> Vec<u32> {
        self.config.measured_links.clone()
    }

    /// Part of the measured time that each measured link carried data.
    pub fn link_utilisation(&self) -> Vec<Option<f64>> {
        let window = self.window();
        self.link_ticks
            .iter()
            .map(|&t| (window > 0).then(|| t as f64 / window as f64))
            .collect()
    }

    /// Latency of messages, and from injection on.
    pub fn latencies(&self) -> (LatencySummary, LatencySummary) {
        let time_base = &self.config.time_base;
        (
            self.latency.summary(time_base),
            self.network_latency.summary(time_base),
        )
    }

    /// The most SAQs at any one port.
    pub fn saqs_peak(&self) -> SaqPeaks {
        SaqPeaks {
            ingress: self.ingress.peak_port,
            egress: self.egress.peak_port,
            injection: self.injection.peak_port,
        }
    }

    /// Jain's index over the measured bytes of the flows that `sends` names.
    pub fn fairness_jain(&self, sends: impl Fn(usize, usize) -> bool) -> Option<f64> {
        let (mut n, mut sum, mut squares) = (0u64, 0u128, 0u128);
        for (source, destination, flow) in self.all_flows() {
            if sends(source, destination) {
                n += 1;
                sum += u128::from(flow.bytes_measured);
                squares += u128::from(flow.bytes_measured).pow(2);
            }
        }
        (squares > 0).then(|| (sum as f64).powi(2) / (n as f64 * squares as f64))
    }

    /// The series; the run has ended.
    pub fn series(&mut self) -> Vec<SeriesRow> {
        let bin = self.config.series_bin;
        let bins = self.bins_in_run();
        self.close_bins(bins);
        for (level, at) in [(&mut self.ingress, 0), (&mut self.egress, 1)] {
            let together = level.together(bins).unwrap_or_default();
            for (saqs, &total) in self.bins.saqs_mut().iter_mut().zip(together) {
                saqs[at] = total;
            }
        }
        let time_base = self.config.time_base;
        let row = |k: usize| {
            let (bytes, saqs) = self.bins.get(k);
            let start = k as u64 * bin;
            let ns = time_base.ticks_to_ns(bin.min(self.config.duration - start));
            SeriesRow {
                t_ns: time_base.ticks_to_ns(start),
                delivered_bytes_per_ns: bytes.iter().sum::<u64>() as f64 / ns,
                saqs_ingress: saqs[0],
                saqs_egress: saqs[1],
                saqs_ingress_max_port: saqs[2],
                saqs_egress_max_port: saqs[3],
                groups: bytes.iter().map(|&b| b as f64 / ns).collect(),
            }
        };
        (0..bins).map(row).collect()
    }

    /// Bins of the whole run.
    fn bins_in_run(&self) -> usize {
        self.config.duration.div_ceil(self.config.series_bin) as usize
    }

    /// Closes bins until there are this many.
    fn close_bins(&mut self, bins: usize) {
        while self.bins.len() < bins {
            self.close_bin();
        }
    }

    /// Flows by source, then destination.
    fn all_flows(&self) -> impl Iterator<Item = (usize, usize, Flow)> + '_ {
        (0..self.config.nodes).flat_map(move |source| {
            let row = self.flows.iter().enumerate();
            row.map(move |(destination, flows)| {
                let flow = flows.get(source).copied().unwrap_or_default();
                (source, destination, flow)
            })
        })
    }

    /// Flows that delivered anything, by source, then destination.
    pub fn flows(&self) -> Vec<FlowRow> {
        self.all_flows()
            .filter(|(_, _, flow)| flow.packets > 0)
            .map(|(source, destination, flow)| FlowRow {
                source: source as u32,
                destination: destination as u32,
                packets: flow.packets,
                bytes: flow.bytes,
                bytes_measured: flow.bytes_measured,
                starved: false,
            })
            .collect()
    }

    /// The flow of a packet; the first packet makes room for all flows to its destination.
    #[inline]
    fn flow_of(&mut self, packet: &Packet) -> &mut Flow {
        let flows = &mut self.flows[packet.destination as usize];
        if flows.is_empty() {
            *flows = vec![Flow::default(); self.config.nodes].into();
        }
        &mut flows[packet.source as usize]
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
        // A tail that leaves after the run is not in it.
        if at >= self.config.duration {
            return;
        }
        self.hops += 1;
        if !self.link_ticks.is_empty() {
            self.measure_link(at, place.port, ticks);
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
        }
        if offered.born >= self.config.warmup {
            self.offered_bytes += u64::from(offered.bytes);
        }
    }

    #[inline]
    fn prefetch_ejection(&self, packet: &Packet) {
        prefetch::nth(
            &self.flows[packet.destination as usize],
            packet.source as usize,
        );
    }

    #[inline]
    fn ejected(&mut self, view: View<'_>, _place: Place, packet: &Packet) {
        self.roll(view.now);
        let bytes = u64::from(packet.bytes);
        self.delivered += 1;
        self.bin_bytes[usize::from(packet.group)] += bytes;
        let measured = view.now >= self.config.warmup;
        let flow = self.flow_of(packet);
        flow.packets += 1;
        flow.bytes += bytes;
        if measured {
            flow.bytes_measured += bytes;
            self.delivered_bytes += bytes;
            self.group_bytes[usize::from(packet.group)] += bytes;
        }
        if packet.born >= self.config.warmup {
            if packet.last {
                self.latency.record(view.now - packet.born);
            }
            self.network_latency.record(view.now - packet.injected);
        }
    }
}
