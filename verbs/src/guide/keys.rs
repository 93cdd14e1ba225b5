//! `docs/guide/keys.md`: every key of scenarios and studies, from the program's own table.

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

/// What a value looks like, where the page says it once for all keys of the kind.
const SAID_ONCE: [(&str, &str); 6] = [
    ("true or false", ""),
    ("a string that is not empty", ""),
    ("a number of 0 or more, in ns", ""),
    (
        "how many nodes, such as 16, or which, such as [0, 1, 16], \"all\", \"0-63\", \"0-511/4\", \
         \"5, 8-15\" or \"all but 5\"",
        "a number of nodes, or a set",
    ),
    (
        "a node, such as 32, or nodes, such as [32, 201], \"all\", \"0-63\", \"0-511/4\", \"5, 8-15\" \
         or \"all but 5\"",
        "a node, or a set",
    ),
    (
        "bytes from 1 to 16777216, { min = 64, max = 1024 }, or { bytes = [64, 1024], weights = [3, \
         1] }",
        "1 to 16777216, or lengths",
    ),
];

/// Legal values, without what the type of the key says already.
fn legal(key: &KeyEntry) -> String {
    if let Some((_, short)) = SAID_ONCE.iter().find(|(long, _)| *long == key.legal) {
        return (*short).to_string();
    }
    let legal = key.legal.split(", or a fraction such as").next().unwrap_or_default();
    let legal = legal.trim_end_matches(", such as 1.5");
    let number = ["an integer from ", "a number from ", "a number "];
    let bare = number.iter().find_map(|words| legal.strip_prefix(words));
    bare.unwrap_or(legal).to_string()
}

/// Type, legal values and unit: of integers and words the legal values say the type.
fn value(key: &KeyEntry) -> String {
    let legal = legal(key);
    let is_plain = !legal.is_empty() && (key.takes == "word" || key.takes.starts_with("integer"));
    let takes = if is_plain { "" } else { key.takes };
    let words = [takes, &legal, key.unit].into_iter().filter(|words| !words.is_empty());
    words.collect::<Vec<_>>().join(", ")
}

fn line(text: &mut String, key: &KeyEntry) {
    let hot = if key.is_of_hot { " +" } else { "" };
    let default = match &key.default {
        Some(default) => format!("Default: {default}."),
        None => "*Required.*".into(),
    };
    let mark = source_of(&key.path).and_then(mark).map_or(String::new(), |mark| format!(" {mark}"));
    let (path, value, what) = (&key.path, value(key), key.what);
    let _ = writeln!(text, "- `{path}`{hot} ({value}): {what}. {default}{mark}");
}

/// What a source says beside the page of the specification, such as `[choice]`.
fn mark(source: &str) -> Option<&str> {
    let (from, to) = (source.find('[')?, source.find(']')?);
    source.get(from..=to)
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
            Some(least) => format!(" (integer: {least} or more)"),
            None => String::new(),
        };
        let default = match (&key["default"], required(name)) {
            (Value::Null, true) => " *Required.*".into(),
            (Value::Null, false) => String::new(),
            (default, _) => format!(" Default: {default}."),
        };
        let _ = writeln!(text, "- `{path}{name}`{legal}: {what}.{default}");
    }
}

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
    const PAGES: &str = "clock turnpool switch recn ecn rsi pfc topology scenarios";

    /// No key is without a source, and each source is a page that there is.
    #[test]
    fn every_key_has_a_source() {
        for key in key_listing() {
            let source = source_of(&key.path).unwrap_or_else(|| panic!("{}: no source", key.path));
            let page = source.split([' ', ',']).next().unwrap_or_default();
            let is_known = PAGES.split(' ').any(|known| page == format!("{known}.md"));
            assert!(is_known, "{}: {source}", key.path);
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
