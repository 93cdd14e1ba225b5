//! Which points are judged together, and beside which others.

use super::{SAQS, SCHEME, words};
use crate::table::{PointRow, Table};

/// Points that differ in the number of SAQs alone, fewest first.
pub(super) struct Family<'a> {
    pub(super) name: String,
    pub(super) members: Vec<(f64, &'a PointRow)>,
}

impl Table {
    /// Those of more than one point.
    pub(super) fn families(&self) -> Vec<Family<'_>> {
        let mut families: Vec<(Vec<&(String, String)>, Family<'_>)> = Vec::new();
        for point in &self.points {
            let saqs = point.label(SAQS).and_then(|v| v.parse::<f64>().ok());
            let Some(saqs) = saqs.filter(|s| s.is_finite()) else {
                continue;
            };
            let others: Vec<_> = point.labels.iter().filter(|l| l.0 != SAQS).collect();
            match families.iter_mut().find(|(labels, _)| *labels == others) {
                Some((_, family)) => family.members.push((saqs, point)),
                None => {
                    let name = words::family(&others);
                    let members = vec![(saqs, point)];
                    families.push((others, Family { name, members }));
                }
            }
        }
        let mut families: Vec<Family<'_>> =
            families.into_iter().map(|(_, family)| family).collect();
        families.retain(|family| family.members.len() > 1);
        for family in &mut families {
            family.members.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        families
    }
}

/// Two points that differ in scheme, SAQs and keys that one of them alone has.
pub(super) fn comparable(a: &PointRow, b: &PointRow) -> bool {
    let of_scheme = |key: &str| key == SCHEME || key == SAQS;
    a.labels
        .iter()
        .all(|(key, value)| of_scheme(key) || b.label(key).is_none_or(|other| other == value))
}
