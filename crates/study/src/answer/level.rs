//! What each point delivers, what it is held against, and how far chance may move it: run by run of
//! the same seed, so that what moves both alike is in no interval of a share or a difference.

use super::{ASKED, ASKED_KEYS, DURING, Held, Label, Met, NOT_ASKED, SCHEME};
use crate::Interval;
use crate::statistics::{CONFIDENCE, paired, ratio};
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
            let of_run = |run: &'a RunRow| {
                let (replica, seed) = (run.job.replica, run.job.seed);
                Some(OfRun { replica, seed, level: levels.level(run)? })
            };
            let runs: Vec<OfRun> = table.runs_of(point).filter_map(of_run).collect();
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

    /// The point that delivers most of those that ask the same, of the scheme if one is meant.
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

    pub(super) fn replicas(&self) -> BTreeSet<u32> {
        self.table.runs.iter().map(|row| row.job.replica).collect()
    }

    pub(super) fn question_count(&self) -> usize {
        self.measured.len()
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
        self.best.get(&(self.questions[point], of)).copied()
    }

    /// What the delivered is a part of; a point that is alone is not held against itself.
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

impl Levels<'_> {
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
        let of = |(own, other): &Pairs| ratio(own, other, CONFIDENCE);
        let share_half_95 = delivered.as_ref().and_then(of).and_then(|share| share.half);
        let p99_half = self.half(point, p99);
        // The p99 as a part of what it may be, and half of the interval of that.
        let of_limit = match self.table.target.p99_ns {
            Some(ns) => level.p99_ns.map(|own| (own / ns, p99_half.map(|half| half / ns))),
            None => self
                .pairs(point, p99)
                .as_ref()
                .and_then(of)
                .map(|of_best| (of_best.mean / times, of_best.half.map(|half| half / times))),
        };
        let of_limit = of_limit.and_then(|(part, half)| Some((part, half?)));
        Some(Held {
            name: row.name.clone(),
            labels: row.labels.clone(),
            bytes_per_ns: level.delivered,
            half_95_bytes_per_ns: self.half(point, |level| Some(level.delivered)),
            share,
            share_half_95,
            throughput,
            throughput_is_certain: share.zip(share_half_95).and_then(|(share, half)| {
                match throughput {
                    Met::Yes => Some(share - half >= target),
                    Met::No => Some(share + half < target),
                    Met::Unknown => None,
                }
            }),
            difference: delivered.as_ref().and_then(|(own, other)| paired(own, other, CONFIDENCE)),
            p99_ns: level.p99_ns,
            p99_half_95_ns: p99_half,
            p99_is_lower_bound: level.p99_is_lower_bound,
            p99: p99_met,
            p99_is_certain: of_limit.and_then(|(part, half)| match p99_met {
                Met::Yes => Some(part + half <= 1.0),
                Met::No => Some(part - half > 1.0),
                Met::Unknown => None,
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
            Reference::Best | Reference::Scheme(_) => {
                self.pairs(point, |level| Some(level.delivered))
            }
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
