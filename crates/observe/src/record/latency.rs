//! Latency figures.

use serde::{Deserialize, Serialize};

/// A figure of [`LatencySummary`], by its name in files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LatencyFigure {
    /// [`LatencySummary::mean`].
    Mean,
    /// [`LatencySummary::p50`].
    P50,
    /// [`LatencySummary::p99`].
    P99,
    /// [`LatencySummary::p999`].
    P999,
    /// [`LatencySummary::max`].
    Max,
}

/// Latency, ns; all null where nothing was measured. What has not arrived when the run ends
/// counts with its age. Quantiles are values of rank ceil(q n), from a histogram: up to 1/1024
/// above the exact ones, never below; mean and maximum are exact.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LatencySummary {
    /// Arithmetic mean.
    pub mean: Option<f64>,
    /// Median.
    pub p50: Option<f64>,
    /// 99th percentile.
    pub p99: Option<f64>,
    /// 99.9th percentile.
    pub p999: Option<f64>,
    /// Largest.
    pub max: Option<f64>,
    /// Share of what is measured that had not arrived when the run ended, 0 to 1.
    #[serde(default)]
    pub undelivered: Option<f64>,
    /// The figures above that are lower bounds, since they follow from ages of what had not
    /// arrived: printed as `>= x`. In the order of the fields.
    #[serde(default)]
    pub lower_bounds: Vec<LatencyFigure>,
}
