//! The runs: two networks, queue schemes, ECN or none, seeds; and what is read from each.

use crate::page::failed;
use crate::reproduce::STRICT;
use crate::reproduce::runs::{self, Done, Listed, Runner, Wanted, labels, pairs, scenario};
use crate::reproduce::settle::Bins;
use serde::Deserialize;
use setaside::Failure;
use std::collections::BTreeSet;

/// Length of a bin of the series.
pub(super) const BIN_NS: f64 = 5_000.0;

/// What is run.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Plan {
    pub(super) case: Vec<Case>,
    /// ECN or none.
    pub(super) ecn: Vec<Listed>,
}

/// A network, its load and its times; bytes of a source are counted from the onset on.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Case {
    pub(super) title: String,
    pub(super) short: String,
    file: String,
    sets: Vec<String>,
    seeds: u32,
    pub(super) saqs: Vec<String>,
}

/// What a case has done.
pub(super) struct Ran {
    /// Those of a scheme and ECN together.
    pub(super) done: Vec<Done>,
    /// The first seed of each with SAQs again, with strict priority.
    pub(super) strict: Vec<Done>,
    /// Nodes that send to random destinations, and hot ones.
    pub(super) random: BTreeSet<u32>,
    pub(super) hot: BTreeSet<u32>,
    /// Bins before the tree, up to its end, and of the whole run.
    onset: usize,
    end: usize,
    all: usize,
}

impl Case {
    /// Schemes of the switches with their SAQs.
    pub(super) fn schemes(&self) -> Vec<String> {
        let recn = self.saqs.iter().map(|saqs| recn(saqs));
        ["1q", "voq-sw"].map(String::from).into_iter().chain(recn).collect()
    }

    pub(super) fn run(&self, ecn: &[Listed], runs: &Runner) -> Result<Ran, Failure> {
        let (mut wanted, mut strict) = (Vec::new(), Vec::new());
        for named in self.schemes() {
            let (scheme, saqs) = named.split_once(", ").unwrap_or((&named, ""));
            for ecn in ecn {
                let labels = labels([("scheme", &named), ("control", &ecn.name)]);
                for seed in 1..=self.seeds {
                    let (seed, bin) = (seed.to_string(), BIN_NS.to_string());
                    let mut sets = pairs(&self.sets);
                    sets.extend([("switch.scheme", scheme), ("run.seed", &seed)]);
                    sets.push(("run.series_bin_ns", &bin));
                    sets.extend((!saqs.is_empty()).then_some(("recn.saqs", saqs)));
                    sets.extend(ecn.sets());
                    let run = |sets: &[_]| {
                        let scenario = scenario(&self.file, sets)?;
                        let (labels, senders) = (labels.clone(), scenario.nodes());
                        Ok::<_, Failure>(Wanted { labels, senders, scenario, flows: true })
                    };
                    wanted.push(run(&sets)?);
                    if !saqs.is_empty() && seed == "1" {
                        sets.push(STRICT);
                        strict.push(run(&sets)?);
                    }
                }
            }
        }
        let first = wanted.first().map(|run| &run.scenario);
        let first = first.ok_or_else(|| failed(format!("{}: no runs", self.short)))?;
        let (onset, end) = first.hot_window_ns().ok_or_else(|| failed("no hot sources"))?;
        let bins = |ns: f64| (ns / BIN_NS) as usize;
        let (onset, end) = (bins(onset as f64), bins(end as f64));
        let all = bins(first.duration_ns().to_f64());
        // The first group is that of the nodes which are in no other.
        let groups = first.build()?.workload.summaries;
        let hot = groups.iter().skip(1).flat_map(|group| &group.sources);
        let random = groups.first().into_iter().flat_map(|group| &group.sources);
        let mut done = runs.all(&self.short, &wanted)?;
        done.iter_mut().for_each(set_to_hot);
        Ok(Ran {
            done,
            strict: runs.all(&format!("{}-strict", self.short), &strict)?,
            random: random.copied().collect(),
            hot: hot.copied().collect(),
            onset,
            end,
            all,
        })
    }
}

/// With so many SAQs.
pub(super) fn recn(saqs: &str) -> String {
    format!("recn, {saqs}")
}

impl Ran {
    pub(super) fn duration_us(&self) -> f64 {
        self.all as f64 * BIN_NS / 1000.0
    }

    pub(super) fn tree_bins(&self) -> usize {
        self.end - self.onset
    }

    /// Bins after it.
    pub(super) fn after_bins(&self) -> usize {
        self.all - self.end
    }

    /// Bins of the random sources.
    pub(super) fn bins<'a>(&self, rates: &'a [f64]) -> Bins<'a> {
        Bins { rates, onset: self.onset, end: self.end }
    }

    /// Runs of all seeds.
    pub(super) fn of(&self, scheme: &str, ecn: &str) -> Vec<&Done> {
        runs::with(&self.done, &[("scheme", scheme), ("control", ecn)])
    }
}

/// Jain's index over what each of these nodes got delivered from the onset on.
pub(super) fn jain(run: &Done, nodes: &BTreeSet<u32>) -> Option<f64> {
    runs::jain(nodes.iter().map(|&node| run.rate(node)))
}

/// Delivered to victims while the tree exists, bytes/ns.
pub(super) const DELIVERED: &str = "windows.during.victims.delivered_bytes_per_ns";
/// 99th percentile of messages of victims generated while the tree exists, us.
pub(super) const P99: &str = "windows.during.victims.latency_ns.p99/1000";

/// Names what is delivered to hot destinations by all that send to them, bytes/ns.
pub(super) fn set_to_hot(run: &mut Done) {
    let all = run.number("windows.during.delivered_bytes_per_ns");
    run.set("to_hot", all.zip(run.number(DELIVERED)).map(|(all, victims)| all - victims));
}

/// Over time, those that send to random destinations.
pub(super) fn random_rates(run: &Done) -> Vec<f64> {
    let at = run.groups.iter().position(|name| name != "hot");
    let rows = run.series.iter();
    rows.map(|row| at.map_or(0.0, |at| row.groups[at])).collect()
}
