//! Studies: one scenario, run at many points.

mod axes;
mod filter;
mod plan;
mod range;
mod read;
mod rules;
mod target;

use crate::error::{Errors, Found, Place, Problem, ScenarioError};
use crate::input::{Input, read_text};
use crate::plain::Plain;
use crate::scenario::{Scenario, Set, overlay, refuse_study};
use crate::settings::Settings;
use crate::source::{Origin, Source};
use crate::value::Table;
use ::plan::Overtaking;
use plan::{Assignment, assignments};
use read::Outline;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

pub use target::Target;
use topology::Ways;

/// A study whose points are all checked.
///
/// The points are the product of the axes, the first axis varying slowest, then the replicas.
#[derive(Debug, Clone)]
pub struct Study {
    /// `study.name`.
    pub name: String,
    /// `study.scenario`, as given.
    pub scenario: String,
    /// `study.replicas`.
    pub replicas: u32,
    /// `[target]`.
    pub target: Target,
    axes: Vec<String>,
    points: Vec<Point>,
}

/// One run of a study.
#[derive(Debug, Clone)]
pub struct Point {
    /// From 0, replicas counted.
    pub index: usize,
    /// Keys that vary and their values as text, in the order of the axes; an axis that `[[only]]`
    /// holds still here is left out.
    pub settings: Vec<(String, String)>,
    /// From 0.
    pub replica: u32,
    /// `run.seed` of this run: that of the scenario plus the replica.
    pub seed: u64,
    /// What to run.
    pub scenario: Scenario,
    /// What may put its packets out of order.
    pub overtaking: Option<Overtaking>,
}

/// The most runs of a study, replicas counted.
const RUNS_MAX: usize = 100_000;

/// How the scenario of a study is read.
type Resolver<'a> = &'a dyn Fn(&str) -> Result<String, String>;

impl Study {
    /// Reads a study file and the scenario that it names, and puts `sets` over both: `study.*` and
    /// `target.*` over the study, other keys over the scenario.
    ///
    /// # Errors
    /// Everything that is wrong with either, and with any point.
    pub fn load(path: &Path, sets: &[Set]) -> Result<Study, Errors> {
        Study::from_input(&Input::read(path)?, sets)
    }

    /// Puts `sets` over what was read and over the scenario that it names.
    ///
    /// # Errors
    /// As [`Study::load`].
    pub fn from_input(input: &Input, sets: &[Set]) -> Result<Study, Errors> {
        let dir = &input.dir;
        let read = |scenario: &str| {
            read_text(&dir.join(scenario)).map_err(|error| match *error.place {
                Place::File(span) => format!("line {}: {}", span.position().0, error.message),
                _ => error.message,
            })
        };
        Study::from_document(input.table.clone()?, &input.source, &read, Some(dir), sets)
    }

    /// Reads a study from a text that messages call `name`; `resolver` gives the text of the
    /// scenario by its path as written. Made for studies that are part of a program.
    ///
    /// # Errors
    /// As [`Study::load`].
    pub fn parse(
        text: &str,
        name: &str,
        resolver: &dyn Fn(&str) -> Option<String>,
        sets: &[Set],
    ) -> Result<Study, Errors> {
        let read =
            |path: &str| resolver(path).ok_or_else(|| "there is no such scenario".to_owned());
        let source = Source::new(name, text);
        Study::from_document(Table::parse(&source)?, &source, &read, None, sets)
    }

    fn from_document(
        mut table: Table,
        source: &Arc<Source>,
        resolver: Resolver<'_>,
        dir: Option<&Path>,
        sets: &[Set],
    ) -> Result<Study, Errors> {
        refuse_scenario(&table)?;
        let (own, sets): (Vec<Set>, Vec<Set>) = sets.iter().cloned().partition(|set| {
            ["study.", "target."]
                .iter()
                .any(|of| set.key().starts_with(of))
        });
        crate::scenario::overlay_sets(&mut table, &own)?;
        let outline = Outline::read(&table, &Origin::start_of(source), &sets)?;
        let base = Base::new(&outline, resolver, dir, &sets)?;
        let axes = outline
            .axes
            .iter()
            .flat_map(|axis| axis.keys.iter().map(|key| key.path.clone()));
        let mut study = Study {
            name: outline.name.clone(),
            scenario: outline.scenario.0.clone(),
            replicas: outline.replicas,
            target: outline.target.clone(),
            axes: axes.collect(),
            points: Vec::new(),
        };
        let assignments = assignments(&outline)?;
        if assignments.is_empty() {
            let filter = outline.filter.as_ref();
            let (key, origin) = match (filter, table.get("skip")) {
                (Some(filter), _) => ("study.where", filter.origin().clone()),
                (None, Some(skip)) => ("skip", skip.key_origin.clone()),
                (None, None) => ("axes", Origin::start_of(source)),
            };
            let problem = Problem::new("no point is left").key(key);
            return Err(problem.help("leave out fewer points").at(&origin).into());
        }
        let runs = assignments.len().saturating_mul(study.replicas as usize);
        if runs > RUNS_MAX {
            return Err(Problem::new(format!("{runs} runs"))
                .key("axes")
                .help(format!("legal: up to {RUNS_MAX}: fewer values or replicas"))
                .at(&Origin::start_of(source))
                .into());
        }
        study.expand(&base, &assignments, &source.name)?;
        study.check_target(&table)?;
        Ok(study)
    }

    /// Makes and checks every point.
    fn expand(
        &mut self,
        base: &Base,
        assignments: &[Assignment<'_>],
        file: &str,
    ) -> Result<(), Errors> {
        let mut faults = Faults::default();
        let mut known = Known::default();
        for (number, assignment) in assignments.iter().enumerate() {
            let scenario = base.at(assignment).and_then(|scenario| {
                let overtaking = check_built(&scenario, &mut known)?;
                Ok((scenario, overtaking))
            });
            let (scenario, overtaking) = match scenario {
                Ok(checked) => checked,
                Err(errors) => {
                    faults.add(errors, || {
                        format!("{file}: point {number}: {}", assignment.describe())
                    });
                    continue;
                }
            };
            let settings: Vec<(String, String)> = assignment
                .settings
                .iter()
                .map(|(key, setting)| {
                    let plain = scenario.plain(key).unwrap_or(&setting.plain);
                    ((*key).to_owned(), plain.label())
                })
                .collect();
            for replica in 0..self.replicas {
                let seed = scenario.seed().saturating_add(u64::from(replica));
                self.points.push(Point {
                    index: self.points.len(),
                    settings: settings.clone(),
                    replica,
                    seed,
                    scenario: scenario.clone().with_seed(seed),
                    overtaking,
                });
            }
        }
        faults.into_found().check()
    }

    /// A scheme that is the reference, and the window that is judged, are ones of the study.
    fn check_target(&self, table: &Table) -> Result<(), ScenarioError> {
        let refuse = |key: &str, what: String, legal: &str| {
            let entry = table
                .get("target")
                .and_then(|entry| match &entry.value.kind {
                    crate::value::Kind::Table(inner) => inner.get(key),
                    _ => None,
                });
            let problem = Problem::new(what)
                .key(format!("target.{key}"))
                .help(format!("legal: {legal}"));
            match entry {
                Some(entry) => problem.at(&entry.value.origin),
                None => problem.unread("the study"),
            }
        };
        let any = |test: &dyn Fn(&Scenario) -> bool| self.points.iter().any(|p| test(&p.scenario));
        if let Some(scheme) = &self.target.reference
            && !target::REFERENCES.contains(&scheme.as_str())
            && !any(&|s| s.get("switch.scheme") == Some(format!("\"{scheme}\"")))
        {
            let what = format!("no point of the study has the scheme {scheme}");
            let legal = "best, offered, possible, or a scheme of the study";
            return Err(refuse("reference", what, legal));
        }
        if let Some(window) = &self.target.window
            && window != "measured"
            && !any(&|s| s.resolved.windows.iter().any(|w| w.name == *window))
        {
            let what = format!(
                "no point of the study has the window {}",
                crate::error::short(window)
            );
            return Err(refuse(
                "window",
                what,
                "measured, or a window of the scenario",
            ));
        }
        Ok(())
    }

    /// All runs, in order.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Every key that varies, in the order of the axes.
    pub fn axes(&self) -> &[String] {
        &self.axes
    }
}

/// One clear error in the place of unknown sections, where a scenario is given as a study.
fn refuse_scenario(table: &Table) -> Result<(), ScenarioError> {
    let section = table
        .entries
        .iter()
        .find(|entry| crate::keys::is_section(&entry.key));
    match section {
        Some(section) if table.get("study").is_none() => Err(Problem::new(
            "this is a scenario, where a study is wanted",
        )
        .key(&section.key)
        .help("`setaside run` runs a scenario; a study has [study] with name and scenario, and [axes]")
        .at(&section.key_origin)),
        _ => Ok(()),
    }
}

/// What was found out about networks and workloads by what they are made from.
#[derive(Default)]
struct Known {
    networks: BTreeMap<String, Result<Ways, Errors>>,
    workloads: BTreeMap<String, Result<(), Errors>>,
}

/// Builds what has not been built before: points that differ in thresholds only share network and
/// workload. What may put packets out of order.
fn check_built(scenario: &Scenario, known: &mut Known) -> Result<Option<Overtaking>, Errors> {
    let resolved = &scenario.resolved;
    let network = format!("{:?} {:?}", resolved.topology, resolved.options);
    let workload = format!(
        "{:?} {} {:?} {:?}",
        resolved.workload, resolved.nodes, resolved.time_base, resolved.trace
    );
    let ways = known
        .networks
        .entry(network)
        .or_insert_with(|| scenario.build_network().map(|network| network.ways()))
        .clone();
    let workload = known
        .workloads
        .entry(workload)
        .or_insert_with(|| scenario.check_workload());
    let ways = ways.and_then(|ways| workload.clone().map(|()| ways))?;
    scenario.overtaking(ways)
}

/// The scenario with `[set]` and the command line over it.
struct Base {
    table: Table,
    root: Origin,
    name: String,
    dir: Option<std::path::PathBuf>,
}

impl Base {
    fn new(
        outline: &Outline,
        resolver: Resolver<'_>,
        dir: Option<&Path>,
        sets: &[Set],
    ) -> Result<Base, Errors> {
        let (path, origin) = &outline.scenario;
        let full = dir.map(|dir| dir.join(path));
        let shown = full
            .as_ref()
            .map_or(path.clone(), |full| full.display().to_string());
        let text = resolver(path).map_err(|why| {
            Problem::new(format!("{shown}: {why}"))
                .key("study.scenario")
                .help("legal: the path of a scenario, relative to the study file")
                .at(origin)
        })?;
        let source = Source::new(&shown, &text);
        let mut table = Table::parse(&source)?;
        refuse_study(&table)?;
        let mut errors: Vec<ScenarioError> = Vec::new();
        for setting in &outline.set {
            errors.extend(overlay(&mut table, &setting.path, setting.value.clone()).err());
        }
        for set in sets {
            errors.extend(overlay(&mut table, set.key(), set.to_value()).err());
        }
        Errors::check(errors)?;
        // Keys that are wrong whatever the point are reported as the scenario's own, once.
        let (_, mut found) = Settings::read(&table, Origin::start_of(&source));
        let keys = outline.axes.iter().flat_map(|axis| axis.keys.iter());
        let varying: BTreeSet<&str> = keys.map(|key| key.path.as_str()).collect();
        found.errors.retain(|error| {
            !varying
                .iter()
                .any(|key| crate::keys::covers(key, &error.key))
        });
        found.check()?;
        let name = Path::new(path)
            .file_stem()
            .map_or(path.clone(), |stem| stem.to_string_lossy().into_owned());
        Ok(Base {
            table,
            root: Origin::start_of(&source),
            name,
            dir: full.and_then(|full| full.parent().map(Path::to_owned)),
        })
    }

    fn at(&self, assignment: &Assignment<'_>) -> Result<Scenario, Errors> {
        let mut table = self.table.clone();
        for (number, (key, setting)) in assignment.settings.iter().enumerate() {
            let displaced = crate::defaults::displaced_by(key);
            let mut earlier = assignment.settings[..number].iter().map(|(key, _)| *key);
            if let Some(other) = earlier.find(|other| displaced.contains(other)) {
                let what = format!("it takes the place of `{other}`, another axis of the point");
                let help = "legal: one of them at a point; [[only]] says which one where";
                let problem = Problem::new(what).key(*key).help(help);
                return Err(problem.at(&setting.value.origin).into());
            }
            overlay(&mut table, key, setting.value.clone())?;
        }
        Scenario::from_table(&table, &self.name, self.dir.as_deref(), self.root.clone())
    }
}

/// Kind, name and byte of a place, then key and message: what makes two errors the same.
type Said = (u8, String, usize, String, String);

/// Errors of points, each said once with the first point that has it.
#[derive(Default)]
struct Faults {
    /// Error, first point, how many more.
    all: Vec<(ScenarioError, String, usize)>,
    /// Where in `all` an error is that has this place, key and message.
    at: BTreeMap<Said, usize>,
    /// Errors that were only counted.
    more: usize,
}

impl Faults {
    fn add(&mut self, errors: Errors, point: impl Fn() -> String) {
        let (errors, more) = errors.into_parts();
        self.more = self.more.max(more); // the same ones at every point
        for error in errors {
            let (kind, name, start) = error.order();
            let (name, key, message) = (name.to_owned(), error.key.clone(), error.message.clone());
            match self.at.entry((kind, name, start, key, message)) {
                Entry::Occupied(at) => self.all[*at.get()].2 += 1,
                Entry::Vacant(at) => {
                    at.insert(self.all.len());
                    self.all.push((error, point(), 0));
                }
            }
        }
    }

    fn into_found(self) -> Found {
        let noted = self.all.into_iter().map(|(error, point, more)| match more {
            0 => error.noted(&point),
            1 => error.noted(&format!("{point}; and 1 more point")),
            more => error.noted(&format!("{point}; and {more} more points")),
        });
        Found {
            errors: noted.collect(),
            more: self.more,
        }
    }
}

/// A value of an axis or of `[set]`: as written, and as its key reads it.
#[derive(Debug, Clone)]
pub(crate) struct Choice {
    pub(crate) value: crate::value::Value,
    pub(crate) plain: Plain,
}
