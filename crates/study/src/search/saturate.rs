//! Up to which load all that is offered arrives: [`LoadSearch`].

use super::edge::{Edge, edge};
use super::{Ask, Confidence, Label, Verdict, by_labels, p99, plus_minus};
use crate::answer::{Met, judged_row, of_failed};
use crate::job::point_name;
use crate::lines::{listed_count, more, sentence};
use crate::table::{PointRow, RunRow, Table};
use crate::target::Flows;
use crate::text_table::{TextColumn, TextTable};
use crate::windows::MEASURED;
use crate::{Interval, WIDTH};
use observe::{FlowSetResult, LatencyFigure};
use serde::Serialize;
use std::collections::BTreeMap;

/// A search along an axis of loads, in each setting separately.
#[derive(Debug, Clone)]
pub struct LoadSearch {
    /// Keys that have the load as their value, all the same.
    pub keys: Vec<String>,
    /// Labels of the settings; one without labels where nothing else varies.
    pub settings: Vec<Vec<Label>>,
    /// Loads to evaluate, as a scenario has them and as numbers; rising.
    pub loads: Vec<(String, f64)>,
    /// At most this part of what is offered may not be delivered.
    pub loss: f64,
    /// The search ends where its bracket is at most this part of the load.
    pub tolerance: f64,
    /// Replicas.
    pub confidence: Confidence,
}

/// One load that was evaluated.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Load {
    pub(super) load: String,
    pub(super) offered_bytes_per_ns: Option<Interval>,
    pub(super) delivered_bytes_per_ns: Option<Interval>,
    /// Whether it is below saturation; its share is what is lost of the offered.
    #[serde(flatten)]
    pub(super) verdict: Verdict,
}

/// Where one setting saturates.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LoadSetting {
    pub(super) labels: Vec<Label>,
    /// The highest load that is surely below saturation; `None`: the lowest is not.
    pub(super) below: Option<f64>,
    /// The lowest load that is surely above; `None`: the highest is not.
    pub(super) above: Option<f64>,
    /// No load loses where a higher one does not: else the bracket is one of several.
    pub(super) is_monotone: bool,
    pub(super) loads: Vec<Load>,
}

/// What a search along loads came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LoadAnswer {
    pub(super) name: String,
    pub(super) keys: Vec<String>,
    /// The lowest and the highest load of the search.
    pub(super) range: [f64; 2],
    pub(super) loss: f64,
    /// The bracket as a part of the load.
    pub(super) tolerance: f64,
    pub(super) settings: Vec<LoadSetting>,
    pub(super) runs: usize,
    pub(super) cautions: Vec<String>,
}

impl LoadSearch {
    /// What to run next; nothing where the search is over.
    pub fn next(&self, table: &Table) -> Vec<Ask> {
        let view = View::of(self, table);
        let mut asked: Vec<Ask> = Vec::new();
        for setting in &self.settings {
            for edge in view.edges(setting) {
                let loads = edge.err().into_iter().flatten();
                asked.extend(loads.filter_map(|at| view.at(setting, at).err()));
            }
        }
        asked.sort();
        asked.dedup();
        asked
    }

    /// What was found, once nothing is asked for.
    pub fn answer(&self, table: &Table) -> LoadAnswer {
        let view = View::of(self, table);
        let settings = self.settings.iter().map(|setting| view.setting(setting));
        LoadAnswer {
            name: table.name.clone(),
            keys: self.keys.clone(),
            range: [self.loads.first(), self.loads.last()].map(|load| load.map_or(0.0, |l| l.1)),
            loss: self.loss,
            tolerance: self.tolerance,
            settings: settings.collect(),
            runs: table.runs.len(),
            cautions: self.cautions(table),
        }
    }

    fn cautions(&self, table: &Table) -> Vec<String> {
        let mut cautions: Vec<String> = of_failed(table).into_iter().collect();
        let below = |point: &&PointRow| {
            let runs: Vec<&RunRow> = table.runs_of(point).collect();
            self.judged(String::new(), &runs).verdict.met == Met::Yes
        };
        let points: Vec<&PointRow> = table.points.iter().filter(below).collect();
        let unsteady = points.iter().filter(|point| point.is_unsteady()).count();
        if unsteady > 0 {
            cautions.push(format!(
                "{} below saturation not steady (halves of the measured time differ): longer \
                 run.warmup_ns",
                listed_count(unsteady, points.len(), "point")
            ));
        }
        if self.confidence.max_replicas == 1 {
            cautions.push("one seed: a load is judged by its one run".into());
        }
        cautions
    }

    fn judged<'a>(&self, load: String, runs: &[&'a RunRow]) -> Load {
        let result =
            |run: &&'a RunRow| Some(&judged_row(run.finished()?, Flows::All, MEASURED)?.result);
        let results: Vec<&FlowSetResult> = runs.iter().filter_map(result).collect();
        let column = |value: fn(&FlowSetResult) -> Option<f64>| -> Vec<f64> {
            results.iter().filter_map(|result| value(result)).collect()
        };
        let lost = column(|result| {
            let offered = result.offered_bytes_per_ns.filter(|offered| *offered > 0.0)?;
            Some((offered - result.delivered_bytes_per_ns?) / offered)
        });
        let has_bound =
            |r: &&FlowSetResult| r.latency_ns.lower_bounds.contains(&LatencyFigure::P99);
        Load {
            load,
            offered_bytes_per_ns: Interval::of(&column(|result| result.offered_bytes_per_ns)),
            delivered_bytes_per_ns: Interval::of(&column(|result| result.delivered_bytes_per_ns)),
            verdict: Verdict {
                met: self.confidence.at_most(&lost, self.loss),
                share: Interval::of(&lost),
                p99_ns: Interval::of(&column(|result| result.latency_ns.p99)),
                p99_is_lower_bound: results.iter().any(has_bound),
                replicas: results.len(),
            },
        }
    }
}

struct View<'a> {
    search: &'a LoadSearch,
    table: &'a Table,
    points: BTreeMap<&'a [Label], usize>,
}

impl<'a> View<'a> {
    fn of(search: &'a LoadSearch, table: &'a Table) -> View<'a> {
        View { search, table, points: by_labels(table) }
    }

    /// A load of a setting; `Err`: it is to have so many replicas first.
    fn at(&self, setting: &[Label], at: usize) -> Result<Load, Ask> {
        let text = self.search.loads[at].0.clone();
        let keys = self.search.keys.iter();
        let load = keys.map(|key| (key.clone(), text.clone()));
        let labels: Vec<Label> = setting.iter().cloned().chain(load).collect();
        let point = self.points.get(labels.as_slice()).map(|&point| &self.table.points[point]);
        let runs: Vec<&RunRow> =
            point.into_iter().flat_map(|point| self.table.runs_of(point)).collect();
        let load = self.search.judged(text, &runs);
        let Verdict { met, replicas, .. } = load.verdict;
        // What failed is not asked for again.
        match self.search.confidence.required(met, runs.len(), replicas > 0) {
            Some(replicas) => Err(Ask { labels, replicas }),
            None => Ok(load),
        }
    }

    /// Where loads cease to be surely below, and where they begin to be surely above.
    fn edges(&self, setting: &[Label]) -> [Edge; 2] {
        let met = |at: usize| Some(self.at(setting, at).ok()?.verdict.met);
        let is_close = |low: usize, high: usize| {
            let [low, high] = [low, high].map(|at| self.search.loads[at].1);
            high - low <= self.search.tolerance * high
        };
        let edge =
            |holds: &dyn Fn(usize) -> Option<bool>| edge(self.search.loads.len(), holds, &is_close);
        // A load that is open does not hide that a higher one is surely below.
        let is_yes = |at: &usize| met(*at) == Some(Met::Yes);
        let known = self.loads_of(setting).into_iter().filter(is_yes).max();
        let is_below = |at: usize| Some(at) <= known;
        [
            edge(&|at| met(at).map(|met| met != Met::Yes && !is_below(at))),
            edge(&|at| met(at).map(|met| met == Met::No)),
        ]
    }

    fn loads_of(&self, setting: &[Label]) -> Vec<usize> {
        let load = |labels: &&'a [Label]| {
            let (own, rest) = labels.split_at(setting.len().min(labels.len()));
            let (_, text) = rest.first().filter(|_| own == setting)?;
            self.search.loads.iter().position(|(load, _)| load == text)
        };
        self.points.keys().filter_map(load).collect()
    }

    fn setting(&self, setting: &[Label]) -> LoadSetting {
        let [below, above] = self.edges(setting);
        let value = |at: Option<usize>| at.map(|at| self.search.loads[at].1);
        let mut numbers = self.loads_of(setting);
        numbers.sort_unstable();
        let loads: Vec<Load> =
            numbers.into_iter().filter_map(|at| self.at(setting, at).ok()).collect();
        let first_no = loads.iter().position(|load| load.verdict.met == Met::No);
        let last_yes = loads.iter().rposition(|load| load.verdict.met == Met::Yes);
        LoadSetting {
            labels: setting.to_vec(),
            below: below.ok().and_then(|(before, _)| value(before)),
            above: above.ok().and_then(|(_, first)| value(first)),
            is_monotone: first_no.zip(last_yes).is_none_or(|(no, yes)| no > yes),
            loads,
        }
    }
}

/// More settings, loads and cautions than these are counted.
const ROWS_MAX: usize = 12;
const CAUTIONS_MAX: usize = 3;

impl LoadAnswer {
    /// At most 25 lines of [`WIDTH`]; `place` is where the runs are.
    pub fn to_text(&self, place: &str) -> String {
        let key = self.keys.join(", ");
        let head = match self.settings.as_slice() {
            [one] => format!("{}: {}", self.name, self.in_words(one, &format!("{key} "))),
            many => format!("{}: {} settings, along {key}", self.name, many.len()),
        };
        let mut text = sentence(&head);
        text += &sentence(&format!(
            "saturated: more than {} % of what is offered is not delivered in the measured time",
            number(self.loss * 100.0)
        ));
        text += &match self.settings.as_slice() {
            [one] => loads(&one.loads),
            many => settings_table(many),
        };
        text += &sentence(&format!("{} runs in {place}", self.runs));
        let crooked = self.settings.iter().filter(|setting| !setting.is_monotone).count();
        // loads that no number of replicas decided
        let is_open = |load: &&Load| load.verdict.met == Met::Unknown;
        let open = self.settings.iter().map(|s| s.loads.iter().filter(is_open).count()).max();
        let mut cautions = Vec::new();
        if crooked > 0 {
            let of = listed_count(crooked, self.settings.len(), "setting");
            cautions.push(format!("{of} delivers all at a load above one at which it does not"));
        }
        if let Some(open @ 1..) = open {
            let most = self.settings.iter().flat_map(|setting| &setting.loads);
            let most = most.map(|load| load.verdict.replicas).max().unwrap_or(0);
            cautions.push(format!(
                "open with {most} seeds: {open} of the loads; higher --max-replicas, longer \
                 run.duration_ns"
            ));
        }
        cautions.extend(self.cautions.iter().cloned());
        for caution in cautions.iter().take(CAUTIONS_MAX) {
            text += &sentence(&format!("! {caution}"));
        }
        text
    }

    /// `saturates at workload.load 0.62 [0.61, 0.63]`; `key` precedes numbers.
    fn in_words(&self, setting: &LoadSetting, key: &str) -> String {
        let [from, to] = self.range;
        let load = |load: f64| format!("{key}{}", number(load));
        match (setting.below, setting.above) {
            (Some(below), Some(above)) => {
                let middle = load((below + above) / 2.0);
                format!("saturates at {middle} [{}, {}]", number(below), number(above))
            }
            (Some(below), None) if below == to => format!("not saturated up to {}", load(to)),
            (Some(below), None) => {
                format!("saturates above {}, if it does up to {}", load(below), number(to))
            }
            (None, Some(above)) if above == from => format!("saturated at {} already", load(from)),
            (None, Some(above)) => format!("saturates below {}", load(above)),
            (None, None) => "not known".into(),
        }
    }
}

/// Its highest load below saturation.
fn at(setting: &LoadSetting) -> Option<&Load> {
    setting.loads.iter().rfind(|load| load.verdict.met == Met::Yes)
}

const SETTINGS: [TextColumn<LoadSetting>; 6] = [
    ("setting", None, |setting| point_name(&setting.labels)),
    ("saturates at", Some(""), |setting| match (setting.below, setting.above) {
        (Some(below), Some(above)) => number((below + above) / 2.0),
        (Some(below), None) => format!("> {}", number(below)),
        (None, Some(above)) => format!("< {}", number(above)),
        (None, None) => "?".into(),
    }),
    ("from", Some(""), |setting| setting.below.map_or("-".into(), number)),
    ("to", Some(""), |setting| setting.above.map_or("-".into(), number)),
    ("accepted", Some("B/ns"), |setting| {
        plus_minus(at(setting).and_then(|load| load.delivered_bytes_per_ns), 1.0, 2)
    }),
    ("p99", Some("ns"), |setting| {
        at(setting).map_or("-".into(), |load| p99(&load.verdict, 1.0, 0))
    }),
];

const LOADS: [TextColumn<Load>; 7] = [
    ("load", Some(""), |load| load.load.clone()),
    ("offered", Some("B/ns"), |load| plus_minus(load.offered_bytes_per_ns, 1.0, 3)),
    ("accepted", Some("B/ns"), |load| plus_minus(load.delivered_bytes_per_ns, 1.0, 3)),
    ("lost", Some("%"), |load| plus_minus(load.verdict.share, 100.0, 2)),
    ("p99", Some("ns"), |load| p99(&load.verdict, 1.0, 0)),
    ("seeds", Some(""), |load| load.verdict.replicas.to_string()),
    ("saturated", None, |load| match load.verdict.met {
        Met::Yes => "no".into(),
        Met::No => "yes".into(),
        Met::Unknown => "open".into(),
    }),
];

fn settings_table(settings: &[LoadSetting]) -> String {
    let mut table = TextTable::of(&SETTINGS, settings.iter().take(ROWS_MAX));
    table.fitted(WIDTH, &["p99", "accepted"]).0
        + &more(settings.len(), ROWS_MAX, "settings")
        + "accepted, p99: at the highest load below saturation\n"
}

fn loads(loads: &[Load]) -> String {
    let edge = loads.iter().rposition(|load| load.verdict.met == Met::Yes);
    let first = edge.map_or(0, |edge| (edge + 1).saturating_sub(ROWS_MAX / 2));
    let first = first.min(loads.len().saturating_sub(ROWS_MAX));
    let mut table = TextTable::of(&LOADS, loads.iter().skip(first).take(ROWS_MAX));
    table.fitted(WIDTH, &["seeds", "offered"]).0 + &more(loads.len(), ROWS_MAX, "loads")
}

/// As short as it is, to nine digits.
fn number(value: f64) -> String {
    ((value * 1e9).round() / 1e9).to_string()
}
