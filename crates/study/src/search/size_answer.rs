//! What a search for the least of a resource came to.

use super::Label;
use super::looked::Looked;
use super::pareto::{self, Place};
use super::size::{Design, Search, SizeSearch};
use super::verdict::{Verdict, all_of};
use crate::answer::{Answer, Met};
use crate::table::Table;
use serde::Serialize;

/// The least of a resource, in each design.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SizeAnswer {
    /// Name of the study.
    pub name: String,
    /// What counts as enough, in words.
    pub enough: String,
    /// Keys of the resource.
    pub keys: Vec<String>,
    /// Of the reference, at least.
    pub target_share: f64,
    /// A line each.
    pub designs: Vec<SizedDesign>,
    /// Points and runs behind it.
    pub points: usize,
    /// Runs of all points.
    pub runs: usize,
    /// What to know before trusting it, a sentence each.
    pub cautions: Vec<String>,
}

/// How a design was searched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "by", content = "why", rename_all = "snake_case")]
pub enum Method {
    /// Halving: all that was looked at agrees that more is better.
    Halves,
    /// A grid made finer around the cheapest, and why.
    Grid(String),
}

/// The least of the resource in one design.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SizedDesign {
    /// What its points have in common, the workload apart.
    pub labels: Vec<Label>,
    /// How it was searched.
    pub method: Method,
    /// The least that is enough on all workloads; `None`: none is.
    pub at: Option<Frontier>,
    /// The next less that was looked at.
    pub below: Option<Frontier>,
    /// What each workload needs.
    pub needs: Vec<Need>,
    /// Number of the workload that needs the most; of equal ones that with the least margin.
    pub binding: Option<usize>,
    /// What nothing that was looked at beats in bits and in throughput, the cheapest first.
    pub frontier: Vec<Frontier>,
    /// Places that were run for some workload at least, and that there are.
    pub looked_at: [usize; 2],
}

/// What one workload needs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Need {
    /// What it is.
    pub labels: Vec<Label>,
    /// The least that is enough for it; `None`: none is.
    pub least: Option<Vec<String>>,
    /// What it gets at the answer, or at the place that is nearest to one.
    pub verdict: Option<Verdict>,
}

/// One place: what it costs and what it gives.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Frontier {
    /// A value of each key.
    pub values: Vec<String>,
    /// Of the workload that gets least.
    pub verdict: Verdict,
    /// CAM of the costliest port, bits.
    pub cam_bits: f64,
    /// SAQ state of it.
    pub saq_bits: f64,
    /// All that controls it: queues, CAM, SAQ state, credits, marker.
    pub control_bits: f64,
    /// Its data memory.
    pub data_bits: f64,
}

impl SizeSearch {
    /// What was found, once nothing is asked for.
    pub fn answer(&self, table: &Table) -> SizeAnswer {
        let looked = Looked::of(self, table);
        let designs = self.designs.iter().map(|design| sized(&looked, design));
        let answer = Answer {
            has_sizes: false, // it is the search that says what holds with more
            ..table.answer()
        };
        let p99 = match (self.has_p99, answer.target.p99_ns) {
            (false, _) => String::new(),
            (true, Some(ns)) => format!("; p99 up to {} us", ns / 1000.0),
            (true, None) => {
                format!("; p99 up to {} times that of the best", answer.target.p99_times)
            }
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

fn sized(looked: &Looked<'_>, design: &Design) -> SizedDesign {
    let seen = looked.seen(design);
    let (method, at, needs) = match looked.search(design) {
        Search::Halved { needs, at } => (Method::Halves, at, needs),
        Search::Grid { why, at } => (Method::Grid(why), at, own_needs(looked, design)),
        // The search was cut short.
        Search::Asks(_) => (Method::Halves, None, vec![None; design.workloads.len()]),
    };
    let best = seen.iter().filter(|(_, seen)| seen.metric.is_finite());
    let best = best.max_by(|a, b| a.1.metric.total_cmp(&b.1.metric).then(b.0.cmp(a.0)));
    let shown = at.clone().or(best.map(|(place, _)| place.clone()));
    let verdicts = shown.as_ref().and_then(|place| looked.verdicts(design, place).ok());
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
    let values = |place: &Place| looked.values(place);
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
        below.and_then(|(place, _)| point(looked, design, place))
    });
    let frontier = pareto::frontier(&seen);
    let frontier = frontier.iter().filter_map(|place| point(looked, design, place));
    SizedDesign {
        labels: design.labels.clone(),
        method,
        below,
        needs: (0..design.workloads.len())
            .map(|workload| Need {
                labels: design.workloads[workload].clone(),
                least: needs[workload].as_ref().map(values),
                verdict: verdict(workload),
            })
            .collect(),
        binding,
        frontier: frontier.collect(),
        looked_at: [looked.places(design), design.points.len()],
        at: at.and_then(|at| point(looked, design, &at)),
    }
}

/// On a grid: the cheapest place that is enough for each workload.
fn own_needs(looked: &Looked<'_>, design: &Design) -> Vec<Option<Place>> {
    let seen = looked.seen(design);
    let of = |workload: usize| {
        let own = seen.iter().filter_map(|(place, seen)| {
            let verdicts = looked.verdicts(design, place).ok()?;
            let met = verdicts.get(workload)?.met;
            Some((place.clone(), pareto::Seen { met, ..*seen }))
        });
        pareto::cheapest(&own.collect()).cloned()
    };
    (0..design.workloads.len()).map(of).collect()
}

fn point(looked: &Looked<'_>, design: &Design, place: &Place) -> Option<Frontier> {
    let verdicts = looked.verdicts(design, place).ok()?;
    let met = all_of(verdicts.iter().map(|verdict| verdict.met));
    let share = |verdict: &Verdict| verdict.share.map_or(f64::NEG_INFINITY, |share| share.mean);
    let worst = verdicts.into_iter().min_by(|a, b| share(a).total_cmp(&share(b)))?;
    let rows: Vec<_> = design.points.get(place)?.iter().filter_map(|l| looked.row(l)).collect();
    let bits = |column: &str| {
        let bits = rows.iter().filter_map(|row| Some(row.value(column)?.max));
        bits.fold(0.0, f64::max)
    };
    Some(Frontier {
        values: looked.values(place),
        verdict: Verdict { met, ..worst },
        cam_bits: bits("port_cam_bits"),
        saq_bits: bits("port_saq_bits"),
        control_bits: bits("port_control_bits"),
        data_bits: bits("port_data_bits"),
    })
}

impl SizedDesign {
    /// Whether the answer is sure: there is one, and what is next less is surely not enough.
    pub fn is_tight(&self) -> bool {
        let below = self.below.as_ref();
        self.at.is_some() && below.is_none_or(|below| below.verdict.met == Met::No)
    }
}
