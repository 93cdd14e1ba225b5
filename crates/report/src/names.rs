//! What people call keys of scenarios and quantities of results; a key not in the table is itself.

use crate::styles;
use crate::text::joined;
use serde_json::{Map, Value};

/// Endings of the names of quantities, and their units.
const UNITS: &str = include_str!("assets/units.csv");
/// Abbreviations as the field writes them.
const WORDS: &str = include_str!("assets/words.csv");
const KEYS: &str = include_str!("assets/keys.csv");

/// The lines of a table: what is written, and what people call it.
pub(crate) fn table(lines: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    lines.lines().filter_map(|line| line.split_once(','))
}

/// Key, name, unit of its value (empty: none, or in the name).
fn keys() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    table(KEYS).filter_map(|(key, rest)| {
        let (name, unit) = rest.split_once(',')?;
        Some((key, name, unit))
    })
}

/// What people call a key, and the unit of its value.
pub(crate) fn key(key: &str) -> (String, &'static str) {
    let find = |key: &str| keys().find(|(known, ..)| *known == key);
    if let Some((_, name, unit)) = find(key) {
        return (name.into(), unit);
    }
    // a group of sources has the keys of the workload
    let named = key.strip_prefix("workload.").and_then(|rest| {
        let (section, rest) = rest.split_once('.')?;
        let (whose, rest) = match section {
            "hot" => ("hot sources".to_string(), rest),
            "moving" => ("moving hot spots".to_string(), rest),
            "group" => {
                let (number, rest) = rest.split_once('.')?;
                (format!("group {}", number.parse::<usize>().ok()?), rest)
            }
            _ => return None,
        };
        let (_, name, unit) = find(&format!("workload.{rest}"))?;
        Some((format!("{name} of {whose}"), unit))
    });
    named.unwrap_or((key.into(), ""))
}

/// A key in the heading of a column, as short as possible, and the unit of its value.
pub(crate) fn short_key(key: &str) -> (String, &'static str) {
    if key == "switch.scheme" {
        return ("scheme".into(), "");
    }
    let last = key.rsplit('.').next().unwrap_or(key);
    let (stem, unit) = split_unit(last);
    (words(stem), unit)
}

/// The labels of a point as short as they go: `recn 5/10 \u{b7} 10 SAQs`. Empty without labels.
pub(crate) fn short(axes: &[String], of: &Map<String, Value>) -> String {
    let mut values: Vec<(&str, &str)> = Vec::new();
    let (mut parts, mut sizes) = (Vec::new(), Vec::new());
    for (key, value) in labels(axes, of) {
        match key {
            "switch.scheme" => parts.push(value.to_string()),
            styles::SAQS if value == "1" => sizes.push("1 SAQ".to_string()),
            styles::SAQS => sizes.push(format!("{value} SAQs")),
            key if styles::is_size(key) => sizes.push(format!("load {value}")),
            _ => values.push((key, value)),
        }
    }
    match values[..] {
        [] => {}
        // a number alone has no meaning
        [(key, value)] if parts.is_empty() && value.parse::<f64>().is_ok() => {
            parts.push(format!("{} {value}", short_key(key).0))
        }
        _ => parts.push(joined(values.iter().map(|v| v.1), "/")),
    }
    let parts = (!parts.is_empty()).then(|| parts.join(" "));
    joined(parts.into_iter().chain(sizes), " \u{b7} ")
}

/// What the parts of short names mean, and units of their values: heads a column of names.
pub(crate) fn short_heading(axes: &[String]) -> (String, String) {
    let is_value = |axis: &&String| *axis != "switch.scheme" && !styles::is_size(axis);
    let values: Vec<(String, &str)> = axes.iter().filter(is_value).map(|a| short_key(a)).collect();
    let names = joined(values.iter().map(|v| &v.0), "/");
    let mut units: Vec<&str> = values.iter().map(|v| v.1).collect();
    units.dedup();
    let scheme = axes.iter().any(|axis| axis == "switch.scheme").then_some("scheme");
    let names = Some(names.as_str()).filter(|names| !names.is_empty());
    (joined(scheme.into_iter().chain(names), " "), units.join("/"))
}

/// The labels that a point has, in the order of the axes.
fn labels<'a>(
    axes: &'a [String],
    labels: &'a Map<String, Value>,
) -> impl Iterator<Item = (&'a str, &'a str)> {
    let of = |axis: &'a String| Some((axis.as_str(), labels.get(axis)?.as_str()?));
    axes.iter().filter_map(of)
}

/// A point in keys, for those who write scenarios; empty where it has no labels.
pub(crate) fn point_in_keys(axes: &[String], of: &Map<String, Value>) -> String {
    joined(labels(axes, of).map(|(k, v)| format!("{k} = {v}")), ", ")
}

/// What people call a quantity of `summary.json`: `latency_ns.p99` is `latency: p99, ns`.
pub(crate) fn quantity(path: &str) -> String {
    let parts: Vec<(&str, &str)> = path.split('.').map(split_unit).collect();
    let mut units = parts.iter().rev().map(|part| part.1);
    let unit = match path.ends_with(".undelivered") {
        // of all messages, though it is among times
        true => "share",
        false => units.find(|unit| !unit.is_empty()).unwrap_or(""),
    };
    let comma = if unit.is_empty() { "" } else { ", " };
    format!("{}{comma}{unit}", joined(parts.iter().map(|part| words(part.0)), ": "))
}

fn split_unit(name: &str) -> (&str, &'static str) {
    let ending = table(UNITS).find(|(end, _)| name.ends_with(end));
    ending.map_or((name, ""), |(end, unit)| (name.trim_end_matches(end), unit))
}

fn words(stem: &str) -> String {
    let word = |word: &str| {
        let known = table(WORDS).find(|(written, _)| *written == word);
        known.map_or(word, |(_, name)| name).to_string()
    };
    joined(stem.split('_').map(word), " ")
}

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
        assert_eq!(keys().count(), KEYS.lines().count(), "a line that is no key, name and unit");
        for lines in [UNITS, WORDS] {
            assert_eq!(table(lines).count(), lines.lines().count(), "a line that is no pair");
        }
        assert_eq!(key("recn.saqs"), ("SAQs a port".into(), ""));
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
    fn points_have_short_names() {
        let axes = ["switch.scheme", "recn.detection_packets", "recn.xoff_packets", "recn.saqs"];
        let axes = axes.map(String::from);
        let name = |values: &[&str]| {
            let pairs = axes.iter().cloned().zip(values.iter().map(|v| Value::from(*v)));
            short(&axes, &pairs.collect())
        };
        assert_eq!(name(&["voq-net"]), "voq-net");
        assert_eq!(name(&["recn", "5", "10", "10"]), "recn 5/10 \u{b7} 10 SAQs");
        assert_eq!(name(&["recn", "5", "10", "1"]), "recn 5/10 \u{b7} 1 SAQ");
        let heading = ("scheme detection/Xoff".into(), "packets".into());
        assert_eq!(short_heading(&axes), heading);
        let wire = ["link.wire_ns".to_string()];
        let five = [(wire[0].clone(), Value::from("5"))];
        assert_eq!(short(&wire, &five.into_iter().collect()), "wire 5");
    }

    #[test]
    fn no_key_has_two_names_and_no_name_two_keys() {
        for (n, (key, name, _)) in keys().enumerate() {
            let same = keys().skip(n + 1).find(|(k, other, _)| *k == key || *other == name);
            assert_eq!(same, None, "{key}");
        }
    }

    /// The page of keys is written from the table of keys.
    #[test]
    fn every_key_of_the_table_is_one_of_scenarios() {
        let page = include_str!("../../../docs/guide/keys.md");
        for (key, ..) in keys() {
            let is_key = |section: &str| {
                let key = key.replace("workload.", section);
                page.contains(&format!("\n- `{key}` "))
            };
            let sections = ["workload.", "workload.group.N.", "workload.moving."];
            assert!(sections.into_iter().any(is_key), "{key}");
        }
    }

    #[test]
    fn quantities_are_read_as_words_with_a_unit() {
        for (key, shown) in [
            ("latency_ns.p99", "latency: p99, ns"),
            ("latency_ns.undelivered", "latency: undelivered, share"),
            ("delivered_bytes_per_ns", "delivered, bytes/ns"),
            ("saqs_peak.ingress", "SAQs peak: ingress"),
            ("packets_delivered", "packets delivered"),
        ] {
            assert_eq!(quantity(key), shown);
        }
        assert_eq!(capital("offered load"), "Offered load");
    }
}
