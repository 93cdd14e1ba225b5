//! The scenario that the points of a study have in common.

use super::read::Outline;
use crate::error::{Errors, Problem, ScenarioError};
use crate::scenario::{Scenario, Set, overlay, refuse_study};
use crate::settings::Settings;
use crate::source::{Origin, Source};
use crate::value::{Entry, Kind, Table, Value};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How the scenario of a study is read.
pub(super) type Resolver<'a> = &'a dyn Fn(&str) -> Result<String, String>;

/// The scenario with `[set]` and the command line over it.
#[derive(Debug)]
pub(super) struct Base {
    table: Table,
    root: Origin,
    name: String,
    pub(super) dir: Option<PathBuf>,
    /// What results call the scenario.
    pub(super) shown: String,
}

/// Takes the sections of a scenario out of a study file that names none.
pub(super) fn inline(table: &mut Table) -> Result<Option<Table>, ScenarioError> {
    let is_own = |entry: &Entry| crate::keys::is_section(&entry.key);
    let names_one = table.get("study").is_some_and(
        |study| matches!(&study.value.kind, Kind::Table(inner) if inner.get("scenario").is_some()),
    );
    let section = table.entries.iter().find(|entry| is_own(entry));
    match section {
        None => Ok(None),
        Some(section) if names_one => Err(Problem::new("study.scenario names a scenario too")
            .key(&section.key)
            .help("legal: study.scenario, or the sections of the scenario in the study file")
            .at(&section.key_origin)),
        Some(_) => {
            let all = std::mem::take(&mut table.entries);
            let (own, rest) = all.into_iter().partition(is_own);
            table.entries = rest;
            Ok(Some(Table { entries: own }))
        }
    }
}

impl Base {
    pub(super) fn new(table: Table, source: &Arc<Source>, name: &str, dir: Option<&Path>) -> Base {
        Base {
            table,
            root: Origin::start_of(source),
            name: name.to_owned(),
            dir: dir.map(Path::to_owned),
            shown: source.name.clone(),
        }
    }

    /// From the sections that the study file has itself.
    pub(super) fn of_sections(
        own: Table,
        outline: &Outline,
        source: &Arc<Source>,
        dir: Option<&Path>,
        sets: &[Set],
    ) -> Result<Base, Errors> {
        Base::new(own, source, &outline.name, dir).overlaid(outline, sets)
    }

    /// From the scenario that the study names.
    pub(super) fn named(
        outline: &Outline,
        resolver: Resolver<'_>,
        dir: Option<&Path>,
        sets: &[Set],
    ) -> Result<Base, Errors> {
        let Some((path, origin)) = &outline.scenario else {
            return Err(Problem::new("missing")
                .key("study.scenario")
                .help(
                    "legal: the path of a scenario, relative to the study file; or write its \
                     sections, such as [network], in the study file",
                )
                .at(&outline.origin)
                .into());
        };
        let full = dir.map(|dir| dir.join(path));
        let shown = full.as_ref().map_or(path.clone(), |full| full.display().to_string());
        let text = resolver(path).map_err(|why| {
            Problem::new(format!("{shown}: {why}"))
                .key("study.scenario")
                .help("legal: the path of a scenario, relative to the study file")
                .at(origin)
        })?;
        let source = Source::new(&shown, &text);
        let table = Table::parse(&source)?;
        refuse_study(&table)?;
        let name = Path::new(path)
            .file_stem()
            .map_or(path.clone(), |stem| stem.to_string_lossy().into_owned());
        let dir = full.as_deref().and_then(Path::parent);
        let base = Base { shown: path.clone(), ..Base::new(table, &source, &name, dir) };
        base.overlaid(outline, sets)
    }

    /// Keys that are wrong whatever the point are reported as the scenario's own, once.
    fn overlaid(mut self, outline: &Outline, sets: &[Set]) -> Result<Base, Errors> {
        let mut errors: Vec<ScenarioError> = Vec::new();
        for setting in &outline.set {
            errors.extend(overlay(&mut self.table, &setting.path, setting.value.clone()).err());
        }
        for set in sets {
            errors.extend(overlay(&mut self.table, set.key(), set.to_value()).err());
        }
        Errors::check(errors)?;
        let (_, mut found) = Settings::read(&self.table, self.root.clone());
        let keys = outline.axes.iter().flat_map(|axis| axis.keys.iter());
        let varying: BTreeSet<&str> = keys.map(|key| key.path.as_str()).collect();
        found.errors.retain(|error| {
            let mut varying = varying.iter();
            !varying.any(|key| crate::keys::covers(key, &error.key))
        });
        found.check()?;
        Ok(self)
    }

    /// The scenario with these values over it.
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
                let problem = Problem::new(what).key(key).help(help);
                return Err(problem.at(&value.origin).into());
            }
            earlier.push(key);
            overlay(&mut table, key, value)?;
        }
        Scenario::from_table(&table, &self.name, self.dir.as_deref(), self.root.clone())
    }
}
