//! The tables of a study file.

use super::{Choice, Slurm, Target};
use crate::error::{Errors, Found, Problem, short};
use crate::keys::{self, Kind, STUDY_NAMES};
use crate::plain::{self, Plain, nearest};
use crate::scenario::Set;
use crate::source::Origin;
use crate::value::{Entry, Kind as Toml, Table, Value};

const REPLICAS_MAX: u64 = 10_000;

/// A study file, read but not multiplied out.
pub(crate) struct Outline {
    pub(crate) name: String,
    pub(crate) scenario: (String, Origin),
    pub(crate) replicas: u32,
    pub(crate) target: Target,
    pub(crate) slurm: Slurm,
    pub(crate) set: Vec<Leaf>,
    pub(crate) axes: Vec<Axis>,
    pub(crate) only: Vec<Only>,
    pub(crate) skip: Vec<Vec<Condition>>,
}

/// A key and its value, as written.
#[derive(Debug, Clone)]
pub(crate) struct Leaf {
    pub(crate) path: String,
    pub(crate) origin: Origin,
    pub(crate) value: Value,
}

/// One key of an axis.
pub(crate) struct AxisKey {
    pub(crate) path: String,
    pub(crate) origin: Origin,
    pub(crate) choices: Vec<Choice>,
}

/// A factor of the product: one key, or the keys of a `[[zip]]`, all with as many choices.
pub(crate) struct Axis {
    pub(crate) keys: Vec<AxisKey>,
}

impl Axis {
    pub(crate) fn len(&self) -> usize {
        self.keys.first().map_or(0, |key| key.choices.len())
    }
}

/// The axis of this number has one of these values.
pub(crate) struct Condition {
    pub(crate) axis: usize,
    pub(crate) key: usize,
    pub(crate) values: Vec<Plain>,
}

/// Axes that vary only where all conditions hold.
pub(crate) struct Only {
    pub(crate) when: Vec<Condition>,
    pub(crate) axes: Vec<usize>,
}

/// Reads a study and gathers what is wrong with it.
pub(super) struct Reader {
    pub(super) found: Found,
}

impl Outline {
    pub(crate) fn read(table: &Table, root: &Origin, sets: &[Set]) -> Result<Outline, Errors> {
        let mut reader = Reader {
            found: Found::default(),
        };
        for entry in &table.entries {
            if !STUDY_NAMES.contains(&entry.key.as_str()) {
                let near = nearest(&entry.key, STUDY_NAMES.iter().copied());
                reader.unknown(
                    "unknown section",
                    "",
                    &entry.key,
                    near,
                    STUDY_NAMES,
                    &entry.key_origin,
                );
            }
        }
        let (name, scenario, replicas) = reader.head(table, root);
        let target = reader.target(table);
        let slurm = reader.slurm(table);
        let set = reader.set(table);
        let axes = reader.axes(table, root, &set, sets);
        let only = reader.only(table, &axes);
        let skip = reader.skip(table, &axes);
        reader.found.check()?;
        let (Some(name), Some(scenario)) = (name, scenario) else {
            return Err(Problem::new("missing").key("study").at(root).into());
        };
        Ok(Outline {
            name,
            scenario,
            replicas,
            target,
            slurm,
            set,
            axes,
            only,
            skip,
        })
    }
}

impl Reader {
    pub(super) fn refuse(
        &mut self,
        key: &str,
        what: impl Into<String>,
        help: impl Into<String>,
        origin: &Origin,
    ) {
        let problem = Problem::new(what).key(short(key)).help(help);
        self.found.push(|| problem.at(origin));
    }

    pub(super) fn unknown(
        &mut self,
        what: &str,
        section: &str,
        path: &str,
        near: Option<&str>,
        legal: &[&str],
        origin: &Origin,
    ) {
        let near = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
        let place = if section.is_empty() {
            "sections of a study".to_owned()
        } else {
            format!("keys of {section}")
        };
        self.refuse(
            path,
            what,
            format!("{near}{place}: {}", legal.join(", ")),
            origin,
        );
    }

    /// `[study]`: name, scenario, replicas.
    fn head(
        &mut self,
        table: &Table,
        root: &Origin,
    ) -> (Option<String>, Option<(String, Origin)>, u32) {
        const NAMES: &[&str] = &["name", "scenario", "replicas"];
        let none = (None, None, 1);
        let Some(entry) = table.get("study") else {
            self.refuse(
                "study",
                "missing",
                "write [study] with name and scenario",
                root,
            );
            return none;
        };
        let Some(inner) = self.table(entry, "study") else {
            return none;
        };
        for entry in &inner.entries {
            if !NAMES.contains(&entry.key.as_str()) {
                let near = nearest(&entry.key, NAMES.iter().copied());
                let path = format!("study.{}", entry.key);
                self.unknown(
                    "unknown key",
                    "[study]",
                    &path,
                    near,
                    NAMES,
                    &entry.key_origin,
                );
            }
        }
        let name = self
            .text(inner, "name", &entry.key_origin)
            .map(|(name, _)| name);
        let scenario = self.text(inner, "scenario", &entry.key_origin);
        let kind = Kind::Integer {
            min: 1,
            max: REPLICAS_MAX,
        };
        let replicas = inner
            .get("replicas")
            .map(|entry| plain::read("study.replicas", kind, &entry.value));
        let replicas = match replicas {
            Some(Ok(Plain::Integer(replicas))) => u32::try_from(replicas).unwrap_or(1),
            Some(Err(error)) => {
                self.found.errors.push(error);
                1
            }
            _ => 1,
        };
        (name, scenario, replicas)
    }

    fn text(&mut self, table: &Table, key: &str, section: &Origin) -> Option<(String, Origin)> {
        let path = format!("study.{key}");
        let Some(entry) = table.get(key) else {
            self.refuse(
                &path,
                "missing",
                format!("legal: {}", Kind::Text.legal()),
                section,
            );
            return None;
        };
        match plain::read(&path, Kind::Text, &entry.value) {
            Ok(Plain::Word(text)) => Some((text, entry.value.origin.clone())),
            Ok(_) => None,
            Err(error) => {
                self.found.errors.push(error);
                None
            }
        }
    }

    pub(super) fn table<'a>(&mut self, entry: &'a Entry, path: &str) -> Option<&'a Table> {
        match &entry.value.kind {
            Toml::Table(table) => Some(table),
            _ => {
                let what = format!("expected a table, found {}", entry.value.type_name());
                self.refuse(
                    path,
                    what,
                    format!("write [{path}] and its keys below"),
                    &entry.value.origin,
                );
                None
            }
        }
    }

    /// The tables of `[[name]]`.
    pub(super) fn tables<'a>(
        &mut self,
        table: &'a Table,
        name: &str,
    ) -> Vec<(&'a Table, &'a Origin)> {
        let Some(entry) = table.get(name) else {
            return Vec::new();
        };
        let items: &[Value] = match &entry.value.kind {
            Toml::Array(items) => items,
            _ => std::slice::from_ref(&entry.value),
        };
        let mut tables = Vec::new();
        for item in items {
            match (&item.kind, &entry.value.kind) {
                (Toml::Table(inner), Toml::Array(_)) => tables.push((inner, &item.origin)),
                _ => {
                    let what = format!("expected [[{name}]], found {}", item.type_name());
                    self.refuse(
                        name,
                        what,
                        format!("write [[{name}]] with two brackets"),
                        &item.origin,
                    );
                }
            }
        }
        tables
    }

    /// Keys of a scenario, written `"switch.scheme" = ...` or in tables, each checked against the
    /// table of keys.
    pub(super) fn leaves(&mut self, table: &Table, prefix: &str) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        for entry in &table.entries {
            let path = crate::settings::join(prefix, &entry.key);
            let inner = keys::is_section(&path)
                || keys::list(&path).is_some()
                || keys::list_above(&path).is_some();
            match &entry.value.kind {
                _ if keys::find(&path).is_some() => leaves.push(Leaf {
                    path,
                    origin: entry.key_origin.clone(),
                    value: entry.value.clone(),
                }),
                Toml::Table(table) if inner => leaves.extend(self.leaves(table, &path)),
                _ => {
                    let section = path.rsplit_once('.').map_or("", |(section, _)| section);
                    let name = path.rsplit('.').next().unwrap_or(&path);
                    self.found.push(|| {
                        let mut error =
                            crate::settings::unknown(section, &path, name, &entry.key_origin);
                        error.message = "unknown key".to_owned();
                        error
                    });
                }
            }
        }
        leaves
    }

    fn set(&mut self, table: &Table) -> Vec<Leaf> {
        let Some(entry) = table.get("set") else {
            return Vec::new();
        };
        let Some(inner) = self.table(entry, "set") else {
            return Vec::new();
        };
        self.leaves(inner, "")
    }
}
