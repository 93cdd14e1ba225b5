//! What the study answers, as `results.json` has it.

use serde::Deserialize;
use serde_json::{Map, Value};

/// Object `answer`.
#[derive(Debug, Deserialize)]
pub(crate) struct Answer {
    pub(crate) target: Target,
    /// What counts as enough, in a sentence.
    pub(crate) enough: String,
    /// Whether numbers of SAQs are compared.
    pub(crate) has_sizes: bool,
    /// The point that all are held against, where it is the same for all.
    pub(crate) reference: Option<Held>,
    pub(crate) settings: Vec<Setting>,
    pub(crate) without_saqs: Vec<Held>,
    pub(crate) cautions: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Target {
    /// `victims` or `all flows`.
    pub(crate) metric: String,
    pub(crate) at_least: f64,
    /// `best`, `offered`, `possible` or a scheme.
    pub(crate) reference: String,
    pub(crate) p99_times: f64,
}

/// All keys but the number of SAQs.
#[derive(Debug, Deserialize)]
pub(crate) struct Setting {
    pub(crate) labels: Map<String, Value>,
    /// The fewest that are enough.
    pub(crate) saqs: Option<f64>,
    pub(crate) saqs_by_replica: Option<[Option<f64>; 2]>,
    /// The fewest with a p99 that meets the target.
    pub(crate) p99_saqs: Option<f64>,
    pub(crate) is_enough: bool,
    /// The point with the fewest, or the one that is nearest to the target.
    pub(crate) at: Option<Held>,
}

/// A point beside the target.
#[derive(Debug, Deserialize)]
pub(crate) struct Held {
    pub(crate) labels: Map<String, Value>,
    pub(crate) delivered_bytes_per_ns: f64,
    pub(crate) share: Option<f64>,
    pub(crate) p99_ns: Option<f64>,
    pub(crate) p99_is_lower_bound: bool,
    pub(crate) port_control_bits: Option<f64>,
}
