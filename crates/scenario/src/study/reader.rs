//! What the sections of a study are read with and have in common: keys, axes, conditions.

use crate::error::{Found, Problem, ScenarioError, short};
use crate::keys::{self, Key, Kind};
use crate::plain::{self, Plain, nearest};
use crate::source::Origin;
use crate::value::{Entry, Kind as Toml, Table, Value};

/// A value of an axis or of `[set]`: as written, and as its key reads it.
#[derive(Debug, Clone)]
pub(crate) struct Choice {
    pub(crate) value: Value,
    pub(crate) plain: Plain,
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

    pub(super) fn text(
        &mut self,
        table: &Table,
        key: &str,
        section: &Origin,
    ) -> Option<(String, Origin)> {
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

    pub(super) fn set(&mut self, table: &Table) -> Vec<Leaf> {
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
