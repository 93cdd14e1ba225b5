//! A table of sets of flows by windows.

use super::{Columns, in_order, percent};
use crate::store::Store;
use crate::text::{escape, number};
use crate::windows::WindowRow;

/// The share of what had not arrived, of a latency.
const UNDELIVERED: [(&str, &str); 2] = [
    ("latency_p99_ns", "latency_undelivered"),
    ("network_latency_p99_ns", "network_latency_undelivered"),
];

/// One set of flows in one window.
struct Cell {
    value: f64,
    at_least: bool,
    undelivered: Option<f64>,
}

/// The table with these columns, and how many lines it has.
pub(super) fn table(store: &Store, columns: &[Columns<'_>]) -> (String, usize) {
    let mut out = head(columns);
    let rows: Vec<&WindowRow> = store.windows.iter().collect();
    // a group may have the name of another set of flows
    let set = |row: &WindowRow| (row.flows.clone(), row.group.clone());
    let sets = in_order(rows.iter().map(|row| set(row)));
    out.push_str("<tbody>\n");
    for one in &sets {
        let of_set = rows.iter().copied().filter(|row| set(row) == *one);
        out.push_str(&line(&of_set.collect::<Vec<_>>(), columns));
    }
    out.push_str("</tbody>\n");
    (out + "</table>\n</div>\n", sets.len())
}

fn head(columns: &[Columns<'_>]) -> String {
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
    format!(
        "<div class=\"wide\" role=\"region\" tabindex=\"0\" \
         aria-label=\"Flows and windows\">\n<table class=\"flows\">\n\
         <thead><tr><th scope=\"col\" class=\"l pad\" rowspan=\"2\">flows</th>{groups}</tr>\n\
         <tr>{windows}</tr></thead>\n"
    )
}

fn line(rows: &[&WindowRow], columns: &[Columns<'_>]) -> String {
    let flows = rows.first().map_or(String::new(), |row| row.flows_title());
    let flows = escape(&flows);
    let mut out = format!("<tr><th scope=\"row\" class=\"l\">{flows}</th>");
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
