//! What people call the keys of scenarios and the quantities of results. A key that is not in the
//! table is called by itself.

mod keys;

use keys::KEYS;
use serde_json::{Map, Value};

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
        None => {
            let whose = [("hot", "hot sources"), ("moving", "moving hot spots")];
            whose.into_iter().find_map(|(section, whose)| {
                let rest = key.strip_prefix("workload.")?.strip_prefix(section)?;
                of_group(whose.into(), rest.strip_prefix('.')?)
            })
        }
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
    // of all messages, though it stands among times
    if path.ends_with(".undelivered") {
        unit = "share";
    }
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
        let dwell = ("dwell time of moving hot spots".into(), "ns");
        assert_eq!(key("workload.moving.dwell_ns"), dwell);
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

    /// The page of keys is written from the table of keys.
    #[test]
    fn every_key_of_the_table_is_one_of_scenarios() {
        let keys = include_str!("../../../docs/guide/keys.md");
        for (key, ..) in KEYS {
            let is_key = |section: &str| {
                let key = key.replace("workload.", section);
                keys.contains(&format!("\n- `{key}` "))
            };
            let sections = ["workload.", "workload.group.N.", "workload.moving."];
            assert!(sections.into_iter().any(is_key), "{key}");
        }
    }

    #[test]
    fn quantities_are_read_as_words_with_a_unit() {
        assert_eq!(quantity("latency_ns.p99"), "latency: p99, ns");
        let share = "latency: undelivered, share";
        assert_eq!(quantity("latency_ns.undelivered"), share);
        assert_eq!(quantity("delivered_bytes_per_ns"), "delivered, bytes/ns");
        assert_eq!(quantity("saqs_peak.ingress"), "SAQs peak: ingress");
        assert_eq!(quantity("packets_delivered"), "packets delivered");
        assert_eq!(capital("offered load"), "Offered load");
    }
}
