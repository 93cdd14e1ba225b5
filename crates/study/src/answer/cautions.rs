//! What to know before trusting an answer.

use super::Levels;
use super::level::{Of, judged_row};
use crate::lines::listed_count;
use crate::table::{RunRow, Table};
use crate::target::{Flows, Reference};

/// Columns that report what is wrong with a run, and the words before and after how many runs.
const OF_RUNS: [(&str, &str, &str); 4] = [
    ("saturated", "", " saturated (what is offered is not delivered)"),
    ("not_converged", "", " not converged (run.until): longer run.duration_ns"),
    ("out_of_order", "packets out of order in ", ": endnode.reorder_buffer = true"),
    ("halves_differ", "", " not steady (halves of the measured time differ): longer run.warmup_ns"),
];

/// Of runs that failed, if any did.
pub(crate) fn of_failed(table: &Table) -> Option<String> {
    let (failed, runs) = (table.failed(), table.runs.len());
    (failed > 0).then(|| format!("{failed} of {runs} runs failed: results.csv says why"))
}

/// A sentence each, the gravest first.
pub(super) fn of(table: &Table, levels: &Levels<'_>) -> Vec<String> {
    let runs = table.runs.len();
    let finished = table.finished();
    let not_run = runs - finished - table.failed();
    let count = |column: &str| {
        let values = table.runs.iter().filter_map(|run| run.finished()?.value(column));
        values.filter(|value| value.value > 0.0).count()
    };
    let of = |count: usize| listed_count(count, finished, "run");
    let mut cautions = Vec::new();
    if table.left_out > 0 {
        let of = format!("{runs} of {} runs", runs + table.left_out);
        cautions.push(format!("judged by {of} of the study: the others are not there"));
    }
    cautions.extend(of_failed(table));
    if not_run > 0 {
        cautions.push(format!("{not_run} of {runs} runs were not run"));
    }
    if finished == 0 {
        return cautions;
    }
    cautions.extend(without_reference(table, levels));
    cautions.extend(windows(table, &levels.window, finished));
    for (column, before, after) in OF_RUNS {
        let runs = count(column);
        if runs > 0 {
            cautions.push(format!("{before}{}{after}", of(runs)));
        }
    }
    let points = || (0..table.points.len()).filter_map(|p| levels.get(p, Of::Mean));
    let bounds = points().filter(|level| level.p99_is_lower_bound).count();
    if bounds > 0 {
        let of = listed_count(bounds, points().count(), "point");
        cautions.push(format!(
            "p99 is a lower bound at {of} (messages under way): longer run.drain_ns"
        ));
    }
    if levels.replicas().len() == 1 {
        cautions.push("one seed: no interval is known; study.replicas = 3 gives one".into());
    } else {
        cautions.extend(without_interval(table, levels));
    }
    // last: hot flows starve wherever a tree is there for long
    let starved = count("flows_starved");
    if starved > 0 {
        let of = of(starved);
        cautions.push(format!("flows starved in {of} (nothing delivered in the measured time)"));
    }
    cautions
}

fn without_reference(table: &Table, levels: &Levels<'_>) -> Option<String> {
    let measured = (0..table.points.len()).filter(|&p| levels.get(p, Of::Mean).is_some());
    let measured: Vec<usize> = measured.collect();
    let unknown = measured.iter().filter(|&&p| levels.share(p, Of::Mean).is_none()).count();
    let why = match &table.target.reference {
        Reference::Best => "nothing else asks the same: target.reference = \"possible\"",
        Reference::Offered => "nothing is offered",
        Reference::Possible => "what is possible is not known of such traffic",
        Reference::Scheme(_) => "the scheme has no finished point that asks the same",
    };
    let points = listed_count(unknown, measured.len(), "point");
    (unknown > 0).then(|| format!("no reference for {points}: {why}"))
}

fn without_interval(table: &Table, levels: &Levels<'_>) -> Option<String> {
    let points = (0..table.points.len()).filter_map(|p| levels.held(p));
    let shares: Vec<_> = points.filter(|held| held.share.is_some()).collect();
    let unknown = shares.iter().filter(|held| held.share_half_95.is_none()).count();
    let points = listed_count(unknown, shares.len(), "point");
    (unknown > 0).then(|| {
        format!("no interval for {points}: too few seeds, or others than the reference has")
    })
}

fn windows(table: &Table, window: &str, finished: usize) -> Option<String> {
    let notes = table.runs.iter().filter_map(RunRow::finished);
    let notes = notes.filter_map(|run| judged_row(run, Flows::All, window)?.note.as_deref());
    let notes: Vec<&str> = notes.collect();
    let first = notes.first()?;
    let runs = listed_count(notes.len(), finished, "run");
    Some(format!("window `{window}` of {runs}: {first}"))
}
