//! Which throughput the sizing figures compare schemes by.

use crate::plot::Dot;
use crate::store::{Point, Store};

/// Throughput and its worst dip, by their columns, and how to call them.
pub(super) struct Metric {
    pub(super) throughput: &'static str,
    /// Empty where there is none.
    pub(super) dip: &'static str,
    pub(super) what: &'static str,
}

/// In the order of choice: what a congestion tree costs the victims, what it costs all flows, and
/// without a tree the measured time.
const METRICS: [Metric; 4] = [
    Metric {
        throughput: "victims_during_bytes_per_ns",
        dip: "victims_worst_dip_bytes_per_ns",
        what: "of the victims (flows to no hot destination) in window during",
    },
    Metric {
        throughput: "during_bytes_per_ns",
        dip: "worst_dip_bytes_per_ns",
        what: "of all flows in window during",
    },
    Metric {
        throughput: "victims_delivered_bytes_per_ns",
        dip: "",
        what: "of the victims (flows to no hot destination) in the measured time",
    },
    Metric {
        throughput: "delivered_bytes_per_ns",
        dip: "",
        what: "of all flows in the measured time",
    },
];

/// The first metric that some point has.
pub(super) fn metric(store: &Store) -> &'static Metric {
    let has = |m: &&Metric| store.points.iter().any(|p| p.value(m.throughput).is_some());
    METRICS.iter().find(has).unwrap_or(&METRICS[3])
}

/// A column of a point, at `x`.
pub(super) fn dot(point: &Point, x: f64, column: &str) -> Option<Dot> {
    let (y, min, max) = point.value(column)?;
    Some(Dot {
        x,
        y,
        range: (min, max),
        at_least: point.at_least(column),
    })
}

/// What bars are; empty where there are none.
pub(super) fn bars_note(store: &Store) -> &'static str {
    if store.has_replicas() {
        " Means over the replicas; bars: smallest to largest replica."
    } else {
        ""
    }
}
