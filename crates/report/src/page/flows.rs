//! Throughput and latency by sets of flows and windows, means over the replicas.

use crate::store::{Point, Store};
use crate::text::{csv_uri, escape, number, shortest};
use crate::windows::WindowRow;

/// A table of more lines than these is closed until it is asked for.
const OPEN_ROWS_MAX: usize = 60;

const STARVED: &str = "flows_starved";

/// A figure of `windows.csv`: column, heading, unit, digits after the point.
type Figure = (&'static str, &'static str, &'static str, usize);
const FIGURES: [Figure; 5] = [
    ("delivered_bytes_per_ns", "Delivered", "B/ns", 2),
    ("worst_dip_bytes_per_ns", "Worst dip", "B/ns", 2),
    (STARVED, "Starved", "flows", 0),
    ("latency_p99_ns", "Message p99", "ns", 0),
    ("network_latency_p99_ns", "Network p99", "ns", 0),
];
/// The share of what had not arrived, of a latency.
const UNDELIVERED: [(&str, &str); 2] = [
    ("latency_p99_ns", "latency_undelivered"),
    ("network_latency_p99_ns", "network_latency_undelivered"),
];

/// Means over replicas of one set of flows in one window.
struct Cell {
    value: f64,
    at_least: bool,
    undelivered: Option<f64>,
}

/// The section; empty where the store has no windows.
pub(super) fn section(store: &Store) -> String {
    let windows = in_order(store.windows.iter().map(|row| row.window.as_str()));
    if windows.is_empty() {
        return String::new();
    }
    // a figure and a window that have a value somewhere; starved flows where there are any
    let columns: Vec<(Figure, Vec<&str>)> = FIGURES
        .into_iter()
        .map(|figure| {
            let has = |window: &&str| {
                let mut rows = store.windows.iter();
                let least = if figure.0 == STARVED { 1.0 } else { f64::MIN };
                rows.any(|row| {
                    row.window == *window && row.value(figure.0).is_some_and(|v| v >= least)
                })
            };
            (figure, windows.iter().copied().filter(has).collect())
        })
        .filter(|(_, windows): &(Figure, Vec<&str>)| !windows.is_empty())
        .collect();
    let mut out = head(store, &columns);
    let mut lines = 0;
    for point in &store.points {
        let rows: Vec<&WindowRow> = store
            .windows
            .iter()
            .filter(|row| point.runs.contains(&row.run))
            .collect();
        // a group may have the name of another set of flows
        let sets = in_order(
            rows.iter()
                .map(|row| (row.flows.as_str(), row.group.as_str())),
        );
        for (n, set) in sets.into_iter().enumerate() {
            let of_set: Vec<&WindowRow> = rows
                .iter()
                .copied()
                .filter(|row| (row.flows.as_str(), row.group.as_str()) == set)
                .collect();
            out.push_str(&line(store, point, n == 0, &of_set, &columns));
            lines += 1;
        }
    }
    out.push_str("</tbody>\n</table>\n</div>\n");
    let table = if lines > OPEN_ROWS_MAX {
        format!("<details>\n<summary>{lines} lines</summary>\n{out}</details>\n")
    } else {
        out
    };
    format!(
        "<section>\n<h2>Flows and windows</h2>\n{table}<p class=\"note\">{} \
         <a download=\"windows.csv\" href=\"{}\">All figures of every run (CSV)</a></p>\n\
         </section>\n",
        escape(&note(store, &windows)),
        csv_uri(&store.windows_csv)
    )
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

fn head(store: &Store, columns: &[(Figure, Vec<&str>)]) -> String {
    let mut groups = String::new();
    let mut windows = String::new();
    for ((column, title, unit, _), names) in columns {
        groups.push_str(&format!(
            "<th scope=\"colgroup\" class=\"pad group\" colspan=\"{}\" title=\"{column}\">\
             {title}<small>{unit}</small></th>",
            names.len()
        ));
        for (n, name) in names.iter().enumerate() {
            let class = if n == 0 { "pad group" } else { "pad" };
            windows.push_str(&format!(
                "<th scope=\"col\" class=\"{class}\">{}</th>",
                escape(name)
            ));
        }
    }
    let name =
        |title: &str| format!("<th scope=\"col\" class=\"l pad\" rowspan=\"2\">{title}</th>");
    let point = if store.is_sweep {
        name("point")
    } else {
        String::new()
    };
    format!(
        "<div class=\"wide\" role=\"region\" tabindex=\"0\" \
         aria-label=\"Flows and windows\">\n<table>\n\
         <thead><tr>{point}{}{groups}</tr>\n<tr>{windows}</tr></thead>\n<tbody>\n",
        name("flows")
    )
}

fn line(
    store: &Store,
    point: &Point,
    first: bool,
    rows: &[&WindowRow],
    columns: &[(Figure, Vec<&str>)],
) -> String {
    let class = if first { " class=\"first\"" } else { "" };
    let mut out = format!("<tr{class}>");
    if store.is_sweep {
        let (name, keys) = match first {
            true => (escape(&point.title), escape(&point.keys)),
            false => (String::new(), String::new()),
        };
        out.push_str(&format!(
            "<th scope=\"row\" class=\"l\" title=\"{keys}\">{name}</th>"
        ));
    }
    let flows = rows.first().map_or("", |row| row.flows_title());
    out.push_str(&format!("<td class=\"l\">{}</td>", escape(flows)));
    for ((column, _, _, decimals), windows) in columns {
        for (n, window) in windows.iter().enumerate() {
            let class = if n == 0 { " class=\"group\"" } else { "" };
            let text =
                cell(rows, column, window).map_or("\u{2013}".into(), |cell| show(&cell, *decimals));
            out.push_str(&format!("<td{class}>{text}</td>"));
        }
    }
    out + "</tr>\n"
}

fn cell(rows: &[&WindowRow], column: &str, window: &str) -> Option<Cell> {
    let of_window = || rows.iter().filter(|row| row.window == window);
    let mean = |column: &str| {
        let values: Vec<f64> = of_window().filter_map(|row| row.value(column)).collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    };
    let share = UNDELIVERED.iter().find(|(of, _)| *of == column);
    Some(Cell {
        value: mean(column)?,
        at_least: of_window().any(|row| row.at_least(column)),
        undelivered: share.and_then(|(_, share)| mean(share)),
    })
}

fn show(cell: &Cell, decimals: usize) -> String {
    let value = number(cell.value, decimals);
    match (cell.at_least, cell.undelivered) {
        (false, _) => value,
        (true, None) => format!("&gt;= {value}"),
        (true, Some(share)) => {
            format!("&gt;= {value}<small>{} undelivered</small>", percent(share))
        }
    }
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
        let same = rows
            .iter()
            .all(|row| (row.start_ns, row.end_ns) == (first.start_ns, first.end_ns));
        let time = match same {
            false => "times differ between the points".to_string(),
            true if first.end_ns <= first.start_ns => "empty".to_string(),
            true => format!(
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
    let replicas = if store.has_replicas() {
        " Means over the replicas."
    } else {
        ""
    };
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
         victims: flows to no hot destination.{starved}{replicas}",
        parts.join(". ")
    )
}
