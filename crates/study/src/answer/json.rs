//! The answer in `results.json`.

use super::{Answer, Fewest, Held, Setting};
use serde_json::{Map, Value, json};

impl Answer {
    /// Object `answer` of `results.json`.
    pub(crate) fn to_json(&self) -> Value {
        let target = &self.target;
        json!({
            "target": {
                "metric": self.flows.name(), "at_least": target.share,
                "reference": target.reference.word(), "p99_times": target.p99_times,
                "p99_ns": target.p99_ns,
            },
            "enough": self.enough(), "window": self.window, "window_ns": self.window_ns,
            "has_sizes": self.has_sizes, "questions": self.questions,
            "is_partial": self.is_partial, "replicas": self.replicas, "rank": self.rank,
            "reference": self.reference.as_ref().map(held),
            "settings": self.settings.iter().map(setting).collect::<Vec<_>>(),
            "without_saqs": self.without.iter().map(held).collect::<Vec<_>>(),
            "cautions": self.cautions,
        })
    }
}

fn labels(labels: &[(String, String)]) -> Value {
    let labels = labels.iter().map(|(k, v)| (k.clone(), json!(v)));
    Value::Object(labels.collect::<Map<_, _>>())
}

fn held(held: &Held) -> Value {
    let mut value = judged(held);
    value["name"] = json!(held.name);
    value["labels"] = labels(&held.labels);
    value
}

/// What the judged flows of a point do in the judged window.
pub(crate) fn judged(held: &Held) -> Value {
    let difference = held
        .difference
        .map(|difference| json!({ "mean": difference.mean, "half_95": difference.half }));
    let merged = held.merged_latency_ns.as_ref().map(|l| {
        json!({
            "p50": l.p50, "p99": l.p99, "p999": l.p999, "undelivered": l.undelivered,
            "lower_bounds": l.lower_bounds,
        })
    });
    json!({
        "delivered_bytes_per_ns": held.bytes_per_ns,
        "delivered_half_95_bytes_per_ns": held.half_95_bytes_per_ns,
        "share": held.share, "share_half_95": held.share_half_95,
        "throughput_is_enough": held.throughput.word(),
        "throughput_is_certain": held.throughput_is_certain,
        "difference_to_reference_bytes_per_ns": difference,
        "p99_ns": held.p99_ns, "p99_half_95_ns": held.p99_half_95_ns,
        "p99_is_lower_bound": held.p99_is_lower_bound,
        "p99_is_enough": held.p99.word(), "p99_is_certain": held.p99_is_certain,
        "merged_latency_ns": merged,
        "port_control_bits": held.control_bits,
    })
}

fn setting(setting: &Setting) -> Value {
    let fewest = |n: usize| setting.fewest.map(|fewest| self::fewest(&fewest[n]));
    json!({
        "labels": labels(&setting.labels), "saqs": fewest(0), "p99_saqs": fewest(1),
        "is_enough": setting.is_enough.word(), "is_certain": setting.is_certain, "at": setting.at.as_ref().map(held),
    })
}

fn fewest(fewest: &Fewest) -> Value {
    json!({
        "fewest": fewest.saqs, "is_unknown": fewest.is_unknown,
        "is_largest": fewest.is_largest, "is_certain": fewest.is_certain, "by_replica": fewest.by_replica,
    })
}
