//! The table of a sweep: one [`RunRow`] a run, one [`PointRow`] a point over its replicas.

use crate::columns::{COLUMNS, Measured, place};
use crate::target::Target;
use crate::windows::{WindowRow, window_rows};
use crate::{Interval, Job, RunFailure, Times};
use observe::{LatencyBucket, LatencySummary, Summary};
use std::sync::Arc;

/// What a table keeps of a finished run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunValues {
    /// One value a column of [`COLUMNS`].
    pub values: Vec<Option<Measured>>,
    /// Its lines of `windows.csv`.
    pub windows: Vec<WindowRow>,
    /// What may have put its packets out of order.
    pub reordered_by: Option<String>,
    /// Its measured time, which `run.until` finds.
    pub times: Times,
    /// It was not simulated: it provably equals another run of the sweep.
    pub is_derived: bool,
}

impl RunValues {
    /// The value of a column of [`COLUMNS`], by its name in files.
    pub fn value(&self, column: &str) -> Option<Measured> {
        self.values.get(place(column)?).copied().flatten()
    }
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// Not started, or interrupted.
    NotRun,
    /// Finished and stored.
    Finished(Arc<RunValues>),
    /// Failed.
    Failed(RunFailure),
}

impl Outcome {
    /// Finished, with what the run says.
    pub fn of(summary: &Summary, times: Times) -> Self {
        Outcome::stored(summary, times, false)
    }

    /// As [`Outcome::of`], of a run that was simulated or derived.
    pub(crate) fn stored(summary: &Summary, times: Times, is_derived: bool) -> Self {
        let value = |c: &crate::Column| (c.value)(summary).filter(|v| v.value.is_finite());
        Outcome::Finished(Arc::new(RunValues {
            values: COLUMNS.iter().map(value).collect(),
            windows: window_rows(summary, times),
            reordered_by: summary.reordered_by.clone(),
            times: times.of_run(summary),
            is_derived,
        }))
    }
}

/// One run.
#[derive(Debug, Clone, PartialEq)]
pub struct RunRow {
    /// What was to be run, without the text of its scenario.
    pub job: Job,
    /// How it ended.
    pub outcome: Outcome,
}

impl RunRow {
    /// What it says, if it finished.
    pub fn finished(&self) -> Option<&RunValues> {
        match &self.outcome {
            Outcome::Finished(values) => Some(values),
            _ => None,
        }
    }
}

/// Mean, interval and range over the replicas that finished.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// Arithmetic mean.
    pub mean: f64,
    /// Half of the 95 % interval of the mean, by Student's t over the replicas; `None` of one
    /// replica, and of a lower bound.
    pub half_95: Option<f64>,
    /// Smallest.
    pub min: f64,
    /// Largest.
    pub max: f64,
    /// One of them at least is a lower bound, so these are.
    pub at_least: bool,
}

/// Latencies of the messages of the judged flows that were generated in the judged window, of all
/// replicas of a point that finished.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PointLatency {
    /// Quantiles, ns, at most 1/128 above the exact ones; mean and maximum are not in it.
    pub summary_ns: LatencySummary,
    /// [`observe::LatencyHistogram::thinned`].
    pub buckets: Vec<LatencyBucket>,
}

/// One point: all runs with equal labels.
#[derive(Debug, Clone, PartialEq)]
pub struct PointRow {
    /// What a person calls it.
    pub name: String,
    /// `(key, value)` of the axes that apply.
    pub labels: Vec<(String, String)>,
    /// Indices of its jobs.
    pub runs: Vec<usize>,
    /// Replicas that the study asks for, those that are not in the sweep included.
    pub replicas: usize,
    /// Replicas that finished.
    pub finished: usize,
    /// One entry a column of [`COLUMNS`]; `None` where no replica has a value.
    pub values: Vec<Option<Spread>>,
    /// Latencies of all replicas together; `None` where their histograms were not read
    /// ([`Table::read_latencies`]).
    pub latency: Option<PointLatency>,
}

impl PointRow {
    /// The value of a column of [`COLUMNS`], by its name in files.
    pub fn value(&self, column: &str) -> Option<Spread> {
        self.values.get(place(column)?).copied().flatten()
    }

    /// The value that the point has on an axis.
    pub fn label(&self, axis: &str) -> Option<&str> {
        crate::job::label(&self.labels, axis)
    }

    /// The second half of the measured time of a replica differs from the first beyond its noise.
    pub fn is_unsteady(&self) -> bool {
        self.value("halves_differ").is_some_and(|s| s.max > 0.0)
    }
}

/// The table of a sweep. Depends on jobs and outcomes only, not on the order in which runs
/// finished.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Name of the study.
    pub name: String,
    /// Scenario that the study varies.
    pub scenario: String,
    /// Keys of the axes.
    pub axes: Vec<String>,
    /// By index of the job.
    pub runs: Vec<RunRow>,
    /// By the first index of their runs.
    pub points: Vec<PointRow>,
    /// What they are judged by.
    pub target: Target,
    /// Runs of the study that are not in it.
    pub left_out: usize,
}

impl Table {
    /// The table of these runs.
    pub fn new(name: &str, scenario: &str, mut runs: Vec<RunRow>) -> Self {
        runs.sort_by_key(|row| row.job.index);
        let (axes, points) = (axes(&runs), points(&runs));
        Table {
            name: name.to_string(),
            scenario: scenario.to_string(),
            axes,
            runs,
            points,
            target: Target::default(),
            left_out: 0,
        }
    }

    /// The same, judged by another target.
    #[must_use]
    pub fn judged_by(mut self, target: Target) -> Self {
        self.target = target;
        self
    }

    /// Runs that equal others and were not simulated.
    pub fn derived(&self) -> usize {
        let runs = self.runs.iter().filter_map(RunRow::finished);
        runs.filter(|run| run.is_derived).count()
    }

    /// Not all runs of the study have finished.
    pub(crate) fn is_partial(&self) -> bool {
        self.left_out > 0 || self.runs.iter().any(|row| row.finished().is_none())
    }

    /// The run of this index.
    pub(crate) fn run(&self, index: usize) -> Option<&RunRow> {
        let at = self.runs.binary_search_by_key(&index, |row| row.job.index);
        self.runs.get(at.ok()?)
    }
}

/// Keys of all labels. A key that only some points have keeps its place behind the key it follows
/// there.
fn axes(runs: &[RunRow]) -> Vec<String> {
    let mut axes: Vec<String> = Vec::new();
    for row in runs {
        let mut place = 0;
        for (key, _) in &row.job.labels {
            match axes.iter().position(|axis| axis == key) {
                Some(found) => place = found + 1,
                None => {
                    axes.insert(place, key.clone());
                    place += 1;
                }
            }
        }
    }
    axes
}

fn points(runs: &[RunRow]) -> Vec<PointRow> {
    let mut grouped: Vec<Vec<&RunRow>> = Vec::new();
    let mut place = std::collections::BTreeMap::new();
    for row in runs {
        let at = *place.entry(&row.job.labels).or_insert(grouped.len());
        if at == grouped.len() {
            grouped.push(Vec::new());
        }
        grouped[at].push(row);
    }
    grouped.into_iter().map(|rows| point(&rows)).collect()
}

fn point(rows: &[&RunRow]) -> PointRow {
    let finished: Vec<&RunValues> = rows.iter().filter_map(|row| row.finished()).collect();
    let values = (0..COLUMNS.len())
        .map(|c| spread(finished.iter().filter_map(|run| run.values[c])))
        .collect();
    let asked = rows.iter().map(|row| row.job.replicas as usize).max();
    PointRow {
        name: rows[0].job.name(),
        labels: rows[0].job.labels.clone(),
        runs: rows.iter().map(|row| row.job.index).collect(),
        replicas: rows.len().max(asked.unwrap_or(0)),
        finished: finished.len(),
        values,
        latency: None,
    }
}

fn spread(values: impl Iterator<Item = Measured>) -> Option<Spread> {
    let measured: Vec<Measured> = values.collect();
    let values = || measured.iter().map(|m| m.value);
    let min = values().min_by(f64::total_cmp)?;
    let max = values().max_by(f64::total_cmp)?;
    // a single run's value must come out as it is, and a mean never outside the range
    let interval = Interval::of(&values().collect::<Vec<_>>())?;
    let at_least = measured.iter().any(|m| m.at_least);
    Some(Spread {
        mean: interval.mean.clamp(min, max),
        half_95: interval.half.filter(|_| !at_least),
        min,
        max,
        at_least,
    })
}
