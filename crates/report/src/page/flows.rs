//! Throughput and latency of a run by sets of flows and windows.

use super::{column, folded, wide};
use crate::store::Store;
use crate::text::{escape, number, shortest};
use crate::values::distinct;
use crate::windows::WindowRow;

const STARVED: &str = "flows_starved";

/// A figure of `windows.csv`: column, heading, unit, digits after the point, and of a latency the
/// column with the share that had not arrived.
type Figure = (&'static str, &'static str, &'static str, usize, &'static str);
const FIGURES: [Figure; 5] = [
    ("delivered_bytes_per_ns", "Delivered", "B/ns", 2, ""),
    ("worst_dip_bytes_per_ns", "Worst dip", "B/ns", 2, ""),
    (STARVED, "Starved", "flows", 0, ""),
    ("latency_p99_ns", "Message p99", "ns", 0, "latency_undelivered"),
    ("network_latency_p99_ns", "Network p99", "ns", 0, "network_latency_undelivered"),
];

/// A line a set and window; empty where the run has no windows.
pub(super) fn section(store: &Store) -> String {
    if store.windows.is_empty() {
        return String::new();
    }
    let has = |figure: &&Figure| {
        // starved flows where there are any
        let least = if figure.0 == STARVED { 1.0 } else { f64::MIN };
        let mut rows = store.windows.iter();
        rows.any(|row| row.value(figure.0).is_some_and(|v| v >= least))
    };
    let figures: Vec<&Figure> = FIGURES.iter().filter(has).collect();
    let mut table = String::from("<table>\n<thead><tr>");
    table.push_str(&column(" l", "flows", "", "flows, group"));
    table.push_str(&column(" l", "window", "", "window"));
    for (raw, title, unit, ..) in &figures {
        table.push_str(&column("", title, unit, raw));
    }
    table.push_str("</tr></thead>\n<tbody>\n");
    let mut rows: Vec<&WindowRow> = store.windows.iter().collect();
    let sets = distinct(rows.iter().map(|row| row.flows_title()));
    rows.sort_by_key(|row| sets.iter().position(|set| *set == row.flows_title()));
    for row in &rows {
        let (flows, window) = (escape(&row.flows_title()), escape(&row.window));
        table.push_str(&format!(
            "<tr><th scope=\"row\" class=\"l\">{flows}</th><td class=\"l\">{window}</td>"
        ));
        figures.iter().for_each(|figure| table.push_str(&cell(row, figure)));
        table.push_str("</tr>\n");
    }
    table.push_str("</tbody>\n");
    let table = wide("Flows and windows", &table);
    let lines = rows.len();
    format!(
        "<section>\n<h2>Flows and windows</h2>\n{}<p class=\"note\">{} All figures are in \
         windows.csv.</p>\n</section>\n",
        folded(table, lines, "lines"),
        escape(&note(store))
    )
}

fn cell(row: &WindowRow, &(column, _, _, decimals, undelivered): &Figure) -> String {
    let Some(value) = row.value(column) else {
        return "<td>\u{2013}</td>".into();
    };
    let value = number(value, decimals);
    match (row.at_least(column), row.value(undelivered)) {
        (false, _) => format!("<td>{value}</td>"),
        (true, None) => format!("<td>&gt;= {value}</td>"),
        (true, Some(share)) => {
            let share = percent(share);
            format!("<td>&gt;= {value}<small>{share} undelivered</small></td>")
        }
    }
}

pub(super) fn percent(share: f64) -> String {
    format!("{} %", number(share * 100.0, 1))
}

/// When the windows are, and why some are empty or cut.
fn note(store: &Store) -> String {
    let mut parts = Vec::new();
    for row in store.windows.iter().filter(|row| row.is_of_all()) {
        let time = match row.end_ns <= row.start_ns {
            true => "empty".to_string(),
            false => format!("{} to {} ns", shortest(row.start_ns), shortest(row.end_ns)),
        };
        let why = match row.note.as_str() {
            "" => String::new(),
            note => format!("; {note}"),
        };
        parts.push(format!("{}: {time}{why}", row.window));
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
