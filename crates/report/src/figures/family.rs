//! Points that differ in one axis alone: the lines of a figure that has this axis as its x.

use crate::names;
use crate::plot::{Dot, Line, Stroke};
use crate::store::{Point, Store};
use crate::styles::is_size;

/// Such points, by their values on the axis.
pub(super) struct Family<'a> {
    pub(super) name: String,
    pub(super) keys: String,
    pub(super) members: Vec<(f64, &'a Point)>,
}

/// The families of an axis, in the order of their first points; without a number a point has none.
pub(super) fn families<'a>(store: &'a Store, axis: &str) -> Vec<Family<'a>> {
    let others: Vec<String> = store.axes.iter().filter(|a| *a != axis).cloned().collect();
    let mut families: Vec<Family<'_>> = Vec::new();
    for point in &store.points {
        let Some(x) = point.number(axis) else {
            continue;
        };
        let keys = names::point_in_keys(&others, &point.labels);
        match families.iter_mut().find(|f| f.keys == keys) {
            Some(family) => family.members.push((x, point)),
            None => families.push(Family {
                name: names::short(&others, &point.labels),
                keys,
                members: vec![(x, point)],
            }),
        }
    }
    // keys where short names are equal
    let is_twice = |n: usize| families[n + 1..].iter().any(|f| f.name == families[n].name);
    let any_twice = (0..families.len()).any(is_twice);
    for family in &mut families {
        family.members.sort_by(|a, b| a.0.total_cmp(&b.0));
        if any_twice {
            family.name.clone_from(&family.keys);
        }
        if family.name.is_empty() {
            family.name = "all points".into();
        }
    }
    families
}

impl Family<'_> {
    /// Its line, `None` without dots: colour and mark of the setting, dashes of the other size.
    pub(super) fn line(&self, store: &Store, axis: &str, dots: Vec<Dot>) -> Option<Line> {
        let first = self.members[0].1;
        let mut labels = first.labels.clone();
        labels.remove(axis);
        let is_two = store.axes.iter().filter(|a| is_size(a)).count() > 1;
        (!dots.is_empty()).then(|| Line {
            dash: if is_two { first.dash } else { 0 },
            stroke: Stroke::Marked,
            keys: self.keys.clone(),
            labels,
            ..Line::plain(first.style, &self.name, dots)
        })
    }
}

/// The different values of all members, in order.
pub(super) fn values(families: &[Family<'_>]) -> Vec<f64> {
    let members = families.iter().flat_map(|f| &f.members);
    let mut values: Vec<f64> = members.map(|m| m.0).collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    values
}
