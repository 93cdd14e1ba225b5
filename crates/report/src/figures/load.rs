//! A load axis: latency against load, accepted against offered throughput.

use super::family::{Family, families, values};
use super::metric::{dot, reach, spread_note};
use super::{Figure, Of, first};
use crate::names;
use crate::plot::{Axis, Dot, Guide, Line, Plot, Scale, Stroke, dots};
use crate::store::{Point, Store};
use crate::styles::load_axis;
use crate::text::{listed, significant};

const OFFERED: &str = "offered_bytes_per_ns";
const DELIVERED: &str = "delivered_bytes_per_ns";
/// Column, heading of its picture, title of its axis.
const LATENCIES: [(&str, &str, &str); 2] = [
    ("latency_mean_ns", "Mean", "Mean message latency"),
    ("latency_p99_ns", "99th percentile", "p99 message latency"),
];
/// A network is saturated where more than this share of what is offered does not arrive.
const LOST: f64 = 0.01;
/// Latencies that differ by more than this factor are drawn on a logarithmic axis.
const LOG_FROM: f64 = 8.0;

/// Whether more than [`LOST`] of what is offered does not arrive.
fn is_saturated(point: &Point) -> bool {
    let of = |column| point.value(column).map(|value| value.mean);
    matches!((of(OFFERED), of(DELIVERED)),
        (Some(offered), Some(delivered)) if delivered < (1.0 - LOST) * offered)
}

/// A line a family through its dots; from the lowest load that saturates it a line drops.
fn lines(store: &Store, axis: &str, dot: impl Fn(f64, &Point) -> Option<Dot>) -> Vec<Line> {
    let of = |family: &Family<'_>| {
        let members = family.members.iter();
        let members = members.filter_map(|&(load, point)| Some((dot(load, point)?, point)));
        let (dots, points): (Vec<Dot>, Vec<&Point>) = members.unzip();
        let line = family.line(store, axis, dots)?;
        Some(Line {
            stroke: Stroke::Banded,
            drop: points.iter().position(|point| is_saturated(point)),
            ..line
        })
    };
    let mut lines: Vec<Line> = families(store, axis).iter().filter_map(of).collect();
    first::settings(store, &mut lines);
    lines
}

/// What the lines down to the axis are, and where they meet it, in the unit of the axis.
fn saturation(lines: &[Line], unit: &str) -> String {
    if lines.iter().all(|line| line.drop.is_none()) {
        return " Nowhere is more than 1 % of what is offered lost or late: no saturation.".into();
    }
    let at = |line: &Line| match line.drop {
        Some(n) => format!("{} {}{unit}", line.name, significant(line.dots[n].x)),
        None => format!("{} nowhere", line.name),
    };
    let at: Vec<String> = lines.iter().filter(|line| line.is_shown).map(at).collect();
    format!(
        " Down to the axis: saturation, the lowest load of the study at which more than 1 % of \
         what is offered does not arrive ({}).",
        listed(&at, 8, "; ")
    )
}

/// Latency of messages against load, mean and tail; `None` without a load axis or latencies.
pub(super) fn latency(store: &Store) -> Option<Figure> {
    let axis = load_axis(&store.axes, &store.points)?;
    let (name, unit) = names::key(axis);
    let loads = values(&families(store, axis));
    let mut pictures = Vec::new();
    let mut bound = false;
    let mut saturation = String::new();
    for (n, (column, heading, title)) in LATENCIES.into_iter().enumerate() {
        let lines = lines(store, axis, |load, p| Some(dot(p, load, column)?.per(1000.0)));
        if dots(&lines).next().is_none() {
            continue;
        }
        bound |= dots(&lines).any(|dot| dot.at_least);
        saturation = self::saturation(&lines, "");
        let (least, most) = reach(&lines);
        let (scale, logarithmic) = match least > 0.0 && most / least > LOG_FROM {
            true => (Scale::log(least, most), " (logarithmic)"),
            false => (Scale::from_zero(most, 5), ""),
        };
        let top = loads.iter().copied().fold(0.0, f64::max);
        let mut x = Axis::new(&names::capital(&name), unit, Scale::from_zero(top, 10));
        x.key = axis.clone();
        let plot = Plot::new(
            format!("load-latency-{n}"),
            format!("Latency against {name}, {}", heading.to_lowercase()),
            x,
            Axis::new(title, &format!("\u{b5}s{logarithmic}"), scale),
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
         all flows, messages of the measured time.{}{saturation}",
        spread_note(store, "shaded")
    );
    if bound {
        caption.push_str(
            " Hollow marks are lower bounds: messages that had not arrived when the run ended \
             count with their age, so the true value is there or above.",
        );
    }
    let (id, heading) = ("load-latency", "Latency against load");
    Some(Figure { id, heading, of: Of::Settings, pictures, caption })
}

/// Accepted against offered throughput; `None` without a load axis or the offered throughput.
pub(super) fn accepted(store: &Store) -> Option<Figure> {
    let axis = load_axis(&store.axes, &store.points)?;
    let offered = |load, point: &Point| Some(dot(point, load, OFFERED)?.y);
    let lines = lines(store, axis, |load, point| dot(point, offered(load, point)?, DELIVERED));
    let right = dots(&lines).map(|dot| dot.x).fold(0.0, f64::max);
    let (_, top) = reach(&lines);
    if right <= 0.0 {
        return None;
    }
    let scale = |max| Scale::from_zero(max, 6);
    let heading = "Accepted against offered throughput";
    let mut plot = Plot::new(
        "load-accepted-0".into(),
        heading.into(),
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
    let saturation = saturation(&plot.lines, " bytes/ns");
    let caption = format!(
        "What the network delivered against what the sources offered, all flows of the whole \
         network in the measured time.{}{saturation}",
        spread_note(store, "shaded")
    );
    Some(Figure::of_settings("load-accepted", heading, plot, caption))
}
