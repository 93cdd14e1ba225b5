//! The keys of one scenario with their values: given, then defaults.

use crate::error::{Found, Problem, ScenarioError, short};
use crate::keys::{self, EVENT, EVENTS, Fallback, GROUPS, HOT, Key, MOVING, SCENARIO, WINDOW};
use crate::node_set;
use crate::plain::{self, Plain, nearest};
use crate::source::{Origin, Source};
use crate::value::{Kind as Toml, Table, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use units::Ratio;
use workload::MessageBytes;

/// A value and where it was given.
#[derive(Debug, Clone)]
struct Setting {
    plain: Plain,
    /// `None` for a default.
    origin: Option<Origin>,
}

/// All keys of a scenario by their full path.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    values: BTreeMap<String, Setting>,
    /// Where each section starts.
    sections: BTreeMap<String, Origin>,
    root: Origin,
    /// How many `[[workload.group]]` there are.
    pub(crate) groups: usize,
    /// How many `[[faults.event]]` there are.
    pub(crate) events: usize,
    /// Whether there is a `[workload.hot]`.
    pub(crate) hot: bool,
    /// Whether there is a `[workload.moving]`.
    pub(crate) moving: bool,
    /// The edge list of `network.file`, for messages.
    pub(crate) edge_source: Option<Arc<Source>>,
    /// The list of `network.global_links_file`, for messages.
    pub(crate) links_source: Option<Arc<Source>>,
    /// Where the file of `workload.trace.file` is.
    pub(crate) trace_path: Option<PathBuf>,
    /// How many end nodes there are; 0 where that is not known.
    end_nodes: u32,
}

impl Settings {
    /// Reads a document against the table of keys; every key that is unknown or wrong is an error.
    pub(crate) fn read(table: &Table, root: Origin) -> (Settings, Found) {
        let mut settings = Settings {
            values: BTreeMap::new(),
            sections: BTreeMap::new(),
            root,
            groups: 0,
            events: 0,
            hot: false,
            moving: false,
            edge_source: None,
            links_source: None,
            trace_path: None,
            end_nodes: 0,
        };
        let mut found = Found::default();
        settings.section(table, "", &mut found);
        settings.fallbacks(&mut found);
        (settings, found)
    }

    fn section(&mut self, table: &Table, section: &str, found: &mut Found) {
        for entry in &table.entries {
            let path = if section.is_empty() {
                entry.key.clone()
            } else {
                format!("{section}.{}", entry.key)
            };
            if entry.key.contains('.') || entry.key.is_empty() {
                // In quotes it is one name with a dot in it, not a path.
                found.push(|| quoted(section, &path, &entry.key, &entry.key_origin));
                continue;
            }
            if let Some(key) = keys::find(&path) {
                match plain::read(&path, key.kind, &entry.value) {
                    Ok(plain) => {
                        let origin = Some(entry.value.origin.clone());
                        self.values.insert(path, Setting { plain, origin });
                    }
                    Err(error) => found.errors.push(error),
                }
            } else if let Some(list) = keys::list(&path) {
                self.list(list, &entry.value, found);
            } else if keys::is_section(&path) {
                self.sections.insert(path.clone(), entry.key_origin.clone());
                self.hot |= path == HOT;
                self.moving |= path == MOVING;
                match &entry.value.kind {
                    Toml::Table(inner) => self.section(inner, &path, found),
                    _ => found.errors.push(
                        Problem::new(format!(
                            "expected a section, found {}",
                            entry.value.type_name()
                        ))
                        .key(&path)
                        .help(format!("write [{path}] and its keys below"))
                        .at(&entry.value.origin),
                    ),
                }
            } else {
                found.push(|| unknown(section, &path, &entry.key, &entry.key_origin));
            }
        }
    }

    fn list(&mut self, list: &'static str, value: &Value, found: &mut Found) {
        let each = if list == EVENTS { "event" } else { "group" };
        let refuse = |value: &Value| {
            Problem::new(format!("expected [[{list}]], found {}", value.type_name()))
                .key(list)
                .help(format!("write [[{list}]], once for each {each}, and its keys below"))
                .at(&value.origin)
        };
        let Toml::Array(items) = &value.kind else {
            found.errors.push(refuse(value));
            return;
        };
        for item in items {
            let count = match list {
                EVENTS => &mut self.events,
                _ => &mut self.groups,
            };
            let path = format!("{list}.{count}");
            *count += 1;
            self.sections.insert(path.clone(), item.origin.clone());
            match &item.kind {
                Toml::Table(inner) => self.section(inner, &path, found),
                _ => found.push(|| refuse(item)),
            }
        }
    }

    /// Fills in what does not depend on other keys; what is required and missing is an error.
    fn fallbacks(&mut self, found: &mut Found) {
        // A value that was given but refused has its error already.
        let refused: BTreeSet<String> = found.errors.iter().map(|e| e.key.clone()).collect();
        for (path, key) in self.all_keys() {
            if self.values.contains_key(&path) {
                continue;
            }
            let plain = match key.fallback {
                Fallback::Required => {
                    let mut known = refused.contains(&path);
                    for (at, _) in path.match_indices('.') {
                        known |= refused.contains(&path[..at]);
                    }
                    if !known {
                        found.push(|| {
                            Problem::new("missing")
                                .key(&path)
                                .help(format!("{}; legal: {}", key.doc, key.kind.legal()))
                                .at(&self.origin(&path))
                        });
                    }
                    continue;
                }
                Fallback::Unset(_) | Fallback::Rule(_) => continue,
                Fallback::Integer(number) => Plain::Integer(number),
                Fallback::Ratio(num, den) => Plain::Ratio(Ratio::new(num, den).ok()),
                Fallback::Ns(number) => Plain::Ratio(Ratio::new(number, 1).ok()),
                Fallback::Word(word) => Plain::Word(word.to_owned()),
                Fallback::Flag(flag) => Plain::Flag(flag),
            };
            self.fill(&path, plain);
        }
    }

    /// Every key that this scenario has a place for, with its full path, in the order of the table;
    /// windows are those given.
    pub(crate) fn all_keys(&self) -> Vec<(String, &'static Key)> {
        let full = |prefix: &str, key: &'static Key| (join(prefix, key.path), key);
        let mut all: Vec<(String, &'static Key)> =
            SCENARIO.iter().map(|key| full("", key)).collect();
        let of_groups = self
            .group_paths()
            .into_iter()
            .flat_map(|path| keys::of_group(&path).map(move |key| full(&path, key)));
        let at = SCENARIO
            .iter()
            .rposition(|key| key.path.starts_with("workload."))
            .map_or(all.len(), |last| last + 1);
        all.splice(at..at, of_groups);
        let of_events = (0..self.events).flat_map(|number| {
            let path = event_path(number);
            EVENT.iter().map(move |key| full(&path, key))
        });
        // The keys of faults are the last.
        all.extend(of_events);
        all.extend(self.windows().map(|path| (path.to_owned(), &WINDOW)));
        all
    }

    /// Full paths of the windows that are given.
    pub(crate) fn windows(&self) -> impl Iterator<Item = &str> {
        let paths = self.values.keys().map(String::as_str);
        paths.filter(|path| keys::window_name(path).is_some())
    }

    /// Paths of the hot group, if any, of the further groups, and of hot spots that move, if any.
    pub(crate) fn group_paths(&self) -> Vec<String> {
        let hot = self.hot.then(|| HOT.to_owned());
        let groups = (0..self.groups).map(|number| format!("{GROUPS}.{number}"));
        let moving = self.moving.then(|| MOVING.to_owned());
        hot.into_iter().chain(groups).chain(moving).collect()
    }

    /// Sets a value that was not given.
    pub(crate) fn fill(&mut self, path: &str, plain: Plain) {
        self.values.entry(path.to_owned()).or_insert(Setting { plain, origin: None });
    }

    /// Replaces a value; its place stays.
    pub(crate) fn replace(&mut self, path: &str, plain: Plain) {
        let origin = self.values.get(path).and_then(|setting| setting.origin.clone());
        self.values.insert(path.to_owned(), Setting { plain, origin });
    }

    /// Forgets a key.
    pub(crate) fn remove(&mut self, path: &str) {
        self.values.remove(path);
    }

    /// Moves a value with its place to another key.
    pub(crate) fn rename(&mut self, from: &str, to: &str, plain: Plain) {
        if let Some(setting) = self.values.remove(from) {
            let origin = setting.origin;
            self.values.insert(to.to_owned(), Setting { plain, origin });
        }
    }

    /// Whether the key stands in the file or on the command line.
    pub(crate) fn given(&self, path: &str) -> bool {
        self.values.get(path).is_some_and(|setting| setting.origin.is_some())
    }

    /// The place of the value; where it is a default, that of the section.
    pub(crate) fn origin(&self, path: &str) -> Origin {
        if let Some(Setting { origin: Some(origin), .. }) = self.values.get(path) {
            return origin.clone();
        }
        let mut section = path;
        while let Some((parent, _)) = section.rsplit_once('.') {
            if let Some(origin) = self.sections.get(parent) {
                return origin.clone();
            }
            section = parent;
        }
        self.root.clone()
    }

    /// Of keys that do not go together, the one to blame: what came last (command line, then study,
    /// then scenario), else the first.
    pub(crate) fn first_given<'a>(&self, paths: &[&'a str]) -> &'a str {
        let age = |path: &&&str| match (
            self.values.get(**path).map(|setting| &setting.origin),
            &self.root,
        ) {
            (Some(Some(Origin::Set { .. })), _) => 0,
            (Some(Some(Origin::File { source, .. })), Origin::File { source: root, .. }) => {
                if Arc::ptr_eq(source, root) {
                    2
                } else {
                    1
                }
            }
            (Some(Some(_)), _) => 2,
            _ => 3,
        };
        paths.iter().min_by_key(age).copied().unwrap_or("")
    }

    pub(crate) fn plain(&self, path: &str) -> Option<&Plain> {
        self.values.get(path).map(|setting| &setting.plain)
    }

    pub(crate) fn integer(&self, path: &str) -> Option<u64> {
        match self.plain(path) {
            Some(Plain::Integer(number)) => Some(*number),
            _ => None,
        }
    }

    /// An integer that the table bounds to 32 bits and gives a default; 0 where it has none.
    pub(crate) fn small(&self, path: &str) -> u32 {
        self.integer(path).map_or(0, |number| u32::try_from(number).unwrap_or(u32::MAX))
    }

    /// A ratio; `None` is 0 or no value.
    pub(crate) fn ratio(&self, path: &str) -> Option<Ratio> {
        match self.plain(path) {
            Some(Plain::Ratio(ratio)) => *ratio,
            _ => None,
        }
    }

    /// A start and an end; `None` is 0.
    pub(crate) fn span(&self, path: &str) -> [Option<Ratio>; 2] {
        match self.plain(path) {
            Some(Plain::Span(span)) => *span,
            _ => [None; 2],
        }
    }

    pub(crate) fn word(&self, path: &str) -> &str {
        match self.plain(path) {
            Some(Plain::Word(word)) => word,
            _ => "",
        }
    }

    pub(crate) fn flag(&self, path: &str) -> bool {
        matches!(self.plain(path), Some(Plain::Flag(true)))
    }

    /// Nodes of a list, or sizes of dimensions; of a number none.
    pub(crate) fn nodes(&self, path: &str) -> Vec<u32> {
        match self.plain(path) {
            Some(Plain::Nodes(list)) => {
                list.iter().map(|&node| u32::try_from(node).unwrap_or(u32::MAX)).collect()
            }
            Some(Plain::NodeSet(set)) => set.of(self.end_nodes),
            _ => Vec::new(),
        }
    }

    /// From now on it is known how many end nodes there are. Whether each set of nodes is one of
    /// them; else there are errors.
    pub(crate) fn end_nodes(&mut self, nodes: u32, errors: &mut Vec<ScenarioError>) -> bool {
        self.end_nodes = nodes;
        let before = errors.len();
        for (path, setting) in &self.values {
            if let Plain::NodeSet(set) = &setting.plain
                && let Some(problem) = set.problem(nodes)
            {
                let help = format!("legal: {}", node_set::LEGAL);
                errors.push(self.refuse(path, format!("\"{}\": {problem}", set.text()), help));
            }
        }
        errors.len() == before
    }

    pub(crate) fn sizes(&self, path: &str) -> Option<MessageBytes> {
        match self.plain(path) {
            Some(Plain::Sizes(sizes)) => Some(sizes.clone()),
            _ => None,
        }
    }

    /// An error at a key.
    pub(crate) fn refuse(
        &self,
        path: &str,
        what: impl Into<String>,
        help: impl Into<String>,
    ) -> ScenarioError {
        Problem::new(what).key(path).help(help).at(&self.origin(path))
    }
}

/// The path of an event, by its number.
pub(crate) fn event_path(number: usize) -> String {
    format!("{EVENTS}.{number}")
}

/// `prefix.path`, or `path` alone.
pub(crate) fn join(prefix: &str, path: &str) -> String {
    if prefix.is_empty() { path.to_owned() } else { format!("{prefix}.{path}") }
}

/// The error for a key such as `"switch.arbiter"`, which studies have and scenarios do not.
fn quoted(section: &str, path: &str, name: &str, origin: &Origin) -> ScenarioError {
    let mut error = unknown(section, path, name, origin);
    "unknown key".clone_into(&mut error.message);
    if let (Some(_), Some((parent, last))) = (keys::find(name), name.rsplit_once('.')) {
        error.help = format!("write [{parent}] and below it {last} = ...");
    }
    error
}

/// The error for a key that is not in the table.
pub(crate) fn unknown(section: &str, path: &str, name: &str, origin: &Origin) -> ScenarioError {
    let legal = keys::children(section);
    let all = keys::all_paths();
    let elsewhere = || all.iter().find(|known| known.rsplit('.').next() == Some(name));
    if let Some(of_list) = keys::by_number(path) {
        let help = format!("an element of a list is named by its number, from 0: `{of_list}`");
        return Problem::new("unknown key").key(short(path)).help(help).at(origin);
    }
    let help = if let Some(near) = nearest(name, legal.iter().copied()) {
        format!("did you mean `{}`? ", join(section, near))
    } else if let Some(known) = elsewhere() {
        format!("did you mean `{known}`? ")
    } else {
        String::new()
    };
    let place = if section.is_empty() {
        "sections of a scenario".to_owned()
    } else {
        format!("keys of [{section}]")
    };
    let what = if section.is_empty() { "unknown section" } else { "unknown key" };
    let help = if legal.is_empty() {
        format!("{place}: none, there is no such section")
    } else {
        format!("{help}{place}: {}", legal.join(", "))
    };
    Problem::new(what).key(short(path)).help(help).at(origin)
}
