//! Throughput and SAQs in use over time: means over replicas, windows.

use super::{Figure, Of, first, replicas_note};
use crate::plot::{Axis, Band, Dot, Line, Plot, Scale, dots};
use crate::store::{Point, Run, Store};
use crate::text::{joined, listed, shortest};
use crate::windows::WindowRow;

const ALL: &str = "delivered_bytes_per_ns";
const VICTIMS: &str = "victims_bytes_per_ns";

/// Throughput over time, of a sweep that of the victims where there are; `None` without series.
pub(super) fn throughput(store: &Store) -> Option<Figure> {
    let has_victims = store.runs.iter().any(|r| r.series.column(VICTIMS).is_some());
    let (lines, what) = match (store.is_sweep, has_victims) {
        (false, _) => ((of_groups(store), 1), "of the whole and of each group of flows"),
        (true, true) => (sweep_lines(store, VICTIMS, false), "of the victims"),
        (true, false) => (sweep_lines(store, ALL, false), "of all flows"),
    };
    let caption = format!("Delivered throughput {what} over time.{}", replicas_note(store));
    let part = Part { heading: None, title: "Delivered", unit: "bytes/ns", lines };
    over_time(store, ("throughput", "Throughput over time"), vec![part], caption)
}

/// Of a single run: the whole, the victims where it has them, and its groups of flows.
fn of_groups(store: &Store) -> Vec<Line> {
    let run = &store.runs[0];
    let line = |style, column, name: &str| Line::plain(style, name, middles(run, column));
    let mut lines = vec![line(0, ALL, "all flows"), line(1, VICTIMS, "victims")];
    for column in run.series.columns.iter().filter(|c| *c != ALL && *c != VICTIMS) {
        if let Some(group) = column.strip_suffix("_bytes_per_ns") {
            lines.push(line(lines.len(), column, &format!("group {group}")));
        }
    }
    lines.retain(|line| !line.dots.is_empty());
    first::parts(&mut lines);
    lines
}

/// More points without a line than these are counted.
const NAMES_MAX: usize = 8;

/// Column, heading, title of the axis.
const PARTS: [(&str, &str, &str); 4] = [
    ("saqs_ingress_max_port", "Fullest port, ingress", "SAQs at the fullest ingress port"),
    ("saqs_egress_max_port", "Fullest port, egress", "SAQs at the fullest egress port"),
    ("saqs_ingress", "All ports, ingress", "SAQs of all ingress ports"),
    ("saqs_egress", "All ports, egress", "SAQs of all egress ports"),
];

/// At the fullest port and at all together; `None` where none is ever used.
pub(super) fn saqs(store: &Store) -> Option<Figure> {
    let mut parts: Vec<Part> = PARTS.iter().map(|part| saqs_of(store, part)).collect();
    let all = || parts.iter().flat_map(|part| &part.lines.0);
    let is_used = |line: &&Line| line.dots.iter().any(|dot| dot.y > 0.0);
    let used: Vec<String> = all().filter(is_used).map(|line| line.name.clone()).collect();
    if used.is_empty() {
        return None;
    }
    let is_unused = |line: &&Line| !used.contains(&line.name);
    let unused = parts[0].lines.0.iter().filter(is_unused);
    let unused: Vec<&str> = unused.map(|line| line.name.as_str()).collect();
    let mut caption = format!("SAQs in use, the most in each bin.{}", replicas_note(store));
    if !unused.is_empty() && store.is_sweep {
        let unused = listed(&unused, NAMES_MAX, "; ");
        caption.push_str(&format!(" Without a line, as they use none: {unused}."));
    }
    for part in &mut parts {
        part.lines.0.retain(|line| used.contains(&line.name));
    }
    over_time(store, ("saqs", "SAQs in use over time"), parts, caption)
}

fn saqs_of(store: &Store, &(column, heading, title): &(&str, &'static str, &'static str)) -> Part {
    let lines = match store.is_sweep {
        true => sweep_lines(store, column, true),
        false => (vec![Line::plain(0, "SAQs", middles(&store.runs[0], column))], 1),
    };
    Part { heading: Some(heading), title, unit: "", lines }
}

/// Numbers that a picture holds, at most: of more, neighbouring bins are made one.
const NUMBERS_MAX: usize = 160_000;

/// One picture: heading where there are several, y axis, lines in ns, and the bins each merges.
struct Part {
    heading: Option<&'static str>,
    title: &'static str,
    unit: &'static str,
    lines: (Vec<Line>, usize),
}

fn middles(run: &Run, column: &str) -> Vec<Dot> {
    let middles = run.bins().into_iter().map(|(start, end)| (start + end) / 2.0);
    let values = run.series.column(column).unwrap_or_default();
    middles.zip(values).map(|(t, value)| Dot::at(t, value)).collect()
}

/// A line a point that has values, and how many bins a dot merges: their mean, or the most.
fn sweep_lines(store: &Store, column: &str, is_most: bool) -> (Vec<Line>, usize) {
    let line = |point: &Point| Line::of(point, mean(store, point, column));
    let mut lines: Vec<Line> = store.points.iter().map(line).collect();
    lines.retain(|line| !line.dots.is_empty());
    let numbers: usize = lines.iter().map(|line| line.dots.len()).sum();
    let together = numbers.div_ceil(NUMBERS_MAX).max(1);
    for line in lines.iter_mut().filter(|_| together > 1) {
        let one = |bins: &[Dot]| {
            let ys = bins.iter().map(|dot| dot.y);
            let y = match is_most {
                true => ys.fold(0.0, f64::max),
                false => ys.sum::<f64>() / bins.len() as f64,
            };
            Dot::at((bins[0].x + bins[bins.len() - 1].x) / 2.0, y)
        };
        line.dots = line.dots.chunks(together).map(one).collect();
    }
    first::points(store, &mut lines);
    (lines, together)
}

/// Mean over the replicas that finished, over the bins that all have.
fn mean(store: &Store, point: &Point, column: &str) -> Vec<Dot> {
    let all: Vec<Vec<Dot>> = store.finished(point).map(|run| middles(run, column)).collect();
    let bins = all.iter().map(Vec::len).min().unwrap_or(0);
    let of_bin = |b: usize| {
        let sum: f64 = all.iter().map(|run| run[b].y).sum();
        Dot::at(all[0][b].x, sum / all.len() as f64)
    };
    (0..bins).map(of_bin).collect()
}

fn over_time(
    store: &Store,
    (id, heading): (&'static str, &'static str),
    parts: Vec<Part>,
    mut caption: String,
) -> Option<Figure> {
    let end = parts.iter().flat_map(|part| dots(&part.lines.0)).map(|dot| dot.x);
    let end = end.reduce(f64::max)?;
    let (unit, ns) = unit_of(end);
    let windows = store.windows_of_all_runs();
    let bands = || windows.as_ref().map_or(Vec::new(), |windows| bands(windows, end, ns));
    match parts.iter().map(|part| part.lines.1).max().unwrap_or(1) {
        1 => caption.push_str(" Every bin is there, in its middle."),
        bins => caption.push_str(&format!(" Thinned for the page: {bins} bins are one.")),
    }
    caption.push_str(&match &windows {
        Some(windows) => shaded(&bands(), windows, unit),
        None => " Windows differ between the points and are not shaded.".into(),
    });
    let height = if parts.len() > 1 { 310.0 } else { 400.0 };
    let pictures = parts.into_iter().enumerate().map(|(n, mut part)| {
        let top = dots(&part.lines.0).map(|dot| dot.y).fold(0.0, f64::max);
        let lines = part.lines.0.iter_mut().flat_map(|line| &mut line.dots);
        lines.for_each(|dot| dot.x /= ns);
        let which = part.heading.map_or(String::new(), |which| format!(", {which}"));
        let x = Scale::exact(0.0, end_of(store, end) / ns, 8);
        let y = Scale::from_zero(top, 5);
        let mut plot = Plot::new(
            format!("{id}-{n}"),
            format!("{heading}{which}"),
            Axis::new("Time", unit, x),
            Axis::new(part.title, part.unit, y),
            height,
            part.lines.0,
        );
        plot.bands = bands();
        (part.heading, plot)
    });
    let of = if store.is_sweep { Of::Points } else { Of::Parts };
    Some(Figure { id, heading, of, pictures: pictures.collect(), caption })
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
    let shown = windows.iter().filter(|row| row.end_ns > row.start_ns && row.start_ns < end);
    let band = |row: &&WindowRow| {
        let name = row.window.clone();
        Band { from: row.start_ns / ns, to: row.end_ns / ns, name }
    };
    shown.map(band).collect()
}

/// Which stretches are shaded, and why windows are empty or cut.
fn shaded(bands: &[Band], windows: &[&WindowRow], unit: &str) -> String {
    let named = |band: &Band| {
        let (from, to) = (shortest(band.from), shortest(band.to));
        format!("{} {from}\u{2013}{to} {unit}", band.name)
    };
    let mut out = String::new();
    if !bands.is_empty() {
        out.push_str(&format!(" Shaded: {}.", joined(bands.iter().map(named), ", ")));
    }
    for row in windows.iter().filter(|row| !row.note.is_empty()) {
        out.push_str(&format!(" Window {}: {}.", row.window, row.note));
    }
    out
}

/// End of the last bin; `last` is the last middle.
fn end_of(store: &Store, last: f64) -> f64 {
    let ends = store.runs.iter().filter_map(|run| Some(run.bins().last()?.1));
    ends.fold(last, f64::max)
}
