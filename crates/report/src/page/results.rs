//! The table of a sweep: a line a point.

use super::points_csv::points_csv;
use super::{COLUMNS_MAX, failures, flows, folded};
use crate::names;
use crate::store::{Column, Point, Store};
use crate::text::{csv_uri, escape, number};

const COLUMNS_NOTE: &str = "of ideal: delivered throughput as a part of what this workload could \
    at most get over its routes; before, during, after: mean delivered throughput in these \
    windows; worst dip: the lowest mean over a part of about 20 \u{b5}s of during; victims: flows \
    to no hot destination; starved: flows with standing demand of which nothing was delivered in \
    the measured time; out of order: packets delivered after a later one of their source and \
    destination, where routing lets them; SAQs in, out: the most in use at any one ingress and \
    egress port; refused: allocations refused, no SAQ free or a less specific one there; \
    message p99: 99th percentile of latency from the generation of a message, the wait in its \
    source included; >= x: at least x, since that part \
    of the messages had not arrived when the run ended and counts with its age; control: bits of \
    CAM lines, queue and SAQ registers, credit counters, the ECN marker, ingress and egress \
    memory of the costliest port together, data memory not counted.";
const MORE_NOTE: &str = "of topology max: as a part of the maximum of the topology, which is that \
    of its links and not what this workload could get; worst share: the smallest part that any \
    flow got of its max-min fair share; Jain: fairness index over the flows that send; first \
    half, second half: delivered in the halves of the measured time, which differ if they do so \
    by more than their noise; undelivered: share of the messages, or packets, that had not \
    arrived when the run ended; SAQs inject: the most in use at any one end node; network p99: \
    from injection on.";
pub(super) const UNSTEADY: &str = "second half of the measured time differs from the first beyond \
    its noise: longer run.warmup_ns";

/// The short table, and the other columns for those who ask for them.
pub(super) fn section(store: &Store) -> String {
    let any = |c: &&Column| store.points.iter().any(|p| p.value(&c.name).is_some());
    let (brief, more): (Vec<_>, Vec<_>) = store.columns.iter().filter(any).partition(|c| c.brief);
    let mut out = format!(
        "<section>\n<h2>Results</h2>\n{}<p class=\"note\">{COLUMNS_NOTE} \
         <a download=\"points.csv\" href=\"{}\">Data of this table, all columns (CSV)</a></p>\n",
        folded(
            tables(store, &brief, "Results"),
            store.points.len(),
            "points"
        ),
        csv_uri(&points_csv(store))
    );
    if store.points.iter().any(Point::is_unsteady) {
        out.push_str(&format!("<p class=\"note bad\">*: {UNSTEADY}</p>\n"));
    }
    if !more.is_empty() {
        let tables = tables(store, &more, "More columns");
        out.push_str(&format!(
            "<details>\n<summary>More columns</summary>\n{tables}\
             <p class=\"note\">{MORE_NOTE}</p>\n</details>\n"
        ));
    }
    out.push_str(&failures(store));
    out + "</section>\n"
}

/// A heading to sort by; `raw` is what files call the column.
fn heading(class: &str, title: &str, unit: &str, raw: &str) -> String {
    let (title, unit, raw) = (escape(title), escape(unit), escape(raw));
    format!(
        "<th scope=\"col\"{class} title=\"{raw}\"><button type=\"button\">{title}\
         <small>{unit}</small></button></th>"
    )
}

/// One line a point; of many columns a table for each part of them.
fn tables(store: &Store, shown: &[&Column], name: &str) -> String {
    // the axes stand in each
    let most = (COLUMNS_MAX + 2).saturating_sub(store.axes.len()).max(4);
    let parts = shown.len().div_ceil(most).max(1);
    let parts = shown.chunks(shown.len().div_ceil(parts).max(1));
    let count = parts.len();
    let mut out = String::new();
    for (n, part) in parts.enumerate() {
        let name = match count {
            1 => name.to_string(),
            _ => format!("{name}, part {} of {count}", n + 1),
        };
        out.push_str(&table(store, part, &name));
    }
    out
}

fn table(store: &Store, shown: &[&Column], name: &str) -> String {
    let mut out = format!(
        "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"{name}\">\n\
         <table class=\"sort\">\n<caption>A line a point. <span class=\"ask\">Press a heading to \
         sort.</span></caption>\n<thead><tr>"
    );
    let left = " class=\"l\"";
    if store.axes.is_empty() {
        out.push_str(&heading(left, "point", "", ""));
    }
    for axis in &store.axes {
        let (name, unit) = names::key(axis);
        out.push_str(&heading(left, &name, unit, axis));
    }
    for column in shown {
        out.push_str(&heading("", &column.title, &column.unit, &column.name));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for point in &store.points {
        out.push_str("<tr>");
        out.push_str(&labels(store, point));
        let cells = shown.iter().map(|c| cell(store, point, c));
        cells.for_each(|cell| out.push_str(&cell));
        out.push_str("</tr>\n");
    }
    out + "</tbody>\n</table>\n</div>\n"
}

/// The values of a point on the axes, or its name where there are none.
fn labels(store: &Store, point: &Point) -> String {
    let head = |value: &str, shown: &str| {
        let marks = marks(point);
        format!("<th scope=\"row\" class=\"l\" data-v=\"{value}\">{shown}{marks}</th>")
    };
    if store.axes.is_empty() {
        let name = escape(&point.name);
        return head(&name, &name);
    }
    let cell = |(n, axis): (usize, &String)| {
        let value = escape(point.label(axis).unwrap_or_default());
        let shown = if value.is_empty() { "\u{2013}" } else { &value };
        match n {
            0 => head(&value, shown),
            _ => format!("<td class=\"l\" data-v=\"{value}\">{shown}</td>"),
        }
    };
    store.axes.iter().enumerate().map(cell).collect()
}

/// What a reader must know about a point before its figures.
fn marks(point: &Point) -> String {
    let mut marks = String::new();
    if point.is_unsteady() {
        marks.push_str(&format!(
            " <span class=\"bad\" title=\"{UNSTEADY}\">*</span>"
        ));
    }
    if point.lacks_replicas() {
        let (finished, replicas) = (point.finished, point.replicas);
        marks.push_str(&format!(
            "<small class=\"bad\">{finished} of {replicas} replicas</small>"
        ));
    }
    marks
}

fn cell(store: &Store, point: &Point, column: &Column) -> String {
    let decimals = column.decimals;
    let Some((mean, min, max)) = point.value(&column.name) else {
        let mut runs = point.runs.iter().filter_map(|&index| store.run(index));
        let finished = runs.any(|run| run.status == "ok");
        let shown = if finished { "\u{2013}" } else { "none" };
        return format!("<td data-v=\"\">{shown}</td>");
    };
    let mut below = String::new();
    if min < max {
        let (min, max) = (number(min, decimals), number(max, decimals));
        below = format!("<small>{min}..{max}</small>");
    }
    let at_least = point.at_least(&column.name);
    let share = column.undelivered.as_ref().and_then(|c| point.value(c));
    if let (true, Some((share, ..))) = (at_least, share) {
        let share = flows::percent(share);
        below.push_str(&format!("<small>{share} undelivered</small>"));
    }
    let is_grave = ["flows_starved", "out_of_order"].contains(&column.name.as_str());
    let bad = if is_grave && max > 0.0 {
        " class=\"bad\""
    } else {
        ""
    };
    let bound = if at_least { "&gt;= " } else { "" };
    format!(
        "<td{bad} data-v=\"{mean}\">{bound}{}{below}</td>",
        number(mean, decimals)
    )
}
