//! The tables of a study file, and what they are read with and have in common.

use super::filter::Filter;
use super::slurm::Slurm;
use super::target::Target;
use crate::error::{Errors, Place, ScenarioError, short};
use crate::keys::{self, Key, Kind, STUDY_NAMES};
use crate::plain::{self, Plain, nearest};
use crate::scenario::Set;
use crate::settings;
use crate::value::{Entry, Kind as Toml, Table, Value};

const REPLICAS_MAX: u64 = 10_000;

/// A value of an axis or of `[set]`: as written, and as its key reads it.
#[derive(Debug, Clone)]
pub(crate) struct Choice {
    pub(crate) value: Value,
    pub(crate) plain: Plain,
}

pub(crate) struct AxisKey {
    pub(crate) path: String,
    pub(crate) origin: Place,
    pub(crate) choices: Vec<Choice>,
}

/// A factor of the product: one key, or the keys of a `[[zip]]`, all with as many choices.
pub(crate) struct Axis {
    pub(crate) keys: Vec<AxisKey>,
}

/// The axis of this number has one of these values.
pub(crate) struct Condition {
    pub(crate) axis: usize,
    pub(crate) key: usize,
    pub(crate) values: Vec<Plain>,
}

/// A study file, read but not multiplied out.
pub(crate) struct Outline {
    pub(crate) place: Place,
    pub(crate) name: String,
    /// Path; `None` where the study file has the sections of the scenario.
    pub(crate) scenario: Option<(String, Place)>,
    pub(crate) replicas: u32,
    pub(crate) max_replicas: Option<u32>,
    pub(crate) target: Target,
    pub(crate) slurm: Slurm,
    pub(crate) set: Vec<Entry>,
    pub(crate) axes: Vec<Axis>,
    /// Keys of `[size]`, which are the last axes.
    pub(crate) size: Vec<String>,
    pub(crate) only: Vec<Only>,
    pub(crate) skip: Vec<Vec<Condition>>,
    pub(crate) filter: Option<Filter>,
}

/// Axes that vary only where all conditions hold.
pub(crate) struct Only {
    pub(crate) when: Vec<Condition>,
    pub(crate) axes: Vec<usize>,
}

pub(super) struct Reader {
    pub(super) errors: Errors,
}

impl Outline {
    pub(crate) fn read(table: &Table, root: &Place, sets: &[Set]) -> Result<Outline, Errors> {
        let mut reader = Reader { errors: Errors::of(Vec::new()) };
        match reader.outline(table, root, sets) {
            Some(outline) if reader.errors.kept.is_empty() => Ok(outline),
            _ => Err(reader.errors.sorted()),
        }
    }
}

impl Reader {
    /// `None` with an error, without which the others would mean little.
    fn outline(&mut self, table: &Table, root: &Place, sets: &[Set]) -> Option<Outline> {
        const NAMES: &[&str] = &["name", "scenario", "replicas", "max_replicas", "where"];
        self.only_legal(table, "", STUDY_NAMES);
        let Some(entry) = table.get("study") else {
            self.refuse("study", "missing", "write [study] with name and scenario", root);
            return None;
        };
        let study = self.table(entry, "study")?;
        self.only_legal(study, "[study]", NAMES);
        let place = entry.key_origin.clone();
        let name = self.text(study, "name", &place);
        let is_named = study.get("scenario").is_some();
        let scenario = if is_named { self.text(study, "scenario", &place) } else { None };
        let replicas = self.count(study, "replicas", 1).unwrap_or(1);
        let max_replicas = self.count(study, "max_replicas", replicas.into());
        let (name, _) = name?;
        let target = self.target(table);
        let slurm = self.slurm(table);
        let set = self.leaves_of(table, "set");
        let (axes, size) = self.axes(table, &set, sets);
        if axes.is_empty() && replicas == 1 && self.errors.kept.is_empty() {
            let help = "write [axes] with lists of values, or study.replicas; `setaside run` runs a single scenario";
            self.refuse("axes", "nothing varies", help, root);
        }
        Some(Outline {
            place,
            name,
            scenario,
            replicas,
            max_replicas,
            target,
            slurm,
            set,
            only: self.only(table, &axes),
            skip: self.skip(table, &axes),
            filter: self.filter(study, &axes),
            axes,
            size,
        })
    }

    pub(super) fn refuse(
        &mut self,
        key: &str,
        what: impl Into<String>,
        help: impl Into<String>,
        place: &Place,
    ) {
        self.errors.push(|| ScenarioError::new(place, short(key), what, help));
    }

    fn kept<T>(&mut self, read: Result<T, ScenarioError>) -> Option<T> {
        read.map_err(|error| self.errors.kept.push(error)).ok()
    }

    /// Refuses keys of a table, or tables of the file, that are not among these.
    pub(super) fn only_legal(&mut self, table: &Table, section: &str, legal: &[&str]) {
        let (what, of) = match section {
            "" => ("unknown section", "sections of a study".to_owned()),
            section => ("unknown key", format!("keys of {section}")),
        };
        for entry in table.entries.iter().filter(|entry| !legal.contains(&entry.key.as_str())) {
            let near = nearest(&entry.key, legal.iter().copied());
            let near = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
            let path = settings::join(section.trim_matches(['[', ']']), &entry.key);
            let help = format!("{near}{of}: {}", legal.join(", "));
            self.refuse(&path, what, help, &entry.key_origin);
        }
    }

    /// The values of a table with these keys, by their last parts, with places; others are errors.
    pub(super) fn keyed<'a>(
        &mut self,
        table: &'a Table,
        name: &str,
        legal: &'static [Key],
    ) -> Vec<(&'static str, Plain, &'a Place)> {
        let Some(inner) = table.get(name).and_then(|entry| self.table(entry, name)) else {
            return Vec::new();
        };
        let names: Vec<&str> = legal.iter().map(|key| key.path).collect();
        self.only_legal(inner, &format!("[{name}]"), &names);
        let mut values = Vec::new();
        for entry in &inner.entries {
            if let Some(key) = legal.iter().find(|key| key.path == entry.key) {
                let read = plain::read(&format!("{name}.{}", key.path), key.kind, &entry.value);
                let plain = self.kept(read);
                values.extend(plain.map(|plain| (key.path, plain, &entry.value.origin)));
            }
        }
        values
    }

    pub(super) fn text(&mut self, table: &Table, key: &str, at: &Place) -> Option<(String, Place)> {
        let path = format!("study.{key}");
        let Some(entry) = table.get(key) else {
            self.refuse(&path, "missing", format!("legal: {}", Kind::Text.legal()), at);
            return None;
        };
        match self.kept(plain::read(&path, Kind::Text, &entry.value))? {
            Plain::Word(text) => Some((text, entry.value.origin.clone())),
            _ => None,
        }
    }

    pub(super) fn count(&mut self, table: &Table, key: &str, min: u64) -> Option<u32> {
        let kind = keys::integer(min, REPLICAS_MAX);
        let read = plain::read(&format!("study.{key}"), kind, &table.get(key)?.value);
        match self.kept(read)? {
            Plain::Integer(count) => u32::try_from(count).ok(),
            _ => None,
        }
    }

    pub(super) fn table<'a>(&mut self, entry: &'a Entry, path: &str) -> Option<&'a Table> {
        if let Toml::Table(table) = &entry.value.kind {
            return Some(table);
        }
        let what = format!("expected a table, found {}", entry.value.type_name());
        let help = format!("write [{path}] and its keys below");
        self.refuse(path, what, help, &entry.value.origin);
        None
    }

    pub(super) fn tables<'a>(
        &mut self,
        table: &'a Table,
        name: &str,
    ) -> Vec<(&'a Table, &'a Place)> {
        let Some(entry) = table.get(name) else {
            return Vec::new();
        };
        let mut tables = Vec::new();
        for item in entry.value.items() {
            match (&item.kind, &entry.value.kind) {
                (Toml::Table(inner), Toml::Array(_)) => tables.push((inner, &item.origin)),
                _ => {
                    let what = format!("expected [[{name}]], found {}", item.type_name());
                    let help = format!("write [[{name}]] with two brackets");
                    self.refuse(name, what, help, &item.origin);
                }
            }
        }
        tables
    }

    pub(super) fn leaves_of(&mut self, table: &Table, section: &str) -> Vec<Entry> {
        let inner = table.get(section).and_then(|entry| self.table(entry, section));
        inner.map_or(Vec::new(), |inner| self.leaves(inner, ""))
    }

    /// Keys of a scenario by their full paths, written `"switch.scheme" = ...` or in tables, each
    /// checked against the table of keys; a section with a list is one whose tables are the values.
    pub(super) fn leaves(&mut self, table: &Table, prefix: &str) -> Vec<Entry> {
        let mut leaves = Vec::new();
        for entry in &table.entries {
            let path = settings::join(prefix, &entry.key);
            let inner = keys::is_table(&path) || keys::list_above(&path).is_some();
            match &entry.value.kind {
                kind if keys::find(&path).is_some()
                    || (matches!(kind, Toml::Array(_)) && keys::is_table(&path)) =>
                {
                    leaves.push(Entry { key: path, ..entry.clone() });
                }
                Toml::Table(table) if inner => leaves.extend(self.leaves(table, &path)),
                _ => {
                    let section = path.rsplit_once('.').map_or("", |(section, _)| section);
                    let name = path.rsplit('.').next().unwrap_or(&path);
                    self.errors.push(|| {
                        let error = settings::unknown(section, &path, name, &entry.key_origin);
                        ScenarioError { message: "unknown key".to_owned(), ..error }
                    });
                }
            }
        }
        leaves
    }

    /// Reads a value of a key, or of a section: a table, or of a list of sections the list.
    pub(super) fn choice(&mut self, path: &str, value: &Value) -> Option<Plain> {
        let read = match keys::find(path) {
            Some(key) => plain::read(path, key.kind, value),
            None => table_value(path, value),
        };
        read.map_err(|error| self.errors.push(|| error)).ok()
    }
}

/// A table that is a value, as text; its keys are checked as where it is in a scenario.
fn table_value(path: &str, value: &Value) -> Result<Plain, ScenarioError> {
    let is_list = keys::list(path).is_some();
    let is_table = |value: &Value| matches!(value.kind, Toml::Table(_));
    let is_right = match &value.kind {
        Toml::Array(items) => is_list && items.iter().all(is_table),
        _ => !is_list && is_table(value),
    };
    if is_right {
        return Ok(Plain::Word(value.show()));
    }
    let legal = match is_list {
        true => format!("legal: lists of tables, each all of [[{path}]]"),
        false => format!("legal: tables, each all of [{path}]"),
    };
    let given = format!("{} {}", value.type_name(), short(&value.show()));
    let what = format!("expected a table of keys, found {given}");
    Err(ScenarioError::new(&value.origin, path, what, legal))
}
