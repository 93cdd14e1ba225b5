//! Studies: one scenario, run at many points.

mod axes;
mod base;
mod filter;
mod plan;
mod range;
mod reader;
mod slurm;
mod steps;
mod target;

use crate::error::{Errors, Place, ScenarioError, short};
use crate::hierarchical;
use crate::input::{Input, read_text};
use crate::scenario::{Scenario, Set};
use crate::traced::Known;
use crate::value::{Kind, Table};
use ::plan::Overtaking;
use base::{Base, Resolver};
use plan::{Assignment, assignments};
use reader::Outline;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::Path;
use std::sync::Arc;

pub use slurm::Slurm;
pub use steps::Steps;
pub use target::Target;
use topology::Ways;

/// A study whose points are all checked: the product of the axes, the first varying slowest, then
/// the replicas.
#[derive(Debug, Clone)]
pub struct Study {
    /// `study.name`.
    pub name: String,
    /// `study.scenario`, as given; the study file, where it holds the scenario itself.
    pub scenario: String,
    /// `study.replicas`.
    pub replicas: u32,
    /// `study.max_replicas`: a search gives up to so many to a point that its interval leaves open.
    pub max_replicas: Option<u32>,
    /// `[target]`.
    pub target: Target,
    /// `[slurm]`.
    pub slurm: Slurm,
    axes: Vec<String>,
    size: Vec<String>,
    points: Vec<Point>,
    base: Arc<Base>,
}

/// One run of a study.
#[derive(Debug, Clone)]
pub struct Point {
    /// From 0, replicas counted.
    pub index: usize,
    /// Keys that vary and their values, in the order of the axes, less those that `[[only]]` holds.
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

impl Study {
    /// Reads a study file and the scenario that it names, and puts `sets` over both: `study.*`,
    /// `target.*` and `slurm.*` over the study, other keys over the scenario. The errors are
    /// everything that is wrong with either, and with any point.
    pub fn load(path: &Path, sets: &[Set]) -> Result<Study, Errors> {
        Study::from_input(&Input::read(path)?, sets)
    }

    /// The same of what was read.
    pub fn from_input(input: &Input, sets: &[Set]) -> Result<Study, Errors> {
        let dir = input.dir.as_deref().unwrap_or(Path::new(""));
        let read = |scenario: &str| {
            read_text(&dir.join(scenario)).map_err(|error| match *error.place {
                Place::File(span) => format!("line {}: {}", span.position().0, error.message),
                _ => error.message,
            })
        };
        Study::from_document(input, &read, sets)
    }

    /// The same of a text called `name`; `resolver` gives the text of the scenario by its path.
    pub fn parse(
        text: &str,
        name: &str,
        resolver: &dyn Fn(&str) -> Option<String>,
        sets: &[Set],
    ) -> Result<Study, Errors> {
        let read =
            |path: &str| resolver(path).ok_or_else(|| "there is no such scenario".to_owned());
        Study::from_document(&Input::new(name, None, text), &read, sets)
    }

    fn from_document(input: &Input, resolver: Resolver<'_>, sets: &[Set]) -> Result<Study, Errors> {
        let mut table = input.table.clone()?;
        refuse_scenario(&table)?;
        let inline = base::inline(&mut table)?;
        let (own, sets): (Vec<Set>, Vec<Set>) = sets.iter().cloned().partition(|set| {
            ["study.", "target.", "slurm."].iter().any(|of| set.key().starts_with(of))
        });
        crate::scenario::overlay_sets(&mut table, &own)?;
        let start = Place::start_of(&input.source);
        let outline = Outline::read(&table, &start, &sets)?;
        let base = match inline {
            Some(table) => {
                let input = Input { stem: outline.name.clone(), ..input.clone() };
                Base { table, shown: input.source.name.clone(), input }
            }
            None => Base::named(&outline, resolver, input.dir.as_deref())?,
        };
        let base = base.overlaid(&outline, &sets)?;
        let keys = outline.axes.iter().flat_map(|axis| &axis.keys);
        let mut study = Study {
            replicas: outline.replicas,
            max_replicas: outline.max_replicas,
            target: outline.target.clone(),
            axes: keys.map(|key| key.path.clone()).collect(),
            size: outline.size.clone(),
            ..Study::of_base(outline.name.clone(), outline.slurm.clone(), base)
        };
        let assignments = assignments(&outline)?;
        if assignments.is_empty() {
            let (key, place) = match (&outline.filter, table.get("skip")) {
                (Some(filter), _) => ("study.where", filter.place()),
                (None, Some(skip)) => ("skip", &skip.key_origin),
                (None, None) => ("axes", &start),
            };
            let help = "leave out fewer points";
            return Err(ScenarioError::new(place, key, "no point is left", help).into());
        }
        let runs = assignments.len().saturating_mul(study.replicas as usize);
        if runs > RUNS_MAX {
            let help = format!("legal: up to {RUNS_MAX}: fewer values or replicas");
            return Err(ScenarioError::new(&start, "axes", format!("{runs} runs"), help).into());
        }
        study.expand(&assignments, input.name())?;
        study.check_target(&table)?;
        Ok(study)
    }

    fn of_base(name: String, slurm: Slurm, base: Base) -> Study {
        Study {
            name,
            scenario: base.shown.clone(),
            replicas: 1,
            max_replicas: None,
            target: Target::default(),
            slurm,
            axes: Vec::new(),
            size: Vec::new(),
            points: Vec::new(),
            base: Arc::new(base),
        }
    }

    fn expand(&mut self, assignments: &[Assignment<'_>], file: &str) -> Result<(), Errors> {
        let mut faults = Faults::default();
        let known = (Known::new(), Known::new());
        for (number, assignment) in assignments.iter().enumerate() {
            let values =
                assignment.settings.iter().map(|(key, choice)| (*key, choice.value.clone()));
            let checked = self.base.at(values).and_then(|scenario| {
                let overtaking = check_built(&scenario, &known)?;
                Ok((scenario, overtaking))
            });
            let (scenario, overtaking) = match checked {
                Ok(checked) => checked,
                Err(errors) => {
                    let point = || format!("{file}: point {number}: {}", assignment.describe());
                    faults.add(errors, point);
                    continue;
                }
            };
            let settings: Vec<(String, String)> = assignment
                .settings
                .iter()
                .map(|(key, setting)| {
                    let plain = scenario.settings.plain(key).unwrap_or(&setting.plain);
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
        faults.into_errors().check()
    }

    /// A scheme that is the reference, and the window that is judged, are ones of the study.
    fn check_target(&self, table: &Table) -> Result<(), ScenarioError> {
        let refuse = |key: &str, what: String, legal: &str| {
            let entry = match table.get("target").map(|entry| &entry.value.kind) {
                Some(Kind::Table(inner)) => inner.get(key),
                _ => None,
            };
            let unread = || Place::unread("the study");
            let place = entry.map_or_else(unread, |entry| entry.value.origin.clone());
            ScenarioError::new(&place, format!("target.{key}"), what, format!("legal: {legal}"))
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
            let what = format!("no point of the study has the window {}", short(window));
            return Err(refuse("window", what, "measured, or a window of the scenario"));
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

    /// Keys of `[size]`, the last of the axes; empty where nothing is to be sized.
    pub fn size(&self) -> &[String] {
        &self.size
    }

    /// A point that the axes need not have: the scenario of the study with these values over it.
    pub fn at(&self, values: &[Set]) -> Result<Scenario, Errors> {
        self.base.at(values.iter().map(|set| (set.key(), set.to_value())))
    }

    /// Directory that paths in its scenario are relative to; none where it is part of a program.
    pub fn base_dir(&self) -> Option<&Path> {
        self.base.input.dir.as_deref()
    }

    /// A study of one point: a scenario, with `sets` over it; those of `slurm.*` are the study's.
    pub fn of_scenario(input: &Input, sets: &[Set]) -> Result<Study, Errors> {
        let mut table = input.table.clone()?;
        crate::scenario::refuse_study(&table)?;
        let is_of_slurm = |set: &Set| set.key().starts_with("slurm.");
        let (own, sets): (Vec<Set>, Vec<Set>) = sets.iter().cloned().partition(is_of_slurm);
        crate::scenario::overlay_sets(&mut table, &sets)?;
        let slurm = Slurm::of_sets(&own)?;
        let base = Base { table, shown: input.name().to_owned(), input: input.clone() };
        let mut study = Study::of_base(input.stem.clone(), slurm, base);
        study.expand(&[Assignment { settings: Vec::new() }], input.name())?;
        Ok(study)
    }
}

/// One clear error in the place of unknown sections, where a scenario is given as a study.
fn refuse_scenario(table: &Table) -> Result<(), ScenarioError> {
    let section = table.entries.iter().find(|entry| crate::keys::is_section(&entry.key));
    let Some(section) = section.filter(|_| table.get("study").is_none()) else {
        return Ok(());
    };
    let what = "this is a scenario, where a study is wanted";
    let help =
        "`setaside run` runs a scenario; a study has [study] with name and scenario, and [axes]";
    Err(ScenarioError::new(&section.key_origin, &section.key, what, help))
}

/// What was found out about networks, and about workloads, by what they are made from.
type Built = (Known<String, Result<Ways, Errors>>, Known<String, Result<(), Errors>>);

/// Builds once for points that differ in thresholds alone; what may put packets out of order.
fn check_built(scenario: &Scenario, known: &Built) -> Result<Option<Overtaking>, Errors> {
    let resolved = &scenario.resolved;
    let network = format!("{:?} {:?}", resolved.topology, resolved.options);
    let workload = format!(
        "{:?} {} {:?} {:?}",
        resolved.workload, resolved.nodes, resolved.time_base, resolved.trace
    );
    let ways = known.0.get(network, || Ok(scenario.build_network()?.ways()));
    let workload = known.1.get(workload, || Ok(scenario.workload().map(|_| ())?));
    let ways = ways?;
    workload?;
    Ok(hierarchical::order(scenario, ways)?)
}

/// Kind, name and byte of a place, then key and message: what makes two errors the same.
type Identity = (u8, String, usize, String, String);

/// Errors of points, each reported once with the first point that has it.
#[derive(Default)]
struct Faults {
    /// Error, first point, how many more.
    all: Vec<(ScenarioError, String, usize)>,
    /// Where in `all` an error is that has this place, key and message.
    at: BTreeMap<Identity, usize>,
    /// Errors that were only counted.
    more: usize,
}

impl Faults {
    fn add(&mut self, errors: Errors, point: impl Fn() -> String) {
        self.more = self.more.max(errors.more); // the same ones at every point
        for error in errors.kept {
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

    fn into_errors(self) -> Errors {
        let noted = self.all.into_iter().map(|(error, point, more)| {
            let note = match more {
                0 => point,
                1 => format!("{point}; and 1 more point"),
                more => format!("{point}; and {more} more points"),
            };
            ScenarioError { note, ..error }
        });
        Errors { kept: noted.collect(), more: self.more }
    }
}
