//! Runs that must be related because their inputs are: records as trees of numbers, traffic whose
//! nodes can be renamed.

use crate::prelude::*;
use scenario::{Scenario, Set};
use serde_json::Value;
use workload::{Generator, GeneratorOptions, Target};

/// The record of a run, without the time that it took.
pub fn record(config: &FabricConfig) -> Record {
    outcome_with(config, Engine::Fast, ()).1
}

/// A scenario from its text and what is set over it.
pub fn scenario(text: &str, sets: &[&str]) -> Scenario {
    let sets: Vec<Set> = sets.iter().map(|set| set.parse().expect("a set")).collect();
    Scenario::parse(text, "test.toml", None, &sets).unwrap_or_else(|errors| panic!("{errors}"))
}

/// What scaling does to a record: factors of what is printed in bytes and in nanoseconds.
#[derive(Clone, Copy)]
pub struct Scale {
    /// Of bytes.
    pub bytes: f64,
    /// Of nanoseconds.
    pub ns: f64,
}

/// Figures that follow from lengths of time fixed in ns: the 2 us of early frees, the 20 us of dips
/// and what is printed in words.
const FIXED_IN_NS: [&str; 4] =
    ["early_frees", "worst_dip_bytes_per_ns", "victims_worst_dip_bytes_per_ns", "note"];

/// Where `b` is not `a` scaled, by path; `aside` are names that are left out.
pub fn not_scaled(a: &Record, b: &Record, scale: Scale, aside: &[&str]) -> Vec<String> {
    let [a, b] = [a, b].map(|record| {
        let is_aside = |name: &String| aside.iter().chain(&FIXED_IN_NS).any(|a| a == name);
        let mut figures = figures(record);
        figures.retain(|(path, _)| !path.iter().any(is_aside));
        figures
    });
    let mut differ = Vec::new();
    if !a.iter().map(|figure| &figure.0).eq(b.iter().map(|figure| &figure.0)) {
        differ.push("other figures".to_string());
    }
    for ((path, a), (_, b)) in a.iter().zip(&b) {
        let same = match (a.as_f64(), b.as_f64()) {
            (Some(a), Some(b)) => {
                let expected = a * factor(path, scale);
                (b - expected).abs() <= 1e-9 * expected.abs()
            }
            _ => a == b,
        };
        if !same {
            differ.push(format!("{}: {a} and {b}", path.join(".")));
        }
    }
    differ
}

/// A figure with the names on the way to it.
type Figure = (Vec<String>, Value);

/// All figures of a record.
pub(crate) fn figures(record: &Record) -> Vec<Figure> {
    let mut figures = Vec::new();
    leaves(&serde_json::to_value(record).expect("a record"), &[], &mut figures);
    figures
}

fn leaves(tree: &Value, path: &[String], found: &mut Vec<Figure>) {
    let below = |name: String| [path, &[name]].concat();
    match tree {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, tree)| leaves(tree, &below(name.clone()), found));
        }
        Value::Array(list) => {
            let numbered = list.iter().enumerate();
            numbered.for_each(|(at, tree)| leaves(tree, &below(at.to_string()), found));
        }
        figure => found.push((path.to_vec(), figure.clone())),
    }
}

/// What a figure is multiplied by, by the unit in its name.
fn factor(path: &[String], scale: Scale) -> f64 {
    let is = |name: &str| path.iter().any(|p| p == name);
    let leaf = path.last().map_or("", String::as_str);
    let rates_by_group = is("groups") && !is("windows") && path.len() > 1;
    if leaf == "undelivered" {
        1.0
    } else if leaf.ends_with("bytes_per_ns") || rates_by_group {
        scale.bytes / scale.ns
    } else if path.iter().any(|name| name.ends_with("_ns")) {
        scale.ns
    } else if ["bytes", "bytes_measured"].contains(&leaf) || leaf.ends_with("data_bits") {
        scale.bytes
    } else {
        1.0
    }
}

/// A BMIN with traffic of which every flow has its own generator.
pub struct Relabelled {
    /// Nodes of the BMIN.
    pub nodes: u32,
    /// Queue scheme of every port.
    pub scheme: SchemeKind,
    /// (source, destination, load).
    pub flows: Vec<(u32, u32, Ratio)>,
    /// Arrival process of all.
    pub arrivals: Arrivals,
    /// First tick without traffic.
    pub end: Tick,
}

impl Relabelled {
    /// The fabric with every node called `node XOR mask`; what is drawn for a flow goes with it.
    pub fn fabric(&self, mask: u32, duration: Tick) -> FabricConfig {
        let mut switch = switch_config(self.scheme);
        switch.recn.detection_egress_packets = 2;
        switch.recn.propagation_packets = 2;
        let speedup = speedup(switch.organisation);
        let bmin = network(&TopologyConfig::Bmin { nodes: self.nodes });
        let mut config = fabric_config(bmin, switch, speedup, &WorkloadConfig::default(), 1, 1);
        config.run.duration = duration;
        config.endnode.admittance_bytes = None;
        let ticks = config.time_base.link_ticks(64).0;
        let generators = self.flows.iter().map(|&(source, destination, load)| {
            let generator = Generator::new(GeneratorOptions {
                seed: 1,
                node: source,
                group: 0,
                group_name: &format!("to{destination}"),
                arrivals: self.arrivals,
                message_ticks: Ratio::new(ticks, 1).expect("whole ticks"),
                load,
                message_bytes: &MessageBytes::Fixed(64),
                target: Target::Node(destination ^ mask),
                start_tick: Tick::ZERO,
                end_tick: Some(self.end),
                closed: None,
            });
            (source ^ mask, generator.expect("a load that is not too fine"))
        });
        config.workload.generators = generators.collect();
        config.workload.generators.sort_by_key(|g| g.0);
        config
    }
}

/// Flows of a record as (source, destination, packets, bytes, measured bytes), with their nodes
/// renamed, in order.
pub fn flows(record: &Record, mask: u32) -> Vec<(u32, u32, u64, u64, u64)> {
    let rows = record.flows.iter();
    let mut flows: Vec<_> = rows
        .map(|f| {
            let (s, d) = (f.source ^ mask, f.destination ^ mask);
            (s, d, f.packets, f.bytes, f.bytes_measured)
        })
        .collect();
    flows.sort_unstable();
    flows
}

/// Chi-square of counts that should all be alike, less its mean (their number - 1), in standard
/// deviations of its distribution by Wilson and Hilferty: about a standard normal number where the
/// counts are draws of a uniform distribution.
pub fn uniform_deviation(counts: &[u64]) -> f64 {
    let expected = counts.iter().sum::<u64>() as f64 / counts.len() as f64;
    let squares = counts.iter().map(|&c| (c as f64 - expected).powi(2));
    let chi_square = squares.sum::<f64>() / expected;
    let freedom = counts.len() as f64 - 1.0;
    let spread = 2.0 / (9.0 * freedom);
    ((chi_square / freedom).cbrt() - (1.0 - spread)) / spread.sqrt()
}
