//! Throughput over time.

use super::time::{Part, middles, over_time, sweep_lines};
use super::{Figure, first, replicas_note};
use crate::plot::{Dot, Line};
use crate::store::Store;

const ALL: &str = "delivered_bytes_per_ns";
const VICTIMS: &str = "victims_bytes_per_ns";

/// Throughput over time, of a sweep that of the victims where the runs have it. `None` where no run
/// has a series.
pub(super) fn throughput(store: &Store) -> Option<Figure> {
    let (lines, what) = if store.is_sweep {
        let has = |name: &str| store.runs.iter().any(|r| r.series.column(name).is_some());
        let (column, whose) = match has(VICTIMS) {
            true => (VICTIMS, "of the victims"),
            false => (ALL, "of all flows"),
        };
        (sweep_lines(store, column, false), whose)
    } else {
        let lines = of_groups(store);
        ((lines, 1), "of the whole and of each group of flows")
    };
    let caption = format!("Delivered throughput {what} over time.{}", replicas_note(store));
    let part = Part { heading: None, title: "Delivered", unit: "bytes/ns", lines };
    over_time(store, ("throughput", "Throughput over time"), vec![part], caption)
}

/// Of a single run: the whole, the victims where it has them, and its groups of flows.
fn of_groups(store: &Store) -> Vec<Line> {
    let run = &store.runs[0];
    let line = |style, column: &str, name: &str| {
        let dots = middles(run, column).into_iter();
        Line::plain(style, name, dots.map(|(t, v)| Dot::at(t, v)).collect())
    };
    let mut lines = vec![line(0, ALL, "all flows"), line(1, VICTIMS, "victims")];
    for column in run.series.columns.iter().filter(|c| *c != ALL && *c != VICTIMS) {
        if let Some(group) = column.strip_suffix("_bytes_per_ns") {
            lines.push(line(lines.len(), column, &format!("group {group}")));
        }
    }
    lines.retain(|line| !line.dots.is_empty());
    first::parts(&mut lines);
    lines
}
