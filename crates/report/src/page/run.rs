//! A single run: its figures, a line a number, and throughput and latency by flows and windows.

use super::points::UNSTEADY;
use super::{column, folded, wide};
use crate::names;
use crate::store::Store;
use crate::text::{distinct, escape, joined, number, shortest, significant};
use crate::windows::WindowRow;
use serde_json::Value;

/// Windows and sets of flows have a table of their own.
const ELSEWHERE: [&str; 3] = ["windows", "group_results", "victims"];

pub(super) fn summary(store: &Store) -> String {
    let mut lines = Vec::new();
    let mut summary = store.summary.clone().unwrap_or(Value::Null);
    let warnings = warnings(&summary);
    if let Value::Object(map) = &mut summary {
        map.retain(|key, _| !ELSEWHERE.contains(&key.as_str()));
    }
    mark_bounds(&mut summary);
    flatten("", &summary, &mut lines);
    let value = |key: &str| summary[key].as_f64();
    let ideal = value("ideal_bytes_per_ns").filter(|ideal| *ideal > 0.0);
    if let (Some(delivered), Some(ideal)) = (value("delivered_bytes_per_ns"), ideal) {
        let at = lines.iter().position(|(key, _)| key == "ideal_bytes_per_ns");
        let of_ideal = match delivered / ideal {
            part if part > 1.0 => "> 1".into(),
            part => significant(part),
        };
        lines.insert(at.map_or(0, |at| at + 1), ("of_ideal".into(), of_ideal));
    }
    let row = |(key, value): &(String, String)| {
        let (name, key, value) = (escape(&names::quantity(key)), escape(key), escape(value));
        format!(
            "<tr><th scope=\"row\" class=\"l\" title=\"{key}\">{name}</th>\
             <td>{value}</td></tr>\n"
        )
    };
    // the run as a whole; its parts for those who ask for them
    let is_brief = |(key, _): &&(String, String)| !key.contains('.') || key.starts_with("latency");
    let (brief, more): (Vec<_>, Vec<_>) = lines.iter().partition(is_brief);
    let table = |name: &str, lines: Vec<&(String, String)>| {
        let begin =
            "<table>\n<caption>A pointer on a name shows its key in summary.json.</caption>";
        let head = "<th scope=\"col\" class=\"l pad\">quantity</th>\
                    <th scope=\"col\" class=\"pad\">value</th>";
        wide(name, begin, head, &joined(lines.into_iter().map(row), ""))
    };
    let mut out = format!("<section>\n<h2>Summary</h2>\n{warnings}");
    out.push_str(&table("Summary", brief));
    if !more.is_empty() {
        let more = table("More of the summary", more);
        out.push_str(&format!("<details>\n<summary>More</summary>\n{more}</details>\n"));
    }
    out + "</section>\n"
}

/// Figures of latencies that are lower bounds get their mark, in the place of the list of them.
fn mark_bounds(summary: &mut Value) {
    for latency in ["latency_ns", "network_latency_ns"] {
        let Some(figures) = summary[latency].as_object_mut() else {
            continue;
        };
        let bounds = figures.remove("lower_bounds").unwrap_or_default();
        for figure in bounds.as_array().into_iter().flatten() {
            let figure = figures.get_mut(figure.as_str().unwrap_or_default());
            if let Some((figure, value)) = figure.and_then(|f| f.as_f64().map(|v| (f, v))) {
                *figure = Value::String(format!(">= {}", significant(value)));
            }
        }
    }
}

/// What a reader must know about a run before its figures.
fn warnings(summary: &Value) -> String {
    let mut all = Vec::new();
    if let Some(flows @ 1..) = summary["flows_starved"].as_u64() {
        let what = "standing demand, nothing delivered in the measured time; see flows.csv.";
        all.push(format!("{flows} flows starved: {what}"));
    }
    let why = summary["reordered_by"].as_str().map(escape);
    if let (Some(late @ 1..), Some(why)) = (summary["out_of_order"].as_u64(), why) {
        all.push(format!("{late} packets out of order: {why}."));
    }
    let steady = &summary["steady"];
    if steady["differs"] == true {
        let [first, second, noise] = ["first_half", "second_half", "noise"].map(|what| {
            number(steady[format!("{what}_bytes_per_ns")].as_f64().unwrap_or(f64::NAN), 3)
        });
        let halves = format!("({first} then {second} bytes/ns, noise {noise})");
        all.push(format!("Not steady: {UNSTEADY} {halves}."));
    }
    joined(all.iter().map(|text| format!("<p class=\"bad\">{text}</p>\n")), "")
}

fn flatten(path: &str, value: &Value, lines: &mut Vec<(String, String)>) {
    match value {
        Value::Object(map) => {
            let dot = if path.is_empty() { "" } else { "." };
            for (key, value) in map {
                flatten(&format!("{path}{dot}{key}"), value, lines);
            }
        }
        Value::Null if path.is_empty() => {}
        figure => {
            let shown = match figure {
                Value::Null => "\u{2013}".into(),
                Value::Number(n) if n.is_u64() => shortest(n.as_f64().unwrap_or(f64::NAN)),
                Value::Number(n) => significant(n.as_f64().unwrap_or(f64::NAN)),
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            lines.push((path.into(), shown));
        }
    }
}

const STARVED: &str = "flows_starved";

/// A figure of `windows.csv`: column, heading, unit, digits, and of a latency what is undelivered.
type Figure = (&'static str, &'static str, &'static str, usize, &'static str);
const FIGURES: [Figure; 5] = [
    ("delivered_bytes_per_ns", "Delivered", "B/ns", 2, ""),
    ("worst_dip_bytes_per_ns", "Worst dip", "B/ns", 2, ""),
    (STARVED, "Starved", "flows", 0, ""),
    ("latency_p99_ns", "Message p99", "ns", 0, "latency_undelivered"),
    ("network_latency_p99_ns", "Network p99", "ns", 0, "network_latency_undelivered"),
];

/// A line a set and window; empty where the run has no windows.
pub(super) fn flows(store: &Store) -> String {
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
    let mut head =
        column(" l", "flows", "", "flows, group") + &column(" l", "window", "", "window");
    for (raw, title, unit, ..) in &figures {
        head.push_str(&column("", title, unit, raw));
    }
    let mut rows: Vec<&WindowRow> = store.windows.iter().collect();
    let sets = distinct(rows.iter().map(|row| row.flows_title()));
    rows.sort_by_key(|row| sets.iter().position(|set| *set == row.flows_title()));
    let line = |row: &&WindowRow| {
        let (flows, window) = (escape(&row.flows_title()), escape(&row.window));
        let cells = joined(figures.iter().map(|figure| cell(row, figure)), "");
        format!(
            "<tr><th scope=\"row\" class=\"l\">{flows}</th><td class=\"l\">{window}</td>{cells}\
             </tr>\n"
        )
    };
    let table = wide("Flows and windows", "<table>", &head, &joined(rows.iter().map(line), ""));
    format!(
        "<section>\n<h2>Flows and windows</h2>\n{}<p class=\"note\">{} All figures are in \
         windows.csv.</p>\n</section>\n",
        folded(table, rows.len(), "lines"),
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
    let part = |row: &WindowRow| {
        let time = match row.end_ns <= row.start_ns {
            true => "empty".to_string(),
            false => format!("{} to {} ns", shortest(row.start_ns), shortest(row.end_ns)),
        };
        let why = if row.note.is_empty() { "" } else { "; " };
        format!("{}: {time}{why}{}", row.window, row.note)
    };
    let parts = store.windows.iter().filter(|row| row.is_of_all()).map(part);
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
        joined(parts, ". ")
    )
}
