//! The table for people (text) and for programs (CSV, JSON).

use crate::table::{COLUMNS, Outcome, PointRow, RunRow, Spread, Table};
use crate::{Exit, StoreError};
use serde_json::{Map, Value, json};
use std::path::Path;

impl Table {
    /// Aligned text, units under the headings; columns without any value are left out. Runs that failed or did not run follow.
    pub fn to_text(&self) -> String {
        let shown: Vec<usize> = (0..COLUMNS.len())
            .filter(|&c| self.points.iter().any(|point| point.values[c].is_some()))
            .collect();
        let mut lines: Vec<Vec<String>> = vec![Vec::new(), Vec::new()];
        for axis in &self.axes {
            lines[0].push(axis.clone());
            lines[1].push(String::new());
        }
        if self.axes.is_empty() {
            lines[0].push("point".into());
            lines[1].push(String::new());
        }
        let left = lines[0].len();
        for &c in &shown {
            lines[0].push(COLUMNS[c].title.into());
            lines[1].push(COLUMNS[c].unit.into());
        }
        for point in &self.points {
            let mut cells: Vec<String> = self
                .axes
                .iter()
                .map(|axis| label(&point.labels, axis, "-"))
                .collect();
            if cells.is_empty() {
                cells.push(point.name.clone());
            }
            cells.extend(shown.iter().map(|&c| cell(point, c)));
            lines.push(cells);
        }
        let widths: Vec<usize> = (0..lines[0].len())
            .map(|c| {
                lines
                    .iter()
                    .map(|l| l[c].chars().count())
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        let mut text = String::new();
        for (n, line) in lines.iter().enumerate() {
            let cells: Vec<String> = line
                .iter()
                .zip(&widths)
                .enumerate()
                .map(|(c, (cell, &width))| {
                    if c < left {
                        format!("{cell:<width$}")
                    } else {
                        format!("{cell:>width$}")
                    }
                })
                .collect();
            text.push_str(cells.join("  ").trim_end());
            text.push('\n');
            if n == 1 {
                text.push_str(
                    &widths
                        .iter()
                        .map(|&w| "-".repeat(w))
                        .collect::<Vec<_>>()
                        .join("  "),
                );
                text.push('\n');
            }
        }
        for row in &self.runs {
            match &row.outcome {
                Outcome::Finished(_) => {}
                Outcome::Failed(f) => text.push_str(&format!(
                    "failed (exit code {}): {}: {}\n",
                    f.exit.code(),
                    row.job.directory,
                    f.message
                )),
                Outcome::NotRun => text.push_str(&format!("not run: {}\n", row.job.directory)),
            }
        }
        text
    }

    /// `results.csv`: one line a run, all digits, an empty field where there is no value.
    ///
    /// # Errors
    /// Those of the CSV writer; none for a table made by [`Table::new`].
    pub fn to_csv(&self) -> Result<Vec<u8>, csv::Error> {
        let mut out = csv::Writer::from_writer(Vec::new());
        let mut header = vec!["index", "directory"];
        header.extend(self.axes.iter().map(String::as_str));
        header.extend(["replica", "seed", "status", "exit_code", "error"]);
        header.extend(COLUMNS.iter().map(|c| c.name));
        out.write_record(&header)?;
        for row in &self.runs {
            let job = &row.job;
            let mut fields = vec![job.index.to_string(), job.directory.clone()];
            fields.extend(self.axes.iter().map(|axis| label(&job.labels, axis, "")));
            let (status, exit_code, error) = status(row);
            fields.extend([job.replica.to_string(), job.seed.to_string(), status.into()]);
            fields.extend([
                exit_code.map_or(String::new(), |c| c.to_string()),
                error.unwrap_or_default().to_string(),
            ]);
            match &row.outcome {
                Outcome::Finished(values) => fields.extend(
                    values
                        .iter()
                        .map(|v| v.map_or(String::new(), |v| v.to_string())),
                ),
                _ => fields.extend(COLUMNS.iter().map(|_| String::new())),
            }
            out.write_record(&fields)?;
        }
        out.into_inner().map_err(|e| e.into_error().into())
    }

    /// `results.json`: study, axes, columns, every run and every point.
    pub fn to_json(&self) -> Value {
        let columns: Vec<Value> = COLUMNS
            .iter()
            .map(|c| json!({ "name": c.name, "title": c.title, "unit": c.unit, "decimals": c.decimals }))
            .collect();
        let runs: Vec<Value> = self.runs.iter().map(run_json).collect();
        let points: Vec<Value> = self.points.iter().map(point_json).collect();
        json!({
            "format": 1, "name": self.name, "scenario": self.scenario,
            "axes": self.axes, "columns": columns, "points": points, "runs": runs,
        })
    }

    /// Writes `results.csv` and `results.json` into `dir`, each replaced at once.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn write(&self, dir: &Path) -> Result<(), StoreError> {
        let (csv, json) = (dir.join("results.csv"), dir.join("results.json"));
        let malformed = |path: &Path, message: String| StoreError::Malformed {
            path: path.to_path_buf(),
            message,
        };
        crate::store::replace_file(
            &csv,
            &self.to_csv().map_err(|e| malformed(&csv, e.to_string()))?,
        )?;
        let bytes =
            crate::store::json(&self.to_json()).map_err(|e| malformed(&json, e.to_string()))?;
        crate::store::replace_file(&json, &bytes)
    }
}

fn label(labels: &[(String, String)], axis: &str, none: &str) -> String {
    labels
        .iter()
        .find(|(key, _)| key == axis)
        .map_or(none, |(_, value)| value)
        .to_string()
}

fn cell(point: &PointRow, column: usize) -> String {
    let decimals = COLUMNS[column].decimals;
    match point.values[column] {
        None if point.finished == 0 => "none".into(),
        None => "-".into(),
        Some(Spread { mean, .. }) if point.runs.len() == 1 => format!("{mean:.decimals$}"),
        Some(Spread { mean, min, max }) => {
            format!("{mean:.decimals$} [{min:.decimals$}..{max:.decimals$}]")
        }
    }
}

fn status(row: &RunRow) -> (&'static str, Option<i32>, Option<&str>) {
    match &row.outcome {
        Outcome::NotRun => ("not run", None, None),
        Outcome::Finished(_) => ("ok", Some(Exit::Ok.code()), None),
        Outcome::Failed(f) => ("failed", Some(f.exit.code()), Some(&f.message)),
    }
}

fn named(values: impl Iterator<Item = Option<f64>>) -> Value {
    Value::Object(
        COLUMNS
            .iter()
            .map(|c| c.name.to_string())
            .zip(values.map(|v| json!(v)))
            .collect::<Map<_, _>>(),
    )
}

fn labels_json(labels: &[(String, String)]) -> Value {
    Value::Object(
        labels
            .iter()
            .map(|(k, v)| (k.clone(), json!(v)))
            .collect::<Map<_, _>>(),
    )
}

fn run_json(row: &RunRow) -> Value {
    let job = &row.job;
    let (status, exit_code, error) = status(row);
    let values = match &row.outcome {
        Outcome::Finished(values) => named(values.iter().copied()),
        _ => Value::Null,
    };
    json!({
        "index": job.index, "directory": job.directory, "name": job.name(), "labels": labels_json(&job.labels),
        "replica": job.replica, "seed": job.seed, "hash": format!("{:016x}", job.hash), "windows": job.windows,
        "series_bin_ns": job.bins.width_ns, "duration_ns": job.bins.duration_ns,
        "status": status, "exit_code": exit_code, "error": error, "values": values,
    })
}

fn point_json(point: &PointRow) -> Value {
    let part = |f: fn(&Spread) -> f64| named(point.values.iter().map(|v| v.as_ref().map(f)));
    json!({
        "name": point.name, "labels": labels_json(&point.labels), "runs": point.runs, "finished": point.finished,
        "mean": part(|s| s.mean), "min": part(|s| s.min), "max": part(|s| s.max),
    })
}
