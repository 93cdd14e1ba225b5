//! The table of a sweep: a line a point.

use super::{failures, folded, run, wide};
use crate::names;
use crate::plot::sample;
use crate::store::{Column, Point, Store};
use crate::text::{escape, joined, number, with_half};

/// What the columns are, in lines.
const COLUMNS_NOTE: &str = include_str!("../assets/columns.txt");
pub(super) const UNSTEADY: &str = "second half of the measured time differs from the first beyond \
    its noise: longer run.warmup_ns";
/// Where all columns would give more cells than this, those of the short table alone are there.
const CELLS_MAX: usize = 6_000;

/// A column, and what a cell of it is measured by.
struct Shown<'a> {
    column: &'a Column,
    /// The largest value; bars are parts of it.
    most: f64,
    /// The best mean, where one is better than another.
    best: Option<f64>,
}

/// All points. Columns beyond the short ones are hidden at first, and left out of a large table.
pub(super) fn section(store: &Store) -> String {
    let all = store.columns.iter().filter_map(|column| shown(store, column));
    // what is the same at all points is shown once
    let is_same = |s: &Shown<'_>| {
        let mut values = store.points.iter().map(|p| p.value(&s.column.name));
        let first = values.next().flatten();
        first.is_some_and(|f| f.min == f.max)
            && values.all(|v| v == first)
            && store.points.len() > 1
    };
    let (same, mut differ): (Vec<_>, Vec<_>) = all.partition(is_same);
    let is_large = store.points.len() * differ.len() > CELLS_MAX;
    differ.retain(|s| s.column.brief || !is_large);
    let mut out = String::from("<section>\n<h2>All points</h2>\n");
    if differ.iter().any(|s| !s.column.brief) {
        out.push_str("<label><input type=\"checkbox\" id=\"columns\"/> all columns</label>\n");
    }
    out.push_str(&folded(table(store, &differ), store.points.len(), "points"));
    let mut notes = Vec::new();
    if store.has_replicas() {
        let half = "\u{b1}: half of the 95 % interval over the replicas, by Student's t.";
        notes.push(half.to_string());
    }
    if !same.is_empty() {
        let one = |s: &Shown<'_>| {
            let value = number(s.most, s.column.decimals);
            format!("{} {value} {}", s.column.title, s.column.unit).trim().to_string()
        };
        notes.push(format!("The same at all points: {}.", joined(same.iter().map(one), ", ")));
    }
    if is_large {
        notes.push("The other columns are in results.csv.".into());
    }
    let notes = escape(&notes.join(" "));
    out.push_str(&format!(
        "<p class=\"note\">Bold: the best of a column; bars: parts of its largest value. {notes} \
         Files beside this page have all numbers: results.csv those of points, windows.csv those \
         of sets of flows by windows.</p>\n"
    ));
    if store.points.iter().any(Point::is_unsteady) {
        out.push_str(&format!("<p class=\"note bad\">*: {UNSTEADY}</p>\n"));
    }
    let columns = escape(&joined(COLUMNS_NOTE.lines(), " "));
    out.push_str(&format!(
        "<details>\n<summary>What the columns are</summary>\n<p class=\"note\">{columns}</p>\n\
         </details>\n"
    ));
    out + &failures(store) + "</section>\n"
}

fn shown<'a>(store: &Store, column: &'a Column) -> Option<Shown<'a>> {
    let values = store.points.iter().filter_map(|p| p.value(&column.name));
    let means: Vec<f64> = values.map(|v| v.mean).collect();
    let most = means.iter().copied().reduce(f64::max)?;
    let least = means.iter().copied().fold(most, f64::min);
    let best = is_more_better(&column.name).map(|more| if more { most } else { least });
    Some(Shown {
        column,
        most,
        // what most points have is nothing to point at
        best: best.filter(|best| 2 * means.iter().filter(|m| *m == best).count() <= means.len()),
    })
}

/// Whether more of a column is better; `None` where neither is.
fn is_more_better(name: &str) -> Option<bool> {
    let ends = |all: &[&str]| all.iter().any(|end| name.ends_with(end));
    if name.starts_with("saqs_") || name.contains("half") || name.contains("halves") {
        None
    } else if ends(&["_bytes_per_ns", "of_ideal", "throughput", "_share", "_jain"]) {
        Some(true)
    } else {
        ends(&["_ns", "_undelivered", "starved", "out_of_order", "_bits"]).then_some(false)
    }
}

fn table(store: &Store, shown: &[Shown<'_>]) -> String {
    let heading = |class: &str, title: &str, unit: &str, raw: &str| {
        let (title, unit, raw) = (escape(title), escape(unit), escape(raw));
        format!(
            "<th scope=\"col\"{class} title=\"{raw}\"><button type=\"button\">{title}\
             <small>{unit}</small></button></th>"
        )
    };
    let (names, units) = names::short_heading(&store.axes);
    let names = if names.is_empty() { "point" } else { &names };
    let mut head = heading(" class=\"l\"", names, &units, &store.axes.join(", "));
    for Shown { column, .. } in shown {
        let class = if column.brief { "" } else { " class=\"more\"" };
        head.push_str(&heading(class, &column.title, &column.unit, &column.name));
    }
    let row = |(n, point): (usize, &Point)| {
        let (sample, marks) = (sample(point.style, point.dash), marks(point));
        let (name, keys) = (escape(&point.title), escape(&point.keys));
        format!(
            "<tr><th scope=\"row\" class=\"l\" data-v=\"{n}\" title=\"{keys}\">{sample}\
             <span>{name}</span>{marks}</th>{}</tr>\n",
            joined(shown.iter().map(|shown| cell(store, point, shown)), "")
        )
    };
    let begin = "<table class=\"sort points\">\n<caption>A line a point. <span class=\"ask\">Press \
                 a heading to sort.</span></caption>";
    wide("All points", begin, &head, &joined(store.points.iter().enumerate().map(row), ""))
}

fn marks(point: &Point) -> String {
    let mut marks = String::new();
    if point.is_unsteady() {
        marks.push_str(&format!(" <span class=\"bad\" title=\"{UNSTEADY}\">*</span>"));
    }
    if point.lacks_replicas() {
        let (finished, replicas) = (point.finished, point.replicas);
        marks.push_str(&format!("<small class=\"bad\">{finished} of {replicas} replicas</small>"));
    }
    marks
}

fn cell(store: &Store, point: &Point, shown: &Shown<'_>) -> String {
    let column = shown.column;
    let decimals = column.decimals;
    let mut classes = Vec::new();
    classes.extend((!column.brief).then_some("more"));
    let Some(spread) = point.value(&column.name) else {
        let text = if store.finished(point).next().is_some() { "\u{2013}" } else { "none" };
        return format!("<td{}>{text}</td>", class(&classes));
    };
    let (mean, at_least) = (spread.mean, point.at_least(&column.name));
    let share = column.undelivered.as_ref().and_then(|c| point.value(c));
    let below = match share.filter(|_| at_least) {
        Some(share) => format!("<small>{} undelivered</small>", run::percent(share.mean)),
        None => with_half("", spread.half_95, decimals),
    };
    if ["flows_starved", "out_of_order"].contains(&column.name.as_str()) && spread.max > 0.0 {
        classes.push("bad");
    }
    // what waited from before was possible before: a share of it is not compared
    let is_above = column.name.ends_with("of_ideal") && mean > 1.0;
    if shown.best == Some(mean) && !is_above {
        classes.push("best");
    }
    let bar = match shown.most > 0.0 {
        true => format!(" style=\"--w:{:.0}\"", (mean / shown.most * 100.0).max(0.0)),
        false => String::new(),
    };
    let bound = if at_least { "&gt;= " } else { "" };
    let text = match is_above {
        true => "&gt; 1".into(),
        false => number(mean, decimals),
    };
    // numbers that are no plain digits have their value beside them
    let raw = match text.parse::<f64>().is_ok() && bound.is_empty() {
        true => String::new(),
        false => format!(" data-v=\"{}\"", crate::text::rounded(mean)),
    };
    format!("<td{}{bar}{raw}>{bound}{text}{below}</td>", class(&classes))
}

fn class(all: &[&str]) -> String {
    match all {
        [] => String::new(),
        all => format!(" class=\"{}\"", all.join(" ")),
    }
}
