//! `setaside status` and `setaside cancel`.

use crate::executor::{self, Arrays, Row};
use crate::exit::{Exit, Failure, print};
use crate::log;
use crate::options::Format;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use study::Standing;

/// Failed runs that are named.
const NAMED_MAX: usize = 8;

/// What Slurm has of a sweep.
struct OnSlurm {
    /// How many times tasks were handed out.
    handed_out: usize,
    /// Elements that are queued or running, or why that is not known.
    rows: Result<Vec<Row>, String>,
}

fn on_slurm(dir: &Path) -> Option<OnSlurm> {
    let arrays = Arrays::read(dir).ok()?;
    if arrays.arrays.is_empty() {
        return None;
    }
    Some(OnSlurm {
        handed_out: arrays.arrays.iter().map(|array| array.tasks.len()).sum(),
        rows: executor::rows(&arrays.open_names()).map_err(|e| e.text()),
    })
}

pub(crate) fn status(dir: &Path, format: Format) -> Result<(), Failure> {
    let standing = Standing::of(dir)?;
    let slurm = on_slurm(dir);
    match format {
        Format::Json => print(&format!("{:#}\n", as_json(&standing, slurm.as_ref()))),
        Format::Text => print(&text(dir, &standing, slurm.as_ref())),
    }
}

/// Runs that are neither there nor failed.
fn left(standing: &Standing) -> usize {
    let settled = standing.finished + standing.failed;
    standing.runs.saturating_sub(settled)
}

fn text(dir: &Path, standing: &Standing, slurm: Option<&OnSlurm>) -> String {
    let Standing { name, runs, finished, failed, tasks, .. } = standing;
    let left = left(standing);
    let mut text =
        format!("{name}: {finished} of {runs} runs finished, {failed} failed, {left} left\n");
    if let Some(slurm) = slurm {
        let _ = match &slurm.rows {
            Err(why) => writeln!(text, "slurm: no answer: {why}"),
            Ok(rows) => {
                let ([running, queued], why) = (counts(rows), reasons(rows));
                let tasks = format!("tasks running {running}, queued {queued}{why}");
                writeln!(text, "slurm: {tasks}, handed out {}", slurm.handed_out)
            }
        };
    } else if *tasks > 0 {
        let _ = writeln!(text, "{tasks} tasks in {}", dir.join("tasks").display());
    }
    let _ = match &standing.holder {
        Some(holder) => writeln!(text, "followed by process {holder}"),
        None if left > 0 && executor::is_cancelled(dir) => writeln!(text, "cancelled"),
        None => writeln!(text, "no command follows it"),
    };
    for run in standing.failed_runs.iter().take(NAMED_MAX) {
        let first = run.failure.message.lines().next().unwrap_or_default();
        let _ = writeln!(text, "failed: {}: {first}", run.directory);
    }
    if let more @ 1.. = standing.failed_runs.len().saturating_sub(NAMED_MAX) {
        let _ = writeln!(text, "failed: {more} more, see results.csv");
    }
    text
}

/// Tasks that run, and those that wait.
fn counts(rows: &[Row]) -> [usize; 2] {
    let pending = rows.iter().filter(|row| row.is_pending()).count();
    [rows.len() - pending, pending]
}

/// Why tasks wait, as ` (Resources)`.
fn reasons(rows: &[Row]) -> String {
    let pending = rows.iter().filter(|row| row.is_pending());
    let reasons: BTreeSet<&str> = pending.map(|row| row.reason.as_str()).collect();
    match reasons.is_empty() {
        true => String::new(),
        false => format!(" ({})", Vec::from_iter(reasons).join(", ")),
    }
}

fn as_json(standing: &Standing, slurm: Option<&OnSlurm>) -> Value {
    let slurm = slurm.map(|slurm| match &slurm.rows {
        Err(why) => json!({ "handed_out": slurm.handed_out, "error": why }),
        Ok(rows) => {
            let [running, queued] = counts(rows);
            json!({ "handed_out": slurm.handed_out, "running": running, "queued": queued })
        }
    });
    json!({
        "name": standing.name,
        "runs": standing.runs,
        "finished": standing.finished,
        "failed": standing.failed,
        "left": left(standing),
        "tasks": standing.tasks,
        "slurm": slurm,
        "holder": standing.holder,
        "failed_runs": standing.failed_runs,
    })
}

pub(crate) fn cancel(dir: &Path) -> Result<(), Failure> {
    Standing::of(dir)?;
    let ended = executor::cancel(dir).map_err(|text| Failure::error(Exit::Failure, text))?;
    log::note(&match ended {
        0 => "no task is queued or running".to_string(),
        1 => "1 task ended; finished runs stay".to_string(),
        n => format!("{n} tasks ended; finished runs stay"),
    });
    Ok(())
}
