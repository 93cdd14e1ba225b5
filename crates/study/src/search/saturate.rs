//! Up to which load all that is offered arrives: [`LoadSearch`].

use super::edge::{Edge, edge};
use super::verdict::{Confidence, Verdict, interval};
use super::{Ask, Label};
use crate::Interval;
use crate::answer::{Met, of_failed};
use crate::table::{Outcome, RunRow, Table};
use crate::windows::MEASURED;
use observe::LatencyFigure;
use serde::Serialize;
use std::collections::BTreeMap;

/// A search along an axis of loads, in each setting of its own.
pub struct LoadSearch<'a> {
    /// Keys that have the load as their value, all the same.
    pub keys: Vec<String>,
    /// Labels of the settings; one without labels where nothing else varies.
    pub settings: Vec<Vec<Label>>,
    /// Loads there are to look at.
    pub count: usize,
    /// The load of a number from 0 on, as a scenario has it; rising.
    pub text: &'a dyn Fn(usize) -> String,
    /// The same as a number.
    pub value: &'a dyn Fn(usize) -> f64,
    /// At most this part of what is offered may not be delivered.
    pub loss: f64,
    /// The search ends where its bracket is at most this part of the load.
    pub tolerance: f64,
    /// Replicas.
    pub confidence: Confidence,
}

/// One load that was looked at.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Load {
    /// As the scenario has it.
    pub load: String,
    /// Offered, bytes/ns.
    #[serde(serialize_with = "interval")]
    pub offered_bytes_per_ns: Option<Interval>,
    /// Delivered, bytes/ns.
    #[serde(serialize_with = "interval")]
    pub delivered_bytes_per_ns: Option<Interval>,
    /// Whether it is below saturation; its share is what is lost of the offered.
    #[serde(flatten)]
    pub verdict: Verdict,
}

/// Where one setting saturates.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LoadSetting {
    /// What else its points have.
    pub labels: Vec<Label>,
    /// The highest load that is surely below saturation; `None`: the lowest is not.
    pub below: Option<f64>,
    /// The lowest load that is surely above; `None`: the highest is not.
    pub above: Option<f64>,
    /// Some load loses where a higher one does not: the bracket is one of several.
    pub is_monotone: bool,
    /// What was looked at, by load.
    pub loads: Vec<Load>,
}

/// What a search along loads came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LoadAnswer {
    /// Name of the study.
    pub name: String,
    /// Keys that have the load as their value.
    pub keys: Vec<String>,
    /// The lowest and the highest load of the search.
    pub range: [f64; 2],
    /// What may be lost of the offered.
    pub loss: f64,
    /// The bracket as a part of the load.
    pub tolerance: f64,
    /// A line each.
    pub settings: Vec<LoadSetting>,
    /// Runs behind it.
    pub runs: usize,
    /// What to know before trusting it, a sentence each.
    pub cautions: Vec<String>,
}

/// What a load is judged by, or what is missing for it.
type Known = Result<Load, Ask>;

impl LoadSearch<'_> {
    /// What to run next; nothing where the search is over.
    pub fn next(&self, table: &Table) -> Vec<Ask> {
        let looked = Looked::of(self, table);
        let mut asked: Vec<Ask> = Vec::new();
        for setting in &self.settings {
            for edge in looked.edges(setting) {
                let Edge::Look(loads) = edge else { continue };
                asked.extend(loads.iter().filter_map(|&at| looked.at(setting, at).err()));
            }
        }
        asked.sort();
        asked.dedup();
        asked
    }

    /// What was found, once nothing is asked for.
    pub fn answer(&self, table: &Table) -> LoadAnswer {
        let looked = Looked::of(self, table);
        let settings = self.settings.iter();
        let settings = settings.map(|setting| looked.setting(setting));
        LoadAnswer {
            name: table.name.clone(),
            keys: self.keys.clone(),
            range: [0, self.count.saturating_sub(1)].map(self.value),
            loss: self.loss,
            tolerance: self.tolerance,
            settings: settings.collect(),
            runs: table.runs.len(),
            cautions: self.cautions(table),
        }
    }

    fn cautions(&self, table: &Table) -> Vec<String> {
        let failed = |run: &&RunRow| matches!(run.outcome, Outcome::Failed(_));
        let failed = table.runs.iter().filter(failed).count();
        let mut cautions: Vec<String> = of_failed(failed, table.runs.len()).into_iter().collect();
        let below = |point: &&crate::PointRow| {
            let runs = point.runs.iter().filter_map(|&index| table.run(index));
            self.judged(&runs.collect::<Vec<_>>()).verdict.met == Met::Yes
        };
        let points: Vec<&crate::PointRow> = table.points.iter().filter(below).collect();
        let unsteady = points.iter().filter(|point| point.is_unsteady()).count();
        if unsteady > 0 {
            cautions.push(format!(
                "{} below saturation not steady (halves of the measured time differ): longer \
                 run.warmup_ns",
                crate::lines::listed_count(unsteady, points.len(), "point")
            ));
        }
        if self.confidence.max_replicas == 1 {
            cautions.push("one seed: a load is judged by its one run".into());
        }
        cautions
    }

    /// Judges the runs of one load.
    fn judged(&self, runs: &[&RunRow]) -> Load {
        let rows = runs.iter().filter_map(|run| {
            let mut rows = run.finished()?.windows.iter();
            rows.find(|row| row.window == MEASURED && row.is_of_all())
        });
        let results: Vec<_> = rows.map(|row| &row.result).collect();
        let column = |value: &dyn Fn(&observe::FlowSetResult) -> Option<f64>| {
            let values: Vec<f64> = results.iter().filter_map(|result| value(result)).collect();
            values
        };
        let lost = column(&|result| {
            let offered = result.offered_bytes_per_ns.filter(|offered| *offered > 0.0)?;
            Some((offered - result.delivered_bytes_per_ns?) / offered)
        });
        Load {
            load: String::new(),
            offered_bytes_per_ns: Interval::of(&column(&|result| result.offered_bytes_per_ns)),
            delivered_bytes_per_ns: Interval::of(&column(&|result| result.delivered_bytes_per_ns)),
            verdict: Verdict {
                met: self.confidence.at_most(&lost, self.loss),
                share: Interval::of(&lost),
                p99_ns: Interval::of(&column(&|result| result.latency_ns.p99)),
                p99_is_lower_bound: results
                    .iter()
                    .any(|result| result.latency_ns.lower_bounds.contains(&LatencyFigure::P99)),
                replicas: results.len(),
            },
        }
    }
}

/// The table, by the labels of its points.
struct Looked<'a> {
    search: &'a LoadSearch<'a>,
    table: &'a Table,
    points: BTreeMap<&'a [Label], usize>,
    /// Of the loads, by their texts.
    numbers: BTreeMap<String, usize>,
}

impl<'a> Looked<'a> {
    fn of(search: &'a LoadSearch<'a>, table: &'a Table) -> Looked<'a> {
        let points = table.points.iter().enumerate();
        Looked {
            search,
            table,
            points: points.map(|(n, p)| (p.labels.as_slice(), n)).collect(),
            numbers: (0..search.count).map(|at| ((search.text)(at), at)).collect(),
        }
    }

    /// A load of a setting; `Err`: it is to have so many replicas first.
    fn at(&self, setting: &[Label], at: usize) -> Known {
        let text = (self.search.text)(at);
        let keys = self.search.keys.iter();
        let load = keys.map(|key| (key.clone(), text.clone()));
        let labels: Vec<Label> = setting.iter().cloned().chain(load).collect();
        let point = self.points.get(labels.as_slice());
        let indices = point.map(|&point| self.table.points[point].runs.iter());
        let runs = indices.into_iter().flatten();
        let runs: Vec<&RunRow> = runs.filter_map(|&index| self.table.run(index)).collect();
        let load = Load { load: text, ..self.search.judged(&runs) };
        let Verdict { met, replicas, .. } = load.verdict;
        let confidence = self.search.confidence;
        // What failed is not asked for again.
        let wanted = match met {
            _ if runs.len() < confidence.replicas as usize => Some(confidence.replicas),
            Met::Unknown if replicas > 0 => confidence.more(runs.len()),
            _ => None,
        };
        match wanted {
            Some(replicas) => Err(Ask { labels, replicas }),
            None => Ok(load),
        }
    }

    /// Where loads cease to be surely below, and where they begin to be surely above.
    fn edges(&self, setting: &[Label]) -> [Edge; 2] {
        let met = |at: usize| Some(self.at(setting, at).ok()?.verdict.met);
        let is_close = |low: usize, high: usize| {
            let [low, high] = [low, high].map(self.search.value);
            high - low <= self.search.tolerance * high
        };
        let edge =
            |holds: &dyn Fn(usize) -> Option<bool>| edge(self.search.count, holds, &is_close);
        // A load that is open does not hide that a higher one is surely below.
        let is_yes = |at: &usize| met(*at) == Some(Met::Yes);
        let known = self.loads_of(setting).into_iter().filter(is_yes).max();
        let is_below = |at: usize| Some(at) <= known;
        [
            edge(&|at| met(at).map(|met| met != Met::Yes && !is_below(at))),
            edge(&|at| met(at).map(|met| met == Met::No)),
        ]
    }

    /// Numbers of the loads that a setting was run at.
    fn loads_of(&self, setting: &[Label]) -> Vec<usize> {
        let load = |labels: &&'a [Label]| {
            let (own, rest) = labels.split_at(setting.len().min(labels.len()));
            let (_, text) = rest.first().filter(|_| own == setting)?;
            self.numbers.get(text).copied()
        };
        self.points.keys().filter_map(load).collect()
    }

    fn setting(&self, setting: &[Label]) -> LoadSetting {
        let [below, above] = self.edges(setting);
        let value = |at: Option<usize>| at.map(self.search.value);
        let below = match below {
            Edge::Found { before, .. } => value(before),
            Edge::Look(_) => None,
        };
        let above = match above {
            Edge::Found { first, .. } => value(first),
            Edge::Look(_) => None,
        };
        let mut loads: Vec<(usize, Load)> = Vec::new();
        for at in self.loads_of(setting) {
            loads.extend(self.at(setting, at).ok().map(|load| (at, load)));
        }
        loads.sort_by_key(|(at, _)| *at);
        let met = |load: &(usize, Load)| load.1.verdict.met;
        let first_no = loads.iter().position(|load| met(load) == Met::No);
        let last_yes = loads.iter().rposition(|load| met(load) == Met::Yes);
        LoadSetting {
            labels: setting.to_vec(),
            below,
            above,
            is_monotone: first_no.zip(last_yes).is_none_or(|(no, yes)| no > yes),
            loads: loads.into_iter().map(|(_, load)| load).collect(),
        }
    }
}
