//! One cell of the table for people.

use crate::columns::{COLUMNS, Column, place};
use crate::lines::at_most;
use crate::table::{PointRow, Spread};

/// Mean over the replicas, and their range where it is not nothing as printed; of a bound, the
/// share of the messages that had not arrived.
pub(super) fn long(point: &PointRow, column: usize) -> String {
    let Some(spread) = point.values[column] else {
        return without(point);
    };
    let Column {
        decimals,
        undelivered,
        ..
    } = COLUMNS[column];
    let Spread {
        mean,
        min,
        max,
        at_least,
    } = spread;
    let mut text = mean_text(column, mean, at_least);
    let [min, max] = [min, max].map(|value| format!("{value:.decimals$}"));
    if min != max {
        text.push_str(&format!(" [{min}..{max}]"));
    }
    let share = undelivered.and_then(place).and_then(|c| point.values[c]);
    if let (true, Some(share)) = (at_least, share) {
        text.push_str(&format!(" ({:.1} %)", share.mean * 100.0));
    }
    text
}

/// Mean over the replicas, and how far they are from it at most where that is not nothing as
/// printed.
pub(super) fn short(point: &PointRow, column: usize) -> String {
    let Some(spread) = point.values[column] else {
        return without(point);
    };
    let decimals = COLUMNS[column].decimals;
    let text = mean_text(column, spread.mean, spread.at_least);
    let far = (spread.max - spread.mean).max(spread.mean - spread.min);
    let [far, nothing] = [far, 0.0].map(|value| format!("{value:.decimals$}"));
    if far == nothing {
        text
    } else {
        format!("{text} ±{far}")
    }
}

fn without(point: &PointRow) -> String {
    if point.finished == 0 { "none" } else { "-" }.into()
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
