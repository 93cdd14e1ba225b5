//! The record of a run that has ended.

use super::Run;
use super::looks::Measured;
use super::share::worst_flow_share;
use crate::config::WindowConfig;
use crate::ideal::Ideals;
use crate::observer::Observer;
use crate::observers::{FlowSet, Stats, named_links};
use crate::record::{FlowSetResult, LongestWait, Record, Summary, Timing, WindowResult};
use std::collections::BTreeMap;
use switch::Rules;
use units::Tick;

/// The links that results name, with their ports.
type Links = Vec<(String, Vec<u32>)>;

impl<X: Observer> Run<X> {
    /// Ends the run. `cpu_seconds` is what the steps took, measured by the caller.
    ///
    /// # Panics
    /// When packets were lost or made: that is a broken invariant.
    pub fn finish(mut self, cpu_seconds: f64) -> (Record, X) {
        self.looks.look(&self.fabric);
        if self.looks.measured.is_none() {
            self.looks.look_at_measured(&self.fabric);
        }
        self.fabric.settle();
        let unadmitted = self.fabric.offer_unadmitted();
        self.fabric.merge_observers();
        let end = self.fabric.now();
        let mut outstanding = Vec::new();
        self.fabric.outstanding(|what| outstanding.push(what));
        let stats = &mut self.fabric.observer.0.0;
        for what in &outstanding {
            stats.never_arrived(what, end);
        }
        stats.end();
        let series = stats.series();
        let summary = self.summary(cpu_seconds);
        self.fabric
            .check_conservation(summary.packets_in_flight, unadmitted);
        let measured = self.looks.measured.unwrap_or_default();
        let flows = &self.fabric.observer.0.0;
        let record = Record {
            summary,
            groups: self.config.workload.groups,
            series,
            flows: flows.flows(&measured.starved.unwrap_or_default()),
            ticks: end,
        };
        (record, self.fabric.observer.1)
    }

    fn summary(&self, cpu_seconds: f64) -> Summary {
        let ((stats, hash), _) = &self.fabric.observer;
        let span = stats.measured();
        let links = named_links(&self.config);
        let all = stats.set(span, FlowSet::All);
        let maximum = self.config.maximum_bytes_per_ns.map(|r| r.to_f64());
        let mut ideals = Ideals::new(&self.config);
        let ideal = ideals.over(span.0, span.1).ok();
        let packet_bytes = self.config.packet_bytes;
        let Measured { starved, waiting } = self.looks.measured.clone().unwrap_or_default();
        let windows = self.config.windows.iter().zip(&self.looks.starved);
        Summary {
            delivered_bytes_per_ns: all.delivered_bytes_per_ns,
            offered_bytes_per_ns: all.offered_bytes_per_ns,
            relative_throughput: all.delivered_bytes_per_ns.zip(maximum).map(|(d, m)| d / m),
            ideal_bytes_per_ns: ideal.as_ref().map(|i| i.bytes_per_ns),
            fairness_jain: stats.fairness_jain(waiting),
            flows_starved: starved.map(|flows| flows.len() as u64),
            worst_flow_share: ideal
                .as_ref()
                .and_then(|ideal| worst_flow_share(ideal, stats, packet_bytes)),
            steady: if self.is_changing(span) {
                None
            } else {
                stats.steady()
            },
            packets_generated: stats.generated,
            packets_delivered: stats.delivered,
            packets_in_flight: stats.generated - stats.delivered,
            packets_refused: stats.refused,
            packets_lost_to_faults: 0,
            packets_stranded: 0,
            out_of_order: 0,
            latency_ns: all.latency_ns,
            network_latency_ns: all.network_latency_ns,
            longest_wait_ns: self.longest_wait_ns(),
            saqs_peak: stats.saqs_peak(),
            recn: stats.recn,
            packet_hops: stats.hops,
            events_hash: format!("{:016x}", hash.combined()),
            groups: self.of_groups(|group| stats.group_rate(span, group)),
            group_results: self.sets_of_groups(span),
            victims: self.victims(span),
            windows: windows
                .map(|(window, &starved)| {
                    let ideal = ideals.over(window.start, window.end).ok();
                    let ideal_bytes_per_ns = ideal.map(|ideal| ideal.bytes_per_ns);
                    let counted = self.window(window, starved, &links);
                    let result = WindowResult {
                        ideal_bytes_per_ns,
                        ..counted
                    };
                    (window.name.clone(), result)
                })
                .collect(),
            links: utilisation(stats, &links, span),
            memory: self.memory,
            timing: Timing {
                cpu_seconds,
                ns_per_packet_hop: (stats.hops > 0).then(|| cpu_seconds * 1e9 / stats.hops as f64),
            },
        }
    }

    fn longest_wait_ns(&self) -> LongestWait {
        let waits = self.fabric.longest_waits();
        let [normal, saq] = waits.map(|ticks| self.config.time_base.ticks_to_ns(ticks));
        let has_saqs = Rules::of(self.config.switch.scheme).is_some();
        LongestWait {
            normal,
            saq: has_saqs.then_some(saq),
        }
    }

    fn window(&self, window: &WindowConfig, starved: Option<u64>, links: &Links) -> WindowResult {
        let stats = &self.fabric.observer.0.0;
        let (start, end) = (window.start, window.end);
        let ns = |tick| self.config.time_base.ticks_to_ns(tick);
        let bounds = WindowResult {
            start_ns: ns(start),
            end_ns: ns(end),
            note: window.note.clone(),
            ..WindowResult::default()
        };
        if start == end {
            let nothing = FlowSetResult::default();
            return WindowResult {
                groups: self.of_groups(|_| nothing.clone()),
                victims: self.has_hot().then_some(nothing),
                links: links.iter().map(|(name, _)| (name.clone(), None)).collect(),
                ..bounds
            };
        }
        let span = (start, end);
        WindowResult {
            all: stats.set(span, FlowSet::All),
            worst_dip_bytes_per_ns: stats.dip(span, false),
            victims_worst_dip_bytes_per_ns: self.has_hot().then(|| stats.dip(span, true)).flatten(),
            flows_starved: starved,
            groups: self.sets_of_groups(span),
            victims: self.victims(span),
            links: utilisation(stats, links, span),
            ..bounds
        }
    }

    fn of_groups<T>(&self, of: impl Fn(usize) -> T) -> BTreeMap<String, T> {
        let groups = self.config.workload.groups.iter().enumerate();
        groups.map(|(at, name)| (name.clone(), of(at))).collect()
    }

    fn sets_of_groups(&self, span: (Tick, Tick)) -> BTreeMap<String, FlowSetResult> {
        let stats = &self.fabric.observer.0.0;
        self.of_groups(|group| stats.set(span, FlowSet::Group(group)))
    }

    fn has_hot(&self) -> bool {
        !self.config.hot_destinations.is_empty()
    }

    fn victims(&self, span: (Tick, Tick)) -> Option<FlowSetResult> {
        let stats = &self.fabric.observer.0.0;
        self.has_hot().then(|| stats.set(span, FlowSet::Victims))
    }

    /// Whether any source starts or stops inside a span.
    fn is_changing(&self, (start, end): (Tick, Tick)) -> bool {
        let is_inside = |tick: Tick| start < tick && tick < end;
        let generators = self.config.workload.generators.iter();
        generators
            .map(|(_, generator)| (generator.start_tick(), generator.end_tick()))
            .any(|(from, to)| is_inside(from) || is_inside(to))
    }
}

fn utilisation(stats: &Stats, links: &Links, span: (Tick, Tick)) -> BTreeMap<String, Option<f64>> {
    let of = |(name, ports): &(String, Vec<u32>)| (name.clone(), stats.utilisation(ports, span));
    links.iter().map(of).collect()
}
