//! Each run of a point beside the reference of its own seed: what searches judge by.

use super::Levels;
use super::level::Of;
use crate::table::Table;

/// A run that finished.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Judged {
    /// Delivered as a part of the reference of the same seed; `None` where there is none.
    pub(crate) share: Option<f64>,
    /// p99 latency, ns, of the flows and the window that are judged.
    pub(crate) p99_ns: Option<f64>,
    /// It is at least that.
    pub(crate) p99_is_lower_bound: bool,
    /// The same as a part of what the target allows; `None` where that is not known.
    pub(crate) p99_of_limit: Option<f64>,
}

/// The runs of a point, by replica.
pub(crate) fn runs_of(table: &Table, levels: &Levels<'_>, point: usize) -> Vec<Judged> {
    let rows = table.points[point].runs.iter();
    let rows = rows.filter_map(|&index| table.run(index));
    let finished = rows.filter(|row| row.finished().is_some());
    let judged = |replica: u32| {
        let of = Of::Replica(replica);
        let own = levels.own_p99(point, of);
        let limit = levels.p99_limit(point, of);
        // A limit that follows from a lower bound is none.
        let limit = limit.filter(|(_, is_bound)| !is_bound);
        Judged {
            share: levels.share(point, of),
            p99_ns: own.map(|(ns, _)| ns),
            p99_is_lower_bound: own.is_some_and(|(_, is_bound)| is_bound),
            p99_of_limit: own.zip(limit).map(|((ns, _), (limit, _))| ns / limit),
        }
    };
    finished.map(|row| judged(row.job.replica)).collect()
}
