//! The least of a resource that meets a target on all workloads: [`SizeSearch`], [`SizeAnswer`].

use super::pareto::{self, Place};
use super::view::View;
use super::{Ask, Confidence, Label, Verdict};
use crate::answer::{Answer, Met, is_asked, question_of};
use crate::table::{PointRow, Table};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A search for the least of a resource, in each design separately, on all workloads of it.
#[derive(Debug, Clone)]
pub struct SizeSearch {
    pub(super) keys: Vec<String>,
    /// Values of each, from the least to the most.
    pub(super) values: Vec<Vec<String>>,
    pub(super) designs: Vec<Design>,
    /// Points without the resource: what others are held against.
    baselines: Vec<Vec<Label>>,
    /// Whether the p99 of the target counts too.
    pub(super) has_p99: bool,
    pub(super) confidence: Confidence,
}

/// Settings that differ in the resource and in the workload alone.
#[derive(Debug, Clone)]
pub(super) struct Design {
    pub(super) labels: Vec<Label>,
    /// What is asked of it, each with its labels; one without where nothing varies.
    pub(super) workloads: Vec<Vec<Label>>,
    pub(super) points: BTreeMap<Place, Vec<Vec<Label>>>,
}

/// What the search of a design came to: the least for all workloads, and for each.
pub(super) struct Found {
    pub(super) method: Method,
    pub(super) at: Option<Place>,
    pub(super) needs: Vec<Option<Place>>,
}

impl SizeSearch {
    /// `points`: labels of all points, least resources first; `has_p99`: the p99 counts too.
    pub fn new(
        keys: &[String],
        points: &[Vec<Label>],
        has_p99: bool,
        confidence: Confidence,
    ) -> SizeSearch {
        let mut search = SizeSearch {
            keys: keys.to_vec(),
            values: vec![Vec::new(); keys.len()],
            designs: Vec::new(),
            baselines: Vec::new(),
            has_p99,
            confidence,
        };
        let mut by_setting: BTreeMap<(usize, Place), BTreeMap<usize, Vec<Label>>> = BTreeMap::new();
        for labels in points {
            let value = |key: &String| labels.iter().find(|(k, _)| k == key).map(|(_, v)| v);
            let Some(values) = keys.iter().map(value).collect::<Option<Vec<&String>>>() else {
                search.baselines.push(labels.clone());
                continue;
            };
            let place = values.into_iter().zip(&mut search.values);
            let place: Place = place.map(|(value, known)| number_of(known, value)).collect();
            let rest = labels.iter().filter(|(key, _)| !keys.contains(key)).cloned();
            let (workload, own): (Vec<Label>, Vec<Label>) = rest.partition(|l| is_asked(&l.0));
            let design = search.design(own);
            let workload = number_of(&mut search.designs[design].workloads, &workload);
            by_setting.entry((design, place)).or_default().insert(workload, labels.clone());
        }
        for ((design, place), of_place) in by_setting {
            let design = &mut search.designs[design];
            // A place that the study leaves out for some workload is none.
            if of_place.len() == design.workloads.len() {
                design.points.insert(place, of_place.into_values().collect());
            }
        }
        search.designs.retain(|design| !design.points.is_empty());
        search
    }

    /// Whether there is anything to size.
    pub fn is_empty(&self) -> bool {
        self.designs.is_empty()
    }

    fn design(&mut self, labels: Vec<Label>) -> usize {
        let known = self.designs.iter().position(|design| design.labels == labels);
        known.unwrap_or_else(|| {
            self.designs.push(Design { labels, workloads: Vec::new(), points: BTreeMap::new() });
            self.designs.len() - 1
        })
    }

    /// What to run next; nothing where the search is over.
    pub fn next(&self, table: &Table) -> Vec<Ask> {
        let view = View::of(self, table);
        let mut asked: Vec<Ask> = Vec::new();
        for labels in &self.baselines {
            asked.extend(view.verdict(labels).err());
        }
        for design in &self.designs {
            asked.extend(view.search(design).err().into_iter().flatten());
        }
        // What others are held against has as many replicas as they have.
        if view.is_relative() {
            let replicas = |point: &PointRow| u32::try_from(point.runs.len()).unwrap_or(0);
            let known = table.points.iter().map(|point| (&point.labels, replicas(point)));
            let all = asked.iter().map(|ask| (&ask.labels, ask.replicas)).chain(known);
            let mut most: BTreeMap<Vec<&Label>, u32> = BTreeMap::new();
            let mut points: BTreeSet<&Vec<Label>> = BTreeSet::new();
            for (labels, replicas) in all {
                points.insert(labels);
                let most = most.entry(question_of(labels)).or_default();
                *most = replicas.max(*most);
            }
            let asks = points
                .into_iter()
                .map(|labels| Ask { labels: labels.clone(), replicas: most[&question_of(labels)] });
            asked = asks.filter(|ask| view.runs(&ask.labels) < ask.replicas as usize).collect();
        }
        asked.sort();
        asked.dedup();
        asked
    }
}

/// The least of a resource, in each design.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SizeAnswer {
    pub(super) name: String,
    pub(super) enough: String,
    pub(super) keys: Vec<String>,
    /// Of the reference, at least.
    pub(super) target_share: f64,
    pub(super) designs: Vec<SizedDesign>,
    pub(super) points: usize,
    pub(super) runs: usize,
    pub(super) cautions: Vec<String>,
}

/// How a design was searched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "by", content = "why", rename_all = "snake_case")]
pub enum Method {
    /// Halving: all that was evaluated agrees that more is better.
    Halves,
    /// A grid made finer around the cheapest, and why.
    Grid(String),
}

/// The least of the resource in one design.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SizedDesign {
    /// What its points have in common, the workload apart.
    pub(super) labels: Vec<Label>,
    pub(super) method: Method,
    /// The least that is enough on all workloads; `None`: none is.
    pub(super) at: Option<Frontier>,
    /// The next less that was evaluated.
    pub(super) below: Option<Frontier>,
    pub(super) needs: Vec<Need>,
    /// Number of the workload that needs the most; of equal ones that with the least margin.
    pub(super) binding: Option<usize>,
    /// What nothing evaluated beats in bits and in throughput, the cheapest first.
    pub(super) frontier: Vec<Frontier>,
    /// Places that were run for some workload at least, and that there are.
    pub(super) looked_at: [usize; 2],
}

/// What one workload needs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Need {
    pub(super) labels: Vec<Label>,
    /// The least that is enough for it; `None`: none is.
    pub(super) least: Option<Vec<String>>,
    /// What it gets at the answer, or at the place that is nearest to one.
    pub(super) verdict: Option<Verdict>,
}

/// One place: what it costs and what it gives.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Frontier {
    pub(super) values: Vec<String>,
    /// Of the workload that gets least.
    pub(super) verdict: Verdict,
    /// CAM of the costliest port, bits.
    pub(super) cam_bits: f64,
    pub(super) saq_bits: f64,
    /// All that controls it: queues, CAM, SAQ state, credits, marker.
    pub(super) control_bits: f64,
    pub(super) data_bits: f64,
}

impl SizeSearch {
    /// What was found, once nothing is asked for.
    pub fn answer(&self, table: &Table) -> SizeAnswer {
        let view = View::of(self, table);
        let designs = self.designs.iter().map(|design| sized(&view, design));
        // the search states what holds with more
        let answer = Answer { has_sizes: false, ..table.answer() };
        let times = answer.target.p99_times;
        let p99 = match (self.has_p99, answer.target.p99_ns) {
            (false, _) => String::new(),
            (true, Some(ns)) => format!("; p99 up to {} us", ns / 1000.0),
            (true, None) => format!("; p99 up to {times} times that of the best"),
        };
        SizeAnswer {
            name: table.name.clone(),
            enough: answer.enough() + &p99,
            keys: self.keys.clone(),
            target_share: answer.target.share,
            designs: designs.collect(),
            points: table.points.len(),
            runs: table.runs.len(),
            cautions: answer.cautions,
        }
    }
}

fn sized(view: &View<'_>, design: &Design) -> SizedDesign {
    let seen = view.seen(design);
    let cut_short =
        || Found { method: Method::Halves, at: None, needs: vec![None; design.workloads.len()] };
    let Found { method, at, needs } = view.search(design).unwrap_or_else(|_| cut_short());
    let best = seen.iter().filter(|(_, seen)| seen.metric.is_finite());
    let best = best.max_by(|a, b| a.1.metric.total_cmp(&b.1.metric).then(b.0.cmp(a.0)));
    let shown = at.clone().or(best.map(|(place, _)| place.clone()));
    let verdicts = shown.as_ref().and_then(|place| view.verdicts(design, place).ok());
    let verdict = |workload: usize| verdicts.as_ref()?.get(workload).cloned();
    let margin = |workload: usize| {
        let share = verdict(workload).and_then(|verdict| verdict.share);
        share.map_or(f64::INFINITY, |share| share.mean)
    };
    // None is more than any.
    let need = |workload: usize| needs[workload].clone().unwrap_or(vec![usize::MAX]);
    let binding = (0..design.workloads.len()).max_by(|&a, &b| {
        let order = need(a).cmp(&need(b));
        order.then(margin(b).total_cmp(&margin(a))).then(b.cmp(&a))
    });
    let below = at.as_ref().and_then(|at| {
        let cost = seen.get(at).map(|seen| seen.cost);
        // Of one key the neighbour, of several the best that is cheaper.
        let below = match at.len() {
            1 => seen.range(..at.clone()).next_back(),
            _ => {
                let cheaper = seen.iter().filter(|(_, seen)| Some(seen.cost) < cost);
                cheaper.max_by(|a, b| a.1.metric.total_cmp(&b.1.metric))
            }
        };
        below.and_then(|(place, _)| point(view, design, place))
    });
    let frontier = pareto::frontier(&seen);
    let frontier = frontier.iter().filter_map(|place| point(view, design, place));
    SizedDesign {
        labels: design.labels.clone(),
        method,
        below,
        needs: (0..design.workloads.len())
            .map(|workload| Need {
                labels: design.workloads[workload].clone(),
                least: needs[workload].as_ref().map(|place| view.values(place)),
                verdict: verdict(workload),
            })
            .collect(),
        binding,
        frontier: frontier.collect(),
        looked_at: [view.places(design), design.points.len()],
        at: at.and_then(|at| point(view, design, &at)),
    }
}

fn point(view: &View<'_>, design: &Design, place: &Place) -> Option<Frontier> {
    let verdicts = view.verdicts(design, place).ok()?;
    let met = Met::all_of(verdicts.iter().map(|verdict| verdict.met));
    let share = |verdict: &Verdict| verdict.share.map_or(f64::NEG_INFINITY, |share| share.mean);
    let worst = verdicts.into_iter().min_by(|a, b| share(a).total_cmp(&share(b)))?;
    let rows: Vec<_> = design.points.get(place)?.iter().filter_map(|l| view.row(l)).collect();
    let bits = |column: &str| {
        let bits = rows.iter().filter_map(|row| Some(row.value(column)?.max));
        bits.fold(0.0, f64::max)
    };
    Some(Frontier {
        values: view.values(place),
        verdict: Verdict { met, ..worst },
        cam_bits: bits("port_cam_bits"),
        saq_bits: bits("port_saq_bits"),
        control_bits: bits("port_control_bits"),
        data_bits: bits("port_data_bits"),
    })
}

fn number_of<T: PartialEq + Clone>(known: &mut Vec<T>, value: &T) -> usize {
    let at = known.iter().position(|other| other == value);
    at.unwrap_or_else(|| {
        known.push(value.clone());
        known.len() - 1
    })
}
