//! One cell of the table for people.

use crate::columns::{COLUMNS, Column, place};
use crate::lines::{at_most, with_half};
use crate::table::PointRow;

/// Mean over the replicas with half of its interval; of a bound, the share of the messages that had
/// not arrived.
pub(super) fn long(point: &PointRow, column: usize) -> String {
    let text = short(point, column);
    let share = COLUMNS[column].undelivered.and_then(place);
    let share = share.and_then(|c| point.values[c]);
    let is_bound = point.values[column].is_some_and(|spread| spread.at_least);
    match share.filter(|_| is_bound) {
        Some(share) => format!("{text} ({:.1} %)", share.mean * 100.0),
        None => text,
    }
}

/// Mean over the replicas with half of its interval.
pub(super) fn short(point: &PointRow, column: usize) -> String {
    let Some(spread) = point.values[column] else {
        return if point.finished == 0 { "none" } else { "-" }.into();
    };
    let mean = mean_text(column, spread.mean, spread.at_least);
    with_half(mean, spread.half_95, COLUMNS[column].decimals)
}

fn mean_text(column: usize, mean: f64, at_least: bool) -> String {
    let Column { name, decimals, .. } = COLUMNS[column];
    // what waited from before was possible before
    if name.ends_with("of_ideal") {
        return at_most(mean, 1.0, decimals);
    }
    let bound = if at_least { ">= " } else { "" };
    format!("{bound}{mean:.decimals$}")
}
