//! The table for programs (CSV, JSON); that for people is in `text.rs`.

use crate::answer::{Answer, Held, Setting};
use crate::columns::COLUMNS;
use crate::disk::{LATENCY, Reach, csv_of, json, replace_file};
use crate::error::malformed;
use crate::table::{Outcome, PointRow, RunRow, RunValues, Spread, Table};
use crate::{Exit, StoreError, windows};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::Path;

impl Table {
    /// `results.csv`: one line a run, all digits, an empty field where there is no value.
    pub fn to_csv(&self) -> csv::Result<Vec<u8>> {
        let fixed = ["replica", "replicas", "seed", "status", "exit_code", "error"];
        let mut header = self.header(&["index", "directory"], &fixed);
        for column in COLUMNS {
            header.push(column.name.into());
            header.extend(column.bound_name());
        }
        let asked = |p: &PointRow| p.runs.iter().map(|&i| (i, p.replicas)).collect::<Vec<_>>();
        let replicas: BTreeMap<usize, usize> = self.points.iter().flat_map(asked).collect();
        let line = |row: &RunRow| {
            let mut fields = self.place_of(row);
            let asked = replicas.get(&row.job.index).unwrap_or(&1);
            fields.insert(fields.len() - 1, asked.to_string());
            let (status, exit_code, error) = status(row);
            fields.extend([
                status.into(),
                exit_code.map_or(String::new(), |c| c.to_string()),
                error.unwrap_or_default().to_string(),
            ]);
            for (c, column) in COLUMNS.iter().enumerate() {
                let measured = row.finished().and_then(|run| run.values[c]);
                fields.push(measured.map_or(String::new(), |m| m.value.to_string()));
                if column.undelivered.is_some() {
                    fields.push(measured.map_or(String::new(), |m| m.at_least.to_string()));
                }
            }
            fields
        };
        csv_of(&header, self.runs.iter().map(line))
    }

    /// `windows.csv` of a sweep: those of its runs, each with its place before it.
    pub fn windows_csv(&self) -> csv::Result<Vec<u8>> {
        let mut header = self.header(&["index", "directory"], &["replica", "seed"]);
        header.extend(windows::header());
        let lines = self.runs.iter().flat_map(|row| {
            let windows = row.finished().into_iter().flat_map(|run| &run.windows);
            windows.map(|window| [self.place_of(row), windows::fields(window)].concat())
        });
        csv_of(&header, lines)
    }

    /// Names of columns, those of the axes between others.
    pub(crate) fn header(&self, before: &[&str], behind: &[&str]) -> Vec<String> {
        let axes = self.axes.iter().map(String::as_str);
        let names = before.iter().copied().chain(axes).chain(behind.iter().copied());
        names.map(String::from).collect()
    }

    /// Index, directory, axes, replica, seed.
    fn place_of(&self, row: &RunRow) -> Vec<String> {
        let job = &row.job;
        let mut fields = vec![job.index.to_string(), job.directory.clone()];
        let label = |axis: &String| job.label(axis).unwrap_or_default().to_string();
        fields.extend(self.axes.iter().map(label));
        fields.extend([job.replica.to_string(), job.seed.to_string()]);
        fields
    }

    /// `results.json`: study, axes, columns, every run, every point, and the answer.
    pub fn to_json(&self) -> Value {
        let runs = self.runs.iter().map(run_json);
        let points = self.points.iter().zip(self.judged());
        let points = points.map(|(point, held)| point_json(point, held));
        json!({
            "format": 1, "name": self.name, "scenario": self.scenario, "axes": self.axes,
            "columns": COLUMNS, "points": points.collect::<Value>(),
            "runs": runs.collect::<Value>(), "answer": answer_json(&self.answer()),
        })
    }

    /// Writes `results.csv`, `windows.csv`, `latency.csv` and `results.json` into `dir`, each
    /// replaced at once; with [`Reach::Later`] for a table that the next one replaces.
    pub(crate) fn write(&self, dir: &Path, reach: Reach) -> Result<(), StoreError> {
        for (name, bytes) in [
            ("results.csv", self.to_csv()),
            ("windows.csv", self.windows_csv()),
            (LATENCY, self.latency_csv()),
        ] {
            let path = dir.join(name);
            replace_file(&path, &bytes.map_err(malformed(&path))?, reach)?;
        }
        let path = dir.join("results.json");
        replace_file(&path, &json(&self.to_json()).map_err(malformed(&path))?, reach)
    }
}

fn status(row: &RunRow) -> (&'static str, Option<i32>, Option<&str>) {
    match &row.outcome {
        Outcome::NotRun => ("not run", None, None),
        Outcome::Finished(_) => ("ok", Some(Exit::Ok.code()), None),
        Outcome::Failed(f) => ("failed", Some(f.exit.code()), Some(&f.message)),
    }
}

fn named<T: Into<Value>>(values: impl Iterator<Item = Option<T>>) -> Value {
    let names = COLUMNS.iter().map(|c| c.name.to_string());
    let values = values.map(|v| v.map_or(Value::Null, Into::into));
    Value::Object(names.zip(values).collect())
}

/// Of the columns that may hold lower bounds, whether they do.
fn bounds(values: impl Iterator<Item = Option<bool>>) -> Value {
    let may = COLUMNS.iter().zip(values).filter(|(c, _)| c.undelivered.is_some());
    Value::Object(may.map(|(c, v)| (c.name.to_string(), json!(v))).collect())
}

fn labels_json(labels: &[(String, String)]) -> Value {
    Value::Object(labels.iter().map(|(k, v)| (k.clone(), json!(v))).collect::<Map<_, _>>())
}

fn run_json(row: &RunRow) -> Value {
    let job = &row.job;
    let (status, exit_code, error) = status(row);
    let part = |f: fn(&RunValues) -> Value| row.finished().map_or(Value::Null, f);
    json!({
        "index": job.index, "directory": job.directory, "name": job.name(), "labels": labels_json(&job.labels),
        "replica": job.replica, "seed": job.seed, "hash": format!("{:016x}", job.hash),
        "series_bin_ns": job.times.series_bin_ns, "warmup_ns": job.times.warmup_ns,
        "duration_ns": job.times.duration_ns,
        "status": status, "exit_code": exit_code, "error": error,
        "values": part(|run| named(run.values.iter().map(|v| v.map(|m| m.value)))),
        "at_least": part(|run| bounds(run.values.iter().map(|v| v.map(|m| m.at_least)))),
    })
}

fn point_json(point: &PointRow, held: Option<Held>) -> Value {
    let values = point.values.iter();
    let half_95 = named(values.map(|v| v.as_ref().and_then(|s| s.half_95)));
    let part = |f: fn(&Spread) -> f64| named(point.values.iter().map(|v| v.as_ref().map(f)));
    json!({
        "name": point.name, "labels": labels_json(&point.labels), "runs": point.runs,
        "replicas": point.replicas, "finished": point.finished,
        "mean": part(|s| s.mean), "half_95": half_95, "min": part(|s| s.min), "max": part(|s| s.max),
        "at_least": bounds(point.values.iter().map(|v| v.map(|s| s.at_least))),
        "judged": held.as_ref().map(judged_json),
    })
}

fn answer_json(answer: &Answer) -> Value {
    let target = &answer.target;
    json!({
        "target": {
            "metric": answer.flows.name(), "at_least": target.share,
            "reference": target.reference.word(), "p99_times": target.p99_times,
            "p99_ns": target.p99_ns,
        },
        "enough": answer.enough(), "window": answer.window, "window_ns": answer.window_ns,
        "has_sizes": answer.has_sizes, "questions": answer.questions,
        "is_partial": answer.is_partial, "replicas": answer.replicas, "rank": answer.rank,
        "reference": answer.reference.as_ref().map(held_json),
        "settings": answer.settings.iter().map(setting_json).collect::<Value>(),
        "without_saqs": answer.without.iter().map(held_json).collect::<Value>(),
        "cautions": answer.cautions,
    })
}

fn held_json(held: &Held) -> Value {
    let mut value = judged_json(held);
    value["name"] = json!(held.name);
    value["labels"] = labels_json(&held.labels);
    value
}

/// What the judged flows of a point do in the judged window.
fn judged_json(held: &Held) -> Value {
    let difference = held.difference.map(|d| json!({ "mean": d.mean, "half_95": d.half }));
    let merged = held.merged_latency_ns.as_ref().map(|l| {
        json!({
            "p50": l.p50, "p99": l.p99, "p999": l.p999, "undelivered": l.undelivered,
            "lower_bounds": l.lower_bounds,
        })
    });
    json!({
        "delivered_bytes_per_ns": held.bytes_per_ns,
        "delivered_half_95_bytes_per_ns": held.half_95_bytes_per_ns,
        "share": held.share, "share_half_95": held.share_half_95,
        "throughput_is_enough": held.throughput, "throughput_is_certain": held.throughput_is_certain,
        "difference_to_reference_bytes_per_ns": difference,
        "p99_ns": held.p99_ns, "p99_half_95_ns": held.p99_half_95_ns,
        "p99_is_lower_bound": held.p99_is_lower_bound,
        "p99_is_enough": held.p99, "p99_is_certain": held.p99_is_certain,
        "merged_latency_ns": merged, "port_control_bits": held.control_bits,
    })
}

fn setting_json(setting: &Setting) -> Value {
    json!({
        "labels": labels_json(&setting.labels),
        "saqs": setting.fewest.map(|fewest| fewest[0]),
        "p99_saqs": setting.fewest.map(|fewest| fewest[1]),
        "is_enough": setting.is_enough, "is_certain": setting.is_certain,
        "at": setting.at.as_ref().map(held_json),
    })
}
