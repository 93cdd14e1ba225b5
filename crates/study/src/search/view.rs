//! The table of all runs so far, as a search for a size sees it.

use super::edge::edge;
use super::pareto::{self, Place, Seen};
use super::size::{Design, Found, Method, SizeSearch};
use super::{Ask, Label, Verdict, by_labels};
use crate::Interval;
use crate::answer::{Judged, Levels, Met};
use crate::table::{PointRow, Table};
use crate::target::Reference;
use std::collections::{BTreeMap, BTreeSet};

pub(super) struct View<'a> {
    search: &'a SizeSearch,
    table: &'a Table,
    levels: Levels<'a>,
    points: BTreeMap<&'a [Label], usize>,
}

impl<'a> View<'a> {
    pub(super) fn of(search: &'a SizeSearch, table: &'a Table) -> View<'a> {
        View { search, table, levels: Levels::of(table), points: by_labels(table) }
    }

    /// Other points decide what one is held against.
    pub(super) fn is_relative(&self) -> bool {
        let target = &self.table.target;
        let by_p99 = self.search.has_p99 && target.p99_ns.is_none();
        by_p99 || matches!(target.reference, Reference::Best | Reference::Scheme(_))
    }

    /// Replicas of a point that finished or failed: none of them is asked for again.
    pub(super) fn runs(&self, labels: &[Label]) -> usize {
        self.row(labels).map_or(0, |row| row.runs.len())
    }

    pub(super) fn row(&self, labels: &[Label]) -> Option<&'a PointRow> {
        Some(&self.table.points[*self.points.get(labels)?])
    }

    /// Whether a point is enough; `Err`: it is to have so many replicas first.
    pub(super) fn verdict(&self, labels: &[Label]) -> Result<Verdict, Ask> {
        let point = self.points.get(labels);
        let runs = point.map_or(Vec::new(), |&point| self.levels.judged_runs(point));
        // none where one of them is not known
        let values = |value: fn(&Judged) -> Option<f64>| -> Vec<f64> {
            runs.iter().map(value).collect::<Option<_>>().unwrap_or_default()
        };
        let shares = values(|run| run.share);
        let p99_is_lower_bound = runs.iter().any(|run| run.p99_is_lower_bound);
        let confidence = self.search.confidence;
        let throughput = confidence.at_least(&shares, self.table.target.share);
        let p99 = match confidence.at_most(&values(|run| run.p99_of_limit), 1.0) {
            _ if !self.search.has_p99 => Met::Yes,
            Met::Yes if p99_is_lower_bound => Met::Unknown, // it may be more than the bound
            met => met,
        };
        let met = Met::all_of([throughput, p99]);
        // What lower bounds leave open, and what has nothing to compare with, no seed decides.
        let is_bound = throughput != Met::Unknown && p99_is_lower_bound;
        let may_decide = !is_bound && !shares.is_empty();
        if let Some(replicas) = confidence.required(met, self.runs(labels), may_decide) {
            return Err(Ask { labels: labels.to_vec(), replicas });
        }
        let p99_ns = Interval::of(&values(|run| run.p99_ns));
        let (share, replicas) = (Interval::of(&shares), runs.len());
        Ok(Verdict { met, share, p99_ns, p99_is_lower_bound, replicas })
    }

    /// The verdict of each workload at a place.
    pub(super) fn verdicts(
        &self,
        design: &Design,
        place: &Place,
    ) -> Result<Vec<Verdict>, Vec<Ask>> {
        let points = design.points.get(place).into_iter().flatten();
        let (known, open): (Vec<_>, Vec<_>) =
            points.map(|labels| self.verdict(labels)).partition(Result::is_ok);
        match open.is_empty() {
            true => Ok(known.into_iter().flatten().collect()),
            false => Err(open.into_iter().filter_map(Result::err).collect()),
        }
    }

    /// Halving, where it may be trusted, else a grid. `Err`: what is to be run next.
    pub(super) fn search(&self, design: &Design) -> Result<Found, Vec<Ask>> {
        let found = match self.search.keys.len() {
            keys @ 2.. => Err(format!("{keys} keys")),
            _ => self.by_halves(design),
        };
        found.unwrap_or_else(|why| self.by_grid(design, why))
    }

    /// Halves for each workload apart. `Err`: what shows that more is not always better.
    fn by_halves(&self, design: &Design) -> Result<Result<Found, Vec<Ask>>, String> {
        let line: Vec<&Place> = design.points.keys().collect();
        let name = |at: usize| self.values(line[at]).join(", ");
        let (mut asks, mut needs) = (Vec::new(), Vec::new());
        for workload in 0..design.workloads.len() {
            let verdict = |at: usize| self.verdict(&design.points[line[at]][workload]);
            let met = |at: usize| verdict(at).ok().map(|verdict| verdict.met);
            let want = |at: usize| verdict(at).err();
            // All that was evaluated has to agree.
            let known = |wanted: Met| move |at: &usize| met(*at) == Some(wanted);
            let first_yes = (0..line.len()).find(known(Met::Yes));
            let last_no = (0..line.len()).rfind(known(Met::No));
            if let (Some(yes), Some(no)) = (first_yes, last_no)
                && no > yes
            {
                return Err(format!("{} is enough and {} is not", name(yes), name(no)));
            }
            let holds = |at: usize| met(at).map(|met| met == Met::Yes);
            match edge(line.len(), &holds, &|_, _| false) {
                Err(places) => asks.extend(places.into_iter().filter_map(want)),
                Ok((before, first)) => {
                    // The neighbours are asked too; where none is enough, some between the ends.
                    let beside: Vec<usize> = match first {
                        Some(first) => vec![first + 1],
                        None => [1, 2, 3].map(|part| (line.len() - 1) * part / 4).to_vec(),
                    };
                    let beside = beside.into_iter().chain(before).filter(|at| *at < line.len());
                    asks.extend(beside.filter_map(want));
                    needs.push(first);
                }
            }
        }
        if !asks.is_empty() {
            return Ok(Err(asks));
        }
        let least: Option<Vec<usize>> = needs.iter().copied().collect();
        let at = least.and_then(|least| least.into_iter().max());
        if let Some(at) = at {
            match self.verdicts(design, line[at]) {
                Err(asks) => return Ok(Err(asks)),
                Ok(verdicts) if verdicts.iter().any(|verdict| verdict.met != Met::Yes) => {
                    return Err(format!("{} is enough for some workload alone", name(at)));
                }
                Ok(_) => {}
            }
        }
        let place = |at: usize| line[at].clone();
        let needs = needs.into_iter().map(|need| need.map(place)).collect();
        Ok(Ok(Found { method: Method::Halves, at: at.map(place), needs }))
    }

    fn by_grid(&self, design: &Design, why: String) -> Result<Found, Vec<Ask>> {
        let places: BTreeSet<Place> = design.points.keys().cloned().collect();
        let seen = self.seen(design);
        let asked = pareto::next(&places, &seen);
        let asks = asked.iter().filter_map(|place| self.verdicts(design, place).err());
        let asks: Vec<Ask> = asks.flatten().collect();
        if !asks.is_empty() {
            return Err(asks);
        }
        let need = |workload: usize| {
            let own = seen.iter().filter_map(|(place, seen)| {
                let met = self.verdicts(design, place).ok()?.get(workload)?.met;
                Some((place.clone(), Seen { met, ..*seen }))
            });
            pareto::cheapest(&own.collect()).cloned()
        };
        let needs = (0..design.workloads.len()).map(need).collect();
        Ok(Found { method: Method::Grid(why), at: pareto::cheapest(&seen).cloned(), needs })
    }

    /// Every place of which all workloads are decided, or stay open.
    pub(super) fn seen(&self, design: &Design) -> BTreeMap<Place, Seen> {
        let seen = design.points.iter().filter_map(|(place, labels)| {
            let verdicts = self.verdicts(design, place).ok()?;
            let share = |verdict: &Verdict| verdict.share.map_or(f64::NEG_INFINITY, |s| s.mean);
            let bits = labels.iter().filter_map(|labels| self.bits(labels));
            let seen = Seen {
                met: Met::all_of(verdicts.iter().map(|verdict| verdict.met)),
                cost: bits.fold(0.0, f64::max),
                metric: verdicts.iter().map(share).fold(f64::INFINITY, f64::min),
            };
            Some((place.clone(), seen))
        });
        seen.collect()
    }

    /// Places that were run for some workload.
    pub(super) fn places(&self, design: &Design) -> usize {
        let points = design.points.values();
        let is_run = |labels: &&Vec<Vec<Label>>| labels.iter().any(|l| self.row(l).is_some());
        points.filter(is_run).count()
    }

    /// Data memory and all that controls it, of the costliest port.
    fn bits(&self, labels: &[Label]) -> Option<f64> {
        let row = self.row(labels)?;
        let value = |column: &str| row.value(column).map(|spread| spread.max);
        Some(value("port_data_bits")? + value("port_control_bits")?)
    }

    pub(super) fn values(&self, place: &Place) -> Vec<String> {
        let values = place.iter().zip(&self.search.values);
        values.map(|(at, values)| values[*at].clone()).collect()
    }
}
