//! The table of a sweep: one [`RunRow`] a run, one [`PointRow`] a point over its replicas.

use crate::answer::judged_row;
use crate::columns::{COLUMNS, Measured, place};
use crate::derive::Proof;
use crate::disk::{LATENCY, csv_of};
use crate::error::{RunFailure, StoreError, io_error, malformed};
use crate::manifest::SweepManifest;
use crate::target::Target;
use crate::windows::{WindowRow, window_rows};
use crate::{Interval, Job, Times};
use observe::{LatencyBucket, LatencyHistogram, LatencySummary, Summary};
use std::fs::File;
use std::path::Path;
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
    pub(crate) proof: Proof,
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
    /// Finished, with the results of the run.
    pub fn of(summary: &Summary, times: Times) -> Self {
        Outcome::stored(summary, times, false)
    }

    /// As [`Outcome::of`], of a run that was simulated or derived.
    pub(crate) fn stored(summary: &Summary, times: Times, is_derived: bool) -> Self {
        Outcome::Finished(Arc::new(RunValues {
            values: COLUMNS.iter().map(|column| column.measured(summary)).collect(),
            windows: window_rows(summary, times),
            reordered_by: summary.reordered_by.clone(),
            times: times.of_run(summary),
            is_derived,
            proof: Proof::of(summary),
        }))
    }

    pub(crate) fn finished(&self) -> Option<&RunValues> {
        match self {
            Outcome::Finished(values) => Some(values),
            _ => None,
        }
    }

    /// What shows which other runs equal it; of a run that did not finish nothing does.
    pub(crate) fn proof(&self) -> Option<Proof> {
        self.finished().map(|run| run.proof)
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
    /// Its results, if it finished.
    pub fn finished(&self) -> Option<&RunValues> {
        self.outcome.finished()
    }
}

/// Mean, interval and range over the replicas that finished.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// Arithmetic mean.
    pub mean: f64,
    /// Half of the 95 % interval; `None` of one replica, and of a lower bound.
    pub half_95: Option<f64>,
    /// Smallest.
    pub min: f64,
    /// Largest.
    pub max: f64,
    /// One of them at least is a lower bound, so these are.
    pub at_least: bool,
}

/// Latencies of the judged messages of all finished replicas of a point.
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
    /// Of all replicas together; `None` before [`Table::read_latencies`].
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

/// The table of a sweep, whatever the order in which runs finished.
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

    /// The table of these runs of a study.
    pub fn of(study: &SweepManifest, runs: Vec<RunRow>) -> Self {
        let SweepManifest { name, scenario, target, left_out, .. } = study;
        let (target, left_out) = (target.clone(), *left_out);
        Table { target, left_out, ..Table::new(name, scenario, runs) }
    }

    /// Runs that equal others and were not simulated.
    pub fn derived(&self) -> usize {
        let runs = self.runs.iter().filter_map(RunRow::finished);
        runs.filter(|run| run.is_derived).count()
    }

    pub(crate) fn is_partial(&self) -> bool {
        self.left_out > 0 || self.finished() < self.runs.len()
    }

    pub(crate) fn finished(&self) -> usize {
        self.runs.iter().filter_map(RunRow::finished).count()
    }

    pub(crate) fn failed(&self) -> usize {
        self.runs.iter().filter(|row| matches!(row.outcome, Outcome::Failed(_))).count()
    }

    pub(crate) fn runs_of(&self, point: &PointRow) -> impl Iterator<Item = &RunRow> {
        let at = |index| self.runs.binary_search_by_key(index, |row| row.job.index);
        point.runs.iter().filter_map(move |index| self.runs.get(at(index).ok()?))
    }

    /// Reads [`PointRow::latency`] of each point from the run directories in `runs`.
    pub fn read_latencies(&mut self, runs: &Path) -> Result<(), StoreError> {
        let (flows, window) = self.judged_flows();
        let set = flows.set();
        let [word, _] = set.fields();
        let of_points = self.points.iter().map(|point| {
            let (mut all, mut max_ns) = (LatencyHistogram::default(), 0.0f64);
            for run in self.runs_of(point) {
                let Some(values) = run.finished() else { continue };
                let max = judged_row(values, flows, &window).and_then(|r| r.result.latency_ns.max);
                max_ns = max_ns.max(max.unwrap_or(f64::MAX));
                let path = runs.join(&run.job.directory).join(LATENCY);
                all.merge(&judged_latencies(&path, &window, word)?);
            }
            Ok((all.count() > 0).then(|| PointLatency {
                summary_ns: all.summary(max_ns),
                buckets: all.thinned().buckets().to_vec(),
            }))
        });
        let latencies: Vec<_> = of_points.collect::<Result<_, StoreError>>()?;
        for (point, latency) in self.points.iter_mut().zip(latencies) {
            point.latency = latency;
        }
        Ok(())
    }

    /// `latency.csv` of a sweep: the judged messages of each point, with its axes before it.
    pub fn latency_csv(&self) -> csv::Result<Vec<u8>> {
        let (flows, window) = self.judged_flows();
        let set = flows.set();
        let [word, _] = set.fields();
        let columns = ["window", "flows", "latency_ns", "count", "undelivered"];
        let lines = self.points.iter().enumerate().flat_map(|(n, point)| {
            let label = |axis: &String| point.label(axis).unwrap_or_default().to_string();
            let mut place = vec![n.to_string()];
            place.extend(self.axes.iter().map(label));
            place.extend([window.clone(), word.into()]);
            let buckets = point.latency.iter().flat_map(|latency| &latency.buckets);
            buckets.map(move |LatencyBucket { latency_ns, count, undelivered }| {
                let own = [latency_ns.to_string(), count.to_string(), undelivered.to_string()];
                [&place[..], &own].concat()
            })
        });
        csv_of(&self.header(&["point"], &columns), lines)
    }
}

/// The judged ones of a run. Of tens of thousands of other lines nothing is made.
fn judged_latencies(
    path: &Path,
    window: &str,
    flows: &str,
) -> Result<LatencyHistogram, StoreError> {
    let malformed = |error: csv::Error| malformed(path)(error);
    let file = File::open(path).map_err(io_error(path))?;
    let mut reader = csv::Reader::from_reader(file);
    let header = reader.byte_headers().map_err(malformed)?.clone();
    let at = |name: &str| header.iter().position(|column| column == name.as_bytes());
    let judged = [("window", window), ("flows", flows), ("of", "message")];
    let judged = judged.map(|(column, value)| (at(column), value.as_bytes()));
    let (mut record, mut buckets) = (csv::ByteRecord::new(), Vec::new());
    while reader.read_byte_record(&mut record).map_err(malformed)? {
        if judged.iter().all(|(at, value)| at.and_then(|at| record.get(at)) == Some(*value)) {
            buckets.push(record.deserialize::<LatencyBucket>(Some(&header)).map_err(malformed)?);
        }
    }
    Ok(buckets.into_iter().collect())
}

/// Keys of all labels; one that only some points have stays behind the key before it.
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
    let value = |c: usize| spread(finished.iter().filter_map(|run| run.values[c]));
    let asked = rows.iter().map(|row| row.job.replicas as usize).max();
    PointRow {
        name: rows[0].job.name(),
        labels: rows[0].job.labels.clone(),
        runs: rows.iter().map(|row| row.job.index).collect(),
        replicas: rows.len().max(asked.unwrap_or(0)),
        finished: finished.len(),
        values: (0..COLUMNS.len()).map(value).collect(),
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
