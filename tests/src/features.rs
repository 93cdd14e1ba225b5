//! What a configuration has, dimension by dimension, and how often each value, and each pair of
//! values, was drawn.

use crate::drawn::Case;
use crate::prelude::*;
use ecn::marking::Marking;
use std::fmt::{Debug, Write};

/// Cases with a pair that would be expected if values were drawn apart: where there are none the
/// pair is illegal.
const EXPECTED: u64 = 20;

/// A dimension and the value of a case in it.
pub type Feature = (&'static str, String);

/// What may be left out.
fn or_none(value: Option<impl Debug>) -> String {
    value.map_or("none".to_string(), |value| format!("{value:?}"))
}

fn one_or(is_usual: bool, other: &str) -> String {
    if is_usual { "usual" } else { other }.to_string()
}

/// The value of each dimension, in the order of a table.
pub fn features(case: &Case) -> Vec<Feature> {
    let Case { config, bytes } = case;
    let (switch, ends, link, base) =
        (&config.switch, &config.endnode, &config.link, &config.time_base);
    let marks = switch.ecn.map(|ecn| match ecn.marking {
        Marking::None => "rule none",
        Marking::Naive => "naive",
        Marking::InputTriggered => "input",
        Marking::InputOutputTriggered { .. } => "input-output",
        Marking::Red(_) => "red",
    });
    let cells = config.packet_bytes.div_ceil(switch.cell_bytes) * switch.cell_bytes;
    let packets = switch.port_memory_bytes / cells / u32::from(switch.all_vcs());
    let pause = switch.pfc.map(|pfc| match pfc.quanta.is_zero() {
        true => "until resume",
        false => "quanta",
    });
    let adaptive = switch.adaptive;
    let faults = (!config.faults.is_none()).then_some(config.faults.tables);
    let faults = faults.map(|tables| match tables {
        FaultTables::Pruned => format!("{:?}", config.faults.protocol),
        FaultTables::Recomputed => "recomputed".to_string(),
    });
    let mut groups = config.workload.summaries.iter().filter_map(|s| s.replies);
    let replies = match (groups.clone().count(), groups.any(|r| r.closed.is_some())) {
        (0, _) => "none",
        (_, false) => "replies",
        (_, true) => "windows",
    };
    let trace = match &config.workload.trace {
        None => "none",
        Some(trace) if trace.has_after => "waits",
        Some(_) => "given",
    };
    let sizes = match bytes {
        MessageBytes::Fixed(_) => "one",
        MessageBytes::Uniform { .. } | MessageBytes::Weighted(_) => "mixed",
    };
    vec![
        ("organisation", switch.organisation.to_string()),
        ("scheme", switch.scheme.to_string()),
        ("arbiter", format!("{:?}", switch.arbiter)),
        ("waiting bound", or_none(switch.wait_bound_packets)),
        ("SAQ priority", switch.saq_priority.to_string()),
        ("switching", switch.switching.to_string()),
        ("VCs", switch.vcs.to_string()),
        ("reply VCs", switch.reply_vcs.to_string()),
        ("memory, packets a VC", packets.clamp(1, 16).next_power_of_two().to_string()),
        ("speedup", format!("{}:{}", base.link_phit_ticks().0, base.crossbar_phit_ticks().0)),
        ("multicast read", switch.input_multicast_read.to_string()),
        ("max bypass", or_none(switch.max_bypass)),
        ("marks", or_none(marks)),
        ("pause", or_none(pause)),
        ("topology", config.network.name().to_string()),
        ("routing", format!("{:?}", config.routing)),
        ("two-level", or_none(adaptive.map(|a| a.routing.algorithm))),
        ("decision", or_none(adaptive.map(|a| a.decision))),
        ("counter", or_none(adaptive.map(|a| a.counter))),
        ("selection", or_none(adaptive.map(|a| a.selection))),
        ("faults", faults.unwrap_or("none".to_string())),
        ("wires", one_or(link.wire_overrides.is_empty(), "unequal")),
        ("credit", one_or(link.control_packet_bytes > 0, "out of band")),
        ("self traffic", config.network.options().self_traffic.to_string()),
        ("responses", or_none(ends.ecn.map(|ecn| ecn.response.algorithm().name()))),
        ("replies", replies.to_string()),
        ("reorder buffer", ends.reorder_buffer.to_string()),
        ("admittance", format!("{:?}", ends.admittance_arbiter)),
        ("admittance bytes", or_none(ends.admittance_bytes)),
        ("generator", format!("{:?}", ends.generator)),
        ("trace", trace.to_string()),
        ("sizes", sizes.to_string()),
    ]
}

/// How often each feature was drawn, and each two together.
#[derive(Debug, Clone, Default)]
pub struct Table {
    cases: u64,
    one: BTreeMap<Feature, u64>,
    two: BTreeMap<(Feature, Feature), u64>,
}

impl Table {
    /// How many cases.
    pub fn cases(&self) -> u64 {
        self.cases
    }

    /// A case with these features.
    pub fn add(&mut self, features: &[Feature]) {
        self.cases += 1;
        for (at, feature) in features.iter().enumerate() {
            *self.one.entry(feature.clone()).or_default() += 1;
            for other in &features[..at] {
                let (a, b) = (feature.min(other), feature.max(other));
                *self.two.entry((a.clone(), b.clone())).or_default() += 1;
            }
        }
    }

    /// The features, the `rarest` pairs of those that were drawn, and pairs that never were though
    /// values drawn apart would often be: they are illegal.
    pub fn text(&self, rarest: usize) -> String {
        let mut text = format!("{} cases\n", self.cases);
        let mut dimension = "";
        for ((name, value), count) in &self.one {
            if dimension != *name {
                dimension = name;
                let _ = write!(text, "\n{name}:");
            }
            let _ = write!(text, " {value} {count},");
        }
        let mut pairs: Vec<_> = self.two.iter().collect();
        pairs.sort_by_key(|(pair, count)| (*count, *pair));
        let _ = writeln!(text, "\n\nrarest of {} pairs:", pairs.len());
        for ((a, b), count) in pairs.into_iter().take(rarest) {
            let _ = writeln!(text, "{count}: {} {}, {} {}", a.0, a.1, b.0, b.1);
        }
        text.push_str("never together, though often expected so:\n");
        for (a, &often) in &self.one {
            let never = self.one.iter().filter(|&(b, &other)| {
                let is_expected = often * other >= EXPECTED * self.cases;
                b.0 > a.0 && is_expected && !self.two.contains_key(&(a.clone(), b.clone()))
            });
            let never: Vec<String> = never.map(|(b, _)| format!("{} {}", b.0, b.1)).collect();
            if !never.is_empty() {
                let _ = writeln!(text, "{} {}: {}", a.0, a.1, never.join(", "));
            }
        }
        text
    }
}
