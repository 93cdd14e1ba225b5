//! `latency.csv` of a run or a sweep.

use serde::Deserialize;

/// A bucket of a histogram of latencies.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub(crate) struct LatencyRow {
    /// Place of the point in the sweep; 0 of a single run.
    #[serde(default)]
    pub(crate) point: usize,
    pub(crate) window: String,
    /// `all`, `victims` or `group`.
    pub(crate) flows: String,
    /// Its name, where the flows are a group.
    #[serde(default)]
    pub(crate) group: String,
    /// `message` or `packet`; a sweep has messages alone.
    #[serde(default)]
    pub(crate) of: String,
    /// The largest of the bucket.
    pub(crate) latency_ns: f64,
    pub(crate) count: u64,
    /// How many of these had not arrived.
    pub(crate) undelivered: u64,
}
