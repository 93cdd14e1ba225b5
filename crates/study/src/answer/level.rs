//! What each point delivers, what it is held against, and how far chance may move it: run by run of
//! the same seed, so that what moves both alike is in no interval of a share or a difference.

use super::{ASKED, ASKED_KEYS, DURING, Held, Label, Met, NOT_ASKED, SCHEME};
use crate::Interval;
use crate::statistics::{paired, ratio};
use crate::table::{PointRow, RunRow, RunValues, Table};
use crate::target::{FlowSet, Flows, Reference};
use crate::windows::{MEASURED, WindowRow};
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

/// A run that finished beside the reference of its own seed: what searches judge by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Judged {
    /// Delivered as a part of the reference of the same seed; `None` where there is none.
    pub(crate) share: Option<f64>,
    /// p99 latency, ns, of the flows and the window that are judged.
    pub(crate) p99_ns: Option<f64>,
    pub(crate) p99_is_lower_bound: bool,
    /// The same as a part of what the target allows; `None` where that is not known.
    pub(crate) p99_of_limit: Option<f64>,
}

/// Of each run a value, and that of what it is held against.
type Pairs = (Vec<f64>, Vec<f64>);

/// The levels of all points, by replica.
pub(crate) struct Levels<'a> {
    table: &'a Table,
    pub(super) flows: Flows,
    pub(super) window: String,
    /// By point, those that finished.
    runs: Vec<Vec<OfRun>>,
    means: Vec<Option<Level>>,
    /// By point: the number of its question.
    pub(super) questions: Vec<usize>,
    /// By question: how many of its points have a level.
    pub(super) measured: Vec<usize>,
    /// By question: the point that delivers most, of the scheme if one is meant, and how much.
    best: BTreeMap<(usize, Of), (usize, f64)>,
}

/// Means, or one replica.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Of {
    Mean,
    Replica(u32),
}

impl<'a> Levels<'a> {
    pub(crate) fn of(table: &'a Table) -> Levels<'a> {
        let runs = || table.runs.iter().filter_map(RunRow::finished);
        let rows = || runs().flat_map(|run| &run.windows);
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
        let of_run = |run: &RunRow| {
            let level = level(judged_row(run.finished()?, flows, window)?)?;
            Some(OfRun { replica: run.job.replica, seed: run.job.seed, level })
        };
        let of_point = |point| table.runs_of(point).filter_map(of_run).collect();
        let runs: Vec<Vec<OfRun>> = table.points.iter().map(of_point).collect();
        let means: Vec<Option<Level>> = runs.iter().map(|runs| mean(runs)).collect();
        let questions = questions(&table.points);
        let mut measured = vec![0; questions.iter().max().map_or(0, |last| last + 1)];
        let mut best = BTreeMap::new();
        for (n, point) in table.points.iter().enumerate() {
            measured[questions[n]] += usize::from(means[n].is_some());
            if let Reference::Scheme(scheme) = &table.target.reference
                && point.label(SCHEME) != Some(scheme)
            {
                continue;
            }
            let of_runs = runs[n].iter().map(|run| (Of::Replica(run.replica), run.level));
            for (of, level) in means[n].map(|mean| (Of::Mean, mean)).into_iter().chain(of_runs) {
                let known = best.entry((questions[n], of)).or_insert((n, level.delivered));
                // of equal ones the first
                if level.delivered > known.1 {
                    *known = (n, level.delivered);
                }
            }
        }
        let window = window.into();
        Levels { table, flows, window, runs, means, questions, measured, best }
    }

    fn row(&self, run: &'a RunRow) -> Option<&'a WindowRow> {
        judged_row(run.finished()?, self.flows, &self.window)
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

    pub(super) fn replicas(&self) -> BTreeSet<u32> {
        self.table.runs.iter().map(|row| row.job.replica).collect()
    }

    pub(crate) fn judged_runs(&self, point: usize) -> Vec<Judged> {
        let judged = |run: &RunRow| {
            let of = Of::Replica(run.job.replica);
            let own = self.own_p99(point, of);
            // A limit that follows from a lower bound is none.
            let limit = self.p99_limit(point, of).filter(|(_, is_bound)| !is_bound);
            Judged {
                share: self.share(point, of),
                p99_ns: own.map(|(ns, _)| ns),
                p99_is_lower_bound: own.is_some_and(|(_, is_bound)| is_bound),
                p99_of_limit: own.zip(limit).map(|((ns, _), (limit, _))| ns / limit),
            }
        };
        let runs = self.table.runs_of(&self.table.points[point]);
        runs.filter(|run| run.finished().is_some()).map(judged).collect()
    }

    pub(super) fn best(&self, point: usize, of: Of) -> Option<usize> {
        self.best.get(&(self.questions[point], of)).map(|best| best.0)
    }

    /// What the delivered is a part of; a point that is alone is not held against itself.
    fn whole(&self, point: usize, of: Of) -> Option<f64> {
        let whole = match self.table.target.reference {
            Reference::Offered => self.get(point, of)?.offered,
            Reference::Possible => self.get(point, of)?.possible,
            Reference::Best if self.is_alone(point) => None,
            _ => self.best.get(&(self.questions[point], of)).map(|best| best.1),
        };
        whole.filter(|whole| *whole > 0.0)
    }

    /// No other point that asks the same has a level.
    pub(super) fn is_alone(&self, point: usize) -> bool {
        self.measured[self.questions[point]] <= 1
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

    pub(super) fn throughput(&self, point: usize, of: Of) -> Met {
        let is_met = |share| Met::of(share >= self.table.target.share);
        self.share(point, of).map_or(Met::Unknown, is_met)
    }

    /// Whether its p99 meets the target; lower bounds of it or of the limit may leave that open.
    pub(super) fn p99(&self, point: usize, of: Of) -> Met {
        let (own, limit) = (self.own_p99(point, of), self.p99_limit(point, of));
        let (Some((own, own_is_bound)), Some((limit, limit_is_bound))) = (own, limit) else {
            return Met::Unknown;
        };
        match own <= limit {
            true if own_is_bound => Met::Unknown,
            false if limit_is_bound => Met::Unknown,
            is_met => Met::of(is_met),
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
        let is_one = self.measured.len() == 1;
        self.held(is_one.then(|| self.best(0, Of::Mean)).flatten()?)
    }

    /// Of the judged window, where all runs have the same.
    pub(super) fn window_ns(&self) -> Option<(f64, f64)> {
        let finished = self.table.runs.iter().filter(|r| r.finished().is_some());
        let mut windows = finished.map(|run| self.row(run).map(|row| (row.start_ns, row.end_ns)));
        let first = windows.next()??;
        let is_same = windows.all(|window| window == Some(first));
        is_same.then_some(first)
    }

    /// A point as it is shown.
    pub(super) fn held(&self, point: usize) -> Option<Held> {
        let (row, level) = (&self.table.points[point], self.get(point, Of::Mean)?);
        let bits = row.value("port_control_bits").map(|bits| bits.mean);
        // chance does not make the interval of a lower bound
        let p99 = |level: &Level| level.p99_ns.filter(|_| !level.p99_is_lower_bound);
        let (throughput, p99_met) = (self.throughput(point, Of::Mean), self.p99(point, Of::Mean));
        let (target, times) = (self.table.target.share, self.table.target.p99_times);
        let share = self.share(point, Of::Mean);
        let delivered = self.delivered_pairs(point);
        let of = |(own, other): &Pairs| ratio(own, other);
        let share_half_95 = delivered.as_ref().and_then(of).and_then(|share| share.half);
        let p99_half = self.half(point, p99);
        // The p99 as a part of what it may be, and half of the interval of that.
        let (p99_interval, limit) = match self.table.target.p99_ns {
            Some(ns) => (level.p99_ns.map(|mean| Interval { mean, half: p99_half }), ns),
            None => (self.pairs(point, p99).as_ref().and_then(of), times),
        };
        // Where the whole interval is on the side of the mean.
        let certain = |met: Met, is_yes: bool, is_no: bool| match met {
            Met::Yes => Some(is_yes),
            Met::No => Some(is_no),
            Met::Unknown => None,
        };
        Some(Held {
            name: row.name.clone(),
            labels: row.labels.clone(),
            bytes_per_ns: level.delivered,
            half_95_bytes_per_ns: self.half(point, |level| Some(level.delivered)),
            share,
            share_half_95,
            throughput,
            throughput_is_certain: share.zip(share_half_95).and_then(|(share, half)| {
                certain(throughput, share - half >= target, share + half < target)
            }),
            difference: delivered.as_ref().and_then(|(own, other)| paired(own, other)),
            p99_ns: level.p99_ns,
            p99_half_95_ns: p99_half,
            p99_is_lower_bound: level.p99_is_lower_bound,
            p99: p99_met,
            p99_is_certain: p99_interval.and_then(|Interval { mean, half }| {
                let (part, half) = (mean / limit, half? / limit);
                certain(p99_met, part + half <= 1.0, part - half > 1.0)
            }),
            merged_latency_ns: row.latency.as_ref().map(|l| l.summary_ns.clone()),
            control_bits: bits.filter(|bits| *bits > 0.0),
        })
    }

    /// Half of the 95 % interval over the replicas; `None` of one, and where one has no value.
    fn half(&self, point: usize, value: impl Fn(&Level) -> Option<f64>) -> Option<f64> {
        let runs = self.runs[point].iter();
        let values: Option<Vec<f64>> = runs.map(|run| value(&run.level)).collect();
        Interval::of(&values?)?.half
    }

    fn delivered_pairs(&self, point: usize) -> Option<Pairs> {
        let own = |whole: fn(&Level) -> Option<f64>| {
            let runs = self.runs[point].iter();
            let pairs = runs.map(|run| Some((run.level.delivered, whole(&run.level)?)));
            pairs.collect::<Option<Pairs>>()
        };
        match self.table.target.reference {
            Reference::Offered => own(|level| level.offered),
            Reference::Possible => own(|level| level.possible),
            Reference::Best if self.is_alone(point) => None,
            _ => self.pairs(point, |level| Some(level.delivered)),
        }
    }

    /// A value of each run and of its reference's with the same seed; `None` where one is missing.
    fn pairs(&self, point: usize, value: impl Fn(&Level) -> Option<f64>) -> Option<Pairs> {
        let runs = &self.runs[point];
        let others = &self.runs[self.best(point, Of::Mean)?];
        let pairs = runs.iter().map(|run| {
            let other = others.iter().find(|other| other.seed == run.seed)?;
            Some((value(&run.level)?, value(&other.level)?))
        });
        pairs.collect::<Option<Pairs>>().filter(|_| runs.len() == others.len())
    }
}

/// The line of these flows in a window.
pub(crate) fn judged_row<'a>(
    run: &'a RunValues,
    flows: Flows,
    window: &str,
) -> Option<&'a WindowRow> {
    let mut rows = run.windows.iter();
    rows.find(|row| row.window == window && row.flows == flows.set())
}

pub(crate) fn is_asked(key: &str) -> bool {
    let section = key.split('.').next().unwrap_or_default();
    ASKED_KEYS.contains(&key) || ASKED.contains(&section) && !NOT_ASKED.contains(&key)
}

/// The labels that state what is asked of a switch.
pub(crate) fn question_of(labels: &[Label]) -> Vec<&Label> {
    labels.iter().filter(|label| is_asked(&label.0)).collect()
}

/// By point: the number of what it asks of the switch.
fn questions(points: &[PointRow]) -> Vec<usize> {
    let mut known: BTreeMap<Vec<&Label>, usize> = BTreeMap::new();
    let mut numbers = Vec::new();
    for point in points {
        let next = known.len();
        numbers.push(*known.entry(question_of(&point.labels)).or_insert(next));
    }
    numbers
}

fn level(row: &WindowRow) -> Option<Level> {
    let result = &row.result;
    Some(Level {
        delivered: result.delivered_bytes_per_ns?,
        offered: result.offered_bytes_per_ns,
        possible: result.ideal_bytes_per_ns,
        p99_ns: result.latency_ns.p99,
        p99_is_lower_bound: result.latency_ns.lower_bounds.contains(&LatencyFigure::P99),
    })
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
