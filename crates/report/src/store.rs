//! The files of a store as the report needs them.

use crate::ReportError;
use crate::windows::{WindowRow, windows};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::fs;
use std::path::Path;

/// A sweep, or a single run as a sweep of one point.
pub(crate) struct Store {
    pub(crate) name: String,
    pub(crate) is_sweep: bool,
    /// What was run: heading, text.
    pub(crate) facts: Vec<(String, String)>,
    pub(crate) axes: Vec<String>,
    pub(crate) columns: Vec<Column>,
    pub(crate) points: Vec<Point>,
    pub(crate) runs: Vec<Run>,
    /// `summary.json` of a single run.
    pub(crate) summary: Option<Value>,
    /// `windows.csv`; empty where the store has none.
    pub(crate) windows: Vec<WindowRow>,
    /// `windows.csv` as it stands.
    pub(crate) windows_csv: String,
    /// Sentences that the study says of its table.
    pub(crate) findings: Vec<String>,
}

#[derive(Deserialize)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) unit: String,
    pub(crate) decimals: usize,
    /// In the short table.
    #[serde(default = "yes")]
    pub(crate) brief: bool,
    /// Of a column that may hold lower bounds: the column with the share of what had not arrived.
    #[serde(default)]
    pub(crate) undelivered: Option<String>,
}

fn yes() -> bool {
    true
}

#[derive(Deserialize)]
pub(crate) struct Point {
    pub(crate) name: String,
    pub(crate) labels: Map<String, Value>,
    /// Indices of its runs.
    pub(crate) runs: Vec<usize>,
    /// Replicas that the study asks for; 0 in stores that do not say.
    #[serde(default)]
    pub(crate) replicas: usize,
    /// Replicas that finished.
    #[serde(default)]
    pub(crate) finished: usize,
    /// Of the columns that may hold lower bounds, whether they do.
    #[serde(default)]
    at_least: Map<String, Value>,
    mean: Map<String, Value>,
    min: Map<String, Value>,
    max: Map<String, Value>,
}

impl Point {
    /// Mean, smallest and largest over the replicas.
    pub(crate) fn value(&self, column: &str) -> Option<(f64, f64, f64)> {
        let get = |map: &Map<String, Value>| map.get(column).and_then(Value::as_f64);
        Some((get(&self.mean)?, get(&self.min)?, get(&self.max)?))
    }

    /// The value is a lower bound.
    pub(crate) fn at_least(&self, column: &str) -> bool {
        self.at_least.get(column) == Some(&Value::Bool(true))
    }

    /// Not all replicas that the study asks for have finished.
    pub(crate) fn lacks_replicas(&self) -> bool {
        self.replicas > 1 && self.finished < self.replicas
    }

    /// The second half of the measured time of a replica differs from the first beyond its noise.
    pub(crate) fn is_unsteady(&self) -> bool {
        self.value("halves_differ")
            .is_some_and(|(_, _, max)| max > 0.0)
    }

    pub(crate) fn label(&self, key: &str) -> Option<&str> {
        self.labels.get(key).and_then(Value::as_str)
    }
}

#[derive(Deserialize)]
pub(crate) struct Run {
    pub(crate) index: usize,
    pub(crate) directory: String,
    pub(crate) replica: u32,
    pub(crate) seed: u64,
    /// Width of a bin of the series; 0 in stores that do not say.
    #[serde(default)]
    series_bin_ns: f64,
    /// Simulated time; 0 in stores that do not say.
    #[serde(default)]
    duration_ns: f64,
    pub(crate) status: String,
    pub(crate) exit_code: Option<i64>,
    pub(crate) error: Option<String>,
    #[serde(skip)]
    pub(crate) series: Series,
}

/// Status of a run that finished but whose files cannot be read any more.
const UNREADABLE: &str = "unreadable";

impl Run {
    /// Start and end of every bin, ns; the last one ends with the run.
    pub(crate) fn bins(&self) -> Vec<(f64, f64)> {
        let starts = self.series.column("t_ns").unwrap_or_default();
        let width = match starts[..] {
            _ if self.series_bin_ns > 0.0 => self.series_bin_ns,
            [a, b, ..] => b - a,
            _ => 0.0,
        };
        let last = if self.duration_ns > 0.0 {
            self.duration_ns
        } else {
            f64::INFINITY
        };
        starts
            .into_iter()
            .map(|t| (t, (t + width).min(last)))
            .collect()
    }
}

/// `series.csv`.
#[derive(Default)]
pub(crate) struct Series {
    pub(crate) columns: Vec<String>,
    /// One line a bin.
    pub(crate) rows: Vec<Vec<f64>>,
}

impl Series {
    /// A column by name.
    pub(crate) fn column(&self, name: &str) -> Option<Vec<f64>> {
        let at = self.columns.iter().position(|c| c == name)?;
        Some(self.rows.iter().map(|row| row[at]).collect())
    }
}

impl Store {
    /// The run with this index.
    pub(crate) fn run(&self, index: usize) -> Option<&Run> {
        self.runs.iter().find(|run| run.index == index)
    }
}

#[derive(Deserialize)]
struct Results {
    format: u32,
    name: String,
    scenario: String,
    axes: Vec<String>,
    columns: Vec<Column>,
    points: Vec<Point>,
    runs: Vec<Run>,
    #[serde(default)]
    findings: Vec<String>,
}

/// Reads a sweep or a run.
pub(crate) fn read(dir: &Path) -> Result<Store, ReportError> {
    if dir.join("results.json").is_file() {
        sweep(dir)
    } else if dir.join("summary.json").is_file() {
        single(dir)
    } else {
        Err(ReportError::NotAStore {
            path: dir.to_path_buf(),
        })
    }
}

fn sweep(dir: &Path) -> Result<Store, ReportError> {
    let path = dir.join("results.json");
    let mut results: Results = json(&path)?;
    if results.format != 1 {
        let message = format!(
            "format {} is not known; this version reads format 1",
            results.format
        );
        return Err(ReportError::Malformed { path, message });
    }
    for run in results.runs.iter_mut().filter(|run| run.status == "ok") {
        match series(&dir.join("runs").join(&run.directory).join("series.csv")) {
            Ok(series) => run.series = series,
            Err(error) => {
                // the others are drawn all the same; its numbers in the table are those of
                // results.json
                run.status = UNREADABLE.into();
                run.error = Some(error.to_string());
            }
        }
    }
    let (windows, windows_csv) = windows(&dir.join("windows.csv"))?;
    // a sweep that was killed has no manifest: its finished runs are reported all the same
    let manifest_path = dir.join("manifest.json");
    let manifest: Value = if manifest_path.is_file() {
        json(&manifest_path)?
    } else {
        Value::Null
    };
    let count = |status: &str| {
        results
            .runs
            .iter()
            .filter(|run| run.status == status)
            .count()
    };
    let mut runs = format!(
        "{} points, {} runs: {} finished",
        results.points.len(),
        results.runs.len(),
        count("ok")
    );
    for status in ["failed", "not run", UNREADABLE] {
        if count(status) > 0 {
            runs.push_str(&format!(", {} {status}", count(status)));
        }
    }
    let mut seeds: Vec<u64> = results.runs.iter().map(|run| run.seed).collect();
    seeds.sort_unstable();
    seeds.dedup();
    let mut facts = vec![
        ("Scenario".to_string(), results.scenario),
        ("Runs".into(), runs),
    ];
    facts.push((
        "Seeds".into(),
        seeds
            .iter()
            .map(u64::to_string)
            .collect::<Vec<_>>()
            .join(", "),
    ));
    facts.extend(program(&manifest));
    facts.retain(|(_, text)| !text.is_empty());
    Ok(Store {
        name: results.name,
        is_sweep: true,
        facts,
        axes: results.axes,
        columns: results.columns,
        points: results.points,
        runs: results.runs,
        summary: None,
        windows,
        windows_csv,
        findings: results.findings,
    })
}

fn single(dir: &Path) -> Result<Store, ReportError> {
    let manifest: Value = json(&dir.join("manifest.json"))?;
    let summary: Value = json(&dir.join("summary.json"))?;
    let text = |key: &str| manifest[key].as_str().unwrap_or_default().to_string();
    let name = if text("name").is_empty() {
        "run".to_string()
    } else {
        text("name")
    };
    let seed = manifest["seed"].as_u64().unwrap_or_default();
    let mut facts = vec![
        ("Seed".to_string(), seed.to_string()),
        ("Scenario hash".into(), text("hash")),
    ];
    facts.extend(program(&manifest));
    if let Some(labels) = manifest["labels"].as_array() {
        let pair = |l: &Value| Some(format!("{} = {}", l[0].as_str()?, l[1].as_str()?));
        facts.insert(
            0,
            (
                "Point".into(),
                labels
                    .iter()
                    .filter_map(pair)
                    .collect::<Vec<_>>()
                    .join(", "),
            ),
        );
    }
    facts.retain(|(_, text)| !text.is_empty());
    let run = Run {
        index: 0,
        directory: String::new(),
        replica: 0,
        seed,
        series_bin_ns: manifest["series_bin_ns"].as_f64().unwrap_or_default(),
        duration_ns: manifest["duration_ns"].as_f64().unwrap_or_default(),
        status: "ok".into(),
        exit_code: Some(0),
        error: None,
        series: series(&dir.join("series.csv"))?,
    };
    let (windows, windows_csv) = windows(&dir.join("windows.csv"))?;
    let none = Map::new;
    let point = Point {
        name: name.clone(),
        labels: none(),
        runs: vec![0],
        replicas: 1,
        finished: 1,
        at_least: none(),
        mean: none(),
        min: none(),
        max: none(),
    };
    Ok(Store {
        name,
        is_sweep: false,
        facts,
        axes: Vec::new(),
        columns: Vec::new(),
        points: vec![point],
        runs: vec![run],
        summary: Some(summary),
        windows,
        windows_csv,
        findings: Vec::new(),
    })
}

/// Which program ran, and how long.
fn program(manifest: &Value) -> Vec<(String, String)> {
    let text = |key: &str| manifest[key].as_str().unwrap_or_default().to_string();
    let mut commit = text("commit");
    if manifest["dirty"] == true {
        commit.push_str(if commit.is_empty() {
            "unknown, with uncommitted changes"
        } else {
            " with uncommitted changes"
        });
    }
    let seconds = manifest["wall_seconds"].as_f64().filter(|s| *s > 0.0);
    vec![
        ("Version".into(), text("version")),
        ("Commit".into(), commit),
        ("Engine".into(), text("engine")),
        (
            "Wall time".into(),
            seconds.map_or(String::new(), |s| format!("{s:.1} s")),
        ),
    ]
}

fn json<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, ReportError> {
    let bytes = fs::read(path).map_err(|source| ReportError::Io {
        path: path.to_path_buf(),
        source,
    })?;
    serde_json::from_slice(&bytes).map_err(|e| ReportError::Malformed {
        path: path.to_path_buf(),
        message: e.to_string(),
    })
}

fn series(path: &Path) -> Result<Series, ReportError> {
    let bytes = fs::read(path).map_err(|source| ReportError::Io {
        path: path.to_path_buf(),
        source,
    })?;
    let malformed = |message: String| ReportError::Malformed {
        path: path.to_path_buf(),
        message,
    };
    let mut reader = csv::Reader::from_reader(bytes.as_slice());
    let columns = reader
        .headers()
        .map_err(|e| malformed(e.to_string()))?
        .iter()
        .map(String::from)
        .collect();
    let rows = reader
        .deserialize()
        .collect::<Result<_, _>>()
        .map_err(|e| malformed(e.to_string()))?;
    Ok(Series { columns, rows })
}
