//! The keys of one scenario with their values: given, then defaults.

use crate::error::{Errors, Place, ScenarioError, short};
use crate::keys::{self, EVENTS, Fallback, GROUPS, HOT, Key, MOVING, SCENARIO, WINDOW};
use crate::node_set;
use crate::plain::{self, Plain, nearest};
use crate::source::Source;
use crate::value::{Entry, Kind as Toml, Table, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use units::Ratio;
use workload::MessageBytes;

/// A value and where it was given.
#[derive(Debug, Clone)]
struct Setting {
    plain: Plain,
    /// `None` for a default.
    place: Option<Place>,
}

/// All keys of a scenario by their full path.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    values: BTreeMap<String, Setting>,
    sections: BTreeMap<String, Place>,
    root: Place,
    /// Lists that were read from files of their own, by the keys that have their texts.
    pub(crate) list_sources: BTreeMap<&'static str, Arc<Source>>,
    /// Where the file of `workload.trace.file` is.
    pub(crate) trace_path: Option<PathBuf>,
    /// How many end nodes there are; 0 where that is unknown.
    pub(crate) end_nodes: u32,
}

impl Settings {
    /// Reads a document against the table of keys; every key that is unknown or wrong is an error.
    pub(crate) fn read(table: &Table, root: Place) -> (Settings, Errors) {
        let mut settings = Settings {
            values: BTreeMap::new(),
            sections: BTreeMap::new(),
            root,
            list_sources: BTreeMap::new(),
            trace_path: None,
            end_nodes: 0,
        };
        let mut errors = Errors::of(Vec::new());
        settings.section(table, "", &mut errors);
        settings.fallbacks(&mut errors);
        (settings, errors)
    }

    fn section(&mut self, table: &Table, section: &str, errors: &mut Errors) {
        for Entry { key: name, key_origin, value } in &table.entries {
            let path = join(section, name);
            if name.contains('.') || name.is_empty() {
                // In quotes it is one name with a dot in it, not a path.
                errors.push(|| quoted(section, &path, name, key_origin));
            } else if let Some(key) = keys::find(&path) {
                match plain::read(&path, key.kind, value) {
                    Ok(plain) => {
                        let place = Some(value.origin.clone());
                        self.values.insert(path, Setting { plain, place });
                    }
                    Err(error) => errors.kept.push(error),
                }
            } else if let Some(list) = keys::list(&path) {
                self.list(list, value, errors);
            } else if keys::is_section(&path) {
                self.sections.insert(path.clone(), key_origin.clone());
                if let Toml::Table(inner) = &value.kind {
                    self.section(inner, &path, errors);
                } else {
                    let what = format!("expected a section, found {}", value.type_name());
                    let help = format!("write [{path}] and its keys below");
                    errors.kept.push(ScenarioError::new(&value.origin, path, what, help));
                }
            } else {
                errors.push(|| unknown(section, &path, name, key_origin));
            }
        }
    }

    fn list(&mut self, list: &'static str, value: &Value, errors: &mut Errors) {
        let each = if list == EVENTS { "event" } else { "group" };
        let refuse = |value: &Value| {
            let what = format!("expected [[{list}]], found {}", value.type_name());
            let help = format!("write [[{list}]], once for each {each}, and its keys below");
            ScenarioError::new(&value.origin, list, what, help)
        };
        let Toml::Array(items) = &value.kind else {
            errors.kept.push(refuse(value));
            return;
        };
        for (number, item) in items.iter().enumerate() {
            let path = format!("{list}.{number}");
            self.sections.insert(path.clone(), item.origin.clone());
            match &item.kind {
                Toml::Table(inner) => self.section(inner, &path, errors),
                _ => errors.push(|| refuse(item)),
            }
        }
    }

    /// Fills in what does not depend on other keys; what is required and missing is an error.
    fn fallbacks(&mut self, errors: &mut Errors) {
        // A value that was given but refused has its error already.
        let refused: BTreeSet<String> = errors.kept.iter().map(|e| e.key.clone()).collect();
        for (path, key) in self.all_keys() {
            if key.fallback == Fallback::Required && !self.values.contains_key(&path) {
                let mut above = path.match_indices('.').map(|(at, _)| &path[..at]);
                if !refused.contains(&path) && !above.any(|section| refused.contains(section)) {
                    let help = || format!("{}; legal: {}", key.doc, key.kind.legal());
                    errors.push(|| self.error(&[path.as_str()], "missing", help()));
                }
            } else if let Some(plain) = Plain::of_fallback(key.fallback) {
                self.fill(&path, plain);
            }
        }
    }

    /// Every key that this scenario has a place for, by its full path, in the order of the table.
    pub(crate) fn all_keys(&self) -> Vec<(String, &'static Key)> {
        let mut all: Vec<(String, &'static Key)> =
            SCENARIO.iter().map(|key| (key.path.to_owned(), key)).collect();
        let of = |table: String| {
            let keys = keys::of_table(&table).unwrap_or_default().iter();
            keys.map(move |key| (join(&table, key.path), key))
        };
        let last = SCENARIO.iter().rposition(|key| key.path.starts_with("workload."));
        let at = last.map_or(all.len(), |last| last + 1);
        all.splice(at..at, self.group_paths().into_iter().flat_map(of));
        // The keys of faults are the last.
        all.extend(self.elements(EVENTS).into_iter().flat_map(of));
        all.extend(self.windows().map(|path| (path.to_owned(), &WINDOW)));
        all
    }

    pub(crate) fn windows(&self) -> impl Iterator<Item = &str> {
        let paths = self.values.keys().map(String::as_str);
        paths.filter(|path| keys::window_name(path).is_some())
    }

    pub(crate) fn has_section(&self, path: &str) -> bool {
        self.sections.contains_key(path)
    }

    /// Paths of the elements of a list such as `workload.group`.
    pub(crate) fn elements(&self, list: &str) -> Vec<String> {
        let paths = (0..).map(|number| format!("{list}.{number}"));
        paths.take_while(|path| self.has_section(path)).collect()
    }

    /// Paths of the hot group, if any, of the further groups, and of hot spots that move, if any.
    pub(crate) fn group_paths(&self) -> Vec<String> {
        let section = |path: &str| self.has_section(path).then(|| path.to_owned());
        section(HOT).into_iter().chain(self.elements(GROUPS)).chain(section(MOVING)).collect()
    }

    pub(crate) fn fill(&mut self, path: &str, plain: impl Into<Plain>) {
        let of_default = || Setting { plain: plain.into(), place: None };
        self.values.entry(path.to_owned()).or_insert_with(of_default);
    }

    pub(crate) fn fill_all(&mut self, defaults: &[(&str, Fallback)]) {
        for (path, fallback) in defaults {
            if let Some(plain) = Plain::of_fallback(*fallback) {
                self.fill(path, plain);
            }
        }
    }

    /// Replaces a value; its place stays.
    pub(crate) fn replace(&mut self, path: &str, plain: impl Into<Plain>) {
        let place = self.values.get(path).and_then(|setting| setting.place.clone());
        self.values.insert(path.to_owned(), Setting { plain: plain.into(), place });
    }

    pub(crate) fn remove(&mut self, path: &str) {
        self.values.remove(path);
    }

    /// Moves a value with its place to another key.
    pub(crate) fn rename(&mut self, from: &str, to: &str, plain: Plain) {
        if let Some(Setting { place, .. }) = self.values.remove(from) {
            self.values.insert(to.to_owned(), Setting { plain, place });
        }
    }

    /// Whether the key is in the file or on the command line.
    pub(crate) fn given(&self, path: &str) -> bool {
        self.values.get(path).is_some_and(|setting| setting.place.is_some())
    }

    /// Keys below a section that have a value, by name.
    pub(crate) fn below<'a>(&'a self, section: &'a str) -> impl Iterator<Item = &'a str> {
        self.values.keys().map(String::as_str).filter(move |path| {
            path.strip_prefix(section).is_some_and(|rest| rest.starts_with('.'))
        })
    }

    /// The place of the value; where it is a default, that of the section.
    pub(crate) fn place(&self, path: &str) -> Place {
        if let Some(Setting { place: Some(place), .. }) = self.values.get(path) {
            return place.clone();
        }
        let mut sections = path.rmatch_indices('.').map(|(at, _)| &path[..at]);
        let section = sections.find_map(|section| self.sections.get(section));
        section.unwrap_or(&self.root).clone()
    }

    /// Of keys that do not go together, the one to blame: what came last (command line, then study,
    /// then scenario), else the first.
    pub(crate) fn first_given<'a>(&self, paths: &[&'a str]) -> &'a str {
        let age = |path: &&&str| {
            let setting = self.values.get(**path);
            match (setting.and_then(|setting| setting.place.as_ref()), &self.root) {
                (Some(Place::Set { .. }), _) => 0,
                (Some(Place::File(span)), Place::File(root))
                    if !Arc::ptr_eq(&span.source, &root.source) =>
                {
                    1
                }
                (Some(_), _) => 2,
                (None, _) => 3,
            }
        };
        paths.iter().min_by_key(age).copied().unwrap_or("")
    }

    pub(crate) fn plain(&self, path: &str) -> Option<&Plain> {
        self.values.get(path).map(|setting| &setting.plain)
    }

    pub(crate) fn show(&self, path: &str) -> String {
        self.plain(path).map_or(String::new(), Plain::toml)
    }

    pub(crate) fn integer(&self, path: &str) -> Option<u64> {
        match self.plain(path) {
            Some(Plain::Integer(number)) => Some(*number),
            _ => None,
        }
    }

    /// An integer that the table bounds to 32 bits, where it has one.
    pub(crate) fn number(&self, path: &str) -> Option<u32> {
        self.integer(path).map(|number| u32::try_from(number).unwrap_or(u32::MAX))
    }

    /// The same; 0 where it has none.
    pub(crate) fn small(&self, path: &str) -> u32 {
        self.number(path).unwrap_or(0)
    }

    /// A ratio; `None` is 0 or no value.
    pub(crate) fn ratio(&self, path: &str) -> Option<Ratio> {
        match self.plain(path) {
            Some(Plain::Ratio(ratio)) => *ratio,
            _ => None,
        }
    }

    /// The rate of a link, bytes/ns.
    pub(crate) fn rate(&self) -> Ratio {
        self.ratio("link.rate_bytes_per_ns").unwrap_or(Ratio::ONE)
    }

    pub(crate) fn word(&self, path: &str) -> &str {
        match self.plain(path) {
            Some(Plain::Word(word)) => word,
            _ => "",
        }
    }

    /// What a word names; the default of its type where it names none.
    pub(crate) fn named<T: FromStr + Default>(&self, path: &str) -> T {
        self.word(path).parse().unwrap_or_default()
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

    /// What is wrong with sets of nodes, where there are so many.
    pub(crate) fn sets_that_do_not_fit(&self, nodes: u32) -> Vec<ScenarioError> {
        let problem = |(path, setting): (&String, &Setting)| match &setting.plain {
            Plain::NodeSet(set) => set.problem(nodes).map(|problem| {
                let what = format!("\"{}\": {problem}", set.text());
                self.error(&[path.as_str()], what, format!("legal: {}", node_set::LEGAL))
            }),
            _ => None,
        };
        self.values.iter().filter_map(problem).collect()
    }

    pub(crate) fn sizes(&self, path: &str) -> Option<MessageBytes> {
        match self.plain(path) {
            Some(Plain::Sizes(sizes)) => Some(sizes.clone()),
            _ => None,
        }
    }

    /// An error at that of these keys that is to blame.
    pub(crate) fn error(
        &self,
        keys: &[&str],
        what: impl Into<String>,
        help: impl Into<String>,
    ) -> ScenarioError {
        let blamed = self.first_given(keys);
        ScenarioError::new(&self.place(blamed), blamed, what, help)
    }

    /// An error about a key, at the place of that of these keys that is to blame.
    pub(crate) fn error_of(
        &self,
        key: &str,
        blamed: &[&str],
        what: impl Into<String>,
        help: impl Into<String>,
    ) -> ScenarioError {
        ScenarioError::new(&self.place(self.first_given(blamed)), key, what, help)
    }
}

pub(crate) fn join(prefix: &str, path: &str) -> String {
    if prefix.is_empty() { path.to_owned() } else { format!("{prefix}.{path}") }
}

/// The error for a key such as `"switch.arbiter"`, which studies have and scenarios do not.
fn quoted(section: &str, path: &str, name: &str, place: &Place) -> ScenarioError {
    let mut error = unknown(section, path, name, place);
    "unknown key".clone_into(&mut error.message);
    if let (Some(_), Some((parent, last))) = (keys::find(name), name.rsplit_once('.')) {
        error.help = format!("write [{parent}] and below it {last} = ...");
    }
    error
}

pub(crate) fn unknown(section: &str, path: &str, name: &str, place: &Place) -> ScenarioError {
    if let Some(of_list) = keys::by_number(path) {
        let help = format!("an element of a list is named by its number, from 0: `{of_list}`");
        return ScenarioError::new(place, short(path), "unknown key", help);
    }
    let (what, of) = match section {
        "" => ("unknown section", "sections of a scenario".to_owned()),
        section => ("unknown key", format!("keys of [{section}]")),
    };
    let legal = keys::children(section);
    let near = nearest(name, legal.iter().copied()).map(|near| join(section, near));
    let elsewhere =
        || keys::all_paths().into_iter().find(|path| path.rsplit('.').next() == Some(name));
    let help = match near.or_else(elsewhere) {
        _ if legal.is_empty() => format!("{of}: none, there is no such section"),
        Some(meant) => format!("did you mean `{meant}`? {of}: {}", legal.join(", ")),
        None => format!("{of}: {}", legal.join(", ")),
    };
    ScenarioError::new(place, short(path), what, help)
}
