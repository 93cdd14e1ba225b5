//! The table of all runs so far, as a search for a size sees it.

use super::edge::{Edge, edge};
use super::pareto::{self, Place, Seen};
use super::size::{Design, Search, SizeSearch};
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
        let (throughput, p99) = (self.throughput(&runs), self.p99(&runs));
        let met = Met::all_of([throughput, p99]);
        // What lower bounds leave open, and what has nothing to compare with, no seed decides.
        let is_bound = throughput != Met::Unknown && runs.iter().any(|run| run.p99_is_lower_bound);
        let has_all = !runs.is_empty() && runs.iter().all(|run| run.share.is_some());
        let may_decide = !is_bound && has_all;
        let had = self.runs(labels);
        if let Some(replicas) = self.search.confidence.required(met, had, may_decide) {
            return Err(Ask { labels: labels.to_vec(), replicas });
        }
        let column = |value: fn(&Judged) -> Option<f64>| {
            let values: Option<Vec<f64>> = runs.iter().map(value).collect();
            Interval::of(&values.unwrap_or_default())
        };
        Ok(Verdict {
            met,
            share: column(|run| run.share),
            p99_ns: column(|run| run.p99_ns),
            p99_is_lower_bound: runs.iter().any(|run| run.p99_is_lower_bound),
            replicas: runs.len(),
        })
    }

    fn throughput(&self, runs: &[Judged]) -> Met {
        let shares: Option<Vec<f64>> = runs.iter().map(|run| run.share).collect();
        self.search.confidence.at_least(&shares.unwrap_or_default(), self.table.target.share)
    }

    fn p99(&self, runs: &[Judged]) -> Met {
        if !self.search.has_p99 {
            return Met::Yes;
        }
        let parts: Option<Vec<f64>> = runs.iter().map(|run| run.p99_of_limit).collect();
        let met = self.search.confidence.at_most(&parts.unwrap_or_default(), 1.0);
        match met {
            // It may be more than the bound.
            Met::Yes if runs.iter().any(|run| run.p99_is_lower_bound) => Met::Unknown,
            met => met,
        }
    }

    /// The verdict of each workload at a place.
    pub(super) fn verdicts(
        &self,
        design: &Design,
        place: &Place,
    ) -> Result<Vec<Verdict>, Vec<Ask>> {
        let points = design.points.get(place).into_iter().flatten();
        let (mut verdicts, mut asks) = (Vec::new(), Vec::new());
        for verdict in points.map(|labels| self.verdict(labels)) {
            match verdict {
                Ok(verdict) => verdicts.push(verdict),
                Err(ask) => asks.push(ask),
            }
        }
        if asks.is_empty() { Ok(verdicts) } else { Err(asks) }
    }

    /// Halving, where it may be trusted, else a grid.
    pub(super) fn search(&self, design: &Design) -> Search {
        match design.points.first_key_value() {
            Some((place, _)) if place.len() > 1 => {
                self.by_grid(design, format!("{} keys", place.len()))
            }
            _ => match self.by_halves(design) {
                Ok(search) => search,
                Err(why) => self.by_grid(design, why),
            },
        }
    }

    /// Halves for each workload apart. `Err`: what shows that more is not always better.
    fn by_halves(&self, design: &Design) -> Result<Search, String> {
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
                Edge::Evaluate(places) => asks.extend(places.into_iter().filter_map(want)),
                Edge::Found { before, first } => {
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
            return Ok(Search::Asks(asks));
        }
        let least: Option<Vec<usize>> = needs.iter().copied().collect();
        let at = least.and_then(|least| least.into_iter().max());
        if let Some(at) = at {
            match self.verdicts(design, line[at]) {
                Err(asks) => return Ok(Search::Asks(asks)),
                Ok(verdicts) if verdicts.iter().any(|verdict| verdict.met != Met::Yes) => {
                    return Err(format!("{} is enough for some workload alone", name(at)));
                }
                Ok(_) => {}
            }
        }
        let place = |at: usize| line[at].clone();
        Ok(Search::Halved {
            needs: needs.into_iter().map(|need| need.map(place)).collect(),
            at: at.map(place),
        })
    }

    fn by_grid(&self, design: &Design, why: String) -> Search {
        let places: BTreeSet<Place> = design.points.keys().cloned().collect();
        let asked = pareto::next(&places, &self.seen(design));
        let asks = asked.iter().filter_map(|place| self.verdicts(design, place).err());
        let asks: Vec<Ask> = asks.flatten().collect();
        match asks.is_empty() {
            false => Search::Asks(asks),
            true => Search::Grid { why, at: pareto::cheapest(&self.seen(design)).cloned() },
        }
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
