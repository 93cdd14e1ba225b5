//! The answer of a made-up sweep, by the throughput of victims in window during.

use serde_json::{Map, Value, json};

const AT_LEAST: f64 = 0.98;
const DELIVERED: &str = "victims_during_bytes_per_ns";

fn delivered(point: &Value) -> Option<f64> {
    point["mean"][DELIVERED].as_f64()
}

fn saqs(point: &Value) -> Option<f64> {
    point["labels"]["recn.saqs"].as_str()?.parse().ok()
}

/// Object `answer` of these points.
pub fn answer(points: &[Value]) -> Value {
    let best = points.iter().filter(|p| delivered(p).is_some());
    let best = best.max_by(|a, b| delivered(a).partial_cmp(&delivered(b)).unwrap());
    let most = best.and_then(delivered).unwrap_or(1.0);
    let is_enough = |point: &Value| delivered(point).is_some_and(|d| d / most >= AT_LEAST);
    let met = |is_met: bool| if is_met { "yes" } else { "no" };
    let held = |point: &Value| {
        json!({
            "name": point["name"], "labels": point["labels"],
            "delivered_bytes_per_ns": delivered(point), "share": delivered(point).map(|d| d / most),
            "throughput_is_enough": met(is_enough(point)),
            "p99_ns": point["mean"]["latency_p99_ns"], "p99_is_lower_bound": false,
            "p99_is_enough": "yes",
            "port_control_bits": point["mean"]["port_control_bits"],
        })
    };
    let has_sizes = points.iter().any(|p| saqs(p).is_some());
    let rest = |point: &Value| -> Map<String, Value> {
        let mut labels = point["labels"].as_object().unwrap().clone();
        labels.remove("recn.saqs");
        labels
    };
    let sized = points.iter().filter(|p| saqs(p).is_some() == has_sizes);
    let sized: Vec<&Value> = sized.filter(|p| delivered(p).is_some()).collect();
    let mut settings: Vec<(Map<String, Value>, &Value)> = Vec::new();
    for &point in &sized {
        match settings.iter_mut().find(|s| s.0 == rest(point)) {
            Some(known) if !is_enough(known.1) => known.1 = point,
            Some(_) => {}
            None => settings.push((rest(point), point)),
        }
    }
    let setting = |(labels, at): &(Map<String, Value>, &Value)| {
        let fewest = |saqs: Option<f64>| json!({ "fewest": saqs, "is_unknown": false, "is_largest": false, "by_replica": null });
        let sized = |saqs: Option<f64>| has_sizes.then(|| fewest(saqs));
        json!({
            "labels": labels, "saqs": sized(saqs(at).filter(|_| is_enough(at))),
            "p99_saqs": sized(None), "is_enough": met(is_enough(at)), "at": held(at),
        })
    };
    let without = points.iter().filter(|p| has_sizes && saqs(p).is_none());
    let without = without.filter(|p| delivered(p).is_some());
    json!({
        "target": {
            "metric": "victims", "at_least": AT_LEAST, "reference": "best", "p99_times": 2,
        },
        "enough": "victims at least 98 % of the best: <made up>",
        "window": "during", "window_ns": null, "has_sizes": has_sizes, "questions": 1, "reference": best.map(held),
        "rank": (0..settings.len()).collect::<Vec<_>>(), "is_partial": false,
        "settings": settings.iter().map(setting).collect::<Vec<_>>(),
        "without_saqs": without.map(held).collect::<Vec<_>>(),
        "cautions": ["one seed: <made up>"],
    })
}
