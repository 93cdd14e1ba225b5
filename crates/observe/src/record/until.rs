//! How a run that was to go on until its mean is known came out.

use serde::{Deserialize, Serialize};

/// Of a run with `run.until`: the measured time that was found, and what its series says of the
/// mean. All but this object is that of a run with this warm-up and duration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UntilSummary {
    /// `run.until.metric`.
    pub metric: String,
    /// How it came out.
    pub result: UntilResult,
    /// Of the metric in the measured time.
    pub mean_bytes_per_ns: f64,
    /// Half of the interval of that mean, over the mean, by batch means; null where bins of the
    /// series correlate so much that there is none.
    pub half_width: Option<f64>,
    /// Of the interval.
    pub confidence: f64,
    /// End of the warm-up that was found; of a run that does not say where it ends, half of it.
    pub warmup_ns: f64,
    /// Duration that was found.
    pub duration_ns: f64,
    /// Batches that the interval is from; 0 without one.
    pub batches: u64,
    /// Runs that were simulated, this one included.
    pub attempts: u64,
}

/// How a run came out that was to go on until its mean is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum UntilResult {
    /// The interval is as narrow as was asked for.
    #[serde(rename = "converged")]
    Converged,
    /// The longest run that is allowed was too short.
    #[serde(rename = "not converged")]
    NotConverged,
    /// More is offered than is delivered: what waits or is refused grows all the time.
    #[serde(rename = "saturated")]
    Saturated,
}

impl UntilResult {
    /// As in `summary.json`, and for people.
    pub fn word(self) -> &'static str {
        match self {
            UntilResult::Converged => "converged",
            UntilResult::NotConverged => "not converged",
            UntilResult::Saturated => "saturated",
        }
    }
}
