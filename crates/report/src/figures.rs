//! The figures over time: what is drawn, its caption, its numbers. The others are in `figures/`.

mod sizing;
pub(crate) use sizing::{memory, sizing};

use crate::plot::{Axis, Band, COLOURS, Line, Plot, Stroke};
use crate::scale::Scale;
use crate::store::{Point, Run, Store};
use crate::text::{csv_field, shortest};
use crate::windows::{MEASURED, WindowRow};
use std::collections::BTreeSet;

/// A figure ready for the page.
pub(crate) struct Figure {
    /// Unique on the page; also the name of its CSV file.
    pub(crate) id: &'static str,
    pub(crate) heading: &'static str,
    /// Pictures, each with a heading of its own where there are several.
    pub(crate) plots: Vec<(Option<String>, Plot)>,
    /// Style, stroke (none: a mark alone) and name.
    pub(crate) legend: Vec<(usize, Option<Stroke>, String)>,
    pub(crate) caption: String,
    pub(crate) csv: String,
}

/// More lines than these in one picture are spread over several.
const LINES_MAX: usize = 12;

/// One quantity over time of one point (or of one column of a single run).
struct Curve {
    style: usize,
    name: String,
    /// Middle of the bin in ns, value.
    points: Vec<(f64, f64)>,
}

/// Throughput over time. `None` where no run has a series.
pub(crate) fn throughput(store: &Store) -> Option<Figure> {
    let mut curves = Vec::new();
    if store.is_sweep {
        curves = sweep_curves(store, "delivered_bytes_per_ns");
    } else {
        let series = &store.runs[0].series;
        let columns = series
            .columns
            .iter()
            .filter(|c| c.ends_with("_bytes_per_ns"));
        for (style, column) in columns.enumerate() {
            let name = column.trim_end_matches("_bytes_per_ns").to_string();
            curves.push(Curve {
                style,
                name,
                points: middles(&store.runs[0], column),
            });
        }
    }
    let what = if store.is_sweep {
        "a line a point"
    } else {
        "the whole and each group of flows"
    };
    let caption = format!(
        "Delivered throughput over time, {what}; every bin is drawn, in its middle. {}",
        replicas_note(store)
    );
    over_time(
        store,
        "throughput",
        "Throughput over time",
        &[("", "Delivered, bytes/ns", curves)],
        caption,
        &["delivered_bytes_per_ns"],
    )
}

/// SAQs in use over time; `None` where none is ever used.
pub(crate) fn saqs(store: &Store, per_port: bool) -> Option<Figure> {
    let (columns, id, heading) = match per_port {
        false => (
            ["saqs_ingress", "saqs_egress"],
            "saqs",
            "SAQs in use over time",
        ),
        true => (
            ["saqs_ingress_max_port", "saqs_egress_max_port"],
            "saqs-port",
            "SAQs in use at the fullest port over time",
        ),
    };
    let all: [Vec<Curve>; 2] = columns.map(|column| match store.is_sweep {
        true => sweep_curves(store, column),
        false => vec![Curve {
            style: 0,
            name: "SAQs".into(),
            points: middles(&store.runs[0], column),
        }],
    });
    let used: BTreeSet<usize> = all
        .iter()
        .flatten()
        .filter(|c| c.points.iter().any(|p| p.1 > 0.0))
        .map(|c| c.style)
        .collect();
    if used.is_empty() {
        return None;
    }
    let unused: Vec<String> = all[0]
        .iter()
        .filter(|c| !used.contains(&c.style))
        .map(|c| c.name.clone())
        .collect();
    let [ingress, egress] = all.map(|curves| {
        curves
            .into_iter()
            .filter(|c| used.contains(&c.style))
            .collect::<Vec<_>>()
    });
    let what = if per_port {
        "The most SAQs in use at any one port, maximum in the bin."
    } else {
        "SAQs in use at all ports together, maximum in the bin."
    };
    let mut caption = format!("{what} {}", replicas_note(store));
    if !unused.is_empty() && store.is_sweep {
        caption.push_str(&format!(
            " Without a line, as they use none: {}.",
            unused.join("; ")
        ));
    }
    let title = if per_port { "SAQs at one port" } else { "SAQs" };
    over_time(
        store,
        id,
        heading,
        &[("Ingress", title, ingress), ("Egress", title, egress)],
        caption,
        &columns,
    )
}

fn replicas_note(store: &Store) -> &'static str {
    if store.runs.iter().any(|run| run.replica > 0) {
        "Lines are means over the replicas; the CSV has every run."
    } else {
        ""
    }
}

/// A column of a run at the middles of its bins.
fn middles(run: &Run, column: &str) -> Vec<(f64, f64)> {
    let middle = |(start, end): (f64, f64)| (start + end) / 2.0;
    let values = run.series.column(column).unwrap_or_default();
    run.bins().into_iter().map(middle).zip(values).collect()
}

fn sweep_curves(store: &Store, column: &str) -> Vec<Curve> {
    let curve = |(style, point): (usize, &Point)| Curve {
        style,
        name: point.name.clone(),
        points: mean(store, point, column),
    };
    store
        .points
        .iter()
        .enumerate()
        .map(curve)
        .filter(|c| !c.points.is_empty())
        .collect()
}

/// Mean over the replicas that finished. Replicas have equal bins; of unequal ones those bins count
/// that all have.
fn mean(store: &Store, point: &Point, column: &str) -> Vec<(f64, f64)> {
    let runs = point
        .runs
        .iter()
        .filter_map(|&i| store.run(i))
        .filter(|run| run.status == "ok");
    let all: Vec<Vec<(f64, f64)>> = runs.map(|run| middles(run, column)).collect();
    let bins = all.iter().map(Vec::len).min().unwrap_or(0);
    (0..bins)
        .map(|b| {
            (
                all[0][b].0,
                all.iter().map(|run| run[b].1).sum::<f64>() / all.len() as f64,
            )
        })
        .collect()
}

/// The windows, where all runs that finished have the same; the measured time is none of them.
fn windows(store: &Store) -> Result<Vec<&WindowRow>, &'static str> {
    let of_run = |run: &Run| -> Vec<&WindowRow> {
        let rows = store.windows.iter();
        rows.filter(|row| row.run == run.index && row.is_of_all() && row.window != MEASURED)
            .collect()
    };
    let mut runs = store
        .runs
        .iter()
        .filter(|run| run.status == "ok")
        .map(of_run);
    let first = runs.next().unwrap_or_default();
    let key = |row: &&WindowRow| (row.window.clone(), row.start_ns, row.end_ns);
    if runs.any(|other| !other.iter().map(key).eq(first.iter().map(key))) {
        Err("Windows differ between the points and are not shaded.")
    } else {
        Ok(first)
    }
}

/// Which lines are exactly the same, so that only the last drawn of them is seen; empty where none
/// are.
fn coinciding(parts: &[(&str, &str, Vec<Curve>)]) -> String {
    let mut found: Vec<(String, Vec<&str>)> = Vec::new();
    for (part, _, curves) in parts {
        let mut groups: Vec<Vec<&Curve>> = Vec::new();
        for curve in curves {
            match groups.iter_mut().find(|g| g[0].points == curve.points) {
                Some(group) => group.push(curve),
                None => groups.push(vec![curve]),
            }
        }
        for group in groups.iter().filter(|group| group.len() > 1) {
            let names: Vec<&str> = group.iter().map(|c| c.name.as_str()).collect();
            let names = names.join(" = ");
            match found.iter_mut().find(|(others, _)| *others == names) {
                Some((_, places)) => places.push(part),
                None => found.push((names, vec![part])),
            }
        }
    }
    let told = |(names, places): &(String, Vec<&str>)| {
        if places.len() == parts.len() {
            names.clone()
        } else {
            format!("{names} ({})", places.join(", ").to_lowercase())
        }
    };
    let all: Vec<String> = found.iter().map(told).collect();
    if all.is_empty() {
        return String::new();
    }
    format!(
        " Lines that coincide exactly, one covering the others: {}.",
        all.join("; ")
    )
}

fn over_time(
    store: &Store,
    id: &'static str,
    heading: &'static str,
    parts: &[(&str, &str, Vec<Curve>)],
    mut caption: String,
    columns: &[&str],
) -> Option<Figure> {
    let all = || parts.iter().flat_map(|(_, _, curves)| curves);
    let points = || all().flat_map(|curve| &curve.points);
    let end = points().map(|p| p.0).fold(0.0, f64::max);
    points().next()?;
    let top = points().map(|p| p.1).fold(0.0, f64::max);
    let (unit, ns) = match end {
        e if e >= 2e7 => ("ms", 1e6),
        e if e >= 2e4 => ("\u{b5}s", 1e3),
        _ => ("ns", 1.0),
    };
    let windows = windows(store);
    let bands = |windows: &[&WindowRow]| {
        let band = |row: &&WindowRow| Band {
            from: row.start_ns / ns,
            to: row.end_ns / ns,
            name: row.window.clone(),
        };
        let shown = windows
            .iter()
            .filter(|row| row.end_ns > row.start_ns && row.start_ns < end);
        shown.map(band).collect::<Vec<_>>()
    };
    match &windows {
        Ok(windows) => caption.push_str(&shaded(&bands(windows), windows, unit)),
        Err(why) => caption.push_str(&format!(" {why}")),
    }
    caption.push_str(&coinciding(parts));
    let mut plots = Vec::new();
    for (part, title, curves) in parts {
        let chunk = if curves.len() > LINES_MAX {
            COLOURS
        } else {
            LINES_MAX
        };
        for (n, chunk) in curves.chunks(chunk).enumerate() {
            let mut name = part.to_string();
            if let ([first, .., last], true) = (chunk, curves.len() > LINES_MAX) {
                name = format!(
                    "{name}{}{} \u{2026} {}",
                    if name.is_empty() { "" } else { ": " },
                    first.name,
                    last.name
                );
            }
            let lines = chunk.iter().map(|c| Line {
                style: c.style,
                stroke: Stroke::Plain,
                points: c.points.iter().map(|&(t, v)| (t / ns, v)).collect(),
            });
            let names: Vec<&str> = chunk.iter().map(|c| c.name.as_str()).collect();
            let plot = Plot {
                id: format!("{id}-{}{n}", part.to_lowercase()),
                title: format!("{heading}{}{part}", if part.is_empty() { "" } else { ", " }),
                description: format!(
                    "Lines: {}. The numbers are in the CSV below.",
                    names.join("; ")
                ),
                x: Axis {
                    title: format!("Time, {unit}"),
                    scale: Scale::exact(0.0, end_of(store, end) / ns, 8),
                },
                y: Axis {
                    title: title.to_string(),
                    scale: Scale::from_zero(top, 5),
                },
                height: if parts.len() > 1 { 310.0 } else { 420.0 },
                bands: windows.as_deref().map(bands).unwrap_or_default(),
                lines: lines.collect(),
                marks: Vec::new(),
            };
            plots.push(((!name.is_empty()).then_some(name), plot));
        }
    }
    let mut legend: Vec<(usize, Option<Stroke>, String)> = Vec::new();
    for curve in all() {
        if !legend.iter().any(|(style, ..)| *style == curve.style) {
            legend.push((curve.style, Some(Stroke::Plain), curve.name.clone()));
        }
    }
    legend.sort_by_key(|entry| entry.0);
    let columns: Vec<String> = if store.is_sweep {
        columns.iter().map(|c| c.to_string()).collect()
    } else {
        store.runs[0]
            .series
            .columns
            .iter()
            .filter(|c| *c != "t_ns")
            .cloned()
            .collect()
    };
    Some(Figure {
        id,
        heading,
        plots,
        legend,
        caption,
        csv: series_csv(store, &columns),
    })
}

/// Which stretches are shaded, and why windows are empty or cut.
fn shaded(bands: &[Band], windows: &[&WindowRow], unit: &str) -> String {
    let named: Vec<String> = bands
        .iter()
        .map(|b| {
            let (from, to) = (shortest(b.from), shortest(b.to));
            format!("{} {from}\u{2013}{to} {unit}", b.name)
        })
        .collect();
    let mut out = String::new();
    if !named.is_empty() {
        out.push_str(&format!(" Shaded: {}.", named.join(", ")));
    }
    for row in windows.iter().filter(|row| !row.note.is_empty()) {
        out.push_str(&format!(" Window {}: {}.", row.window, row.note));
    }
    out
}

/// End of the last bin; `last` is the last middle.
fn end_of(store: &Store, last: f64) -> f64 {
    let ends = store
        .runs
        .iter()
        .filter_map(|run| Some(run.bins().last()?.1));
    ends.fold(last, f64::max)
}

/// Every bin of every run that finished.
fn series_csv(store: &Store, columns: &[String]) -> String {
    let mut out = format!("point,replica,seed,t_ns,{}\n", columns.join(","));
    for point in &store.points {
        for run in point
            .runs
            .iter()
            .filter_map(|&i| store.run(i))
            .filter(|run| run.status == "ok")
        {
            let head = format!("{},{},{}", csv_field(&point.name), run.replica, run.seed);
            let data: Vec<Vec<f64>> = columns
                .iter()
                .filter_map(|c| run.series.column(c))
                .collect();
            for (row, t) in run
                .series
                .column("t_ns")
                .unwrap_or_default()
                .iter()
                .enumerate()
            {
                let values: Vec<String> =
                    data.iter().map(|column| column[row].to_string()).collect();
                out.push_str(&format!("{head},{t},{}\n", values.join(",")));
            }
        }
    }
    out
}
