//! What each point delivers, and what it is held against.

use super::{ASKED, ASKED_KEYS, DURING, Held, Met, NOT_ASKED, SCHEME};
use crate::table::{PointRow, RunRow, RunValues, Table};
use crate::target::{Flows, Reference, Target};
use crate::windows::{FlowSet, MEASURED, WindowRow};
use observe::LatencyFigure;
use std::collections::{BTreeMap, BTreeSet};

/// What the judged flows did in one run, or in the replicas of a point on average.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Level {
    pub(super) delivered: f64,
    pub(super) offered: Option<f64>,
    pub(super) possible: Option<f64>,
    pub(super) p99_ns: Option<f64>,
    pub(super) p99_is_lower_bound: bool,
}

/// The level of one run of a point.
#[derive(Debug, Clone, Copy)]
pub(super) struct OfRun {
    replica: u32,
    pub(super) seed: u64,
    pub(super) level: Level,
}

/// The levels of all points, by replica.
pub(crate) struct Levels<'a> {
    table: &'a Table,
    pub(super) flows: Flows,
    pub(super) window: String,
    /// By point, those that finished.
    runs: Vec<Vec<OfRun>>,
    means: Vec<Option<Level>>,
    /// By point: the number of its question.
    questions: Vec<usize>,
    /// By question: how many of its points have a level.
    measured: Vec<usize>,
    /// What each question's points are held against.
    best: BTreeMap<(usize, Of), usize>,
}

/// Means, or one replica.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Of {
    Mean,
    Replica(u32),
}

impl<'a> Levels<'a> {
    pub(crate) fn of(table: &'a Table) -> Levels<'a> {
        let rows = || {
            let runs = table.runs.iter().filter_map(RunRow::finished);
            runs.flat_map(|run| &run.windows)
        };
        // where all destinations are hot, there are none
        let is_of_some = |row: &WindowRow| {
            let rates = [row.result.offered_bytes_per_ns, row.result.delivered_bytes_per_ns];
            row.flows == FlowSet::Victims && rates.iter().flatten().any(|rate| *rate > 0.0)
        };
        let has_victims = rows().any(is_of_some);
        let flows = match table.target.flows {
            Flows::Victims if has_victims => Flows::Victims,
            _ => Flows::All,
        };
        let window = match &table.target.window {
            Some(window) => window,
            None if rows().any(|row| row.window == DURING) => DURING,
            None => MEASURED,
        };
        let questions = questions(&table.points);
        let mut levels = Levels {
            table,
            flows,
            window: window.into(),
            runs: Vec::new(),
            means: Vec::new(),
            measured: vec![0; questions.iter().max().map_or(0, |last| last + 1)],
            questions,
            best: BTreeMap::new(),
        };
        for point in &table.points {
            let rows = point.runs.iter().filter_map(|&index| table.run(index));
            let of_run = |run: &'a RunRow| {
                Some(OfRun {
                    replica: run.job.replica,
                    seed: run.job.seed,
                    level: levels.level(run)?,
                })
            };
            let runs: Vec<OfRun> = rows.filter_map(of_run).collect();
            let mean = mean(&runs);
            let question = levels.questions[levels.means.len()];
            levels.measured[question] += usize::from(mean.is_some());
            levels.means.push(mean);
            levels.runs.push(runs);
        }
        for of in [Of::Mean].into_iter().chain(levels.replicas().into_iter().map(Of::Replica)) {
            levels.find_best(of);
        }
        levels
    }

    /// Of the points that ask the same, the one that delivers most, or the one of the scheme that
    /// does. Where what is offered or possible is asked for, its latency alone counts.
    fn find_best(&mut self, of: Of) {
        let is_meant = |p: &PointRow| match &self.table.target.reference {
            Reference::Scheme(scheme) => p.label(SCHEME) == Some(scheme),
            _ => true,
        };
        for (n, point) in self.table.points.iter().enumerate() {
            let Some(level) = self.get(n, of).filter(|_| is_meant(point)) else {
                continue;
            };
            let key = (self.questions[n], of);
            let known = self.best.get(&key).and_then(|&best| self.get(best, of));
            // of equal ones the first
            if known.is_none_or(|known| level.delivered > known.delivered) {
                self.best.insert(key, n);
            }
        }
    }

    /// The line of the window that is judged.
    fn row(&self, run: &'a RunRow) -> Option<&'a WindowRow> {
        judged_row(run.finished()?, self.flows, &self.window)
    }

    fn level(&self, run: &'a RunRow) -> Option<Level> {
        let result = &self.row(run)?.result;
        let latency = &result.latency_ns;
        Some(Level {
            delivered: result.delivered_bytes_per_ns?,
            offered: result.offered_bytes_per_ns,
            possible: result.ideal_bytes_per_ns,
            p99_ns: latency.p99,
            p99_is_lower_bound: latency.lower_bounds.contains(&LatencyFigure::P99),
        })
    }

    pub(super) fn get(&self, point: usize, of: Of) -> Option<Level> {
        match of {
            Of::Mean => self.means[point],
            Of::Replica(n) => {
                let mut runs = self.runs[point].iter();
                runs.find(|run| run.replica == n).map(|run| run.level)
            }
        }
    }

    /// Replicas that the study has.
    pub(super) fn replicas(&self) -> BTreeSet<u32> {
        self.table.runs.iter().map(|row| row.job.replica).collect()
    }

    /// How many different questions the points ask.
    pub(super) fn question_count(&self) -> usize {
        self.measured.len()
    }

    /// The runs of a point that finished.
    pub(super) fn runs_of(&self, point: usize) -> &[OfRun] {
        &self.runs[point]
    }

    /// A point as the table has it.
    pub(super) fn row_of(&self, point: usize) -> &'a PointRow {
        &self.table.points[point]
    }

    /// What points are judged by.
    pub(super) fn target(&self) -> &'a Target {
        &self.table.target
    }

    /// The point that `point` is held against.
    pub(super) fn best(&self, point: usize, of: Of) -> Option<usize> {
        self.best.get(&(self.questions[point], of)).copied()
    }

    /// What the delivered of a point is a part of. A point that is alone with its question is not
    /// held against itself.
    fn whole(&self, point: usize, of: Of) -> Option<f64> {
        let best = || {
            let best = self.best(point, of)?;
            Some(self.get(best, of)?.delivered)
        };
        let whole = match self.table.target.reference {
            Reference::Offered => self.get(point, of)?.offered,
            Reference::Possible => self.get(point, of)?.possible,
            Reference::Scheme(_) => best(),
            Reference::Best if self.is_alone(point) => None,
            Reference::Best => best(),
        };
        whole.filter(|whole| *whole > 0.0)
    }

    /// No other point that asks the same has a level.
    pub(super) fn is_alone(&self, point: usize) -> bool {
        self.measured[self.questions[point]] <= 1
    }

    /// The number of the question of a point.
    pub(super) fn question(&self, point: usize) -> usize {
        self.questions[point]
    }

    /// Delivered as a part of the reference. Of what is offered or possible not above 1: what
    /// waited from before is no more than was.
    pub(super) fn share(&self, point: usize, of: Of) -> Option<f64> {
        let share = self.get(point, of)?.delivered / self.whole(point, of)?;
        Some(match self.table.target.reference {
            Reference::Offered | Reference::Possible => share.min(1.0),
            Reference::Best | Reference::Scheme(_) => share,
        })
    }

    /// Whether its throughput meets the target.
    pub(super) fn throughput(&self, point: usize, of: Of) -> Met {
        let target = self.table.target.share;
        let share = self.share(point, of);
        share.map_or(Met::Unknown, |share| Met::of(share >= target))
    }

    /// Whether its p99 meets the target. A lower bound that is above the limit does not, one that
    /// is below may not; a limit that follows from one may be higher.
    pub(super) fn p99(&self, point: usize, of: Of) -> Met {
        let (own, limit) = (self.own_p99(point, of), self.p99_limit(point, of));
        let (Some((own, own_is_bound)), Some((limit, limit_is_bound))) = (own, limit) else {
            return Met::Unknown;
        };
        let is_open = match own <= limit {
            true => own_is_bound,
            false => limit_is_bound,
        };
        match is_open {
            true => Met::Unknown,
            false => Met::of(own <= limit),
        }
    }

    /// p99 of a point, ns, and whether it is a lower bound.
    pub(super) fn own_p99(&self, point: usize, of: Of) -> Option<(f64, bool)> {
        let level = self.get(point, of)?;
        Some((level.p99_ns?, level.p99_is_lower_bound))
    }

    /// What it may be, ns, and whether that follows from a lower bound.
    pub(super) fn p99_limit(&self, point: usize, of: Of) -> Option<(f64, bool)> {
        if let Some(ns) = self.table.target.p99_ns {
            return Some((ns, false));
        }
        let (best, is_bound) = self.own_p99(self.best(point, of)?, of)?;
        Some((best * self.table.target.p99_times, is_bound))
    }

    /// The point that all are held against, where it is the same for all.
    pub(super) fn reference(&self) -> Option<Held> {
        let is_one = self.question_count() == 1;
        let best = is_one.then(|| self.best(0, Of::Mean)).flatten()?;
        self.held(best)
    }

    /// Of the judged window, where all runs have the same.
    pub(super) fn window_ns(&self) -> Option<(f64, f64)> {
        let finished = self.table.runs.iter().filter(|r| r.finished().is_some());
        let mut windows = finished.map(|run| self.row(run).map(|row| (row.start_ns, row.end_ns)));
        let first = windows.next()??;
        let is_same = windows.all(|window| window == Some(first));
        is_same.then_some(first)
    }
}

/// The line of these flows in a window.
pub(crate) fn judged_row<'a>(
    run: &'a RunValues,
    flows: Flows,
    window: &str,
) -> Option<&'a WindowRow> {
    let set = match flows {
        Flows::Victims => FlowSet::Victims,
        Flows::All => FlowSet::All,
    };
    let mut rows = run.windows.iter();
    rows.find(|row| row.window == window && row.flows == set)
}

/// Whether a key says what is asked of the switch.
pub(crate) fn is_asked(key: &str) -> bool {
    let section = key.split('.').next().unwrap_or_default();
    ASKED_KEYS.contains(&key) || ASKED.contains(&section) && !NOT_ASKED.contains(&key)
}

/// By point: the number of what it asks of the switch.
fn questions(points: &[PointRow]) -> Vec<usize> {
    let mut known: BTreeMap<Vec<&(String, String)>, usize> = BTreeMap::new();
    let is_asked = |label: &&(String, String)| is_asked(&label.0);
    let question = |point| {
        let PointRow { labels, .. }: &PointRow = point;
        let next = known.len();
        *known.entry(labels.iter().filter(is_asked).collect()).or_insert(next)
    };
    points.iter().map(question).collect()
}

/// Over the replicas; a mean of which one is a lower bound is one.
fn mean(runs: &[OfRun]) -> Option<Level> {
    let of = |value: fn(&Level) -> Option<f64>| {
        let values: Option<Vec<f64>> = runs.iter().map(|run| value(&run.level)).collect();
        let values = values.filter(|values| !values.is_empty())?;
        Some(values.iter().sum::<f64>() / values.len() as f64)
    };
    Some(Level {
        delivered: of(|level| Some(level.delivered))?,
        offered: of(|level| level.offered),
        possible: of(|level| level.possible),
        p99_ns: of(|level| level.p99_ns),
        p99_is_lower_bound: runs.iter().any(|run| run.level.p99_is_lower_bound),
    })
}
