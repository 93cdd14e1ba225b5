//! The table of keys for pages: [`key_listing`].

use crate::keys::{self, EVENT, Fallback, GROUP, Key, Kind, MOVING, MOVING_KEYS, SCENARIO, WINDOW};
use crate::plain::Plain;
use crate::settings::join;

/// A key of scenarios in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyEntry {
    /// Dotted path; `N` is the number of a section of a list, `NAME` a name.
    pub path: String,
    /// What kind of value it takes.
    pub takes: &'static str,
    /// Unit, empty where it has none.
    pub unit: &'static str,
    /// Legal values.
    pub legal: String,
    /// What holds where it is not given; `None`: it has to be given.
    pub default: Option<String>,
    /// What it is.
    pub what: &'static str,
    /// A key of `[[workload.group]]` that `[workload.hot]` has too.
    pub is_of_hot: bool,
}

/// Every key of a scenario in the order of the table; `[workload.hot]` as a group.
pub fn key_listing() -> Vec<KeyEntry> {
    let of = |at: &'static str, keys: &'static [Key]| keys.iter().map(move |key| entry(at, key));
    let scenario = of("", SCENARIO).chain(of("faults.event.N", EVENT));
    let groups = of("workload.group.N", GROUP).chain(of(MOVING, MOVING_KEYS));
    scenario.chain(groups).chain([entry("", &WINDOW)]).collect()
}

fn entry(table: &str, key: &Key) -> KeyEntry {
    KeyEntry {
        path: join(table, key.path),
        takes: takes(key.kind),
        unit: key.unit,
        legal: key.kind.legal(),
        default: default(key.fallback),
        what: key.doc,
        is_of_hot: table == "workload.group.N" && keys::is_of_hot(key),
    }
}

fn takes(kind: Kind) -> &'static str {
    match kind {
        Kind::Integer { word: "", .. } => "integer",
        Kind::Integer { .. } => "integer or word",
        Kind::Ratio | Kind::Rate | Kind::Share | Kind::Part => "number or fraction",
        Kind::Ns => "number",
        Kind::Span | Kind::Link => "list of two",
        Kind::Word(_) | Kind::Arbiter => "word",
        Kind::Text => "text",
        Kind::Flag => "flag",
        Kind::Sources | Kind::Nodes => "integer, list or word",
        Kind::Dimensions => "list",
        Kind::Sizes => "integer or table",
    }
}

fn default(fallback: Fallback) -> Option<String> {
    match fallback {
        Fallback::Unset(words) => Some(format!("none ({words})")),
        Fallback::Rule(words) => Some(words.into()),
        fixed => Plain::of_fallback(fixed).map(|plain| plain.label()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // No key is left out: those of `[workload.hot]` are those of a group.
    #[test]
    fn every_key_is_listed() {
        let listed = key_listing();
        for path in keys::all_paths() {
            let path = path.replace("workload.hot.", "workload.group.N.");
            assert!(listed.iter().any(|entry| entry.path == path), "{path}");
        }
    }
}
