//! The one table of keys: path, type, range, unit, default and meaning. Reading, defaults,
//! suggestions, the resolved text and the JSON Schema follow from it.

mod table;

use crate::node_set;
pub(crate) use table::{
    EVENT, GROUP, METRICS, MOVING_KEYS, SCENARIO, SLURM, STUDY_NAMES, TARGET, WINDOW, integer,
};
use topology::{DIMENSIONS_MAX, NODES_MAX};
use units::Ratio;

/// What a key takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// A whole number, and why it has these bounds; or one word. Both may be empty.
    Integer {
        min: u64,
        max: u64,
        why: &'static str,
        word: &'static str,
    },
    /// A number above 0: decimal, or a fraction as a string.
    Ratio,
    /// The rate of a link, bytes/ns: decimal, or a fraction as a string.
    Rate,
    Share,
    /// A number above 0, at most 1.
    Part,
    /// A time of 0 or more, fractions allowed; must come to whole ticks.
    Ns,
    /// Two such times: a start and an end.
    Span,
    Word(&'static [&'static str]),
    Arbiter,
    Text,
    Flag,
    /// How many nodes, or which.
    Sources,
    /// One node or several.
    Nodes,
    Dimensions,
    /// A link by a switch and its port.
    Link,
    /// A message length, or how lengths are drawn.
    Sizes,
}

/// What holds where a key is not given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Fallback {
    Required,
    /// It has no value then; stated in words.
    Unset(&'static str),
    /// It follows from other keys; stated in words.
    Rule(&'static str),
    Integer(u64),
    Ratio(u64, u64),
    Ns(u64),
    Word(&'static str),
    Flag(bool),
}

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

/// The slowest and the fastest link, bytes/ns: beyond all that is built, with ticks that fit a run.
pub(crate) fn rate_bounds() -> (Ratio, Ratio) {
    let ratio = |num, den| Ratio::new(num, den).unwrap_or(Ratio::ONE);
    (ratio(1, 1000), ratio(1000, 1))
}

/// Keys that several sections speak of.
pub(crate) const TOPOLOGY: &str = "network.topology";
pub(crate) const NODES: &str = "network.nodes";
pub(crate) const SCHEME: &str = "switch.scheme";
pub(crate) const ORGANISATION: &str = "switch.organisation";
pub(crate) const MEMORY: &str = "switch.port_memory_bytes";
pub(crate) const VCS: &str = "switch.vcs";
pub(crate) const PACKET: &str = "link.packet_bytes";
pub(crate) const ALGORITHM: &str = "routing.algorithm";
pub(crate) const DURATION: &str = "run.duration_ns";
pub(crate) const WARMUP: &str = "run.warmup_ns";
pub(crate) const BIN: &str = "run.series_bin_ns";

pub(crate) const HOT: &str = "workload.hot";

/// The keys of [`HOT`]: those of a group, but that has its name, and asks for no replies.
const HOT_KEYS: &[Key] = GROUP.split_at(12).0.split_at(1).1;

pub(crate) const MOVING: &str = "workload.moving";

pub(crate) const GROUPS: &str = "workload.group";

pub(crate) const EVENTS: &str = "faults.event";

/// Tables whose keys are not in [`SCENARIO`], with their keys: sections `[path]`, and lists of
/// sections `[[path]]`. Where one is not given, its keys are not either.
const SECTIONS: [(&str, &[Key]); 2] = [(HOT, HOT_KEYS), (MOVING, MOVING_KEYS)];
const LISTS: [(&str, &[Key]); 2] = [(GROUPS, GROUP), (EVENTS, EVENT)];

/// Whether a key of a group is one of [`HOT`] too.
pub(crate) fn is_of_hot(key: &Key) -> bool {
    HOT_KEYS.iter().any(|hot| hot.path == key.path)
}

/// What a path has below a list or section: `0.load` of `workload.group.0.load`.
fn below<'a>(table: &str, path: &'a str) -> Option<&'a str> {
    path.strip_prefix(table)?.strip_prefix('.')
}

/// The list that a path is below, its keys, and what the path has below it.
fn in_list(path: &str) -> Option<(&'static str, &'static [Key], &str)> {
    LISTS.iter().find_map(|&(list, keys)| Some((list, keys, below(list, path)?)))
}

/// The keys of a table such as `workload.hot` or `workload.group.0`.
pub(crate) fn of_table(path: &str) -> Option<&'static [Key]> {
    let section = SECTIONS.iter().find(|(section, _)| *section == path).map(|(_, keys)| *keys);
    section.or_else(|| in_list(path).map(|(_, keys, _)| keys))
}

/// The list that a path names, such as `workload.group`.
pub(crate) fn list(path: &str) -> Option<&'static str> {
    LISTS.iter().map(|(list, _)| *list).find(|list| *list == path)
}

/// The list that a path is an element of, or of which it is below an element.
pub(crate) fn list_above(path: &str) -> Option<&'static str> {
    in_list(path).map(|(list, ..)| list)
}

/// The key of the first element for a path without a number, or with a name in its place:
/// `workload.group.0.load` for `workload.group.load` and `workload.group.hot.load`.
pub(crate) fn by_number(path: &str) -> Option<String> {
    let (list, keys, rest) = in_list(path)?;
    let key = keys.iter().find(|key| {
        let before = rest.strip_suffix(key.path);
        before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
    })?;
    find(path).is_none().then(|| format!("{list}.0.{}", key.path))
}

/// Path of the section of windows; its keys have names of the user's own, see [`WINDOW`].
pub(crate) const WINDOWS: &str = "windows";

/// The name of the window in a full path, such as `before` of `windows.before_ns`.
pub(crate) fn window_name(path: &str) -> Option<&str> {
    let name = below(WINDOWS, path)?.strip_suffix("_ns")?;
    let is_legal = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    (!name.is_empty() && name.chars().all(is_legal)).then_some(name)
}

/// The key of a full path, such as `workload.hot.load` or `workload.group.0.load`.
pub(crate) fn find(path: &str) -> Option<&'static Key> {
    let of = |keys: &'static [Key], name: &str| keys.iter().find(|key| key.path == name);
    if let Some((rest, keys)) = SECTIONS.iter().find_map(|(at, of)| Some((below(at, path)?, of))) {
        return of(keys, rest);
    }
    if let Some((_, keys, rest)) = in_list(path) {
        let (number, name) = rest.split_once('.')?;
        return number.parse::<usize>().ok().and_then(|_| of(keys, name));
    }
    if window_name(path).is_some() {
        return Some(&WINDOW);
    }
    of(SCENARIO, path)
}

/// Keys and subsections of a section, by their last part; the empty path is the whole file.
pub(crate) fn children(section: &str) -> Vec<&'static str> {
    if let Some(keys) = of_table(section) {
        return keys.iter().map(|key| key.path).collect();
    }
    let mut names: Vec<&'static str> = Vec::new();
    for key in SCENARIO.iter().chain([&WINDOW]) {
        let rest = if section.is_empty() { Some(key.path) } else { below(section, key.path) };
        let name = rest.map(|rest| rest.split('.').next().unwrap_or(rest));
        names.extend(name.filter(|name| !names.contains(name)));
    }
    match section {
        "workload" => names.extend(["hot", "group", "moving"]),
        "faults" => names.push("event"),
        _ => {}
    }
    names
}

pub(crate) fn is_section(path: &str) -> bool {
    let mut keys = SCENARIO.iter().chain([&WINDOW]);
    SECTIONS.iter().any(|(at, _)| *at == path) || keys.any(|key| below(path, key.path).is_some())
}

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
    found.extend(SECTIONS.iter().chain(&LISTS).map(|(path, _)| *path));
    found
}

/// Whether a value at `table` contains `path`.
pub(crate) fn covers(table: &str, path: &str) -> bool {
    table == path || below(table, path).is_some()
}

/// All full paths, with a placeholder such as `workload.group.N`, and `NAME` of windows.
pub(crate) fn all_paths() -> Vec<String> {
    let scenario = SCENARIO.iter().map(|key| key.path.to_owned());
    let of =
        |at: String, keys: &'static [Key]| keys.iter().map(move |key| format!("{at}.{}", key.path));
    let sections = SECTIONS.iter().flat_map(|(at, keys)| of((*at).to_owned(), keys));
    let lists = LISTS.iter().flat_map(|(at, keys)| of(format!("{at}.N"), keys));
    let window = WINDOW.path.to_owned();
    scenario.chain(sections).chain(lists).chain([window]).collect()
}

impl Kind {
    pub(crate) fn legal(&self) -> String {
        match *self {
            Kind::Integer { min, max, .. } if min == max => {
                format!("{min}; more is not modelled yet")
            }
            Kind::Integer { min, max, why, word } => {
                let why = if why.is_empty() { String::new() } else { format!(": {why}") };
                let or = if word.is_empty() { String::new() } else { format!(", or \"{word}\"") };
                format!("an integer from {min} to {max}{why}{or}")
            }
            Kind::Rate => {
                let (min, max) = rate_bounds();
                format!("a number from {} to {max}, or a fraction such as \"3/2\"", min.to_f64())
            }
            Kind::Word(legal) => legal.join(", "),
            Kind::Arbiter => crossbar::ArbiterKind::NAMES
                .join(", ")
                .replace("islip", "islip, islip(K) with K iterations from 1 to 255"),
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
            Kind::Ratio => "a number above 0, such as 1.5, or a fraction such as \"3/2\"".into(),
            Kind::Share => "a number from 0 to 1, or a fraction such as \"1/3\"".into(),
            Kind::Part => "a number above 0 and up to 1, or a fraction such as \"1/3\"".into(),
            Kind::Ns => "a number of 0 or more, in ns".into(),
            Kind::Span => "[start, end] in ns, such as [400000, 800000]".into(),
            Kind::Text => "a string that is not empty".into(),
            Kind::Flag => "true or false".into(),
            Kind::Link => "[switch, port], such as [3, 4] for port 4 of switch 3".into(),
            Kind::Sizes => "bytes from 1 to 16777216, { min = 64, max = 1024 }, or { bytes = [64, 1024], weights = [3, 1] }".into(),
        }
    }

    /// Whether it takes whole numbers, beside words or lists.
    pub(crate) fn is_whole(&self) -> bool {
        matches!(self, Kind::Integer { .. } | Kind::Sources | Kind::Nodes | Kind::Sizes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plain::{self, Plain};
    use crate::value::Value;
    use std::str::FromStr;

    fn words(path: &str) -> &'static [&'static str] {
        match find(path).map(|key| key.kind) {
            Some(Kind::Word(legal)) => legal,
            other => panic!("{path}: {other:?}"),
        }
    }

    // The section of hot sources has the keys of a group that are cut out by their places.
    #[test]
    fn hot_sources_have_the_keys_of_a_group_but_its_name_and_replies() {
        let paths: Vec<&str> = HOT_KEYS.iter().map(|key| key.path).collect();
        let expected = "load pattern destinations sources share placement start_ns end_ns step_ns arrivals message_bytes";
        assert_eq!(paths.join(" "), expected);
    }

    // Every word that the table calls legal is one that the model reads.
    #[test]
    fn legal_words_are_those_of_the_model() {
        fn read<T: FromStr>(path: &str) {
            let mut words = words(path).iter();
            assert!(words.all(|word| T::from_str(word).is_ok()), "{path}");
        }
        read::<plan::SchemeKind>("switch.scheme");
        read::<workload::Pattern>("workload.pattern");
        read::<workload::Arrivals>("workload.arrivals");
        read::<turnpool::PoolKind>("network.turnpool");
        read::<flow_control::Edge>("recn.xon_edge");
        for word in words("routing.algorithm") {
            let by_turns = plan::RoutingKind::NAMES.contains(word);
            assert!(by_turns != hierarchy::Algorithm::from_str(word).is_ok(), "{word}");
        }
        let algorithms = plan::RoutingKind::NAMES.len() + hierarchy::Algorithm::NAMES.len();
        assert_eq!(words("routing.algorithm").len(), algorithms);
        for word in words("network.topology") {
            assert!(topology::TopologyConfig::NAMES.contains(word), "{word}");
        }
    }

    // "Put defaults in one place": and a default is a legal value.
    #[test]
    fn defaults_are_legal() {
        for key in SCENARIO.iter().chain(GROUP).chain(MOVING_KEYS).chain(EVENT) {
            let Some(plain) = Plain::of_fallback(key.fallback) else { continue };
            let read = plain::read(key.path, key.kind, &Value::from_set(key.path, &plain.toml()));
            assert_eq!(read, Ok(plain), "{}", key.path);
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
