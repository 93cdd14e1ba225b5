//! Points that differ in one axis alone: the lines of a figure that has this axis as its x.

use crate::names;
use crate::store::{Point, Store};

/// Such points, by their values on the axis.
pub(super) struct Family<'a> {
    /// What they have in common, for people; empty where they have no other axis.
    pub(super) name: String,
    /// The same in keys.
    pub(super) keys: String,
    pub(super) members: Vec<(f64, &'a Point)>,
}

/// The families of an axis, in the order of their first points. Points without a number on it are
/// in none.
pub(super) fn families<'a>(store: &'a Store, axis: &str) -> Vec<Family<'a>> {
    let others: Vec<String> = store.axes.iter().filter(|a| *a != axis).cloned().collect();
    let mut families: Vec<Family<'_>> = Vec::new();
    for point in &store.points {
        let Some(x) = number_on(point, axis) else {
            continue;
        };
        let keys = names::point_in_keys(&others, &point.labels);
        match families.iter_mut().find(|f| f.keys == keys) {
            Some(family) => family.members.push((x, point)),
            None => families.push(Family {
                name: names::point(&others, &point.labels),
                keys,
                members: vec![(x, point)],
            }),
        }
    }
    for family in &mut families {
        family.members.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    families
}

/// The value of a point on an axis of numbers.
pub(super) fn number_on(point: &Point, axis: &str) -> Option<f64> {
    let value: f64 = point.label(axis)?.parse().ok()?;
    value.is_finite().then_some(value)
}

/// The different values of all members, in order.
pub(super) fn values(families: &[Family<'_>]) -> Vec<f64> {
    let members = families.iter().flat_map(|f| &f.members);
    let mut values: Vec<f64> = members.map(|m| m.0).collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    values
}
