//! One meaning, one style: the colour, mark, dashes and name of a point in all figures. A
//! *setting*, what points have in common that differ in SAQs or load alone, gives colour and mark;
//! the number or the load gives the dashes.

use crate::names;
use crate::store::Point;
use crate::text::distinct;
use std::cmp::Ordering;

pub(crate) const SAQS: &str = "recn.saqs";

/// An axis of loads: keys that give how much is offered and nothing else. Those of the random
/// sources, of hot sources and of groups, and the times of a trace are divided by its compression.
fn is_load(axis: &str) -> bool {
    let is_share = axis.starts_with("workload.") && axis.ends_with(".load");
    is_share || axis == "workload.trace.compression"
}

/// Whether points along the axis are one setting.
pub(crate) fn is_size(axis: &str) -> bool {
    axis == SAQS || is_load(axis)
}

/// The load axis with two values at least.
pub(crate) fn load_axis<'a>(axes: &'a [String], points: &[Point]) -> Option<&'a String> {
    let varies = |axis: &&String| {
        let mut loads = points.iter().filter_map(|p| p.number(axis));
        let first = loads.next();
        loads.any(|load| Some(load) != first)
    };
    axes.iter().filter(|axis| is_load(axis)).find(varies)
}

/// Gives all points their styles and names: those without SAQs first, then settings in their order.
pub(crate) fn give(axes: &[String], points: &mut [Point]) {
    let fixed: Vec<String> = axes.iter().filter(|a| !is_size(a)).cloned().collect();
    let sizes: Vec<String> = axes.iter().filter(|a| is_size(a)).cloned().collect();
    let has_saqs = points.iter().any(|p| p.label(SAQS).is_some());
    for point in points.iter_mut() {
        point.is_baseline = has_saqs && point.label(SAQS).is_none();
    }
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by_key(|&n| !points[n].is_baseline);
    let setting = |p: &Point| (p.is_baseline, names::point_in_keys(&fixed, &p.labels));
    let settings = distinct(order.iter().map(|&n| setting(&points[n])));
    let mut values: Vec<Vec<f64>> = points.iter().map(|p| size(&sizes, p)).collect();
    values.retain(|value| value.iter().any(|v| !v.is_nan()));
    values.sort_by(|a, b| by_size(a, b));
    values.dedup_by(|a, b| by_size(a, b).is_eq());
    for (n, point) in points.iter_mut().enumerate() {
        let own = (setting(point), size(&sizes, point));
        let at = settings.iter().position(|known| *known == own.0);
        let rank = values.iter().position(|v| by_size(v, &own.1).is_eq());
        // points of one setting are distinguished by colour
        (point.style, point.dash) = match settings.len() {
            1 => (rank.unwrap_or(n), 0),
            _ => (at.unwrap_or(n), rank.unwrap_or(0)),
        };
    }
    let short: Vec<String> = points.iter().map(|p| names::short(axes, &p.labels)).collect();
    let is_unique = |n: usize| !short[n].is_empty() && !short[n + 1..].contains(&short[n]);
    let all_unique = (0..points.len()).all(is_unique);
    for (point, short) in points.iter_mut().zip(&short) {
        point.keys = names::point_in_keys(axes, &point.labels);
        point.title = if all_unique { short } else { &point.name }.clone();
    }
}

/// Values on the axes of sizes; not a number where there is none.
fn size(axes: &[String], point: &Point) -> Vec<f64> {
    let value = |axis: &String| point.number(axis).unwrap_or(f64::NAN);
    axes.iter().map(value).collect()
}

fn by_size(a: &[f64], b: &[f64]) -> Ordering {
    let pairs = a.iter().zip(b).map(|(a, b)| a.total_cmp(b));
    pairs.fold(Ordering::Equal, Ordering::then)
}
