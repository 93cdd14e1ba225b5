//! Results by window, group and link.

use super::Run;
use super::stats::Link;
use crate::ideal::Ideal;
use observe::{FlowSet, FlowSetResult, LatencySet, Observer, Stats, Window, WindowResult};
use plan::WindowConfig;
use std::collections::BTreeMap;
use units::Tick;

impl<X: Observer> Run<X> {
    /// What was counted in a window.
    pub(super) fn window(
        &self,
        window: &WindowConfig,
        starved: Option<u64>,
        ideal: Option<&Ideal>,
        links: &[Link],
    ) -> WindowResult {
        let stats = &self.fabric.observer.0.0;
        let span = (window.start, window.end);
        let ns = |tick| self.config.time_base.tick_to_ns(tick);
        let bounds = WindowResult {
            start_ns: ns(window.start),
            end_ns: ns(window.end),
            note: window.note.clone(),
            ..WindowResult::default()
        };
        if window.start == window.end {
            let nothing = FlowSetResult::default();
            return WindowResult {
                groups: self.of_groups(|_| nothing.clone()),
                victims: self.has_hot().then_some(nothing),
                links: links.iter().map(|(name, _)| (name.clone(), None)).collect(),
                ..bounds
            };
        }
        let victims_dip = || stats.dip(span, true);
        WindowResult {
            all: FlowSetResult {
                ideal_bytes_per_ns: ideal.map(|ideal| ideal.bytes_per_ns),
                ..stats.set(span, FlowSet::All)
            },
            worst_dip_bytes_per_ns: stats.dip(span, false),
            victims_worst_dip_bytes_per_ns: self.has_hot().then(victims_dip).flatten(),
            flows_starved: starved,
            groups: self.sets_of_groups(span),
            victims: self.victims(span, ideal),
            links: utilisation(stats, links, span),
            ..bounds
        }
    }

    pub(super) fn of_groups<T>(&self, of: impl Fn(usize) -> T) -> BTreeMap<String, T> {
        let groups = self.config.workload.groups.iter().enumerate();
        groups.map(|(at, name)| (name.clone(), of(at))).collect()
    }

    pub(super) fn sets_of_groups(&self, span: Window) -> BTreeMap<String, FlowSetResult> {
        let stats = &self.fabric.observer.0.0;
        self.of_groups(|group| stats.set(span, FlowSet::Group(group)))
    }

    fn has_hot(&self) -> bool {
        !self.config.hot_destinations.is_empty()
    }

    pub(super) fn victims(&self, span: Window, ideal: Option<&Ideal>) -> Option<FlowSetResult> {
        let stats = &self.fabric.observer.0.0;
        let hot = &self.config.hot_destinations;
        let of_victims = |ideal: &Ideal| {
            let flows = ideal.flows.iter();
            let victims = flows.filter(|(_, to, _)| hot.binary_search(to).is_err());
            victims.map(|(.., rate)| rate).sum()
        };
        self.has_hot().then(|| FlowSetResult {
            ideal_bytes_per_ns: ideal.map(of_victims),
            ..stats.set(span, FlowSet::Victims)
        })
    }

    /// `latency.csv`: of the measured time messages and packets of all sets, of each window the
    /// messages of all flows and of victims.
    pub(super) fn latencies(&self) -> Vec<LatencySet> {
        let stats = &self.fabric.observer.0.0;
        let mut sets = vec![(FlowSet::All, "all", "")];
        sets.extend(self.has_hot().then_some((FlowSet::Victims, "victims", "")));
        let groups = self.config.workload.groups.iter().enumerate();
        let groups = groups.map(|(at, name)| (FlowSet::Group(at), "group", name.as_str()));
        let measured = sets.iter().copied().chain(groups);
        let measured = measured.map(|set| ("measured", stats.measured(), true, set));
        let windows = self.config.windows.iter().flat_map(|window| {
            let of = |&set| (window.name.as_str(), (window.start, window.end), false, set);
            sets.iter().map(of)
        });
        let mut all = Vec::new();
        for (window, span, has_packets, (set, flows, group)) in measured.chain(windows) {
            let [messages, packets] = stats.histograms(span, set);
            let packets = has_packets.then_some(("packet", packets));
            for (of, histogram) in [("message", messages)].into_iter().chain(packets) {
                all.push(LatencySet {
                    window: window.into(),
                    flows: flows.into(),
                    group: group.into(),
                    of: of.into(),
                    histogram,
                });
            }
        }
        all
    }

    /// Whether any source starts or stops inside a span.
    pub(super) fn is_changing(&self, (start, end): Window) -> bool {
        let is_inside = |tick: Tick| start < tick && tick < end;
        let generators = self.config.workload.generators.iter();
        generators
            .map(|(_, generator)| (generator.start_tick(), generator.end_tick()))
            .any(|(from, to)| is_inside(from) || is_inside(to))
    }
}

pub(super) fn utilisation(
    stats: &Stats,
    links: &[Link],
    span: Window,
) -> BTreeMap<String, Option<f64>> {
    let of = |(name, ports): &Link| (name.clone(), stats.utilisation(ports, span));
    links.iter().map(of).collect()
}
