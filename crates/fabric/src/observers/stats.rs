//! Statistics of a run: throughput, latency, SAQs, protocol counts, over time and in total.

use crate::observer::{Observer, Offered, View};
use crate::record::{FlowRow, LatencySummary, RecnCounts, SaqPeaks, SeriesRow};
use flow_control::Control;
use hdrhistogram::Histogram;
use std::collections::BTreeMap;
use switch::{Event, Packet, PacketId, Place, Side};
use turnpool::Point;
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

/// SAQs in use on one side of the switches, with a histogram over ports so that the maximum is known at any time.
#[derive(Debug, Clone)]
struct SaqLevel {
    total: u32,
    /// Ports by SAQs in use, 0..=64.
    ports: [u32; 65],
    max_port: u32,
    peak_port: u32,
    bin_total: u32,
    bin_max_port: u32,
    /// Tick of the last change: levels count as they are at the end of a tick, whoever changed first in it.
    tick: Tick,
}

impl SaqLevel {
    fn new() -> SaqLevel {
        SaqLevel {
            total: 0,
            ports: [0; 65],
            max_port: 0,
            peak_port: 0,
            bin_total: 0,
            bin_max_port: 0,
            tick: 0,
        }
    }

    fn change(&mut self, now: Tick, in_use: u32, up: bool) {
        if now != self.tick {
            self.end_tick();
            self.tick = now;
        }
        let old = if up { in_use - 1 } else { in_use + 1 };
        // Ports with none in use are not counted.
        if old > 0 {
            self.ports[old as usize] -= 1;
        }
        if in_use > 0 {
            self.ports[in_use as usize] += 1;
        }
        if up {
            self.total += 1;
            self.max_port = self.max_port.max(in_use);
        } else {
            self.total -= 1;
            while self.max_port > 0 && self.ports[self.max_port as usize] == 0 {
                self.max_port -= 1;
            }
        }
        self.peak_port = self.peak_port.max(self.max_port);
    }

    fn end_tick(&mut self) {
        self.bin_total = self.bin_total.max(self.total);
        self.bin_max_port = self.bin_max_port.max(self.max_port);
    }

    fn next_bin(&mut self) {
        self.bin_total = self.total;
        self.bin_max_port = self.max_port;
    }
}

#[derive(Debug, Clone)]
struct Latency {
    histogram: Histogram<u64>,
    sum: u128,
    max: u64,
}

impl Latency {
    fn new() -> Latency {
        // 2^40 ticks are more than 5 simulated minutes; 250 KB.
        let histogram = Histogram::new_with_bounds(1, 1 << 40, 3).expect("legal bounds");
        Latency {
            histogram,
            sum: 0,
            max: 0,
        }
    }

    #[inline]
    fn record(&mut self, ticks: Ticks) {
        self.histogram.saturating_record(ticks.max(1));
        self.sum += u128::from(ticks);
        self.max = self.max.max(ticks);
    }

    fn summary(&self, time_base: &TimeBase) -> LatencySummary {
        let n = self.histogram.len();
        if n == 0 {
            return LatencySummary::default();
        }
        let quantile = |q| {
            let ticks = self.histogram.value_at_quantile(q).min(self.max);
            Some(time_base.ticks_to_ns(ticks))
        };
        LatencySummary {
            mean: Some(time_base.ticks_to_ns(1) * (self.sum as f64 / n as f64)),
            p50: quantile(0.5),
            p99: quantile(0.99),
            p999: quantile(0.999),
            max: Some(time_base.ticks_to_ns(self.max)),
        }
    }
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
    flows: Vec<Flow>,
    latency: Latency,
    network_latency: Latency,
    ingress: SaqLevel,
    egress: SaqLevel,
    injection: SaqLevel,
    link_ticks: Vec<Ticks>,
    freed: BTreeMap<(u32, u8, Point), Tick>,
    bin_end: Tick,
    bin_bytes: Vec<u64>,
    bins: Vec<(Vec<u64>, [u32; 4])>,
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
            flows: vec![Flow::default(); config.nodes * config.nodes],
            latency: Latency::new(),
            network_latency: Latency::new(),
            ingress: SaqLevel::new(),
            egress: SaqLevel::new(),
            injection: SaqLevel::new(),
            link_ticks: vec![0; config.measured_links.len()],
            freed: BTreeMap::new(),
            bin_end: config.series_bin,
            bin_bytes: vec![0; groups],
            bins: Vec::with_capacity((config.duration / config.series_bin) as usize + 2),
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
        let groups = self.bin_bytes.len();
        self.ingress.end_tick();
        self.egress.end_tick();
        let saqs = [
            self.ingress.bin_total,
            self.egress.bin_total,
            self.ingress.bin_max_port,
            self.egress.bin_max_port,
        ];
        self.bins.push((
            std::mem::replace(&mut self.bin_bytes, vec![0; groups]),
            saqs,
        ));
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
                if let Some(freed) = self.freed.remove(&(place.port, place.side as u8, point))
                    && self.config.time_base.ticks_to_ns(view.now - freed) <= 2000.0
                {
                    self.recn.early_frees += 1;
                }
                self.level(place).change(view.now, in_use, true);
            }
            Event::SaqFreed { point, in_use, .. } => {
                self.recn.frees += 1;
                self.freed
                    .insert((place.port, place.side as u8, point), view.now);
                self.level(place).change(view.now, in_use, false);
            }
            Event::SaqRefused(_) => self.recn.refusals += 1,
            Event::Ignored(_) => self.recn.ignored += 1,
            Event::ControlSent(control) | Event::Internal(control) => match control {
                Control::Notification(_) => self.recn.notifications += 1,
                Control::Xoff(_) => self.recn.xoffs += 1,
                Control::Xon(_) => self.recn.xons += 1,
                Control::Token(_) => self.recn.tokens += 1,
                Control::Nack(_) => self.recn.nacks += 1,
                Control::Credit { .. } => {}
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
        let nodes = self.config.nodes;
        let (mut n, mut sum, mut squares) = (0u64, 0u128, 0u128);
        for (at, flow) in self.flows.iter().enumerate() {
            if sends(at / nodes, at % nodes) {
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
        let bins = self.config.duration.div_ceil(bin);
        while (self.bins.len() as u64) < bins {
            self.close_bin();
        }
        let time_base = self.config.time_base;
        let row = |(k, (bytes, saqs)): (usize, &(Vec<u64>, [u32; 4]))| {
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
        self.bins
            .iter()
            .take(bins as usize)
            .enumerate()
            .map(row)
            .collect()
    }

    /// Flows that delivered anything, by source, then destination.
    pub fn flows(&self) -> Vec<FlowRow> {
        let nodes = self.config.nodes;
        let row = |(at, flow): (usize, &Flow)| FlowRow {
            source: (at / nodes) as u32,
            destination: (at % nodes) as u32,
            packets: flow.packets,
            bytes: flow.bytes,
            bytes_measured: flow.bytes_measured,
        };
        self.flows
            .iter()
            .enumerate()
            .filter(|(_, f)| f.packets > 0)
            .map(row)
            .collect()
    }
}

impl Observer for Stats {
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
    fn ejected(&mut self, view: View<'_>, _place: Place, packet: &Packet) {
        self.roll(view.now);
        let bytes = u64::from(packet.bytes);
        self.delivered += 1;
        self.bin_bytes[usize::from(packet.group)] += bytes;
        let flow = &mut self.flows
            [packet.source as usize * self.config.nodes + packet.destination as usize];
        flow.packets += 1;
        flow.bytes += bytes;
        if view.now >= self.config.warmup {
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
