//! What the study answers, as `results.json` has it.

use serde::Deserialize;
use serde_json::{Map, Value};

/// Object `answer`.
#[derive(Debug, Deserialize)]
pub(crate) struct Answer {
    pub(crate) target: Target,
    /// What counts as enough, in a sentence.
    pub(crate) enough: String,
    /// The window that was judged.
    pub(crate) window: String,
    /// Whether numbers of SAQs are compared.
    pub(crate) has_sizes: bool,
    /// The point whose p99 counts, and of a best or a scheme its throughput; where it is one for
    /// all.
    pub(crate) reference: Option<Held>,
    pub(crate) settings: Vec<Setting>,
    /// Numbers of settings in the order in which they matter.
    pub(crate) rank: Vec<usize>,
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
    /// In the place of `p99_times`.
    #[serde(default)]
    pub(crate) p99_ns: Option<f64>,
}

/// All keys but the number of SAQs.
#[derive(Debug, Deserialize)]
pub(crate) struct Setting {
    pub(crate) labels: Map<String, Value>,
    /// The fewest SAQs for the throughput; `None` of a setting that is a point.
    pub(crate) saqs: Option<Fewest>,
    /// The fewest for the p99.
    pub(crate) p99_saqs: Option<Fewest>,
    pub(crate) is_enough: Met,
    /// The whole interval is on one side of the target, where there is one.
    pub(crate) is_certain: Option<bool>,
    /// The point with the fewest, or the one that is nearest to the target.
    pub(crate) at: Option<Held>,
}

/// Whether a target is met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Met {
    Yes,
    No,
    Unknown,
}

/// The fewest SAQs from which on a target is met.
#[derive(Debug, Deserialize)]
pub(crate) struct Fewest {
    pub(crate) fewest: Option<f64>,
    pub(crate) is_unknown: bool,
    pub(crate) is_largest: bool,
    pub(crate) is_certain: Option<bool>,
    pub(crate) by_replica: Option<[Option<f64>; 2]>,
}

/// A point beside the target.
#[derive(Debug, Deserialize)]
pub(crate) struct Held {
    pub(crate) labels: Map<String, Value>,
    #[serde(flatten)]
    pub(crate) judged: Judged,
}

/// What the judged flows of a point do in the judged window; half widths are those of 95 %
/// intervals over the replicas.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Judged {
    pub(crate) delivered_bytes_per_ns: f64,
    pub(crate) delivered_half_95_bytes_per_ns: Option<f64>,
    pub(crate) share: Option<f64>,
    pub(crate) share_half_95: Option<f64>,
    pub(crate) throughput_is_enough: Met,
    pub(crate) p99_ns: Option<f64>,
    pub(crate) p99_half_95_ns: Option<f64>,
    pub(crate) p99_is_lower_bound: bool,
    pub(crate) port_control_bits: Option<f64>,
}
