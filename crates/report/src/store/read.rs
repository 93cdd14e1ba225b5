//! A sweep or a single run, from its directory.

use super::files::{json, series};
use super::{Answer, Column, Point, Run, Store, UNREADABLE, facts};
use crate::ReportError;
use crate::looks;
use crate::recorded::table;
use crate::windows::windows;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::path::Path;

/// `results.json`.
#[derive(Deserialize)]
pub(super) struct Results {
    pub(super) format: u32,
    pub(super) name: String,
    pub(super) scenario: String,
    pub(super) axes: Vec<String>,
    pub(super) columns: Vec<Column>,
    pub(super) points: Vec<Point>,
    pub(super) runs: Vec<Run>,
    #[serde(default)]
    pub(super) answer: Option<Answer>,
}

/// Reads a sweep or a run.
pub(crate) fn read(dir: &Path) -> Result<Store, ReportError> {
    if dir.join("results.json").is_file() {
        sweep(dir)
    } else if dir.join("summary.json").is_file() {
        single(dir)
    } else {
        let path = dir.to_path_buf();
        Err(match (dir.is_dir(), dir.exists()) {
            (true, _) => ReportError::NotAStore { path },
            (false, true) => ReportError::NotADirectory { path, what: "is a file" },
            (false, false) => ReportError::NotADirectory { path, what: "is not there" },
        })
    }
}

fn sweep(dir: &Path) -> Result<Store, ReportError> {
    let path = dir.join("results.json");
    let mut results: Results = json(&path)?;
    if results.format != 1 {
        let message =
            format!("format {} is not known; this version reads format 1", results.format);
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
    looks::give(&results.axes, &mut results.points);
    let windows = windows(&dir.join("windows.csv"))?;
    let latencies = table(&dir.join("latency.csv"))?;
    // a sweep that was killed has no manifest: its finished runs are reported all the same
    let manifest_path = dir.join("manifest.json");
    let manifest: Value = if manifest_path.is_file() { json(&manifest_path)? } else { Value::Null };
    let facts = facts::of_sweep(&results, &manifest);
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
        latencies,
        answer: results.answer,
        found: manifest["found"].as_str().unwrap_or_default().into(),
    })
}

fn single(dir: &Path) -> Result<Store, ReportError> {
    let manifest: Value = json(&dir.join("manifest.json"))?;
    let summary: Value = json(&dir.join("summary.json"))?;
    let text = |key: &str| manifest[key].as_str().unwrap_or_default().to_string();
    let name = if text("name").is_empty() { "run".to_string() } else { text("name") };
    let seed = manifest["seed"].as_u64().unwrap_or_default();
    let facts = facts::of_run(&manifest, seed);
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
    let windows = windows(&dir.join("windows.csv"))?;
    let latencies = table(&dir.join("latency.csv"))?;
    let none = Map::new;
    let point = Point {
        name: name.clone(),
        title: name.clone(),
        style: 0,
        dash: 0,
        is_baseline: false,
        keys: String::new(),
        labels: none(),
        runs: vec![0],
        replicas: 1,
        finished: 1,
        at_least: none(),
        mean: none(),
        half_95: none(),
        min: none(),
        max: none(),
        judged: None,
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
        latencies,
        answer: None,
        found: String::new(),
    })
}
