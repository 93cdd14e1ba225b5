//! The one table of keys: path, type, range, unit, default and meaning.
//!
//! Reading, defaults, the suggestion for an unknown key, the resolved text and the JSON Schema all
//! follow from it.

mod table;

use crate::node_set;
pub(crate) use table::{
    EVENT, GROUP, METRICS, MOVING_KEYS, SCENARIO, SLURM, STUDY_NAMES, TARGET, WINDOW,
};
use topology::{DIMENSIONS_MAX, NODES_MAX};
use units::Ratio;

/// What a key takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// A whole number.
    Integer { min: u64, max: u64 },
    /// A whole number or one word.
    IntegerOr { min: u64, max: u64, word: &'static str },
    /// A number of end nodes.
    NodeCount,
    /// A number above 0: decimal, or a fraction as a string.
    Ratio,
    /// The rate of a link, bytes/ns: decimal, or a fraction as a string.
    Rate,
    /// A number from 0 to 1.
    Share,
    /// A number above 0, at most 1.
    Part,
    /// A time of 0 or more, fractions allowed; must come to whole ticks.
    Ns,
    /// Two such times: a start and an end.
    Span,
    /// One of some words; those of `later` are in the specification, but not modelled yet.
    Word { legal: &'static [&'static str], later: &'static [&'static str] },
    /// A crossbar arbiter, with or without a parameter.
    Arbiter,
    /// Any text.
    Text,
    /// True or false.
    Flag,
    /// How many nodes, or which.
    Sources,
    /// One node or several.
    Nodes,
    /// The switches of a torus by dimension.
    Dimensions,
    /// A link by a switch and its port.
    Link,
    /// A message length, or how lengths are drawn.
    Sizes,
}

/// What holds where a key is not given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Fallback {
    /// It has to be given.
    Required,
    /// It has no value then; said in words.
    Unset(&'static str),
    /// It follows from other keys; said in words.
    Rule(&'static str),
    Integer(u64),
    Ratio(u64, u64),
    Ns(u64),
    Word(&'static str),
    Flag(bool),
}

/// One key.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Key {
    /// Dotted path; of a group, what follows the name of the group.
    pub(crate) path: &'static str,
    pub(crate) kind: Kind,
    pub(crate) fallback: Fallback,
    /// Unit of the value, empty where it has none.
    pub(crate) unit: &'static str,
    pub(crate) doc: &'static str,
}

/// The slowest and the fastest link, bytes/ns: far below and above all that is built, and a tick
/// stays a time that a run can count.
pub(crate) fn rate_bounds() -> (Ratio, Ratio) {
    let ratio = |num, den| Ratio::new(num, den).unwrap_or(Ratio::ONE);
    (ratio(1, 1000), ratio(1000, 1))
}

/// Path of the section of hot sources; its keys are those of [`GROUP`] that [`is_of_hot`].
pub(crate) const HOT: &str = "workload.hot";

/// Whether a key of a group is one of [`HOT`] too: that has its name, and asks for no replies.
pub(crate) fn is_of_hot(key: &Key) -> bool {
    let not = ["name", "reply_bytes", "reply_delay_ns", "window", "think_ns"];
    !not.contains(&key.path)
}

/// Path of the section of hot spots that move; its keys are [`MOVING_KEYS`].
pub(crate) const MOVING: &str = "workload.moving";

/// Sections that are one group of sources; where one is not given, its keys are not either.
pub(crate) const ONE_GROUP: [&str; 2] = [HOT, MOVING];

/// The keys of a section of [`ONE_GROUP`], or of an element of [`GROUPS`].
pub(crate) fn of_group(section: &str) -> impl Iterator<Item = &'static Key> + use<> {
    let keys = if section == MOVING { MOVING_KEYS } else { GROUP };
    let is_hot = section == HOT;
    keys.iter().filter(move |key| !is_hot || is_of_hot(key))
}

/// Path of the list of further groups; the keys of each are [`GROUP`].
pub(crate) const GROUPS: &str = "workload.group";

/// Path of the list of failures and recoveries; the keys of each are [`EVENT`].
pub(crate) const EVENTS: &str = "faults.event";

/// Lists of sections `[[path]]`, and the keys of each.
const LISTS: [(&str, &[Key]); 2] = [(GROUPS, GROUP), (EVENTS, EVENT)];

/// The list that a path names, such as `workload.group`.
pub(crate) fn list(path: &str) -> Option<&'static str> {
    LISTS.iter().map(|(list, _)| *list).find(|list| *list == path)
}

/// What follows the number in a path such as `workload.group.0.load`, with the list.
fn in_list(path: &str) -> Option<(&'static str, &'static [Key], &str)> {
    LISTS.iter().find_map(|&(list, keys)| {
        let (number, rest) = element(list, path)?.split_once('.')?;
        number.parse::<usize>().ok().map(|_| (list, keys, rest))
    })
}

/// What a path has below a list or section: `0.load` of `workload.group.0.load`.
fn element<'a>(list: &str, path: &'a str) -> Option<&'a str> {
    path.strip_prefix(list)?.strip_prefix('.')
}

/// The list that a path is an element of, or of which it is below an element.
pub(crate) fn list_above(path: &str) -> Option<&'static str> {
    LISTS.iter().map(|(list, _)| *list).find(|list| element(list, path).is_some())
}

/// The key of the first element that a path without a number, or with a name in its place, stands
/// for: `workload.group.0.load` of `workload.group.load` and `workload.group.hot.load`.
pub(crate) fn by_number(path: &str) -> Option<String> {
    let (list, keys) = LISTS.iter().find(|(list, _)| element(list, path).is_some())?;
    let rest = element(list, path)?;
    let key = keys.iter().find(|key| {
        let before = rest.strip_suffix(key.path);
        before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
    })?;
    find(path).is_none().then(|| format!("{list}.0.{}", key.path))
}

/// Path of the section of windows; its keys have names of the user's own, see [`WINDOW`].
pub(crate) const WINDOWS: &str = "windows";

/// The name of the window that a full path stands for, such as `before` of `windows.before_ns`.
pub(crate) fn window_name(path: &str) -> Option<&str> {
    let name = path.strip_prefix(WINDOWS)?.strip_prefix('.')?;
    let name = name.strip_suffix("_ns")?;
    let is_legal = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    (!name.is_empty() && name.chars().all(is_legal)).then_some(name)
}

/// The key of a full path, such as `workload.hot.load` or `workload.group.0.load`.
pub(crate) fn find(path: &str) -> Option<&'static Key> {
    for section in ONE_GROUP {
        if let Some(rest) = element(section, path) {
            return of_group(section).find(|key| key.path == rest);
        }
    }
    if let Some((_, keys, rest)) = in_list(path) {
        return keys.iter().find(|key| key.path == rest);
    }
    if window_name(path).is_some() {
        return Some(&WINDOW);
    }
    SCENARIO.iter().find(|key| key.path == path)
}

/// Keys and subsections of a section, by their last part; the empty path is the whole file.
pub(crate) fn children(section: &str) -> Vec<&'static str> {
    if ONE_GROUP.contains(&section) {
        return of_group(section).map(|key| key.path).collect();
    }
    if let Some((_, keys)) = LISTS.iter().find(|(list, _)| element(list, section).is_some()) {
        return keys.iter().map(|key| key.path).collect();
    }
    let mut names: Vec<&'static str> = Vec::new();
    for key in SCENARIO.iter().chain([&WINDOW]) {
        let rest = if section.is_empty() {
            Some(key.path)
        } else {
            key.path.strip_prefix(section).and_then(|rest| rest.strip_prefix('.'))
        };
        let Some(rest) = rest else { continue };
        let name = rest.split('.').next().unwrap_or(rest);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    match section {
        "workload" => names.extend(["hot", "group", "moving"]),
        "faults" => names.push("event"),
        _ => {}
    }
    names
}

/// Whether `path` is a section of a scenario.
pub(crate) fn is_section(path: &str) -> bool {
    ONE_GROUP.contains(&path)
        || SCENARIO
            .iter()
            .chain([&WINDOW])
            .any(|key| key.path.strip_prefix(path).is_some_and(|rest| rest.starts_with('.')))
}

/// Whether `path` is a section of a scenario, or a list of sections.
pub(crate) fn is_table(path: &str) -> bool {
    is_section(path) || list(path).is_some()
}

/// All sections and lists of sections, those that hold others first.
pub(crate) fn tables() -> Vec<&'static str> {
    let mut found: Vec<&'static str> = Vec::new();
    for key in SCENARIO.iter().chain([&WINDOW]) {
        for (dot, _) in key.path.match_indices('.') {
            if !found.contains(&&key.path[..dot]) {
                found.push(&key.path[..dot]);
            }
        }
    }
    let lists = LISTS.iter().map(|(list, _)| *list);
    found.into_iter().chain(ONE_GROUP).chain(lists).collect()
}

/// Whether a value at `table` has what stands at `path` in it.
pub(crate) fn covers(table: &str, path: &str) -> bool {
    let rest = path.strip_prefix(table);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// All full paths, those of lists with a placeholder such as `workload.group.N`, that of windows
/// with `NAME`.
pub(crate) fn all_paths() -> Vec<String> {
    let scenario = SCENARIO.iter().map(|key| key.path.to_owned());
    let of_section = |section| of_group(section).map(move |key| format!("{section}.{}", key.path));
    let one_group = ONE_GROUP.into_iter().flat_map(of_section);
    let lists = LISTS.iter().flat_map(|(list, keys)| {
        let of = move |key: &Key| format!("{list}.N.{}", key.path);
        keys.iter().map(of)
    });
    let window = WINDOW.path.to_owned();
    scenario.chain(one_group).chain(lists).chain([window]).collect()
}

impl Kind {
    /// What is legal, in words.
    pub(crate) fn legal(&self) -> String {
        match self {
            Kind::Integer { min, max } if min == max => format!("{min}; more is not modelled yet"),
            Kind::Integer { min, max } => format!("an integer from {min} to {max}"),
            Kind::IntegerOr { min, max, word } => {
                format!("an integer from {min} to {max}, or \"{word}\"")
            }
            Kind::NodeCount => format!(
                "an integer from 1 to {}: {}",
                topology::NODES_MAX,
                topology::NODES_MAX_REASON
            ),
            Kind::Rate => {
                let (min, max) = rate_bounds();
                format!(
                    "a number from {} to {max}, or a fraction such as \"3/2\"",
                    min.to_f64()
                )
            }
            Kind::Ratio => "a number above 0, such as 1.5, or a fraction such as \"3/2\"".to_owned(),
            Kind::Share => "a number from 0 to 1, or a fraction such as \"1/3\"".to_owned(),
            Kind::Part => "a number above 0 and up to 1, or a fraction such as \"1/3\"".to_owned(),
            Kind::Ns => "a number of 0 or more, in ns".to_owned(),
            Kind::Span => "[start, end] in ns, such as [400000, 800000]".to_owned(),
            Kind::Word { legal, .. } => legal.join(", "),
            Kind::Arbiter => {
                let names: Vec<String> = crossbar::ArbiterKind::NAMES
                    .iter()
                    .map(|name| match *name {
                        "islip" => "islip, islip(K) with K iterations from 1 to 255".to_owned(),
                        name => name.to_owned(),
                    })
                    .collect();
                names.join(", ")
            }
            Kind::Text => "a string that is not empty".to_owned(),
            Kind::Flag => "true or false".to_owned(),
            Kind::Sources => format!(
                "how many nodes, such as 16, or which, such as [0, 1, 16], {}",
                node_set::LEGAL
            ),
            Kind::Nodes => {
                format!("a node, such as 32, or nodes, such as [32, 201], {}", node_set::LEGAL)
            }
            Kind::Dimensions => format!(
                "a list of 1 to {DIMENSIONS_MAX} integers from 2 to {NODES_MAX}, such as [8, 8]"
            ),
            Kind::Link => "[switch, port], such as [3, 4] for port 4 of switch 3".to_owned(),
            Kind::Sizes => "bytes from 1 to 16777216, { min = 64, max = 1024 }, or { bytes = [64, 1024], weights = [3, 1] }".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::str::FromStr;

    fn words(path: &str) -> &'static [&'static str] {
        match find(path).map(|key| key.kind) {
            Some(Kind::Word { legal, .. }) => legal,
            other => panic!("{path}: {other:?}"),
        }
    }

    // Every word that the table calls legal is one that the model reads.
    #[test]
    fn legal_words_are_those_of_the_model() {
        for word in words("switch.scheme") {
            assert!(plan::SchemeKind::from_str(word).is_ok(), "{word}");
        }
        for word in words("workload.pattern") {
            assert!(workload::Pattern::from_str(word).is_ok(), "{word}");
        }
        for word in words("workload.arrivals") {
            assert!(workload::Arrivals::from_str(word).is_ok(), "{word}");
        }
        for word in words("network.turnpool") {
            assert!(turnpool::PoolKind::from_str(word).is_ok(), "{word}");
        }
        for word in words("routing.algorithm") {
            let by_turns = plan::RoutingKind::NAMES.contains(word);
            assert!(by_turns != hierarchy::Algorithm::from_str(word).is_ok(), "{word}");
        }
        let algorithms = plan::RoutingKind::NAMES.len() + hierarchy::Algorithm::NAMES.len();
        assert_eq!(words("routing.algorithm").len(), algorithms);
        for word in words("network.topology") {
            assert!(topology::TopologyConfig::NAMES.contains(word), "{word}");
        }
        for word in words("recn.xon_edge") {
            assert!(flow_control::Edge::from_str(word).is_ok(), "{word}");
        }
    }

    // "Put defaults in one place": and a default is a legal value.
    #[test]
    fn defaults_are_legal() {
        for key in SCENARIO.iter().chain(GROUP).chain(MOVING_KEYS).chain(EVENT) {
            match (key.fallback, key.kind) {
                (
                    Fallback::Integer(given),
                    Kind::Integer { min, max } | Kind::IntegerOr { min, max, .. },
                ) => {
                    assert!((min..=max).contains(&given), "{}", key.path);
                }
                (Fallback::Word(given), Kind::Word { legal, .. }) => {
                    assert!(legal.contains(&given), "{}", key.path);
                }
                (Fallback::Word(given), Kind::IntegerOr { word, .. }) => assert_eq!(given, word),
                (Fallback::Word(given), Kind::Arbiter) => {
                    assert!(given.parse::<crossbar::ArbiterKind>().is_ok());
                }
                (Fallback::Ratio(..), Kind::Ratio | Kind::Rate | Kind::Share)
                | (Fallback::Ns(_), Kind::Ns)
                | (Fallback::Flag(_), Kind::Flag)
                | (Fallback::Required | Fallback::Unset(_) | Fallback::Rule(_), _) => {}
                other => panic!("{}: {other:?}", key.path),
            }
        }
    }

    #[test]
    fn paths_are_distinct_and_documented() {
        let mut paths: Vec<&str> = SCENARIO.iter().map(|key| key.path).collect();
        paths.sort_unstable();
        paths.dedup();
        assert_eq!(paths.len(), SCENARIO.len());
        let mut all = SCENARIO.iter().chain(GROUP).chain(MOVING_KEYS).chain(EVENT);
        assert!(all.all(|key| !key.doc.is_empty()));
    }
}
