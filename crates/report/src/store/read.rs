//! A sweep or a single run, from its directory.

use super::{Point, Run, Series, Store};
use crate::files::{json, json_if_any, malformed, table, table_with_head};
use crate::text::joined;
use crate::windows::windows;
use crate::{ReportError, styles};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

pub(crate) fn read(dir: &Path) -> Result<Store, ReportError> {
    if dir.join("results.json").is_file() {
        sweep(dir)
    } else if dir.join("summary.json").is_file() {
        single(dir)
    } else {
        let what = match (dir.is_dir(), dir.exists()) {
            (true, _) => return Err(ReportError::NotAStore(dir.to_path_buf())),
            (false, true) => "is a file",
            (false, false) => "is not there",
        };
        Err(malformed(dir, format!("{what}; give the directory of a run or a sweep")))
    }
}

fn sweep(dir: &Path) -> Result<Store, ReportError> {
    let path = dir.join("results.json");
    let mut store: Store = json(&path)?;
    if store.format != 1 {
        let message = format!("format {} is not known; this version reads format 1", store.format);
        return Err(malformed(&path, message));
    }
    for run in store.runs.iter_mut().filter(|run| run.status == "ok") {
        match series(&dir.join("runs").join(&run.directory)) {
            Ok(series) => run.series = series,
            Err(error) => {
                // the others are drawn all the same; the table has the numbers of results.json
                run.status = UNREADABLE.into();
                run.error = Some(error.to_string());
            }
        }
    }
    styles::give(&store.axes, &mut store.points);
    store.is_sweep = true;
    store.windows = windows(&dir.join("windows.csv"))?;
    store.latencies = table(&dir.join("latency.csv"))?;
    // a sweep that was killed has no manifest: its finished runs are reported all the same
    let manifest: Value = json_if_any(&dir.join("manifest.json"))?.unwrap_or_default();
    store.facts = facts_of_sweep(&store, &manifest);
    store.found = text(&manifest, "found");
    Ok(store)
}

/// Status of a run that finished but whose files cannot be read any more.
const UNREADABLE: &str = "unreadable";

/// `series.csv` of a run.
fn series(dir: &Path) -> Result<Series, ReportError> {
    let (columns, rows) = table_with_head(&dir.join("series.csv"))?;
    Ok(Series { columns, rows })
}

fn single(dir: &Path) -> Result<Store, ReportError> {
    let manifest: Value = json(&dir.join("manifest.json"))?;
    let summary: Value = json(&dir.join("summary.json"))?;
    let name = Some(text(&manifest, "name")).filter(|name| !name.is_empty());
    let name = name.unwrap_or_else(|| "run".into());
    let seed = manifest["seed"].as_u64().unwrap_or_default();
    let run = Run {
        seed,
        series_bin_ns: manifest["series_bin_ns"].as_f64().unwrap_or_default(),
        duration_ns: manifest["duration_ns"].as_f64().unwrap_or_default(),
        status: "ok".into(),
        exit_code: Some(0),
        series: series(dir)?,
        ..Run::default()
    };
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
        facts: facts_of_run(&manifest, seed),
        points: vec![point],
        runs: vec![run],
        summary: Some(summary),
        windows: windows(&dir.join("windows.csv"))?,
        latencies: table(&dir.join("latency.csv"))?,
        ..Store::default()
    })
}

/// A text of a manifest; empty where it has none.
fn text(manifest: &Value, key: &str) -> String {
    manifest[key].as_str().unwrap_or_default().into()
}

type Fact = (&'static str, String);

/// Of a sweep; the manifest is null where there is none.
fn facts_of_sweep(store: &Store, manifest: &Value) -> Vec<(String, String)> {
    let count = |status: &str| store.runs.iter().filter(|run| run.status == status).count();
    let (points, all, finished) = (store.points.len(), store.runs.len(), count("ok"));
    let mut runs = format!("{points} points, {all} runs: {finished} finished");
    for status in ["failed", "not run", UNREADABLE] {
        if count(status) > 0 {
            runs.push_str(&format!(", {} {status}", count(status)));
        }
    }
    let seeds: BTreeSet<u64> = store.runs.iter().map(|run| run.seed).collect();
    let seeds = ("Seeds", joined(seeds, ", "));
    with_program(vec![("Scenario", store.scenario.clone()), ("Runs", runs), seeds], manifest)
}

fn facts_of_run(manifest: &Value, seed: u64) -> Vec<(String, String)> {
    let labels = manifest["labels"].as_array().into_iter().flatten();
    let pair = |l: &Value| Some(format!("{} = {}", l[0].as_str()?, l[1].as_str()?));
    let point = joined(labels.filter_map(pair), ", ");
    let hash = ("Scenario hash", text(manifest, "hash"));
    with_program(vec![("Point", point), ("Seed", seed.to_string()), hash], manifest)
}

/// These, and those of the program that ran; what is not known is left out.
fn with_program(mut facts: Vec<Fact>, manifest: &Value) -> Vec<(String, String)> {
    let mut commit = text(manifest, "commit");
    if manifest["dirty"] == true {
        let unknown = if commit.is_empty() { "unknown," } else { "" };
        commit.push_str(&format!("{unknown} with uncommitted changes"));
    }
    let seconds = manifest["wall_seconds"].as_f64().filter(|s| *s > 0.0);
    facts.extend([
        ("Version", text(manifest, "version")),
        ("Commit", commit),
        ("Engine", text(manifest, "engine")),
        ("Wall time", seconds.map_or(String::new(), |s| format!("{s:.1} s"))),
    ]);
    let known = facts.into_iter().filter(|(_, text)| !text.is_empty());
    known.map(|(heading, text)| (heading.into(), text)).collect()
}
