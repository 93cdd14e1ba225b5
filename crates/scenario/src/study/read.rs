//! The tables of a study file.

use super::filter::Filter;
use super::{Choice, Slurm, Target};
use crate::error::{Errors, Found, Problem, ScenarioError, short};
use crate::keys::{self, Key, Kind, STUDY_NAMES};
use crate::plain::{self, Plain, nearest};
use crate::scenario::Set;
use crate::source::Origin;
use crate::value::{Entry, Kind as Toml, Table, Value};

const REPLICAS_MAX: u64 = 10_000;

/// A study file, read but not multiplied out.
pub(crate) struct Outline {
    pub(crate) name: String,
    /// Path; `None` where the study file has the sections of the scenario.
    pub(crate) scenario: Option<(String, Origin)>,
    pub(crate) replicas: u32,
    pub(crate) max_replicas: Option<u32>,
    /// Where `[study]` stands.
    pub(crate) origin: Origin,
    pub(crate) target: Target,
    pub(crate) slurm: Slurm,
    pub(crate) set: Vec<Leaf>,
    pub(crate) axes: Vec<Axis>,
    /// Keys of `[size]`, which are the last axes.
    pub(crate) size: Vec<String>,
    pub(crate) only: Vec<Only>,
    pub(crate) skip: Vec<Vec<Condition>>,
    pub(crate) filter: Option<Filter>,
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

/// `[study]`.
struct Head {
    name: String,
    scenario: Option<(String, Origin)>,
    replicas: Option<u32>,
    max_replicas: Option<u32>,
    origin: Origin,
}

/// Reads a study and gathers what is wrong with it.
pub(super) struct Reader {
    pub(super) found: Found,
}

impl Outline {
    pub(crate) fn read(table: &Table, root: &Origin, sets: &[Set]) -> Result<Outline, Errors> {
        let mut reader = Reader { found: Found::default() };
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
        let Some(head) = reader.head(table, root) else {
            reader.found.check()?;
            return Err(Problem::new("missing").key("study").at(root).into());
        };
        let target = reader.target(table);
        let slurm = reader.slurm(table);
        let set = reader.set(table);
        let (axes, size) = reader.axes(table, &set, sets);
        let replicas = head.replicas.unwrap_or(1);
        if axes.is_empty() && replicas == 1 && reader.found.is_empty() {
            reader.refuse(
                "axes",
                "nothing varies",
                "write [axes] with lists of values, or study.replicas; `setaside run` runs a \
                 single scenario",
                root,
            );
        }
        let only = reader.only(table, &axes);
        let skip = reader.skip(table, &axes);
        let filter = reader.filter(table, &axes);
        reader.found.check()?;
        Ok(Outline {
            name: head.name,
            scenario: head.scenario,
            replicas,
            max_replicas: head.max_replicas,
            origin: head.origin,
            target,
            slurm,
            set,
            axes,
            size,
            only,
            skip,
            filter,
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
        self.refuse(path, what, format!("{near}{place}: {}", legal.join(", ")), origin);
    }

    /// Reads a table whose keys are these, by their last part; `put` takes each value that is of
    /// its kind. `None` where the table is not there.
    pub(super) fn keyed<'a>(
        &mut self,
        table: &'a Table,
        name: &str,
        legal: &'static [Key],
        mut put: impl FnMut(&mut Reader, &'static str, Plain, &Origin),
    ) -> Option<&'a Table> {
        let inner = self.table(table.get(name)?, name)?;
        for entry in &inner.entries {
            let path = format!("{name}.{}", entry.key);
            let Some(key) = legal.iter().find(|key| key.path == entry.key) else {
                let names: Vec<&str> = legal.iter().map(|key| key.path).collect();
                let near = nearest(&entry.key, names.iter().copied());
                let section = format!("[{name}]");
                let origin = &entry.key_origin;
                self.unknown("unknown key", &section, &path, near, &names, origin);
                continue;
            };
            match plain::read(&path, key.kind, &entry.value) {
                Ok(plain) => put(self, key.path, plain, &entry.value.origin),
                Err(error) => self.found.errors.push(error),
            }
        }
        Some(inner)
    }

    /// `[study]`, but for `where`, which needs the axes; `None` with an error.
    fn head(&mut self, table: &Table, root: &Origin) -> Option<Head> {
        const NAMES: &[&str] = &["name", "scenario", "replicas", "max_replicas", "where"];
        let Some(entry) = table.get("study") else {
            self.refuse("study", "missing", "write [study] with name and scenario", root);
            return None;
        };
        let inner = self.table(entry, "study")?;
        for entry in &inner.entries {
            if !NAMES.contains(&entry.key.as_str()) {
                let near = nearest(&entry.key, NAMES.iter().copied());
                let path = format!("study.{}", entry.key);
                self.unknown("unknown key", "[study]", &path, near, NAMES, &entry.key_origin);
            }
        }
        let origin = entry.key_origin.clone();
        let name = self.text(inner, "name", &origin);
        let scenario = match inner.get("scenario") {
            Some(_) => self.text(inner, "scenario", &origin),
            None => None,
        };
        let replicas = self.count(inner, "replicas", 1);
        let least = u64::from(replicas.unwrap_or(1));
        let max_replicas = self.count(inner, "max_replicas", least);
        Some(Head { name: name?.0, scenario, replicas, max_replicas, origin })
    }

    /// A number of replicas.
    fn count(&mut self, table: &Table, key: &str, min: u64) -> Option<u32> {
        let kind = Kind::Integer { min, max: REPLICAS_MAX };
        match plain::read(&format!("study.{key}"), kind, &table.get(key)?.value) {
            Ok(Plain::Integer(count)) => u32::try_from(count).ok(),
            Ok(_) => None,
            Err(error) => {
                self.found.errors.push(error);
                None
            }
        }
    }

    fn text(&mut self, table: &Table, key: &str, section: &Origin) -> Option<(String, Origin)> {
        let path = format!("study.{key}");
        let Some(entry) = table.get(key) else {
            self.refuse(&path, "missing", format!("legal: {}", Kind::Text.legal()), section);
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
    /// table of keys; a section with a list is one whose tables are the values.
    pub(super) fn leaves(&mut self, table: &Table, prefix: &str) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        for entry in &table.entries {
            let path = crate::settings::join(prefix, &entry.key);
            let inner = keys::is_table(&path) || keys::list_above(&path).is_some();
            match &entry.value.kind {
                kind if keys::find(&path).is_some()
                    || (matches!(kind, Toml::Array(_)) && keys::is_table(&path)) =>
                {
                    leaves.push(Leaf {
                        path,
                        origin: entry.key_origin.clone(),
                        value: entry.value.clone(),
                    })
                }
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

    /// Reads a value of a key, or of a section: a table, or of a list of sections the list.
    pub(super) fn choice(&mut self, path: &str, value: &Value) -> Option<Plain> {
        let read = match keys::find(path) {
            Some(key) => plain::read(path, key.kind, value),
            None => table_value(path, value),
        };
        read.map_err(|error| self.found.push(|| error)).ok()
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

/// A table that is a value, as text; its keys are checked as those of a scenario, where it stands
/// in one.
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
    Err(Problem::new(format!("expected a table of keys, found {given}"))
        .key(path)
        .help(legal)
        .at(&value.origin))
}
