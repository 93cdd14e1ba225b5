//! What the figures over time have in common: means over replicas, windows, their CSV.

use super::Figure;
use crate::plot::{Axis, Band, Dot, Line, Plot, Scale, Stroke};
use crate::store::{Point, Run, Store};
use crate::text::{csv_field, shortest};
use crate::windows::WindowRow;

/// One picture of a figure: its heading where there are several, its y axis and its lines, the
/// points of which are in ns.
pub(super) struct Part {
    pub(super) heading: Option<&'static str>,
    pub(super) title: &'static str,
    pub(super) unit: &'static str,
    pub(super) lines: Vec<Line>,
}

/// A column of a run at the middles of its bins.
pub(super) fn middles(run: &Run, column: &str) -> Vec<(f64, f64)> {
    let middle = |(start, end): (f64, f64)| (start + end) / 2.0;
    let values = run.series.column(column).unwrap_or_default();
    run.bins().into_iter().map(middle).zip(values).collect()
}

/// A line a point that has values.
pub(super) fn sweep_lines(store: &Store, column: &str) -> Vec<Line> {
    let line = |(style, point): (usize, &Point)| Line {
        style,
        stroke: Stroke::Plain,
        names: vec![point.title.clone()],
        keys: point.keys.clone(),
        dots: mean(store, point, column),
    };
    let lines = store.points.iter().enumerate().map(line);
    lines.filter(|line| !line.dots.is_empty()).collect()
}

/// Mean over the replicas that finished. Replicas have equal bins; of unequal ones those bins count
/// that all have.
fn mean(store: &Store, point: &Point, column: &str) -> Vec<Dot> {
    let all: Vec<Vec<(f64, f64)>> = store
        .finished(point)
        .map(|run| middles(run, column))
        .collect();
    let bins = all.iter().map(Vec::len).min().unwrap_or(0);
    let of_bin = |b: usize| {
        let sum: f64 = all.iter().map(|run| run[b].1).sum();
        Dot::at(all[0][b].0, sum / all.len() as f64)
    };
    (0..bins).map(of_bin).collect()
}

/// The figure: id and heading, pictures, caption, columns of the CSV of a sweep.
pub(super) fn over_time(
    store: &Store,
    (id, heading): (&'static str, &'static str),
    parts: Vec<Part>,
    mut caption: String,
    columns: &[&str],
) -> Option<Figure> {
    let dots = || {
        let lines = parts.iter().flat_map(|part| &part.lines);
        lines.flat_map(|line| &line.dots)
    };
    dots().next()?;
    let end = dots().map(|dot| dot.x).fold(0.0, f64::max);
    let top = dots().map(|dot| dot.y).fold(0.0, f64::max);
    let (unit, ns) = unit_of(end);
    let differ = "Windows differ between the points and are not shaded.";
    let windows = store.windows_of_all_runs().ok_or(differ);
    let bands = || match &windows {
        Ok(windows) => bands(windows, end, ns),
        Err(_) => Vec::new(),
    };
    match &windows {
        Ok(windows) => caption.push_str(&shaded(&bands(), windows, unit)),
        Err(why) => caption.push_str(&format!(" {why}")),
    }
    let height = if parts.len() > 1 { 310.0 } else { 420.0 };
    let pictures = parts.into_iter().map(|mut part| {
        let dots = part.lines.iter_mut().flat_map(|line| &mut line.dots);
        dots.for_each(|dot| dot.x /= ns);
        let which = part.heading.unwrap_or_default();
        let comma = if which.is_empty() { "" } else { ", " };
        let x = Scale::exact(0.0, end_of(store, end) / ns, 8);
        let y = Scale::from_zero(top, 5);
        let mut plot = Plot::new(
            format!("{id}-{}0", which.to_lowercase()),
            format!("{heading}{comma}{which}"),
            Axis::new("Time", unit, x),
            Axis::new(part.title, part.unit, y),
            height,
            part.lines,
        );
        plot.bands = bands();
        (part.heading, plot)
    });
    let pictures = pictures.collect();
    let columns: Vec<String> = if store.is_sweep {
        columns.iter().map(|c| c.to_string()).collect()
    } else {
        let columns = store.runs[0].series.columns.iter();
        columns.filter(|c| *c != "t_ns").cloned().collect()
    };
    Some(Figure {
        id,
        heading,
        pictures,
        caption,
        csv: series_csv(store, &columns),
    })
}

/// The unit in which times up to `end` ns are read, and its ns.
fn unit_of(end: f64) -> (&'static str, f64) {
    match end {
        e if e >= 2e7 => ("ms", 1e6),
        e if e >= 2e4 => ("\u{b5}s", 1e3),
        _ => ("ns", 1.0),
    }
}

/// The windows that are not empty and begin before `end`; `ns` is the unit of the axis.
fn bands(windows: &[&WindowRow], end: f64, ns: f64) -> Vec<Band> {
    let shown = windows
        .iter()
        .filter(|row| row.end_ns > row.start_ns && row.start_ns < end);
    shown
        .map(|row| Band {
            from: row.start_ns / ns,
            to: row.end_ns / ns,
            name: row.window.clone(),
        })
        .collect()
}

/// Which stretches are shaded, and why windows are empty or cut.
fn shaded(bands: &[Band], windows: &[&WindowRow], unit: &str) -> String {
    let named = |band: &Band| {
        let (from, to) = (shortest(band.from), shortest(band.to));
        format!("{} {from}\u{2013}{to} {unit}", band.name)
    };
    let named: Vec<String> = bands.iter().map(named).collect();
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
        for run in store.finished(point) {
            let head = format!("{},{},{}", csv_field(&point.name), run.replica, run.seed);
            let data: Vec<Vec<f64>> = columns
                .iter()
                .filter_map(|c| run.series.column(c))
                .collect();
            let times = run.series.column("t_ns").unwrap_or_default();
            for (row, t) in times.iter().enumerate() {
                let values = data.iter().map(|column| column[row].to_string());
                let values: Vec<String> = values.collect();
                out.push_str(&format!("{head},{t},{}\n", values.join(",")));
            }
        }
    }
    out
}
