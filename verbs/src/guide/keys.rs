//! `docs/guide/keys.md`: every key of scenarios and studies, from the table of keys that the
//! program itself reads by.

use super::spec;
use crate::reproduce::Page;
use scenario::{KeyEntry, key_listing, schema};
use serde_json::Value;
use setaside::Failure;
use std::fmt::Write as _;

/// Tables of a scenario by what a path begins with, the first that fits: as the page has them.
const SECTIONS: [&str; 18] = [
    "network.",
    "switch.",
    "dbbm.",
    "voq_sw.",
    "voq_net.",
    "recn.",
    "pfc.",
    "link.",
    "routing.",
    "endnode.",
    "workload.group.",
    "workload.moving.",
    "workload.",
    "run.",
    "windows.",
    "ecn.",
    "dcqcn.",
    "faults.",
];

/// The section of a key.
fn section_of(path: &str) -> Option<usize> {
    SECTIONS.iter().position(|begin| path.starts_with(begin))
}

fn line(text: &mut String, key: &KeyEntry) {
    let unit = match key.unit {
        "" => String::new(),
        unit => format!(", {unit}"),
    };
    let hot = if key.is_of_hot { " +" } else { "" };
    let default = match &key.default {
        Some(default) => format!("Default: {default}."),
        None => "*Required.*".into(),
    };
    // that every key has one is a test of `spec`
    let source = spec::of(&key.path).unwrap_or("none");
    let _ = writeln!(
        text,
        "- `{}`{hot} ({}{unit}): {}. Legal: {}. {default} Source: {source}.",
        key.path, key.takes, key.what, key.legal
    );
}

/// A line for each property of a table of a study, from its schema.
fn of_study(text: &mut String, path: &str, schema: &Value) {
    let required = |name: &str| {
        let names = schema["required"].as_array();
        names.is_some_and(|names| names.iter().any(|n| n == name))
    };
    for (name, key) in schema["properties"].as_object().into_iter().flatten() {
        let what = key["description"].as_str().unwrap_or_default();
        let what = what.trim_end_matches('.');
        let legal = match key["minimum"].as_u64() {
            Some(least) => format!(" Legal: an integer from {least} on."),
            None => String::new(),
        };
        let default = match (&key["default"], required(name)) {
            (Value::Null, true) => " *Required.*".into(),
            (Value::Null, false) => String::new(),
            (default, _) => format!(" Default: {default}."),
        };
        let _ = writeln!(text, "- `{path}{name}`: {what}.{legal}{default}");
    }
}

/// The page.
pub(super) fn text() -> Result<String, Failure> {
    let mut page = Page::read("keys")?;
    let keys = key_listing();
    for (at, begin) in SECTIONS.iter().enumerate() {
        let mut text = String::new();
        for key in keys.iter().filter(|key| section_of(&key.path) == Some(at)) {
            line(&mut text, key);
        }
        page.put(begin, &text);
    }
    let schema = schema();
    let sections = &schema["$defs"]["scenario"]["properties"];
    let study = schema["$defs"]["study"]["properties"].as_object();
    let mut text = String::new();
    for (name, table) in study.into_iter().flatten() {
        if sections.get(name).is_some() {
            continue;
        }
        if name != "study" {
            let (open, close) = if table["type"] == "array" { ("[[", "]]") } else { ("[", "]") };
            let what = table["description"].as_str().unwrap_or_default();
            let _ = writeln!(text, "- `{open}{name}{close}`: {what}.");
        }
        match name.as_str() {
            "study" | "target" | "slurm" => of_study(&mut text, &format!("{name}."), table),
            "only" => of_study(&mut text, "only.", &table["items"]),
            _ => {}
        }
    }
    page.put("study", &text);
    let mut text = String::new();
    of_study(&mut text, "", &schema["$defs"]["range"]);
    page.put("range", &text);
    page.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A key without a section would be on no page; a section without keys would be a heading.
    #[test]
    fn every_key_has_a_section_and_every_section_keys() {
        let of: Vec<Option<usize>> = key_listing().iter().map(|k| section_of(&k.path)).collect();
        assert!(!of.contains(&None));
        for (at, begin) in SECTIONS.iter().enumerate() {
            assert!(of.contains(&Some(at)), "{begin}");
        }
        let page = text().expect("the page");
        for key in key_listing() {
            assert!(page.contains(&format!("- `{}`", key.path)), "{}", key.path);
        }
    }
}
