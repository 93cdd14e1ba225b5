//! A load axis: latency against load, accepted against offered throughput.

use super::family::{Family, families, values};
use super::metric::{dot, reach, spread_note};
use super::{Figure, Of, first};
use crate::looks::load_axis;
use crate::names;
use crate::plot::{Axis, Dot, Guide, Line, Plot, Scale};
use crate::store::{Point, Store};

const OFFERED: &str = "offered_bytes_per_ns";
const DELIVERED: &str = "delivered_bytes_per_ns";
/// Column, heading of its picture.
const LATENCIES: [(&str, &str); 2] = [
    ("latency_mean_ns", "Mean"),
    ("latency_p99_ns", "99th percentile"),
];
/// Latencies that differ by more than this factor are drawn on a logarithmic axis.
const LOG_FROM: f64 = 8.0;

/// A line a family, through the dots that its members have.
fn lines(store: &Store, axis: &str, dot: impl Fn(f64, &Point) -> Option<Dot>) -> Vec<Line> {
    let of = |family: &Family<'_>| {
        let dots = family.members.iter();
        let dots = dots.filter_map(|&(load, point)| dot(load, point));
        family.line(store, axis, dots.collect())
    };
    let mut lines: Vec<Line> = families(store, axis).iter().filter_map(of).collect();
    first::settings(store, &mut lines);
    lines
}

/// Latency of messages against load, mean and tail; `None` without a load axis or latencies.
pub(super) fn latency(store: &Store) -> Option<Figure> {
    let axis = load_axis(&store.axes, &store.points)?;
    let (name, unit) = names::key(axis);
    let loads = values(&families(store, axis));
    let mut pictures = Vec::new();
    let mut bound = false;
    for (n, (column, heading)) in LATENCIES.into_iter().enumerate() {
        let lines = lines(store, axis, |load, p| dot(p, load, column));
        let dots = || lines.iter().flat_map(|line| &line.dots);
        if dots().next().is_none() {
            continue;
        }
        bound |= dots().any(|dot| dot.at_least);
        let (least, most) = reach(&lines);
        let log = least > 0.0 && most / least > LOG_FROM;
        let (scale, logarithmic) = if log {
            (Scale::log(least, most), " (logarithmic)")
        } else {
            (Scale::from_zero(most, 5), "")
        };
        let top = loads.iter().copied().fold(0.0, f64::max);
        let mut x = Axis::new(&names::capital(&name), unit, Scale::from_zero(top, 10));
        x.key = axis.clone();
        let plot = Plot::new(
            format!("load-latency-{n}"),
            format!("Latency against {name}, {}", heading.to_lowercase()),
            x,
            Axis::new("Message latency", &format!("ns{logarithmic}"), scale),
            360.0,
            lines,
        );
        pictures.push((Some(heading), plot));
    }
    if pictures.is_empty() {
        return None;
    }
    let mut caption = format!(
        "Latency of messages against {name}, from generation on, the wait in the source included; \
         all flows, messages of the measured time.{}",
        spread_note(store, "bars")
    );
    if bound {
        caption.push_str(
            " Hollow marks are lower bounds: messages that had not arrived when the run ended \
             count with their age, so the true value is there or above.",
        );
    }
    Some(Figure {
        id: "load-latency",
        heading: "Latency against load",
        of: Of::Settings,
        pictures,
        caption,
    })
}

/// Accepted against offered throughput; `None` without a load axis, or in stores that do not say
/// what was offered.
pub(super) fn accepted(store: &Store) -> Option<Figure> {
    let axis = load_axis(&store.axes, &store.points)?;
    let offered = |load, point: &Point| Some(dot(point, load, OFFERED)?.y);
    let lines = lines(store, axis, |load, point| {
        dot(point, offered(load, point)?, DELIVERED)
    });
    let dots = || lines.iter().flat_map(|line| &line.dots);
    let right = dots().map(|dot| dot.x).fold(0.0, f64::max);
    let (_, top) = reach(&lines);
    if right <= 0.0 {
        return None;
    }
    let scale = |max| Scale::from_zero(max, 6);
    let mut plot = Plot::new(
        "load-accepted-0".into(),
        "Accepted against offered throughput".into(),
        Axis::new("Offered", "bytes/ns", scale(right)),
        Axis::new("Accepted", "bytes/ns", scale(top)),
        400.0,
        lines,
    );
    let both = right.min(top);
    plot.guides.push(Guide {
        class: "all",
        dots: vec![(0.0, 0.0), (both, both)],
        name: "all is accepted".into(),
        end: String::new(),
    });
    let caption = format!(
        "What the network delivered against what the sources offered, all flows of the whole \
         network in the measured time.{}",
        spread_note(store, "bars")
    );
    Some(Figure {
        id: "load-accepted",
        heading: "Accepted against offered throughput",
        of: Of::Settings,
        pictures: vec![(None, plot)],
        caption,
    })
}
