//! The tables of a study file.

use super::filter::Filter;
use super::reader::{Axis, Condition, Only, Reader};
use super::slurm::Slurm;
use super::target::Target;
use crate::error::{Errors, Place, ScenarioError};
use crate::keys::STUDY_NAMES;
use crate::scenario::Set;
use crate::value::{Entry, Table};

/// A study file, read but not multiplied out.
pub(crate) struct Outline {
    pub(crate) head: Head,
    pub(crate) replicas: u32,
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

pub(crate) struct Head {
    pub(crate) name: String,
    /// Path; `None` where the study file has the sections of the scenario.
    pub(crate) scenario: Option<(String, Place)>,
    pub(crate) replicas: Option<u32>,
    pub(crate) max_replicas: Option<u32>,
    pub(crate) place: Place,
}

impl Outline {
    pub(crate) fn read(table: &Table, root: &Place, sets: &[Set]) -> Result<Outline, Errors> {
        let mut reader = Reader { errors: Errors::of(Vec::new()) };
        reader.only_legal(table, "", STUDY_NAMES);
        let Some(head) = reader.head(table, root) else {
            reader.errors.check()?;
            return Err(ScenarioError::new(root, "study", "missing", "").into());
        };
        let target = reader.target(table);
        let slurm = reader.slurm(table);
        let set = reader.leaves_of(table, "set");
        let (axes, size) = reader.axes(table, &set, sets);
        let replicas = head.replicas.unwrap_or(1);
        if axes.is_empty() && replicas == 1 && reader.errors.kept.is_empty() {
            let help = "write [axes] with lists of values, or study.replicas; `setaside run` runs a single scenario";
            reader.refuse("axes", "nothing varies", help, root);
        }
        let only = reader.only(table, &axes);
        let skip = reader.skip(table, &axes);
        let filter = reader.filter(table, &axes);
        reader.errors.check()?;
        Ok(Outline { head, replicas, target, slurm, set, axes, size, only, skip, filter })
    }
}

impl Reader {
    /// `[study]`, but for `where`, which needs the axes; `None` with an error.
    fn head(&mut self, table: &Table, root: &Place) -> Option<Head> {
        const NAMES: &[&str] = &["name", "scenario", "replicas", "max_replicas", "where"];
        let Some(entry) = table.get("study") else {
            self.refuse("study", "missing", "write [study] with name and scenario", root);
            return None;
        };
        let inner = self.table(entry, "study")?;
        self.only_legal(inner, "[study]", NAMES);
        let place = entry.key_origin.clone();
        let name = self.text(inner, "name", &place);
        let is_named = inner.get("scenario").is_some();
        let scenario = if is_named { self.text(inner, "scenario", &place) } else { None };
        let replicas = self.count(inner, "replicas", 1);
        let least = u64::from(replicas.unwrap_or(1));
        let max_replicas = self.count(inner, "max_replicas", least);
        Some(Head { name: name?.0, scenario, replicas, max_replicas, place })
    }
}
