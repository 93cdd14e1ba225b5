//! The distribution of latencies: of a run by parts of its flows, of a sweep by points.

use super::{Figure, Of, first};
use crate::plot::{Axis, Dot, Line, Plot, Scale, dots};
use crate::store::{LatencyRow, Point, Store};
use crate::text::{distinct, listed, number};
use crate::windows::MEASURED;

/// A line has a dot wherever its share has risen by this much, and at its end.
const SHARE_STEP: f64 = 1.0 / 256.0;
/// Curves that are named as lower bounds, at most; of more, how many.
const BOUNDS_MAX: usize = 6;
const KINDS: [(&str, &str); 2] = [
    ("message", "Messages, from generation to the last tail"),
    ("packet", "Packets, from injection to the tail"),
];

/// A curve, and where it is a lower bound, from where on.
type Curve = (Line, Option<String>);

/// Cumulative distributions; `None` where the store has no histograms.
pub(super) fn latency(store: &Store) -> Option<Figure> {
    match store.is_sweep {
        true => of_sweep(store),
        false => of_run(store),
    }
}

fn of_sweep(store: &Store) -> Option<Figure> {
    let curve = |(n, point): (usize, &Point)| {
        let rows = store.latencies.iter().filter(|row| row.point == n);
        curve(rows, Line::of(point, Vec::new()))
    };
    let row = store.latencies.first()?;
    let curves = store.points.iter().enumerate().filter_map(curve);
    let (mut lines, bounds): (Vec<Line>, Vec<Option<String>>) = curves.unzip();
    first::points(store, &mut lines);
    let flows = if row.flows == "all" { "all flows" } else { &row.flows };
    let replicas = if store.has_replicas() { ", all replicas of a point together" } else { "" };
    let when = match row.window.as_str() {
        MEASURED => "in the measured time".into(),
        window => format!("in window {window}"),
    };
    Some(figure(
        Of::Points,
        vec![(None, plot(0, KINDS[0].1, lines)?)],
        format!("of the messages of {flows} that were generated {when}{replicas}"),
        bounds.into_iter().flatten().collect(),
    ))
}

fn of_run(store: &Store) -> Option<Figure> {
    let measured = || store.latencies.iter().filter(|row| row.window == MEASURED);
    let name = |row: &LatencyRow| match row.flows.as_str() {
        "all" => "all flows".to_string(),
        "group" => format!("group {}", row.group),
        flows => flows.to_string(),
    };
    let names = distinct(measured().map(name));
    let (mut pictures, mut notes) = (Vec::new(), Vec::new());
    for (n, (of, title)) in KINDS.into_iter().enumerate() {
        let curves = names.iter().enumerate().filter_map(|(style, flows)| {
            let rows = measured().filter(|row| row.of == of && name(row) == *flows);
            curve(rows, Line::plain(style, flows, Vec::new()))
        });
        let (mut lines, bounds): (Vec<Line>, Vec<Option<String>>) = curves.unzip();
        notes.extend(bounds.iter().flatten().map(|bound| format!("{of}s of {bound}")));
        first::parts(&mut lines);
        pictures.extend(plot(n, title, lines).map(|plot| (Some(title), plot)));
    }
    (!pictures.is_empty()).then(|| {
        let what = "of what was generated in the measured time".into();
        figure(Of::Parts, pictures, what, notes)
    })
}

fn curve<'a>(rows: impl Iterator<Item = &'a LatencyRow> + Clone, line: Line) -> Option<Curve> {
    let all: u64 = rows.clone().map(|row| row.count).sum();
    let last = rows.clone().last()?;
    let (mut seen, mut drawn, mut dots) = (0, f64::MIN, Vec::new());
    for row in rows.clone() {
        seen += row.count;
        let share = seen as f64 / all as f64;
        if share - drawn >= SHARE_STEP || row == last {
            dots.push(Dot::at(row.latency_ns, share));
            drawn = share;
        }
    }
    let mut undelivered = rows.filter(|row| row.undelivered > 0);
    let from = undelivered.next().map(|row| number(row.latency_ns, 0));
    let bound = from.map(|from| format!("{} from {from} ns on", line.name));
    Some((Line { dots, ..line }, bound))
}

fn plot(n: usize, title: &str, lines: Vec<Line>) -> Option<Plot> {
    let ns = || dots(&lines).map(|dot| dot.x);
    let (least, most) = (ns().reduce(f64::min)?, ns().reduce(f64::max)?);
    Some(Plot::new(
        format!("latency-{n}"),
        title.into(),
        Axis::new("Latency (logarithmic)", "ns", Scale::log(least, most)),
        Axis::new("Share not above it", "", Scale::from_zero(1.0, 5)),
        320.0,
        lines,
    ))
}

fn figure(
    of: Of,
    pictures: Vec<(Option<&'static str>, Plot)>,
    what: String,
    bounds: Vec<String>,
) -> Figure {
    let mut caption = format!(
        "Cumulative distribution of the latencies {what}, from whole histograms (latency.csv); \
         what has not arrived counts with its age."
    );
    if !bounds.is_empty() {
        caption.push_str(&format!(
            " Lower bounds, since something younger has not arrived: {}.",
            listed(&bounds, BOUNDS_MAX, "; ")
        ));
    }
    Figure { id: "latency", heading: "Latency distribution", of, pictures, caption }
}
