//! The table of keys for pages: [`key_listing`].

use crate::keys::{
    self, EVENT, EVENTS, Fallback, GROUP, GROUPS, Key, Kind, MOVING, MOVING_KEYS, SCENARIO, WINDOW,
};
use crate::plain::Plain;

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
    let below = |at: String, keys: &'static [Key]| {
        keys.iter().map(move |key| entry(format!("{at}.{}", key.path), key))
    };
    let scenario = SCENARIO.iter().map(|key| entry(key.path.into(), key));
    let events = below(format!("{EVENTS}.N"), EVENT);
    let groups = below(format!("{GROUPS}.N"), GROUP);
    let groups =
        groups.zip(GROUP).map(|(entry, key)| KeyEntry { is_of_hot: keys::is_of_hot(key), ..entry });
    let moving = below(MOVING.into(), MOVING_KEYS);
    let window = entry(WINDOW.path.into(), &WINDOW);
    scenario.chain(events).chain(groups).chain(moving).chain([window]).collect()
}

fn entry(path: String, key: &Key) -> KeyEntry {
    KeyEntry {
        path,
        takes: takes(key.kind),
        unit: key.unit,
        legal: key.kind.legal(),
        default: default(key.fallback),
        what: key.doc,
        is_of_hot: false,
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
