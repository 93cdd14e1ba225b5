//! The tables of a study file.

use super::filter::Filter;
use super::reader::{Axis, Condition, Leaf, Only, Reader};
use super::slurm::Slurm;
use super::target::Target;
use crate::error::{Errors, Found, Problem};
use crate::keys::{Kind, STUDY_NAMES};
use crate::plain::{self, Plain, nearest};
use crate::scenario::Set;
use crate::source::Origin;
use crate::value::Table;

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

/// `[study]`.
struct Head {
    name: String,
    scenario: Option<(String, Origin)>,
    replicas: Option<u32>,
    max_replicas: Option<u32>,
    origin: Origin,
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
}
