//! The least of a resource that meets a target on all workloads: [`SizeSearch`].

use super::looked::Looked;
use super::pareto::Place;
use super::verdict::Confidence;
use super::{Ask, Label};
use crate::answer::is_asked;
use crate::table::Table;
use std::collections::{BTreeMap, BTreeSet};

/// A search for the least of a resource, in each design of its own, on all workloads of it.
#[derive(Debug, Clone)]
pub struct SizeSearch {
    /// Keys of the resource.
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
    /// Labels of the point of each workload, by place.
    pub(super) points: BTreeMap<Place, Vec<Vec<Label>>>,
}

/// The number of a workload, and the labels of its point.
type OfWorkload = (usize, Vec<Label>);

/// How a design is searched, and what has come of it.
pub(super) enum Search {
    /// What is to be run next.
    Asks(Vec<Ask>),
    /// Halving: the least of each workload, and of all.
    Halved { needs: Vec<Option<Place>>, at: Option<Place> },
    /// A grid, and why.
    Grid { why: String, at: Option<Place> },
}

impl SizeSearch {
    /// `points`: labels of all points of the study, the least of each resource first. `has_p99`:
    /// the p99 of the target counts beside the throughput.
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
        let mut by_setting: BTreeMap<(usize, Place), Vec<OfWorkload>> = BTreeMap::new();
        for labels in points {
            let value = |key: &String| labels.iter().find(|(k, _)| k == key).map(|(_, v)| v);
            let values: Option<Vec<&String>> = keys.iter().map(value).collect();
            let Some(values) = values else {
                search.baselines.push(labels.clone());
                continue;
            };
            let place = values.into_iter().zip(&mut search.values);
            let place: Place = place.map(|(value, known)| number_of(known, value)).collect();
            let rest = labels.iter().filter(|(key, _)| !keys.contains(key)).cloned();
            let (workload, own): (Vec<Label>, Vec<Label>) = rest.partition(|l| is_asked(&l.0));
            let design = search.design(own);
            let workload = number_of(&mut search.designs[design].workloads, &workload);
            let of_place = by_setting.entry((design, place)).or_default();
            of_place.push((workload, labels.clone()));
        }
        for ((design, place), mut of_place) in by_setting {
            let design = &mut search.designs[design];
            // A place that the study leaves out for some workload is none.
            if of_place.len() == design.workloads.len() {
                of_place.sort_by_key(|(workload, _)| *workload);
                let labels = of_place.into_iter().map(|(_, labels)| labels).collect();
                design.points.insert(place, labels);
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
        let looked = Looked::of(self, table);
        let mut asked: Vec<Ask> = Vec::new();
        for labels in &self.baselines {
            asked.extend(looked.verdict(labels).err());
        }
        for design in &self.designs {
            if let Search::Asks(asks) = looked.search(design) {
                asked.extend(asks);
            }
        }
        // What others are held against has as many replicas as they have.
        if looked.is_relative() {
            let most = |question: &[&Label]| {
                let asks = asked.iter().filter(|ask| question_of(&ask.labels) == question);
                let known = table.points.iter();
                let known = known.filter(|point| question_of(&point.labels) == question);
                let known = known.map(|point| u32::try_from(point.runs.len()).unwrap_or(0));
                asks.map(|ask| ask.replicas).chain(known).max().unwrap_or(0)
            };
            let labels = asked.iter().map(|ask| &ask.labels);
            let labels = labels.chain(table.points.iter().map(|point| &point.labels));
            let all: BTreeSet<&Vec<Label>> = labels.collect();
            let asks = all
                .into_iter()
                .map(|labels| Ask { labels: labels.clone(), replicas: most(&question_of(labels)) });
            asked = asks.filter(|ask| looked.runs(&ask.labels) < ask.replicas as usize).collect();
        }
        asked.sort();
        asked.dedup();
        asked
    }
}

/// The labels that say what is asked of a switch.
fn question_of(labels: &[Label]) -> Vec<&Label> {
    labels.iter().filter(|label| is_asked(&label.0)).collect()
}

/// The number of a value, which is added where it is new.
fn number_of<T: PartialEq + Clone>(known: &mut Vec<T>, value: &T) -> usize {
    let at = known.iter().position(|other| other == value);
    at.unwrap_or_else(|| {
        known.push(value.clone());
        known.len() - 1
    })
}
