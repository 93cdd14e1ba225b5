//! The scenario that the points of a study have in common.

use super::reader::Outline;
use crate::error::{Errors, Place, ScenarioError};
use crate::input::Input;
use crate::scenario::{Scenario, Set, overlay, refuse_study};
use crate::settings::Settings;
use crate::value::{Entry, Kind, Table, Value};
use std::collections::BTreeSet;
use std::path::Path;

pub(super) type Resolver<'a> = &'a dyn Fn(&str) -> Result<String, String>;

/// The scenario with `[set]` and the command line over it.
#[derive(Debug)]
pub(super) struct Base {
    pub(super) table: Table,
    pub(super) input: Input,
    /// What results call the scenario.
    pub(super) shown: String,
}

/// Takes the sections of a scenario out of a study file that names none.
pub(super) fn inline(table: &mut Table) -> Result<Option<Table>, ScenarioError> {
    let is_own = |entry: &Entry| crate::keys::is_section(&entry.key);
    let Some(section) = table.entries.iter().find(|entry| is_own(entry)) else {
        return Ok(None);
    };
    let study = table.get("study").map(|study| &study.value.kind);
    if matches!(study, Some(Kind::Table(inner)) if inner.get("scenario").is_some()) {
        let what = "study.scenario names a scenario too";
        let help = "legal: study.scenario, or the sections of the scenario in the study file";
        return Err(ScenarioError::new(&section.key_origin, &section.key, what, help));
    }
    let all = std::mem::take(&mut table.entries);
    let (own, rest) = all.into_iter().partition(is_own);
    table.entries = rest;
    Ok(Some(Table { entries: own }))
}

impl Base {
    pub(super) fn named(
        outline: &Outline,
        resolver: Resolver<'_>,
        dir: Option<&Path>,
    ) -> Result<Base, Errors> {
        const KEY: &str = "study.scenario";
        const LEGAL: &str = "legal: the path of a scenario, relative to the study file";
        let Some((path, place)) = &outline.scenario else {
            let help =
                format!("{LEGAL}; or write its sections, such as [network], in the study file");
            return Err(ScenarioError::new(&outline.place, KEY, "missing", help).into());
        };
        let full = dir.map(|dir| dir.join(path));
        let shown = full.as_ref().map_or(path.clone(), |full| full.display().to_string());
        let text = resolver(path)
            .map_err(|why| ScenarioError::new(place, KEY, format!("{shown}: {why}"), LEGAL))?;
        let input = Input::new(&shown, full.as_deref().and_then(Path::parent), &text);
        let table = input.table.clone()?;
        refuse_study(&table)?;
        Ok(Base { table, input, shown: path.clone() })
    }

    /// With `[set]` and the command line over it; its own errors are reported once, not by point.
    pub(super) fn overlaid(mut self, outline: &Outline, sets: &[Set]) -> Result<Base, Errors> {
        let set = outline.set.iter().map(|leaf| (leaf.key.as_str(), leaf.value.clone()));
        let all = set.chain(sets.iter().map(|set| (set.key(), set.to_value())));
        let overlaid = all.map(|(path, value)| overlay(&mut self.table, path, value));
        Errors::of(overlaid.filter_map(Result::err).collect()).check()?;
        let (_, mut errors) = Settings::read(&self.table, Place::start_of(&self.input.source));
        let keys = outline.axes.iter().flat_map(|axis| axis.keys.iter());
        let varying: BTreeSet<&str> = keys.map(|key| key.path.as_str()).collect();
        let varies = |key: &str| varying.iter().any(|of| crate::keys::covers(of, key));
        errors.kept.retain(|error| !varies(&error.key));
        errors.check()?;
        Ok(self)
    }

    pub(super) fn at<'a>(
        &self,
        values: impl Iterator<Item = (&'a str, Value)>,
    ) -> Result<Scenario, Errors> {
        let mut table = self.table.clone();
        let mut earlier: Vec<&str> = Vec::new();
        for (key, value) in values {
            let displaced = crate::defaults::displaced_by(key);
            if let Some(other) = earlier.iter().find(|other| displaced.contains(other)) {
                let what = format!("it takes the place of `{other}`, another axis of the point");
                let help = "legal: one of them at a point; [[only]] says which one where";
                return Err(ScenarioError::new(&value.origin, key, what, help).into());
            }
            earlier.push(key);
            overlay(&mut table, key, value)?;
        }
        Scenario::from_table(&table, &self.input)
    }
}
