//! Control memory of a port against throughput.

use super::family::families;
use super::metric::{Metric, spread_note};
use super::{Figure, first};
use crate::plot::{Axis, Dot, Guide, Line, Plot, Scale, Stroke, dots};
use crate::store::{Point, Store};
use crate::styles::{SAQS, load_axis};
use crate::text::{joined, listed};

const BITS: &str = "port_control_bits";

/// A line a setting and its Pareto front; `None` where no point has both.
pub(super) fn memory(store: &Store) -> Option<Figure> {
    let metric = Metric::of(store);
    let dot = |point: &Point| metric.dot(point, point.value(BITS)?.mean);
    let has_saqs = store.points.iter().any(|p| p.number(SAQS).is_some());
    let axis = match has_saqs {
        true => Some(SAQS),
        false => load_axis(&store.axes, &store.points).map(String::as_str),
    };
    let families = axis.map_or(Vec::new(), |axis| families(store, axis));
    let is_alone = |p: &&Point| axis.is_none_or(|axis| p.number(axis).is_none());
    let line = |point: &Point| {
        let line = Line::of(point, vec![dot(point)?]);
        Some(Line { stroke: Stroke::Marked, dash: 0, ..line })
    };
    let mut lines: Vec<Line> = store.points.iter().filter(is_alone).filter_map(line).collect();
    for family in &families {
        let dots = family.members.iter().filter_map(|(_, point)| dot(point));
        lines.extend(family.line(store, axis.unwrap_or_default(), dots.collect()));
    }
    first::settings(store, &mut lines);
    let (min, max) = dots(&lines).fold((f64::MAX, 0.0f64), |(a, b), d| (a.min(d.x), b.max(d.x)));
    if max <= 0.0 {
        return None;
    }
    let front = front(store, dot);
    let mut caption = format!(
        "What a port pays for its scheme beside data memory (bits of CAM lines, of queue and SAQ \
         registers, of credit counters and of the ECN marker) against the {}. Up and left is \
         better. Pareto front, where none is both cheaper and better: {}.{}",
        metric.what,
        joined(front.iter().map(|f| f.0), ", "),
        spread_note(store, "bars")
    );
    let missing = store.points.iter().filter(|p| dot(p).is_none());
    let missing: Vec<&str> = missing.map(|p| p.title.as_str()).collect();
    if !missing.is_empty() {
        caption.push_str(&format!(" Without values: {}.", listed(&missing, 8, "; ")));
    }
    let (scale, logarithmic) = match min > 0.0 && max / min > 8.0 {
        true => (Scale::log(min, max), " (logarithmic)"),
        false => (Scale::around(min, max, 6), ""),
    };
    let (y, heading) = (metric.scale(&lines), "Memory cost against throughput");
    let mut plot = Plot::new(
        "memory-0".into(),
        heading.into(),
        Axis::new("Control", &format!("bits a port{logarithmic}"), scale),
        Axis::new(&metric.title, metric.unit, y),
        400.0,
        lines,
    );
    // from a point to the right until the next better one
    let mut steps: Vec<(f64, f64)> = Vec::new();
    for &(_, x, y) in &front {
        steps.extend(steps.last().map(|last| (x, last.1)));
        steps.push((x, y));
    }
    steps.extend(steps.last().map(|last| (max, last.1)));
    let ends = plot.x.scale.ends();
    plot.guides.extend(metric.target(ends));
    plot.guides.push(Guide {
        class: "front",
        dots: steps,
        name: "Pareto front".into(),
        end: String::new(),
    });
    Some(Figure::of_settings("memory", heading, plot, caption))
}

/// Names and places of the points that no other beats in cost and value, the cheapest first.
fn front(store: &Store, dot: impl Fn(&Point) -> Option<Dot>) -> Vec<(&str, f64, f64)> {
    let all = store.points.iter();
    let all = all.filter_map(|p| dot(p).map(|dot| (p.title.as_str(), dot.x, dot.y)));
    let mut all: Vec<(&str, f64, f64)> = all.collect();
    all.sort_by(|a, b| a.1.total_cmp(&b.1).then(b.2.total_cmp(&a.2)));
    let mut best = f64::MIN;
    all.retain(|point| {
        let is_better = point.2 > best;
        best = best.max(point.2);
        is_better
    });
    all
}
