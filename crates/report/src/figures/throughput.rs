//! Throughput over time.

use super::time::{Part, middles, over_time, sweep_lines};
use super::{Figure, replicas_note};
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
    let caption = format!(
        "Delivered throughput {what} over time.{}",
        replicas_note(store)
    );
    let part = Part {
        heading: None,
        title: "Delivered",
        unit: "bytes/ns",
        lines,
    };
    over_time(
        store,
        ("throughput", "Throughput over time"),
        vec![part],
        caption,
    )
}

/// Of a single run: the whole and its groups of flows.
fn of_groups(store: &Store) -> Vec<Line> {
    let run = &store.runs[0];
    let columns = run.series.columns.iter();
    let rates = columns.filter_map(|c| Some((c, c.strip_suffix("_bytes_per_ns")?)));
    let line = |(style, (column, name)): (usize, (&String, &str))| {
        let name = match name {
            "delivered" => "all flows".to_string(),
            "victims" => "victims".to_string(),
            group => format!("group {group}"),
        };
        let dots = middles(run, column).into_iter();
        Line::plain(style, &name, dots.map(|(t, v)| Dot::at(t, v)).collect())
    };
    rates.enumerate().map(line).collect()
}
