//! Throughput over time.

use super::time::{Part, middles, over_time, sweep_lines};
use super::{Figure, replicas_note};
use crate::plot::{Dot, Line, Stroke};
use crate::store::Store;

const DELIVERED: &str = "delivered_bytes_per_ns";

/// Throughput over time. `None` where no run has a series.
pub(super) fn throughput(store: &Store) -> Option<Figure> {
    let lines = if store.is_sweep {
        sweep_lines(store, DELIVERED)
    } else {
        of_groups(store)
    };
    let what = if store.is_sweep {
        "a line a point"
    } else {
        "the whole and each group of flows"
    };
    let caption = format!(
        "Delivered throughput over time, {what}; every bin is drawn, in its middle. {}",
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
        &[DELIVERED],
    )
}

/// Of a single run: the whole and its groups of flows.
fn of_groups(store: &Store) -> Vec<Line> {
    let run = &store.runs[0];
    let columns = run.series.columns.iter();
    let rates = columns.filter_map(|c| Some((c, c.strip_suffix("_bytes_per_ns")?)));
    rates
        .enumerate()
        .map(|(style, (column, name))| Line {
            style,
            stroke: Stroke::Plain,
            names: vec![name.to_string()],
            keys: String::new(),
            dots: middles(run, column)
                .into_iter()
                .map(|(t, v)| Dot::at(t, v))
                .collect(),
        })
        .collect()
}
