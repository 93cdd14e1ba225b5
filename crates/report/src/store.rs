//! The files of a store as the report needs them.

mod read;
pub(crate) use read::read;

use crate::windows::{MEASURED, WindowRow};
use serde::Deserialize;
use serde_json::{Map, Value};

/// `results.json` of a sweep, or a single run as a sweep of one point; and the files beside it.
#[derive(Default, Deserialize)]
#[serde(rename = "Results")]
pub(crate) struct Store {
    format: u32,
    pub(crate) name: String,
    scenario: String,
    pub(crate) axes: Vec<String>,
    pub(crate) columns: Vec<Column>,
    pub(crate) points: Vec<Point>,
    pub(crate) runs: Vec<Run>,
    /// What the study answers; stores of before have none.
    pub(crate) answer: Option<Answer>,
    #[serde(skip)]
    pub(crate) is_sweep: bool,
    #[serde(skip)]
    pub(crate) facts: Vec<(String, String)>,
    #[serde(skip)]
    pub(crate) summary: Option<Value>,
    /// `windows.csv` and `latency.csv`; empty where the store has none.
    #[serde(skip)]
    pub(crate) windows: Vec<WindowRow>,
    #[serde(skip)]
    pub(crate) latencies: Vec<LatencyRow>,
    /// What a search found, in words; empty elsewhere.
    #[serde(skip)]
    pub(crate) found: String,
}

impl Store {
    /// The windows, where all runs that finished have the same; the measured time is none of them.
    pub(crate) fn windows_of_all_runs(&self) -> Option<Vec<&WindowRow>> {
        let of_run = |run: &Run| -> Vec<&WindowRow> {
            let is_its = |row: &&WindowRow| row.run == run.index && row.is_of_all();
            self.windows.iter().filter(is_its).filter(|row| row.window != MEASURED).collect()
        };
        let finished = self.runs.iter().filter(|run| run.status == "ok");
        let mut runs = finished.map(of_run);
        let first = runs.next().unwrap_or_default();
        let key = |row: &&WindowRow| (row.window.clone(), row.start_ns, row.end_ns);
        let same = runs.all(|other| other.iter().map(key).eq(first.iter().map(key)));
        same.then_some(first)
    }

    pub(crate) fn has_replicas(&self) -> bool {
        self.runs.iter().any(|run| run.replica > 0)
    }

    /// The runs of a point that finished and can be read.
    pub(crate) fn finished<'a>(&'a self, point: &'a Point) -> impl Iterator<Item = &'a Run> {
        let runs = point.runs.iter().filter_map(|&index| self.run(index));
        runs.filter(|run| run.status == "ok")
    }

    pub(crate) fn point(&self, labels: &Map<String, Value>) -> Option<&Point> {
        self.points.iter().find(|point| point.labels == *labels)
    }

    pub(crate) fn run(&self, index: usize) -> Option<&Run> {
        self.runs.iter().find(|run| run.index == index)
    }
}

#[derive(Deserialize)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) unit: String,
    pub(crate) decimals: usize,
    #[serde(default = "yes")]
    pub(crate) brief: bool,
    /// Of a column that may hold lower bounds: the column with the share of what had not arrived.
    pub(crate) undelivered: Option<String>,
}

fn yes() -> bool {
    true
}

#[derive(Default, Deserialize)]
pub(crate) struct Point {
    pub(crate) name: String,
    /// As people call it; this, and what follows, is given by [`crate::styles`].
    #[serde(skip)]
    pub(crate) title: String,
    /// Colour and mark, and dashes, in all figures.
    #[serde(skip)]
    pub(crate) style: usize,
    #[serde(skip)]
    pub(crate) dash: usize,
    /// Without SAQs, in a study that has some.
    #[serde(skip)]
    pub(crate) is_baseline: bool,
    /// The title in keys of scenarios; empty without labels.
    #[serde(skip)]
    pub(crate) keys: String,
    pub(crate) labels: Map<String, Value>,
    pub(crate) runs: Vec<usize>,
    /// Replicas that the study asks for; 0 in stores without.
    #[serde(default)]
    pub(crate) replicas: usize,
    #[serde(default)]
    pub(crate) finished: usize,
    /// Of the columns that may hold lower bounds, whether they do.
    #[serde(default)]
    at_least: Map<String, Value>,
    mean: Map<String, Value>,
    /// Half of the 95 % interval of each mean; stores of before have none.
    #[serde(default)]
    half_95: Map<String, Value>,
    min: Map<String, Value>,
    max: Map<String, Value>,
    pub(crate) judged: Option<Judged>,
}

/// A column over the replicas of a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spread {
    pub(crate) mean: f64,
    pub(crate) half_95: Option<f64>,
    pub(crate) min: f64,
    pub(crate) max: f64,
}

impl Point {
    pub(crate) fn value(&self, column: &str) -> Option<Spread> {
        let get = |map: &Map<String, Value>| map.get(column).and_then(Value::as_f64);
        Some(Spread {
            mean: get(&self.mean)?,
            half_95: get(&self.half_95),
            min: get(&self.min)?,
            max: get(&self.max)?,
        })
    }

    pub(crate) fn at_least(&self, column: &str) -> bool {
        self.at_least.get(column) == Some(&Value::Bool(true))
    }

    pub(crate) fn lacks_replicas(&self) -> bool {
        self.replicas > 1 && self.finished < self.replicas
    }

    /// The second half of the measured time of a replica differs from the first beyond its noise.
    pub(crate) fn is_unsteady(&self) -> bool {
        self.value("halves_differ").is_some_and(|s| s.max > 0.0)
    }

    pub(crate) fn label(&self, key: &str) -> Option<&str> {
        self.labels.get(key).and_then(Value::as_str)
    }

    pub(crate) fn number(&self, axis: &str) -> Option<f64> {
        let value: f64 = self.label(axis)?.parse().ok()?;
        value.is_finite().then_some(value)
    }
}

#[derive(Default, Deserialize)]
pub(crate) struct Run {
    pub(crate) index: usize,
    pub(crate) directory: String,
    pub(crate) replica: u32,
    pub(crate) seed: u64,
    /// Width of a bin of the series, and simulated time; 0 in stores without.
    #[serde(default)]
    series_bin_ns: f64,
    #[serde(default)]
    duration_ns: f64,
    pub(crate) status: String,
    pub(crate) exit_code: Option<i64>,
    pub(crate) error: Option<String>,
    #[serde(skip)]
    pub(crate) series: Series,
}

impl Run {
    /// Width of a bin and simulated time, ns; in stores without them, as in the series.
    pub(crate) fn times(&self) -> (f64, f64) {
        let bins = self.bins();
        let (Some(first), Some(last)) = (bins.first(), bins.last()) else {
            return (self.series_bin_ns, self.duration_ns);
        };
        let end = [self.duration_ns, last.1, last.0];
        let end = end.into_iter().filter(|e| e.is_finite()).fold(0.0, f64::max);
        (first.1 - first.0, end)
    }

    /// Start and end of every bin, ns; the last one ends with the run.
    pub(crate) fn bins(&self) -> Vec<(f64, f64)> {
        let starts = self.series.column("t_ns").unwrap_or_default();
        let width = match starts[..] {
            _ if self.series_bin_ns > 0.0 => self.series_bin_ns,
            [a, b, ..] => b - a,
            _ => 0.0,
        };
        let last = if self.duration_ns > 0.0 { self.duration_ns } else { f64::INFINITY };
        starts.into_iter().map(|t| (t, (t + width).min(last))).collect()
    }
}

#[derive(Default)]
pub(crate) struct Series {
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Vec<f64>>,
}

impl Series {
    pub(crate) fn column(&self, name: &str) -> Option<Vec<f64>> {
        let at = self.columns.iter().position(|c| c == name)?;
        Some(self.rows.iter().map(|row| row[at]).collect())
    }
}

/// A bucket of a histogram of latencies.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub(crate) struct LatencyRow {
    /// Place of the point in the sweep; 0 of a single run.
    #[serde(default)]
    pub(crate) point: usize,
    pub(crate) window: String,
    /// `all`, `victims` or `group`.
    pub(crate) flows: String,
    /// Its name, where the flows are a group.
    #[serde(default)]
    pub(crate) group: String,
    /// `message` or `packet`; a sweep has messages alone.
    #[serde(default)]
    pub(crate) of: String,
    /// The largest of the bucket.
    pub(crate) latency_ns: f64,
    pub(crate) count: u64,
    pub(crate) undelivered: u64,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Answer {
    pub(crate) target: Target,
    pub(crate) enough: String,
    pub(crate) window: String,
    pub(crate) has_sizes: bool,
    /// The point whose p99 counts, and of a best or a scheme its throughput, where one is for all.
    pub(crate) reference: Option<Held>,
    pub(crate) settings: Vec<Setting>,
    /// Numbers of settings in the order in which they matter.
    pub(crate) rank: Vec<usize>,
    pub(crate) without_saqs: Vec<Held>,
    pub(crate) cautions: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Target {
    /// `victims` or `all flows`.
    pub(crate) metric: String,
    pub(crate) at_least: f64,
    /// `best`, `offered`, `possible` or a scheme.
    pub(crate) reference: String,
    pub(crate) p99_times: f64,
    /// In the place of `p99_times`.
    pub(crate) p99_ns: Option<f64>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Setting {
    pub(crate) labels: Map<String, Value>,
    /// The fewest SAQs for the throughput; `None` of a setting that is a point.
    pub(crate) saqs: Option<Fewest>,
    pub(crate) p99_saqs: Option<Fewest>,
    pub(crate) is_enough: Met,
    /// The whole interval is on one side of the target, where there is one.
    pub(crate) is_certain: Option<bool>,
    /// The point with the fewest, or the one that is nearest to the target.
    pub(crate) at: Option<Held>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Met {
    Yes,
    No,
    Unknown,
}

/// The fewest SAQs from which on a target is met.
#[derive(Debug, Deserialize)]
pub(crate) struct Fewest {
    pub(crate) fewest: Option<f64>,
    pub(crate) is_unknown: bool,
    pub(crate) is_largest: bool,
    pub(crate) is_certain: Option<bool>,
    pub(crate) by_replica: Option<[Option<f64>; 2]>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Held {
    pub(crate) labels: Map<String, Value>,
    #[serde(flatten)]
    pub(crate) judged: Judged,
}

/// The judged flows of a point in the judged window, with half widths of 95 % intervals.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Judged {
    pub(crate) delivered_bytes_per_ns: f64,
    pub(crate) delivered_half_95_bytes_per_ns: Option<f64>,
    pub(crate) share: Option<f64>,
    pub(crate) share_half_95: Option<f64>,
    pub(crate) throughput_is_enough: Met,
    pub(crate) p99_ns: Option<f64>,
    pub(crate) p99_half_95_ns: Option<f64>,
    pub(crate) p99_is_lower_bound: bool,
    pub(crate) port_control_bits: Option<f64>,
}
