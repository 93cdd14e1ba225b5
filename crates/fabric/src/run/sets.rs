//! Results by window, group and link.

use super::{Link, Run};
use crate::ideal::Ideal;
use observe::{
    FlowSet, FlowSetResult, LatencySet, Observer, SetCounts, Stats, Window, WindowResult,
};
use plan::WindowConfig;
use std::collections::{BTreeMap, BTreeSet};
use units::Tick;

/// What each set of flows did in each window, counted once.
pub(super) struct Sets(BTreeMap<(Window, FlowSet), SetCounts>);

impl Sets {
    fn result(&self, window: Window, set: FlowSet) -> FlowSetResult {
        let counted = self.0.get(&(window, set));
        counted.map_or_else(FlowSetResult::default, |set| set.result.clone())
    }

    pub(super) fn all(&self, window: Window) -> FlowSetResult {
        self.result(window, FlowSet::All)
    }
}

impl<X: Observer> Run<X> {
    /// Of the measured time and of each window that is not empty.
    pub(super) fn sets(&self) -> Sets {
        let stats = &self.fabric.observer.0.0;
        let windows = self.config.windows.iter();
        let windows = windows.map(|window| (window.start, window.end));
        let windows = windows.filter(|(start, end)| start < end);
        let groups = (0..self.config.workload.groups.len()).map(FlowSet::Group);
        let victims = self.has_hot().then_some(FlowSet::Victims);
        let sets: Vec<FlowSet> = [FlowSet::All].into_iter().chain(victims).chain(groups).collect();
        let spans: BTreeSet<Window> = [stats.measured()].into_iter().chain(windows).collect();
        let of_span = |span| sets.iter().map(move |&set| (span, set));
        let wanted: Vec<(Window, FlowSet)> = spans.into_iter().flat_map(of_span).collect();
        let counts = stats.sets(wanted.iter().copied());
        Sets(wanted.into_iter().zip(counts).collect())
    }

    /// What was counted in a window.
    pub(super) fn window(
        &self,
        sets: &Sets,
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
                ..sets.all(span)
            },
            worst_dip_bytes_per_ns: stats.dip(span, false),
            victims_worst_dip_bytes_per_ns: self.has_hot().then(victims_dip).flatten(),
            flows_starved: starved,
            groups: self.sets_of_groups(sets, span),
            victims: self.victims(sets, span, ideal),
            links: utilisation(stats, links, span),
            ..bounds
        }
    }

    pub(super) fn of_groups<T>(&self, of: impl Fn(usize) -> T) -> BTreeMap<String, T> {
        let groups = self.config.workload.groups.iter().enumerate();
        groups.map(|(at, name)| (name.clone(), of(at))).collect()
    }

    pub(super) fn sets_of_groups(
        &self,
        sets: &Sets,
        span: Window,
    ) -> BTreeMap<String, FlowSetResult> {
        self.of_groups(|group| sets.result(span, FlowSet::Group(group)))
    }

    fn has_hot(&self) -> bool {
        !self.config.hot_destinations.is_empty()
    }

    pub(super) fn victims(
        &self,
        sets: &Sets,
        span: Window,
        ideal: Option<&Ideal>,
    ) -> Option<FlowSetResult> {
        let hot = &self.config.hot_destinations;
        let of_victims = |ideal: &Ideal| {
            let flows = ideal.flows.iter();
            let victims = flows.filter(|(_, to, _)| hot.binary_search(to).is_err());
            victims.map(|(.., rate)| rate).sum()
        };
        self.has_hot().then(|| FlowSetResult {
            ideal_bytes_per_ns: ideal.map(of_victims),
            ..sets.result(span, FlowSet::Victims)
        })
    }

    /// `latency.csv`: of the measured time messages and packets of all sets, of each window the
    /// messages of all flows and of victims.
    pub(super) fn latencies(&self, counted: &Sets) -> Vec<LatencySet> {
        let measured_time = self.fabric.observer.0.0.measured();
        let mut sets = vec![(FlowSet::All, "all", "")];
        sets.extend(self.has_hot().then_some((FlowSet::Victims, "victims", "")));
        let groups = self.config.workload.groups.iter().enumerate();
        let groups = groups.map(|(at, name)| (FlowSet::Group(at), "group", name.as_str()));
        let measured = sets.iter().copied().chain(groups);
        let measured = measured.map(|set| ("measured", measured_time, true, set));
        let windows = self.config.windows.iter().flat_map(|window| {
            let of = |&set| (window.name.as_str(), (window.start, window.end), false, set);
            sets.iter().map(of)
        });
        let mut all = Vec::new();
        for (window, span, has_packets, (set, flows, group)) in measured.chain(windows) {
            // an empty window has none
            let Some(counts) = counted.0.get(&(span, set)) else {
                continue;
            };
            let packets = has_packets.then_some(("packet", &counts.packets));
            for (of, latencies) in [("message", &counts.messages)].into_iter().chain(packets) {
                all.push(LatencySet {
                    window: window.into(),
                    flows: flows.into(),
                    group: group.into(),
                    of: of.into(),
                    histogram: latencies.histogram().clone(),
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
