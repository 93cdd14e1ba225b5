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
            "is_partial": self.is_partial, "rank": self.rank,
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
    json!({
        "name": held.name, "labels": labels(&held.labels),
        "delivered_bytes_per_ns": held.bytes_per_ns, "share": held.share,
        "throughput_is_enough": held.throughput.word(), "p99_ns": held.p99_ns,
        "p99_range_ns": held.p99_range_ns, "p99_is_lower_bound": held.p99_is_lower_bound,
        "p99_is_enough": held.p99.word(),
        "port_control_bits": held.control_bits,
    })
}

fn setting(setting: &Setting) -> Value {
    let fewest = |n: usize| setting.fewest.map(|fewest| self::fewest(&fewest[n]));
    json!({
        "labels": labels(&setting.labels), "saqs": fewest(0), "p99_saqs": fewest(1),
        "is_enough": setting.is_enough.word(), "at": setting.at.as_ref().map(held),
    })
}

fn fewest(fewest: &Fewest) -> Value {
    json!({
        "fewest": fewest.saqs, "is_unknown": fewest.is_unknown,
        "is_largest": fewest.is_largest, "by_replica": fewest.by_replica,
    })
}
