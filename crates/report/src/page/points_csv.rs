//! The table of a sweep as CSV.

use crate::store::Store;
use crate::text::csv_field;

/// Every point with all columns, those that the page leaves out too.
pub(super) fn points_csv(store: &Store) -> String {
    let mut out = String::from("point,replicas,replicas_finished");
    for column in &store.columns {
        out.push_str(&format!(",{0}_mean,{0}_min,{0}_max", column.name));
        if column.undelivered.is_some() {
            out.push_str(&format!(",{}_is_lower_bound", column.name));
        }
    }
    out.push('\n');
    for point in &store.points {
        out.push_str(&format!(
            "{},{},{}",
            csv_field(&point.name),
            point.replicas.max(point.runs.len()),
            point.finished
        ));
        for column in &store.columns {
            let value = point.value(&column.name);
            match value {
                Some((mean, min, max)) => out.push_str(&format!(",{mean},{min},{max}")),
                None => out.push_str(",,,"),
            }
            if column.undelivered.is_some() {
                let bound = value.map(|_| point.at_least(&column.name).to_string());
                out.push_str(&format!(",{}", bound.unwrap_or_default()));
            }
        }
        out.push('\n');
    }
    out
}
