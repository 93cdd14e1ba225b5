//! The table of a sweep: one [`RunRow`] a run, one [`PointRow`] a point over its replicas. A further column is one line in [`COLUMNS`].

use crate::measure::{Bins, DIP_WINDOW_NS, Windows, lowest_moving_mean, mean_over};
use crate::{Job, RunFailure};
use fabric::Record;

/// One measured column.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// Name in files, unit last.
    pub name: &'static str,
    /// Heading for people.
    pub title: &'static str,
    /// Unit for people; empty for a ratio.
    pub unit: &'static str,
    /// Digits after the point when shown to people; files have all digits.
    pub decimals: usize,
    /// The value; `None` where the run does not define one.
    pub value: fn(&Record, &Windows, Bins) -> Option<f64>,
}

macro_rules! column {
    ($name:literal, $title:literal, $unit:literal, $decimals:literal, $value:expr) => {
        Column {
            name: $name,
            title: $title,
            unit: $unit,
            decimals: $decimals,
            value: $value,
        }
    };
}

/// Measured columns, in order. Windows: spec scenarios.md, `garcia-trees-2005`; bits: what a port, ingress and egress together, and a switch
/// pay beside data memory. The maximum of the topology is that of its links, whatever the workload asks for.
#[rustfmt::skip]
pub const COLUMNS: &[Column] = &[
    column!("delivered_bytes_per_ns", "delivered", "B/ns", 2, |r, _, _| r.summary.delivered_bytes_per_ns),
    column!("relative_throughput", "of topology max", "", 3, |r, _, _| r.summary.relative_throughput),
    column!("before_bytes_per_ns", "before", "B/ns", 2, |r, w, b| mean_over(&r.series, b, w.before)),
    column!("during_bytes_per_ns", "during", "B/ns", 2, |r, w, b| mean_over(&r.series, b, w.during)),
    column!("worst_dip_bytes_per_ns", "worst dip", "B/ns", 2, |r, w, b| lowest_moving_mean(&r.series, b, w.during, DIP_WINDOW_NS)),
    column!("after_bytes_per_ns", "after", "B/ns", 2, |r, w, b| mean_over(&r.series, b, w.after)),
    column!("saqs_peak_ingress", "SAQs in", "peak/port", 0, |r, _, _| Some(r.summary.saqs_peak.ingress.into())),
    column!("saqs_peak_egress", "SAQs out", "peak/port", 0, |r, _, _| Some(r.summary.saqs_peak.egress.into())),
    column!("saqs_peak_injection", "SAQs inject", "peak/node", 0, |r, _, _| Some(r.summary.saqs_peak.injection.into())),
    column!("saq_refusals", "refused", "SAQs", 0, |r, _, _| Some(r.summary.recn.refusals as f64)),
    column!("latency_p99_ns", "message p99", "ns from generation", 0, |r, _, _| r.summary.latency_ns.p99),
    column!("network_latency_p99_ns", "network p99", "ns", 0, |r, _, _| r.summary.network_latency_ns.p99),
    column!("port_control_bits", "control / port", "bit", 0, |r, _, _| Some(r.summary.memory.port_control_bits() as f64)),
    column!("switch_control_bits", "control / switch", "bit", 0, |r, _, _| Some(r.summary.memory.switch_control_bits as f64)),
];

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// Not started, or interrupted.
    NotRun,
    /// Finished and stored; one value a column of [`COLUMNS`].
    Finished(Vec<Option<f64>>),
    /// Failed.
    Failed(RunFailure),
}

impl Outcome {
    /// Finished, with what the run says.
    pub fn of(record: &Record, windows: &Windows, bins: Bins) -> Self {
        Outcome::Finished(
            COLUMNS
                .iter()
                .map(|c| (c.value)(record, windows, bins).filter(|v| v.is_finite()))
                .collect(),
        )
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

/// Mean and range over the replicas that finished.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// Arithmetic mean.
    pub mean: f64,
    /// Smallest.
    pub min: f64,
    /// Largest.
    pub max: f64,
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
    /// Replicas that finished.
    pub finished: usize,
    /// One entry a column of [`COLUMNS`]; `None` where no replica has a value.
    pub values: Vec<Option<Spread>>,
}

/// The table of a sweep. Depends on jobs and outcomes only, not on the order in which runs finished.
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
        }
    }
}

/// Keys of all labels. A key that only some points have keeps its place behind the key it follows there.
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
    let finished: Vec<&Vec<Option<f64>>> = rows
        .iter()
        .filter_map(|row| match &row.outcome {
            Outcome::Finished(values) => Some(values),
            _ => None,
        })
        .collect();
    let values = (0..COLUMNS.len())
        .map(|c| spread(finished.iter().filter_map(|values| values[c])))
        .collect();
    PointRow {
        name: rows[0].job.name(),
        labels: rows[0].job.labels.clone(),
        runs: rows.iter().map(|row| row.job.index).collect(),
        finished: finished.len(),
        values,
    }
}

fn spread(values: impl Iterator<Item = f64>) -> Option<Spread> {
    let values: Vec<f64> = values.collect();
    let min = values.iter().copied().min_by(f64::total_cmp)?;
    let max = values.iter().copied().max_by(f64::total_cmp)?;
    // a single run's value must come out as it is, and a mean never outside the range
    let mean = (values.iter().sum::<f64>() / values.len() as f64).clamp(min, max);
    Some(Spread { mean, min, max })
}
