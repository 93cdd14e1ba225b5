//! By what figures compare points: the throughput of the judged flows, or a part of what it may be.

use crate::plot::{Dot, Guide, Line, Scale, dots};
use crate::store::{Answer, Held, Point, Store};

/// Throughput, its part of ideal, and names of the flows and the time. In the order of choice: the
/// victims of a congestion tree, all flows beside it, and without a tree the measured time.
type Column = (&'static str, &'static str, &'static str);
const COLUMNS: [Column; 4] = [
    (
        "victims_during_bytes_per_ns",
        "victims_during_of_ideal",
        "victims (flows to no hot destination) in window during",
    ),
    ("during_bytes_per_ns", "", "all flows in window during"),
    (
        "victims_delivered_bytes_per_ns",
        "",
        "victims (flows to no hot destination) in the measured time",
    ),
    ("delivered_bytes_per_ns", "of_ideal", "all flows in the measured time"),
];

/// A level of points.
pub(super) struct Metric {
    column: &'static str,
    /// Of a value of the column in the unit of the axis.
    times: f64,
    pub(super) title: String,
    pub(super) unit: &'static str,
    pub(super) what: String,
    target: Option<(f64, String)>,
}

impl Metric {
    pub(super) fn of(store: &Store) -> Metric {
        let has = |name: &str| store.points.iter().any(|p| p.value(name).is_some());
        let answer = store.answer.as_ref();
        let is_all = answer.is_some_and(|a| a.target.metric != "victims");
        let is_meant = |c: &&Column| has(c.0) && !(is_all && c.0.starts_with("victims"));
        let (throughput, ideal, flows) = *COLUMNS.iter().find(is_meant).unwrap_or(&COLUMNS[3]);
        let whose = flows.split(" (").next().unwrap_or(flows);
        let whose = whose.split(" in ").next().unwrap_or(whose);
        let is_point = |a: &&Answer| !["offered", "possible"].contains(&&*a.target.reference);
        let held = answer.filter(is_point).and_then(|a| a.reference.as_ref());
        let held = held.and_then(|held| Some((held, store.point(&held.labels)?)));
        let at_least = answer.map_or(f64::NAN, |a| a.target.at_least);
        let named = |point: &Point| match point.title.chars().count() {
            ..=10 => format!("{} % of {}", short(at_least), point.title),
            _ => format!("{} % of best", short(at_least)),
        };
        let title = |of: &str| crate::names::capital(&format!("{whose}, {of}"));
        let part = |column, times, of: &str, whole: &str, target| {
            let what = format!("throughput of {flows}, as a part of {whole}");
            Metric { column, times, title: title(of), unit: "%", what, target }
        };
        if !ideal.is_empty() && has(ideal) {
            let is_possible = answer.is_some_and(|a| a.target.reference == "possible");
            let of_held = |(_, point): (&Held, &Point)| {
                Some((point.value(ideal)?.mean * at_least * 100.0, named(point)))
            };
            let target = match is_possible {
                true => Some((at_least * 100.0, format!("{} %", short(at_least)))),
                false => held.and_then(of_held),
            };
            return part(ideal, 100.0, "of ideal", "what routes and links allow", target);
        }
        if let Some((held, point)) = held {
            let times = 100.0 / held.judged.delivered_bytes_per_ns;
            let [of, whole] = ["of", "that of"].map(|of| format!("{of} {}", point.title));
            let target = Some((at_least * 100.0, named(point)));
            return part(throughput, times, &of, &whole, target);
        }
        Metric {
            column: throughput,
            times: 1.0,
            title: title("delivered"),
            unit: "bytes/ns",
            what: format!("throughput of {flows}"),
            target: None,
        }
    }

    pub(super) fn dot(&self, point: &Point, x: f64) -> Option<Dot> {
        let value = point.value(self.column)?;
        let half = value.half_95.map(|half| half * self.times);
        Some(Dot::with_half(x, value.mean * self.times, half))
    }

    pub(super) fn target(&self, ends: [f64; 2]) -> Option<Guide> {
        self.target.as_ref().map(|(y, name)| Guide {
            class: "target",
            dots: ends.map(|x| (x, *y)).to_vec(),
            name: format!("target: {name}"),
            end: name.clone(),
        })
    }

    pub(super) fn scale(&self, lines: &[Line]) -> Scale {
        let (least, most) = reach(lines);
        match self.unit {
            "%" => Scale::percent(least.min(100.0), most),
            _ => Scale::from_zero(most, 5),
        }
    }
}

/// A share in percent, as short as it is.
fn short(share: f64) -> f64 {
    (share * 1e8).round() / 1e6
}

pub(super) fn dot(point: &Point, x: f64, column: &str) -> Option<Dot> {
    let value = point.value(column)?;
    Some(Dot { at_least: point.at_least(column), ..Dot::with_half(x, value.mean, value.half_95) })
}

/// Range of lines with their intervals; one wider than its mean gets no more room.
pub(super) fn reach(lines: &[Line]) -> (f64, f64) {
    let low = dots(lines).map(|dot| dot.range.0.max(dot.y / 2.0));
    let high = dots(lines).map(|dot| dot.range.1.min(dot.y * 2.0));
    (low.fold(f64::MAX, f64::min), high.fold(0.0, f64::max))
}

/// The note on intervals, drawn so; empty where there are none.
pub(super) fn spread_note(store: &Store, drawn: &str) -> String {
    match store.has_replicas() {
        true => format!(
            " Means over the replicas; {drawn}: 95 % intervals of the means, by Student's t over \
             the replicas, cut where they leave the picture."
        ),
        false => String::new(),
    }
}
