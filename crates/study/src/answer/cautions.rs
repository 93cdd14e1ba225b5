//! What to know before trusting an answer.

use super::level::Of;
use super::{DURING, Levels, Reference};
use crate::lines::listed_count;
use crate::table::{Outcome, RunRow, Table};
use crate::windows::MEASURED;

/// A sentence each, the gravest first.
pub(super) fn of(table: &Table, levels: &Levels<'_>) -> Vec<String> {
    let runs = table.runs.len();
    let count = |test: &dyn Fn(&RunRow) -> bool| table.runs.iter().filter(|r| test(r)).count();
    let finished = count(&|run| run.finished().is_some());
    let failed = count(&|run| matches!(run.outcome, Outcome::Failed(_)));
    let has = |column: &'static str| {
        move |run: &RunRow| {
            let value = run.finished().and_then(|run| run.value(column));
            value.is_some_and(|value| value.value > 0.0)
        }
    };
    let of = |count: usize| listed_count(count, finished, "run");
    let mut cautions = Vec::new();
    if failed > 0 {
        cautions.push(format!("{failed} of {runs} runs failed: --table says why"));
    }
    if runs - finished - failed > 0 {
        let not_run = runs - finished - failed;
        cautions.push(format!("{not_run} of {runs} runs were not run"));
    }
    if finished == 0 {
        return cautions;
    }
    if let Reference::Scheme(scheme) = &table.target.reference
        && (0..table.points.len()).all(|p| levels.share(p, Of::Mean).is_none())
    {
        cautions.push(format!("no finished point of the reference {scheme}"));
    }
    cautions.extend(windows(table, finished));
    let late = count(&has("out_of_order"));
    if late > 0 {
        cautions.push(format!(
            "packets out of order in {}: endnode.reorder_buffer = true",
            of(late)
        ));
    }
    let starved = count(&has("flows_starved"));
    if starved > 0 {
        cautions.push(format!(
            "flows starved in {} (nothing delivered in the measured time)",
            of(starved)
        ));
    }
    let unsteady = count(&has("halves_differ"));
    if unsteady > 0 {
        cautions.push(format!(
            "{} not steady (halves of the measured time differ): longer run.warmup_ns",
            of(unsteady)
        ));
    }
    let points = || (0..table.points.len()).filter_map(|p| levels.get(p, Of::Mean));
    let bounds = points().filter(|level| level.p99_is_lower_bound).count();
    if bounds > 0 {
        cautions.push(format!(
            "p99 is a lower bound at {} (messages under way): longer run.drain_ns",
            listed_count(bounds, points().count(), "point")
        ));
    }
    if levels.replicas().len() == 1 {
        cautions.push("one seed: no spread is known; study.replicas = 3 gives one".into());
    }
    cautions
}

/// Why the judged window is empty or cut, where it is.
fn windows(table: &Table, finished: usize) -> Option<String> {
    let notes = table.runs.iter().filter_map(RunRow::finished);
    let notes = notes.filter_map(|run| {
        let mut rows = run.windows.iter().filter(|row| row.is_of_all());
        let judged = rows.find(|row| row.window == DURING);
        let judged = judged.or_else(|| run.windows.iter().find(|row| row.window == MEASURED));
        judged?.note.as_deref()
    });
    let notes: Vec<&str> = notes.collect();
    let first = notes.first()?;
    Some(format!(
        "window `{DURING}` of {}: {first}",
        listed_count(notes.len(), finished, "run")
    ))
}
