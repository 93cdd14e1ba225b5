//! The runs: two networks, queue schemes, ECN or none, seeds; and what is read from each.

use super::settle::Bins;
use crate::reproduce::STRICT;
use crate::reproduce::runs::{self, Done, Wanted, run_all, scenario};
use observe::{FlowSetResult, WindowResult};
use setaside::Failure;
use std::collections::BTreeSet;

/// Length of a bin of the series.
pub(super) const BIN_NS: f64 = 5_000.0;

/// A network, its load and its times.
pub(super) struct Case {
    pub(super) title: &'static str,
    pub(super) short: &'static str,
    file: &'static str,
    load: &'static str,
    onset_ns: u64,
    end_ns: u64,
    duration_ns: u64,
    seeds: u32,
    nodes: u32,
    pub(super) saqs: &'static [&'static str],
}

/// What a case has done.
pub(super) struct Ran {
    pub(super) done: Vec<Done>,
    /// The first seed of each with SAQs again, with strict priority.
    pub(super) strict: Vec<Done>,
    /// Nodes that send to random destinations, and hot ones.
    random: BTreeSet<u32>,
    hot: BTreeSet<u32>,
}

pub(super) const CASES: [Case; 3] = [
    Case {
        title: "Case 4, half load",
        short: "case-4-half",
        file: "case-4.toml",
        load: "0.5",
        onset_ns: 60_000,
        end_ns: 260_000,
        duration_ns: 400_000,
        seeds: 5,
        nodes: 64,
        saqs: &["1", "2", "4", "8"],
    },
    Case {
        title: "Case 4, full load",
        short: "case-4-full",
        file: "case-4.toml",
        load: "1",
        onset_ns: 60_000,
        end_ns: 260_000,
        duration_ns: 400_000,
        seeds: 3,
        nodes: 64,
        saqs: &["1", "8"],
    },
    Case {
        title: "Case 5, four hot spots, half load",
        short: "case-5-half",
        file: "case-5.toml",
        load: "0.5",
        onset_ns: 20_000,
        end_ns: 120_000,
        duration_ns: 180_000,
        seeds: 3,
        nodes: 512,
        saqs: &["1", "2", "4", "8"],
    },
];

/// What is set for ACKs alone: no marks, no window, no rates.
const ACKS: [(&str, &str); 2] = [("ecn.response", "none"), ("ecn.window", "unbounded")];

/// Name, what is set over [`ACKS`] where it is not without them.
pub(super) const ECN: [(&str, &[(&str, &str)]); 6] = [
    ("none", &[]),
    ("ACKs alone", &[("ecn.marking", "none")]),
    ("window 1 alone", &[("ecn.marking", "none"), ("ecn.window", "1")]),
    (
        "window 1, marks",
        &[
            ("ecn.marking", "input-triggered"),
            ("ecn.response", "lipd"),
            ("ecn.rate_ratio", "512"),
            ("ecn.window", "1"),
        ],
    ),
    (
        "rates, inputs",
        &[
            ("ecn.marking", "input-triggered"),
            ("ecn.input_threshold_packets", "4"),
            ("ecn.response", "lipd"),
            ("ecn.rate_ratio", "512"),
        ],
    ),
    (
        "rates, outputs",
        &[("ecn.marking", "red"), ("ecn.response", "lipd"), ("ecn.rate_ratio", "512")],
    ),
];

impl Case {
    /// Schemes of the switches and their SAQs.
    pub(super) fn schemes(&self) -> impl Iterator<Item = (&'static str, Option<&'static str>)> {
        let recn = self.saqs.iter().map(|saqs| ("recn", Some(*saqs)));
        [("1q", None), ("voq-sw", None)].into_iter().chain(recn)
    }

    /// All runs of it, those of a scheme and ECN together.
    pub(super) fn run(&self, work: &str, resume: bool) -> Result<Ran, Failure> {
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
        for (scheme, saqs) in self.schemes() {
            for (ecn, ecn_sets) in ECN {
                for seed in 1..=self.seeds {
                    let seed = seed.to_string();
                    let mut sets = vec![
                        ("switch.scheme", scheme),
                        ("workload.load", self.load),
                        ("run.seed", seed.as_str()),
                    ];
                    sets.extend(saqs.map(|saqs| ("recn.saqs", saqs)));
                    sets.extend(times.iter().map(|(key, ns)| (*key, ns.as_str())));
                    let given = |key| ecn_sets.iter().any(|&(k, _)| k == key);
                    let acks = ACKS.iter().filter(|(key, _)| !given(*key));
                    sets.extend(acks.filter(|_| !ecn_sets.is_empty()));
                    sets.extend(ecn_sets);
                    let scheme = named(scheme, saqs);
                    let labels = [("scheme", scheme.as_str()), ("ecn", ecn)];
                    let run = |sets: &[_]| {
                        Ok::<_, Failure>(Wanted {
                            labels: labels.map(|(k, v)| (k.to_string(), v.to_string())).to_vec(),
                            scenario: scenario("garcia-trees-2005", self.file, sets)?,
                            sources: self.nodes,
                        })
                    };
                    wanted.push(run(&sets)?);
                    if saqs.is_some() && seed == "1" {
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
        Ok(Ran {
            done: run_all((work, self.short), &wanted, resume)?,
            strict: run_all((work, &format!("{}-strict", self.short)), &strict, resume)?,
            random: random.copied().collect(),
            hot: hot.copied().collect(),
        })
    }

    /// In words, for the page.
    pub(super) fn told(&self) -> String {
        let hot = self.nodes / 4;
        format!(
            "{} nodes; {} send to random destinations at {} of the link rate all the time, {hot} to the hot ones at full rate from {} to {} us; the run ends at {} us. {}.",
            self.nodes,
            self.nodes - hot,
            self.load,
            self.onset_ns / 1000,
            self.end_ns / 1000,
            self.duration_ns / 1000,
            match self.seeds {
                1 => "One seed, so no intervals".to_string(),
                seeds => format!("{seeds} seeds"),
            }
        )
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

/// With its SAQs.
pub(super) fn named(scheme: &str, saqs: Option<&str>) -> String {
    saqs.map_or(scheme.to_string(), |saqs| format!("{scheme}, {saqs}"))
}

impl Ran {
    /// Runs of all seeds.
    pub(super) fn of(&self, scheme: &str, ecn: &str) -> Vec<&Done> {
        let labels = [("scheme", scheme), ("ecn", ecn)];
        self.done.iter().filter(|run| run.is(&labels)).collect()
    }

    /// Jain's index over what each hot source, or each of the others, got delivered from the onset
    /// on.
    pub(super) fn jain(&self, run: &Done, hot: bool) -> Option<f64> {
        let nodes = if hot { &self.hot } else { &self.random };
        let rate = |node: &u32| run.by_source.get(node).copied().unwrap_or(0.0);
        runs::jain(nodes.iter().map(rate))
    }
}

fn during(run: &Done) -> Option<&WindowResult> {
    run.summary.windows.get("during")
}

fn victims(run: &Done) -> Option<&FlowSetResult> {
    during(run)?.victims.as_ref()
}

/// Delivered to victims while the tree stands, bytes/ns.
pub(super) fn delivered(run: &Done) -> Option<f64> {
    victims(run)?.delivered_bytes_per_ns
}

pub(super) fn dip(run: &Done) -> Option<f64> {
    during(run)?.victims_worst_dip_bytes_per_ns
}

/// Delivered to hot destinations by all that send to them, bytes/ns.
pub(super) fn to_hot(run: &Done) -> Option<f64> {
    Some(during(run)?.all.delivered_bytes_per_ns? - delivered(run)?)
}

/// 99th percentile of messages of victims generated while the tree stands, us, and whether it is a
/// lower bound.
pub(super) fn p99(run: &Done) -> Option<(f64, bool)> {
    runs::p99_us(&victims(run)?.latency_ns)
}

/// Over time, those that send to random destinations.
pub(super) fn random_rates(run: &Done) -> Vec<f64> {
    let at = run.groups.iter().position(|name| name != "hot");
    let rows = run.series.iter();
    rows.map(|row| at.map_or(0.0, |at| row.groups[at])).collect()
}
