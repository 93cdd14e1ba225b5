//! The table for programs (CSV, JSON); that for people is in `text.rs`.

use crate::answer::{Held, judged};
use crate::columns::COLUMNS;
use crate::disk::Reach;
use crate::files::LATENCY;
use crate::table::{Outcome, PointRow, RunRow, RunValues, Spread, Table};
use crate::windows;
use crate::{Exit, StoreError};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::Path;

impl Table {
    /// `results.csv`: one line a run, all digits, an empty field where there is no value.
    ///
    /// # Errors
    /// Those of the CSV writer; none for a table made by [`Table::new`].
    pub fn to_csv(&self) -> Result<Vec<u8>, csv::Error> {
        let mut out = csv::Writer::from_writer(Vec::new());
        let mut header: Vec<String> = vec!["index".into(), "directory".into()];
        header.extend(self.axes.iter().cloned());
        let fixed = ["replica", "replicas", "seed", "status", "exit_code", "error"];
        header.extend(fixed.map(String::from));
        for column in COLUMNS {
            header.push(column.name.into());
            header.extend(column.bound_name());
        }
        out.write_record(&header)?;
        let asked = |p: &PointRow| p.runs.iter().map(|&i| (i, p.replicas)).collect::<Vec<_>>();
        let replicas: BTreeMap<usize, usize> = self.points.iter().flat_map(asked).collect();
        for row in &self.runs {
            let job = &row.job;
            let mut fields = self.place_of(row);
            let seed = fields.len() - 1;
            let asked = replicas.get(&job.index).unwrap_or(&1);
            fields.insert(seed, asked.to_string());
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
            out.write_record(&fields)?;
        }
        out.into_inner().map_err(|e| e.into_error().into())
    }

    /// `windows.csv` of a sweep: that of each run that finished, with the place of the run before
    /// it.
    ///
    /// # Errors
    /// Those of the CSV writer; none for a table made by [`Table::new`].
    pub fn windows_csv(&self) -> Result<Vec<u8>, csv::Error> {
        let mut out = csv::Writer::from_writer(Vec::new());
        let mut header: Vec<String> = vec!["index".into(), "directory".into()];
        header.extend(self.axes.iter().cloned());
        header.extend(["replica".into(), "seed".into()]);
        header.extend(windows::header());
        out.write_record(&header)?;
        for row in &self.runs {
            for window in row.finished().iter().flat_map(|run| &run.windows) {
                let mut fields = self.place_of(row);
                fields.extend(windows::fields(window));
                out.write_record(&fields)?;
            }
        }
        out.into_inner().map_err(|e| e.into_error().into())
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
        let columns: Vec<Value> = COLUMNS
            .iter()
            .map(|c| {
                json!({
                    "name": c.name, "title": c.title, "unit": c.unit, "decimals": c.decimals,
                    "brief": c.brief, "undelivered": c.undelivered,
                })
            })
            .collect();
        let runs: Vec<Value> = self.runs.iter().map(run_json).collect();
        let points = self.points.iter().zip(self.judged());
        let points: Vec<Value> = points.map(|(point, held)| point_json(point, held)).collect();
        json!({
            "format": 1, "name": self.name, "scenario": self.scenario,
            "axes": self.axes, "columns": columns, "points": points, "runs": runs,
            "answer": self.answer().to_json(),
        })
    }

    /// Writes `results.csv`, `windows.csv`, `latency.csv` and `results.json` into `dir`, each
    /// replaced at once.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn write(&self, dir: &Path) -> Result<(), StoreError> {
        self.write_reaching(dir, Reach::Now)
    }

    /// As [`Table::write`]; with [`Reach::Later`] for a table that the next one replaces.
    pub(crate) fn write_reaching(&self, dir: &Path, reach: Reach) -> Result<(), StoreError> {
        let put = |name: &str, bytes: Result<Vec<u8>, String>| {
            let path = dir.join(name);
            let malformed = |message| StoreError::Malformed { path: path.clone(), message };
            crate::files::replace_file(&path, &bytes.map_err(malformed)?, reach)
        };
        put("results.csv", self.to_csv().map_err(|e| e.to_string()))?;
        put("windows.csv", self.windows_csv().map_err(|e| e.to_string()))?;
        put(LATENCY, self.latency_csv().map_err(|e| e.to_string()))?;
        let json = crate::files::json(&self.to_json());
        put("results.json", json.map_err(|e| e.to_string()))
    }
}

fn status(row: &RunRow) -> (&'static str, Option<i32>, Option<&str>) {
    match &row.outcome {
        Outcome::NotRun => ("not run", None, None),
        Outcome::Finished(_) => ("ok", Some(Exit::Ok.code()), None),
        Outcome::Failed(f) => ("failed", Some(f.exit.code()), Some(&f.message)),
    }
}

/// By the names of the columns.
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
        "judged": held.as_ref().map(judged),
    })
}
