//! A sweep or a single run, from its directory.

use super::{Answer, Column, Point, Run, Series, Store, UNREADABLE};
use crate::ReportError;
use crate::files::{json, json_if_any, malformed, table, table_with_head};
use crate::looks;
use crate::windows::windows;
use serde::Deserialize;
use serde_json::Value;
use std::path::Path;

/// `results.json`.
#[derive(Deserialize)]
struct Results {
    format: u32,
    name: String,
    scenario: String,
    axes: Vec<String>,
    columns: Vec<Column>,
    points: Vec<Point>,
    runs: Vec<Run>,
    answer: Option<Answer>,
}

pub(crate) fn read(dir: &Path) -> Result<Store, ReportError> {
    if dir.join("results.json").is_file() {
        sweep(dir)
    } else if dir.join("summary.json").is_file() {
        single(dir)
    } else {
        let path = dir.to_path_buf();
        Err(match (dir.is_dir(), dir.exists()) {
            (true, _) => ReportError::NotAStore(path),
            (false, true) => ReportError::NotADirectory(path, "is a file"),
            (false, false) => ReportError::NotADirectory(path, "is not there"),
        })
    }
}

fn sweep(dir: &Path) -> Result<Store, ReportError> {
    let path = dir.join("results.json");
    let mut results: Results = json(&path)?;
    if results.format != 1 {
        let message =
            format!("format {} is not known; this version reads format 1", results.format);
        return Err(malformed(&path, message));
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
    let manifest: Value = json_if_any(&dir.join("manifest.json"))?.unwrap_or_default();
    let facts = facts_of_sweep(&results, &manifest);
    Ok(Store {
        name: results.name,
        is_sweep: true,
        facts,
        axes: results.axes,
        columns: results.columns,
        points: results.points,
        runs: results.runs,
        windows,
        latencies,
        answer: results.answer,
        found: manifest["found"].as_str().unwrap_or_default().into(),
        ..Store::default()
    })
}

/// `series.csv` of a run.
fn series(path: &Path) -> Result<Series, ReportError> {
    let (columns, rows) = table_with_head(path)?;
    Ok(Series { columns, rows })
}

fn single(dir: &Path) -> Result<Store, ReportError> {
    let manifest: Value = json(&dir.join("manifest.json"))?;
    let summary: Value = json(&dir.join("summary.json"))?;
    let text = |key: &str| manifest[key].as_str().unwrap_or_default().to_string();
    let name = if text("name").is_empty() { "run".to_string() } else { text("name") };
    let seed = manifest["seed"].as_u64().unwrap_or_default();
    let facts = facts_of_run(&manifest, seed);
    let run = Run {
        seed,
        series_bin_ns: manifest["series_bin_ns"].as_f64().unwrap_or_default(),
        duration_ns: manifest["duration_ns"].as_f64().unwrap_or_default(),
        status: "ok".into(),
        exit_code: Some(0),
        series: series(&dir.join("series.csv"))?,
        ..Run::default()
    };
    let windows = windows(&dir.join("windows.csv"))?;
    let latencies = table(&dir.join("latency.csv"))?;
    let point = Point {
        name: name.clone(),
        title: name.clone(),
        runs: vec![0],
        replicas: 1,
        finished: 1,
        ..Point::default()
    };
    Ok(Store {
        name,
        facts,
        points: vec![point],
        runs: vec![run],
        summary: Some(summary),
        windows,
        latencies,
        ..Store::default()
    })
}

type Fact = (String, String);

/// Of a sweep; the manifest is null where there is none.
fn facts_of_sweep(results: &Results, manifest: &Value) -> Vec<Fact> {
    let count = |status: &str| results.runs.iter().filter(|run| run.status == status).count();
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
    let mut facts = vec![("Scenario".to_string(), results.scenario.clone()), ("Runs".into(), runs)];
    facts.push(("Seeds".into(), seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")));
    facts.extend(program(manifest));
    facts.retain(|(_, text)| !text.is_empty());
    facts
}

fn facts_of_run(manifest: &Value, seed: u64) -> Vec<Fact> {
    let text = |key: &str| manifest[key].as_str().unwrap_or_default().to_string();
    let mut facts =
        vec![("Seed".to_string(), seed.to_string()), ("Scenario hash".into(), text("hash"))];
    facts.extend(program(manifest));
    if let Some(labels) = manifest["labels"].as_array() {
        let pair = |l: &Value| Some(format!("{} = {}", l[0].as_str()?, l[1].as_str()?));
        facts.insert(
            0,
            ("Point".into(), labels.iter().filter_map(pair).collect::<Vec<_>>().join(", ")),
        );
    }
    facts.retain(|(_, text)| !text.is_empty());
    facts
}

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
        ("Wall time".into(), seconds.map_or(String::new(), |s| format!("{s:.1} s"))),
    ]
}
