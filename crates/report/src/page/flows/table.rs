//! A table of sets of flows by windows.

use super::{Columns, in_order, percent};
use crate::store::{Point, Store};
use crate::text::{escape, number};
use crate::windows::WindowRow;

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

/// The table with these columns, and how many lines it has.
pub(super) fn table(store: &Store, columns: &[Columns<'_>]) -> (String, usize) {
    let mut out = head(store, columns);
    let mut lines = 0;
    for point in &store.points {
        let of_point = |row: &&WindowRow| point.runs.contains(&row.run);
        let rows: Vec<&WindowRow> = store.windows.iter().filter(of_point).collect();
        // a group may have the name of another set of flows
        let set = |row: &WindowRow| (row.flows.clone(), row.group.clone());
        // a body a point, which no page of paper cuts
        out.push_str("<tbody>\n");
        for (n, one) in in_order(rows.iter().map(|row| set(row))).iter().enumerate() {
            let of_set = rows.iter().copied().filter(|row| set(row) == *one);
            let of_set: Vec<&WindowRow> = of_set.collect();
            out.push_str(&line(store, point, n == 0, &of_set, columns));
            lines += 1;
        }
        out.push_str("</tbody>\n");
    }
    (out + "</table>\n</div>\n", lines)
}

fn head(store: &Store, columns: &[Columns<'_>]) -> String {
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
         aria-label=\"Flows and windows\">\n<table class=\"flows\">\n\
         <thead><tr>{point}{}{groups}</tr>\n<tr>{windows}</tr></thead>\n",
        name("flows")
    )
}

fn line(
    store: &Store,
    point: &Point,
    first: bool,
    rows: &[&WindowRow],
    columns: &[Columns<'_>],
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
