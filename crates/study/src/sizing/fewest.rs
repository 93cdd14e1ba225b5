//! The fewest SAQs that are enough.

use super::{MARGIN, Measured};
use crate::table::{PointRow, Spread, Table};
use std::collections::BTreeSet;

/// The number from which on, with more SAQs too, all are within the margin of the best.
pub(super) fn fewest(members: impl Iterator<Item = (f64, f64)>, best: f64) -> Option<f64> {
    let keeps = |value: f64| value >= best * (1.0 - MARGIN);
    members.fold(None, |from, (saqs, value)| {
        keeps(value).then(|| from.unwrap_or(saqs))
    })
}

impl Table {
    /// What is the fewest in each replica, beside the best of that replica. A replica that not all
    /// points have is left out.
    pub(super) fn fewest_of_replicas(
        &self,
        measured: &[Measured<'_>],
        others: &[(&PointRow, Spread)],
        column: &str,
    ) -> Vec<Option<f64>> {
        let replicas: BTreeSet<u32> = self.runs.iter().map(|row| row.job.replica).collect();
        let of = |replica: u32| {
            let value = |point: &PointRow| self.value_of_replica(point, replica, column);
            let members = measured.iter().map(|m| Some((m.0, value(m.1)?)));
            let members: Vec<(f64, f64)> = members.collect::<Option<_>>()?;
            let others: Vec<f64> = others.iter().map(|o| value(o.0)).collect::<Option<_>>()?;
            let all = members.iter().map(|m| m.1).chain(others);
            let best = all.max_by(f64::total_cmp)?;
            Some(fewest(members.into_iter(), best))
        };
        replicas.into_iter().filter_map(of).collect()
    }

    fn value_of_replica(&self, point: &PointRow, replica: u32, column: &str) -> Option<f64> {
        let row = |&index: &usize| {
            let at = self.runs.binary_search_by_key(&index, |row| row.job.index);
            self.runs.get(at.ok()?)
        };
        let mut rows = point.runs.iter().filter_map(row);
        let row = rows.find(|row| row.job.replica == replica)?;
        Some(row.finished()?.value(column)?.value)
    }
}
