//! Throughput and latency of a run by sets of flows and windows.

mod table;

use super::folded;
use crate::store::Store;
use crate::text::{escape, number, shortest};
use crate::windows::WindowRow;

/// More columns than these do not fit on paper: the table is split into several.
const COLUMNS_MAX: usize = 16;
const STARVED: &str = "flows_starved";

/// A figure of `windows.csv`: column, heading, unit, digits after the point.
type Figure = (&'static str, &'static str, &'static str, usize);
/// A figure in these windows.
type Columns<'a> = (Figure, Vec<&'a str>);
const FIGURES: [Figure; 5] = [
    ("delivered_bytes_per_ns", "Delivered", "B/ns", 2),
    ("worst_dip_bytes_per_ns", "Worst dip", "B/ns", 2),
    (STARVED, "Starved", "flows", 0),
    ("latency_p99_ns", "Message p99", "ns", 0),
    ("network_latency_p99_ns", "Network p99", "ns", 0),
];

/// The section; empty where the run has no windows.
pub(super) fn section(store: &Store) -> String {
    let windows = in_order(store.windows.iter().map(|row| row.window.as_str()));
    if windows.is_empty() {
        return String::new();
    }
    let (mut tables, mut lines) = (String::new(), 0);
    for block in blocks(columns(store, &windows)) {
        let (table, count) = table::table(store, &block);
        tables.push_str(&table);
        lines = count;
    }
    let tables = folded(tables, lines, "lines");
    format!(
        "<section>\n<h2>Flows and windows</h2>\n{tables}<p class=\"note\">{} All figures are in \
         windows.csv.</p>\n</section>\n",
        escape(&note(store, &windows))
    )
}

/// The figures and the windows that have a value somewhere; starved flows where there are any.
fn columns<'a>(store: &Store, windows: &[&'a str]) -> Vec<Columns<'a>> {
    let of_figure = |figure: Figure| {
        let least = if figure.0 == STARVED { 1.0 } else { f64::MIN };
        let has = |window: &&str| {
            let mut rows = store.windows.iter().filter(|row| row.window == *window);
            rows.any(|row| row.value(figure.0).is_some_and(|v| v >= least))
        };
        (figure, windows.iter().copied().filter(has).collect())
    };
    let all = FIGURES.into_iter().map(of_figure);
    all.filter(|(_, windows): &Columns<'_>| !windows.is_empty())
        .collect()
}

/// The columns of each table: no more than fit on paper, those of a figure together if they do.
fn blocks(columns: Vec<Columns<'_>>) -> Vec<Vec<Columns<'_>>> {
    let mut blocks: Vec<Vec<Columns<'_>>> = Vec::new();
    for (figure, windows) in columns {
        for part in windows.chunks(COLUMNS_MAX) {
            let taken = blocks.last().map_or(COLUMNS_MAX, |block| {
                block.iter().map(|(_, windows)| windows.len()).sum()
            });
            if taken + part.len() > COLUMNS_MAX {
                blocks.push(Vec::new());
            }
            let block = blocks.last_mut();
            block
                .into_iter()
                .for_each(|block| block.push((figure, part.to_vec())));
        }
    }
    blocks
}

/// What differs, in the order in which it comes.
fn in_order<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut found: Vec<T> = Vec::new();
    for one in all {
        if !found.contains(&one) {
            found.push(one);
        }
    }
    found
}

pub(super) fn percent(share: f64) -> String {
    format!("{} %", number(share * 100.0, 1))
}

/// When the windows are, and why some are empty or cut.
fn note(store: &Store, windows: &[&str]) -> String {
    let mut parts = Vec::new();
    for window in windows {
        let rows: Vec<&WindowRow> = store
            .windows
            .iter()
            .filter(|row| row.window == *window && row.is_of_all())
            .collect();
        let Some(first) = rows.first() else { continue };
        let time = match first.end_ns <= first.start_ns {
            true => "empty".to_string(),
            false => format!(
                "{} to {} ns",
                shortest(first.start_ns),
                shortest(first.end_ns)
            ),
        };
        let notes = in_order(
            rows.iter()
                .map(|row| row.note.as_str())
                .filter(|n| !n.is_empty()),
        );
        let notes: String = notes.iter().map(|note| format!("; {note}")).collect();
        parts.push(format!("{window}: {time}{notes}"));
    }
    let counted = || store.windows.iter().filter_map(|row| row.value(STARVED));
    let starved = match counted().next() {
        Some(_) if counted().all(|flows| flows == 0.0) => " No flow starved.",
        Some(_) => {
            " starved: flows with standing demand of which nothing was delivered in the window."
        }
        None => "",
    };
    format!(
        "{}. Latencies are of messages generated in the window, rates of what happened in it; \
         victims: flows to no hot destination.{starved}",
        parts.join(". ")
    )
}
