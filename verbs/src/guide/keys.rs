//! `docs/guide/keys.md`: every key of scenarios and studies, from the table of keys that the
//! program itself reads by.

use crate::reproduce::Page;
use scenario::{KeyEntry, key_listing, schema};
use serde_json::Value;
use setaside::Failure;
use std::fmt::Write as _;

/// Sections of the page, by what the paths of their keys begin with: the first that fits holds.
fn sections(page: &Page) -> Vec<String> {
    page.places().into_iter().filter(|place| place.ends_with('.')).collect()
}

/// What a path begins with, and where the key comes from: the page of the specification, and
/// whether a paper has it or it is a choice where the papers are silent. The first that fits holds.
fn sources() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = include_str!("../../pages/key-sources.txt").lines();
    lines.filter_map(|line| line.split_once(' '))
}

fn source_of(path: &str) -> Option<&'static str> {
    sources().find(|(begin, _)| path.starts_with(begin)).map(|(_, source)| source)
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
    let source = source_of(&key.path).unwrap_or("none");
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
    let sections = sections(&page);
    let section_of = |key: &&KeyEntry| sections.iter().find(|begin| key.path.starts_with(*begin));
    for begin in &sections {
        let mut text = String::new();
        for key in keys.iter().filter(|key| section_of(key) == Some(begin)) {
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
        let page = text().expect("the page");
        for key in key_listing() {
            assert!(page.contains(&format!("- `{}`", key.path)), "{}", key.path);
        }
        for begin in sections(&Page::read("keys").expect("its text")) {
            assert!(page.contains(&format!("- `{begin}")), "{begin}");
        }
    }

    /// Pages of the specification that keys come from.
    const PAGES: [&str; 9] = [
        "clock.md",
        "turnpool.md",
        "switch.md",
        "recn.md",
        "ecn.md",
        "rsi.md",
        "pfc.md",
        "topology.md",
        "scenarios.md",
    ];

    /// No key is without a source, and each source is a page that there is.
    #[test]
    fn every_key_has_a_source() {
        for key in key_listing() {
            let source = source_of(&key.path).unwrap_or_else(|| panic!("{}: no source", key.path));
            let page = source.split([' ', ',']).next().unwrap_or_default();
            assert!(PAGES.contains(&page), "{}: {source}", key.path);
        }
        assert_eq!(source_of("bogus.key"), None);
    }

    /// An entry that no key meets first, or behind a shorter one, would have no effect.
    #[test]
    fn every_entry_is_used() {
        let lines = include_str!("../../pages/key-sources.txt").lines().count();
        assert_eq!(sources().count(), lines, "a line that is no path and source");
        let used = |n: usize| {
            let first = |path: &str| sources().position(|(begin, _)| path.starts_with(begin));
            key_listing().iter().any(|key| first(&key.path) == Some(n))
        };
        for (n, (begin, _)) in sources().enumerate() {
            assert!(used(n), "{begin}");
        }
    }
}
