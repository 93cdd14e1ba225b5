//! What people call the keys of scenarios and the quantities of results. A key that is not in the
//! table is called by itself.

use serde_json::{Map, Value};

/// Key, name, unit of its value (empty: none, or said by the name).
#[rustfmt::skip]
const KEYS: &[(&str, &str, &str)] = &[
    ("network.topology", "topology", ""),
    ("network.nodes", "end nodes", ""),
    ("network.nodes_per_switch", "end nodes a switch", ""),
    ("network.dimensions", "switches by dimension", ""),
    ("network.inputs", "inputs of the dumbbell", ""),
    ("network.switches", "switches", ""),
    ("network.super_nodes", "super nodes", ""),
    ("network.links_per_pair", "global links a pair", ""),
    ("network.wiring", "global wiring", ""),
    ("network.turnpool", "turn pool", ""),
    ("switch.organisation", "organisation", ""),
    ("switch.scheme", "scheme", ""),
    ("switch.queues", "input queues", ""),
    ("switch.speedup", "speedup", ""),
    ("switch.ports", "ports a switch", ""),
    ("switch.port_memory_bytes", "port memory", "bytes"),
    ("switch.cell_bytes", "cell", "bytes"),
    ("switch.arbiter", "crossbar arbiter", ""),
    ("switch.wait_bound_packets", "waiting bound", "packet times"),
    ("switch.crossbar_overhead_bytes", "crossbar overhead", "bytes"),
    ("switch.switching", "switching", ""),
    ("switch.vcs", "virtual channels", ""),
    ("switch.input_multicast_read", "several reads of an input memory", ""),
    ("switch.max_bypass", "packets that may be passed", ""),
    ("switch.forwarding_ns", "forwarding delay", "ns"),
    ("dbbm.queues", "DBBM queues", ""),
    ("voq_sw.output", "output side", ""),
    ("voq_net.memory", "memory of VOQs", ""),
    ("recn.saqs", "SAQs a port", ""),
    ("recn.detection_packets", "detection threshold", "packets"),
    ("recn.detection_egress_packets", "egress detection threshold", "packets"),
    ("recn.detection_ingress_packets", "ingress detection threshold", "packets"),
    ("recn.propagation_packets", "propagation threshold", "packets"),
    ("recn.xoff_packets", "Xoff threshold", "packets"),
    ("recn.xon_packets", "Xon threshold", "packets"),
    ("recn.xon_edge", "Xon when", ""),
    ("recn.saq_timer_ns", "least age of a SAQ", "ns"),
    ("recn.retry_ns", "retry of a notification", "ns"),
    ("recn.xoff_repeat_ns", "repeat of Xoff", "ns"),
    ("recn.ppu_interval_ns", "PPU interval", "ns"),
    ("recn.iq_egress_lines", "CAM lines at outputs", ""),
    ("recn.root_xoff_packets", "Xoff of a root", "packets"),
    ("pfc.queues", "PFC queues", ""),
    ("pfc.xoff_bytes", "PAUSE threshold", "bytes"),
    ("pfc.xon_bytes", "RESUME threshold", "bytes"),
    ("pfc.pause_bytes", "PAUSE on the link", "bytes"),
    ("pfc.quanta_ns", "length of a PAUSE", "ns"),
    ("link.rate_bytes_per_ns", "link rate", "bytes/ns"),
    ("link.phit_bytes", "phit", "bytes"),
    ("link.wire_ns", "wire latency", "ns"),
    ("link.control_packet_bytes", "control packet", "bytes"),
    ("link.named_control_bytes", "RECN control packet", "bytes"),
    ("link.packet_bytes", "largest packet", "bytes"),
    ("routing.algorithm", "routing", ""),
    ("routing.vc_scheme", "VC scheme", ""),
    ("routing.local_routes", "local routes", ""),
    ("routing.selection", "selection of ports", ""),
    ("routing.threshold", "LAR threshold", "of the memory of a VC"),
    ("routing.lar_decision", "LAR decision", ""),
    ("routing.lar_counter", "LAR counter", ""),
    ("routing.up_choice", "up ports by", ""),
    ("endnode.admittance_bytes", "admittance queue", "bytes"),
    ("endnode.admittance_arbiter", "admittance arbiter", ""),
    ("endnode.reply_vcs", "virtual channels of replies", ""),
    ("endnode.reorder_buffer", "reorder buffer", ""),
    ("workload.load", "offered load", "of link rate"),
    ("workload.pattern", "traffic pattern", ""),
    ("workload.destinations", "destinations", ""),
    ("workload.sources", "sources", ""),
    ("workload.share", "share of sources", "of the nodes"),
    ("workload.placement", "placement of sources", ""),
    ("workload.start_ns", "start", "ns"),
    ("workload.end_ns", "end", "ns"),
    ("workload.step_ns", "step from source to source", "ns"),
    ("workload.arrivals", "arrivals", ""),
    ("workload.message_bytes", "message", "bytes"),
    ("workload.reply_bytes", "reply", "bytes"),
    ("workload.reply_delay_ns", "delay of a reply", "ns"),
    ("workload.window", "window", "requests"),
    ("workload.think_ns", "think time", "ns"),
    ("workload.generator", "full admittance queue", ""),
    ("run.duration_ns", "simulated time", "ns"),
    ("run.drain_ns", "drain", "ns"),
    ("run.warmup_ns", "warm-up", "ns"),
    ("run.seed", "seed", ""),
    ("run.series_bin_ns", "bin", "ns"),
    ("ecn.marking", "marking", ""),
    ("ecn.output_threshold_packets", "output marking threshold", "packets"),
    ("ecn.input_threshold_packets", "input marking threshold", "packets"),
    ("ecn.buffer_packets", "port buffer", "packets"),
    ("ecn.cut_through_occupies_slot", "cut-through takes a slot", ""),
    ("ecn.calm_ns", "no marks after a lack of credit for", "ns"),
    ("ecn.red_kmin_bytes", "RED Kmin", "bytes"),
    ("ecn.red_kmax_bytes", "RED Kmax", "bytes"),
    ("ecn.red_pmax", "RED Pmax", ""),
    ("ecn.response", "response to marks", ""),
    ("ecn.rate_ratio", "rate ratio M", ""),
    ("ecn.initial_rate", "initial rate", "of link rate"),
    ("ecn.waits_until", "waits until", ""),
    ("ecn.window", "window of a flow", "packets"),
    ("ecn.ack_bytes", "ACK", "bytes"),
    ("faults.protocol", "fault protocol", ""),
    ("faults.tables", "tables after a fault", ""),
    ("faults.link_mtbf_ns", "time between failures of a link", "ns"),
    ("faults.link_mttr_ns", "time to repair a link", "ns"),
    ("faults.node_mtbf_ns", "time between failures of a node", "ns"),
    ("faults.node_mttr_ns", "time to repair a node", "ns"),
];

/// Endings of the names of quantities, and the units that they stand for.
const UNITS: [(&str, &str); 8] = [
    ("_bytes_per_ns", "bytes/ns"),
    ("_ns", "ns"),
    ("_bytes", "bytes"),
    ("_bits", "bits"),
    ("_packets", "packets"),
    ("_us", "\u{b5}s"),
    ("_ms", "ms"),
    ("_share", "share"),
];

/// Abbreviations as the field writes them.
const WORDS: [(&str, &str); 11] = [
    ("saq", "SAQ"),
    ("saqs", "SAQs"),
    ("cam", "CAM"),
    ("recn", "RECN"),
    ("ecn", "ECN"),
    ("pfc", "PFC"),
    ("xoff", "Xoff"),
    ("xon", "Xon"),
    ("vcs", "virtual channels"),
    ("jain", "Jain"),
    ("ids", "numbers"),
];

/// What people call a key, and the unit of its value.
pub(crate) fn key(key: &str) -> (String, &'static str) {
    let find = |key: &str| KEYS.iter().find(|(known, ..)| *known == key);
    if let Some(&(_, name, unit)) = find(key) {
        return (name.into(), unit);
    }
    // a group of sources has the keys of the workload
    let of_group = |whose: String, rest: &str| {
        let &(_, name, unit) = find(&format!("workload.{rest}"))?;
        Some((format!("{name} of {whose}"), unit))
    };
    let named = match key.strip_prefix("workload.group.") {
        Some(rest) => rest.split_once('.').and_then(|(number, rest)| {
            let number: usize = number.parse().ok()?;
            of_group(format!("group {number}"), rest)
        }),
        None => key
            .strip_prefix("workload.hot.")
            .and_then(|rest| of_group("hot sources".into(), rest)),
    };
    named.unwrap_or((key.into(), ""))
}

/// A key and its value in a sentence: `SAQs a port 4`; a scheme by its value alone.
pub(crate) fn label(of: &str, value: &str) -> String {
    if of == "switch.scheme" {
        return value.into();
    }
    match key(of) {
        (name, "") => format!("{name} {value}"),
        (name, _) if value.parse::<f64>().is_err() => format!("{name} {value}"),
        (name, unit) => format!("{name} {value} {unit}"),
    }
}

/// The labels that a point has, in the order of the axes.
fn labels<'a>(
    axes: &'a [String],
    labels: &'a Map<String, Value>,
) -> impl Iterator<Item = (&'a str, &'a str)> {
    let of = |axis: &'a String| Some((axis.as_str(), labels.get(axis)?.as_str()?));
    axes.iter().filter_map(of)
}

/// A point in legends and tables; empty where it has no labels.
pub(crate) fn point(axes: &[String], of: &Map<String, Value>) -> String {
    let parts: Vec<String> = labels(axes, of).map(|(k, v)| label(k, v)).collect();
    parts.join(", ")
}

/// The same in keys, for those who write scenarios.
pub(crate) fn point_in_keys(axes: &[String], of: &Map<String, Value>) -> String {
    let parts: Vec<String> = labels(axes, of)
        .map(|(k, v)| format!("{k} = {v}"))
        .collect();
    parts.join(", ")
}

/// What people call a quantity of `summary.json`, by its dotted path: `latency_ns.p99` is
/// `latency: p99, ns`.
pub(crate) fn quantity(path: &str) -> String {
    let mut unit = "";
    let parts: Vec<String> = path
        .split('.')
        .map(|part| {
            let ending = UNITS.iter().find(|(end, _)| part.ends_with(end));
            let stem = match ending {
                Some((end, of)) => {
                    unit = of;
                    part.trim_end_matches(end)
                }
                None => part,
            };
            let word = |word: &str| {
                let known = WORDS.iter().find(|(written, _)| *written == word);
                known.map_or(word, |(_, name)| name).to_string()
            };
            stem.split('_').map(word).collect::<Vec<_>>().join(" ")
        })
        .collect();
    let comma = if unit.is_empty() { "" } else { ", " };
    format!("{}{comma}{unit}", parts.join(": "))
}

/// The first letter large, as at the head of an axis.
pub(crate) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + chars.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_names_and_fall_back_to_themselves() {
        assert_eq!(key("recn.saqs"), ("SAQs a port".into(), ""));
        assert_eq!(label("recn.xon_packets", "3"), "Xon threshold 3 packets");
        assert_eq!(label("recn.root_xoff_packets", "off"), "Xoff of a root off");
        assert_eq!(label("switch.scheme", "voq-sw"), "voq-sw");
        let hot = ("offered load of hot sources".into(), "of link rate");
        assert_eq!(key("workload.hot.load"), hot);
        assert_eq!(key("workload.group.2.window").0, "window of group 2");
        for unknown in ["new.key_ns", "workload.group.x.load", "workload.hot.new"] {
            assert_eq!(key(unknown), (unknown.into(), ""));
        }
    }

    #[test]
    fn no_key_has_two_names_and_no_name_two_keys() {
        for (n, (key, name, _)) in KEYS.iter().enumerate() {
            let same = |(k, other, _): &&(&str, &str, &str)| k == key || other == name;
            assert_eq!(KEYS[n + 1..].iter().find(same), None, "{key}");
        }
    }

    #[test]
    fn quantities_are_read_as_words_with_a_unit() {
        assert_eq!(quantity("latency_ns.p99"), "latency: p99, ns");
        assert_eq!(quantity("delivered_bytes_per_ns"), "delivered, bytes/ns");
        assert_eq!(quantity("saqs_peak.ingress"), "SAQs peak: ingress");
        assert_eq!(quantity("packets_delivered"), "packets delivered");
        assert_eq!(capital("offered load"), "Offered load");
    }
}
