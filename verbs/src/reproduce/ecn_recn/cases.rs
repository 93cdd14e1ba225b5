//! The runs: two networks, queue schemes, ECN or none, seeds; and what is read from each.

use crate::reproduce::STRICT;
use crate::reproduce::runs::{self, Done, Listed, Runner, Wanted, labels, scenario};
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

/// A network, its load and its times.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Case {
    pub(super) title: String,
    pub(super) short: String,
    file: String,
    load: String,
    onset_ns: u64,
    end_ns: u64,
    duration_ns: u64,
    seeds: u32,
    nodes: u32,
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
}

impl Case {
    /// Schemes of the switches with their SAQs.
    pub(super) fn schemes(&self) -> Vec<String> {
        let recn = self.saqs.iter().map(|saqs| recn(saqs));
        ["1q", "voq-sw"].map(String::from).into_iter().chain(recn).collect()
    }

    pub(super) fn run(&self, ecn: &[Listed], runs: &Runner) -> Result<Ran, Failure> {
        let times = [
            ("workload.hot.start_ns", self.onset_ns),
            ("workload.hot.end_ns", self.end_ns),
            ("run.duration_ns", self.duration_ns),
            // Bytes of a source are counted from the onset on.
            ("run.warmup_ns", self.onset_ns),
            ("run.series_bin_ns", BIN_NS as u64),
        ];
        let times = times.map(|(key, ns)| (key, ns.to_string()));
        let (mut wanted, mut strict) = (Vec::new(), Vec::new());
        for named in self.schemes() {
            let (scheme, saqs) = named.split_once(", ").unwrap_or((&named, ""));
            for ecn in ecn {
                let labels = labels([("scheme", &named), ("control", &ecn.name)]);
                for seed in 1..=self.seeds {
                    let seed = seed.to_string();
                    let mut sets = vec![
                        ("switch.scheme", scheme),
                        ("workload.load", &self.load),
                        ("run.seed", &seed),
                    ];
                    if !saqs.is_empty() {
                        sets.push(("recn.saqs", saqs));
                    }
                    sets.extend(times.iter().map(|(key, ns)| (*key, ns.as_str())));
                    sets.extend(ecn.sets());
                    let run = |sets: &[_]| {
                        Ok::<_, Failure>(Wanted {
                            labels: labels.clone(),
                            scenario: scenario(&self.file, sets)?,
                            senders: self.nodes,
                            flows: true,
                        })
                    };
                    wanted.push(run(&sets)?);
                    if !saqs.is_empty() && seed == "1" {
                        sets.push(STRICT);
                        strict.push(run(&sets)?);
                    }
                }
            }
        }
        // The first group is that of the nodes which are in no other.
        let mut groups = Vec::new();
        if let Some(first) = wanted.first() {
            groups = first.scenario.build()?.workload.summaries;
        }
        let hot = groups.iter().skip(1).flat_map(|group| &group.sources);
        let random = groups.first().into_iter().flat_map(|group| &group.sources);
        let mut done = runs.all(&self.short, &wanted)?;
        done.iter_mut().for_each(set_to_hot);
        Ok(Ran {
            done,
            strict: runs.all(&format!("{}-strict", self.short), &strict)?,
            random: random.copied().collect(),
            hot: hot.copied().collect(),
        })
    }

    pub(super) fn duration_us(&self) -> f64 {
        self.duration_ns as f64 / 1000.0
    }

    /// Bins of the tree.
    pub(super) fn tree_bins(&self) -> usize {
        ((self.end_ns - self.onset_ns) as f64 / BIN_NS) as usize
    }

    /// Bins after it.
    pub(super) fn after_bins(&self) -> usize {
        ((self.duration_ns - self.end_ns) as f64 / BIN_NS) as usize
    }

    /// Bins of the random sources.
    pub(super) fn bins<'a>(&self, rates: &'a [f64]) -> Bins<'a> {
        Bins {
            rates,
            onset: (self.onset_ns as f64 / BIN_NS) as usize,
            end: (self.end_ns as f64 / BIN_NS) as usize,
        }
    }
}

/// With so many SAQs.
pub(super) fn recn(saqs: &str) -> String {
    format!("recn, {saqs}")
}

impl Ran {
    /// Runs of all seeds.
    pub(super) fn of(&self, scheme: &str, ecn: &str) -> Vec<&Done> {
        runs::with(&self.done, &[("scheme", scheme), ("control", ecn)])
    }
}

/// Jain's index over what each of these nodes got delivered from the onset on.
pub(super) fn jain(run: &Done, nodes: &BTreeSet<u32>) -> Option<f64> {
    runs::jain(nodes.iter().map(|&node| run.rate(node)))
}

/// Delivered to victims while the tree stands, bytes/ns.
pub(super) const DELIVERED: &str = "windows.during.victims.delivered_bytes_per_ns";
/// 99th percentile of messages of victims generated while the tree stands, us.
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
