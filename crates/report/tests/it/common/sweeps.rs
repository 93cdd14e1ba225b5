//! Made-up studies, their numbers, and a sweep of them as `study` writes it.

use serde_json::{Map, Value, json};
use std::fs;
use std::path::Path;

/// A point: name, labels, level of the dip (part of 44 bytes/ns), SAQs, control bits of a port.
pub(crate) struct Shape {
    pub(crate) name: String,
    pub(crate) labels: Vec<(String, String)>,
    pub(crate) dip: f64,
    pub(crate) saqs: u32,
    pub(crate) bits: u32,
    /// Load, and what the network can deliver of 64 bytes/ns.
    pub(crate) load: Option<(f64, f64)>,
}

pub(crate) fn shape(name: &str, labels: &[(&str, &str)], dip: f64, saqs: u32, bits: u32) -> Shape {
    let labels = labels.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    Shape { name: name.into(), labels, dip, saqs, bits, load: None }
}

/// `1q`, `voq-sw` with three outputs, `voq-net`, `recn` with 1 to 16 SAQs.
pub(crate) fn sizing() -> Vec<Shape> {
    let mut shapes = vec![shape("1q", &[("switch.scheme", "1q")], 0.22, 0, 5_130)];
    for (output, dip) in [("next-port", 0.55), ("one", 0.45), ("by-input", 0.6)] {
        let labels = [("switch.scheme", "voq-sw"), ("voq_sw.output", output)];
        shapes.push(shape(&format!("voq-sw, output {output}"), &labels, dip, 0, 5_280));
    }
    shapes.push(shape("voq-net", &[("switch.scheme", "voq-net")], 1.0, 0, 5_900));
    for (saqs, dip) in [(1u32, 0.6), (2, 0.78), (4, 0.93), (8, 0.985), (16, 0.99)] {
        let labels = [("switch.scheme", "recn"), ("recn.saqs", &saqs.to_string() as &str)];
        shapes.push(shape(&format!("recn, saqs {saqs}"), &labels, dip, saqs, 5_130 + 83 * saqs));
    }
    shapes
}

/// Two arbiters by load, from 0.1 to 1; the first saturates at 0.65, the second at 0.8.
pub(crate) fn load() -> Vec<Shape> {
    let arbiters = [("round-robin", 0.65), ("random", 0.8)];
    let all =
        arbiters.iter().flat_map(|of| (1..=10).map(move |tenth| (of, f64::from(tenth) / 10.0)));
    let point = |(&(arbiter, capacity), load): (&(&str, f64), f64)| {
        let value = load.to_string();
        let labels = [("endnode.admittance_arbiter", arbiter), ("workload.load", &*value)];
        let name = format!("admittance_arbiter {arbiter}, load {load}");
        Shape { load: Some((load, capacity)), ..shape(&name, &labels, 1.0, 0, 5_130) }
    };
    all.map(point).collect()
}

/// More points than a picture shows at once.
pub(crate) fn many() -> Vec<Shape> {
    let point = |i: u32| {
        let labels = [("workload.load", &*i.to_string())];
        shape(&format!("load {i}"), &labels, 0.3 + 0.02 * f64::from(i), 0, 10)
    };
    (0..27).map(point).collect()
}

/// As `study` describes them.
const COLUMNS: &str = include_str!("columns.json");

fn column_names() -> impl Iterator<Item = String> {
    let columns: Vec<Value> = serde_json::from_str(COLUMNS).unwrap();
    columns.into_iter().map(|column| column["name"].as_str().unwrap().to_string())
}

pub(crate) const BINS: usize = 160;
const WINDOWS: [(&str, usize, usize); 4] =
    [("measured", 0, 160), ("before", 40, 80), ("during", 80, 140), ("after", 140, 160)];

/// Values of the columns, and `series.csv`.
fn measure(shape: &Shape, replica: u32) -> (Map<String, Value>, String) {
    let mut series = String::from(
        "t_ns,delivered_bytes_per_ns,saqs_ingress,saqs_egress,saqs_ingress_max_port,\
         saqs_egress_max_port,hot_bytes_per_ns,random_bytes_per_ns\n",
    );
    let mut noise = 12_345u64 + u64::from(replica) * 77 + shape.name.len() as u64 * 1_003;
    let mut bins = Vec::new();
    for bin in 0..BINS {
        noise =
            noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let jitter = ((noise >> 40) as f64 / (1u64 << 24) as f64 - 0.5) * 1.2;
        let tree = (bin as f64 - 80.0).clamp(0.0, 15.0) / 15.0
            * (1.0 - (bin as f64 - 130.0).clamp(0.0, 14.0) / 14.0);
        let rise = (bin as f64 / 4.0).min(1.0);
        let delivered = (44.2 * rise * (1.0 - (1.0 - shape.dip) * tree) + jitter).max(0.0);
        let most = (f64::from(shape.saqs.min(7)) * tree).round() as u32;
        bins.push(delivered);
        series.push_str(&format!(
            "{},{delivered},{},{},{most},{},{},{}\n",
            bin * 10_000,
            most * 21,
            most * 9,
            most.div_ceil(2),
            delivered * 0.02 * tree,
            delivered
        ));
    }
    let mean = |from: usize, to: usize| bins[from..to].iter().sum::<f64>() / (to - from) as f64;
    let dip = bins[80..140].windows(2).map(|w| (w[0] + w[1]) / 2.0).fold(f64::MAX, f64::min);
    let peak = shape.saqs.min(7);
    let (starved, bound) = (u32::from(shape.dip < 0.3), shape.saqs == 1);
    let p99 = 4e6 * (1.05 - shape.dip);
    let (offered, delivered, latency) = rates(shape, mean(0, 160), p99);
    let (during, late) = (mean(80, 140), if bound { 0.065 } else { 0.0 });
    let refused = 4_096u32.checked_div(shape.saqs).unwrap_or(0);
    let rates =
        json!([delivered, mean(0, 160) / 46.0, null, mean(40, 80), during, dip, mean(140, 160)]);
    let victims = json!([during * 0.9, dip * 0.9, starved, u32::from(shape.saqs == 2)]);
    let saqs = json!([peak, peak.div_ceil(2), refused]);
    let others = json!([p99, latency, offered, late, shape.bits, shape.bits * 16]);
    let values = [rates, victims, saqs, others];
    let values = values.iter().flat_map(|some| some.as_array().unwrap().clone());
    (column_names().zip(values).collect(), series)
}

/// Offered, delivered, and the mean latency, of what an unloaded network delivers.
fn rates(shape: &Shape, delivered: f64, p99: f64) -> (f64, f64, f64) {
    let Some((load, capacity)) = shape.load else {
        return (46.0, delivered, p99 / 3.0);
    };
    let noise = delivered / 44.2;
    let latency = 400.0 * noise / (1.0 - (load / capacity).min(0.98));
    // below its capacity a network delivers what is offered
    let accepted = if load <= capacity { load } else { capacity * noise };
    (64.0 * load, 64.0 * accepted, latency)
}

fn is_bound(shape: &Shape) -> bool {
    shape.saqs == 1 || shape.load.is_some_and(|(load, capacity)| load > capacity)
}

const AT_LEAST: f64 = 0.98;
const DELIVERED: &str = "victims_during_bytes_per_ns";

fn delivered(point: &Value) -> Option<f64> {
    point["mean"][DELIVERED].as_f64()
}

fn saqs(point: &Value) -> Option<f64> {
    point["labels"]["recn.saqs"].as_str()?.parse().ok()
}

fn answer(points: &[Value]) -> Value {
    // not those whose runs have failed
    let points: Vec<&Value> = points.iter().filter(|p| delivered(p).is_some()).collect();
    let best = points.iter().max_by(|a, b| delivered(a).partial_cmp(&delivered(b)).unwrap());
    let most = best.and_then(|best| delivered(best)).unwrap_or(1.0);
    let is_enough = |point: &Value| delivered(point).is_some_and(|d| d / most >= AT_LEAST);
    let met = |is_met: bool| if is_met { "yes" } else { "no" };
    let held = |point: &Value| {
        json!({
            "labels": point["labels"],
            "delivered_bytes_per_ns": delivered(point), "share": delivered(point).map(|d| d / most),
            "throughput_is_enough": met(is_enough(point)),
            "p99_ns": point["mean"]["latency_p99_ns"], "p99_is_lower_bound": false,
            "port_control_bits": point["mean"]["port_control_bits"],
        })
    };
    let has_sizes = points.iter().any(|p| saqs(p).is_some());
    let rest = |point: &Value| -> Map<String, Value> {
        let mut labels = point["labels"].as_object().unwrap().clone();
        labels.remove("recn.saqs");
        labels
    };
    let mut settings: Vec<(Map<String, Value>, &Value)> = Vec::new();
    for &point in points.iter().filter(|p| saqs(p).is_some() == has_sizes) {
        match settings.iter_mut().find(|s| s.0 == rest(point)) {
            Some(known) if !is_enough(known.1) => known.1 = point,
            Some(_) => {}
            None => settings.push((rest(point), point)),
        }
    }
    let setting = |(labels, at): &(Map<String, Value>, &Value)| {
        let fewest = |saqs| json!({ "fewest": saqs, "is_unknown": false, "is_largest": false });
        let sized = |saqs: Option<f64>| has_sizes.then(|| fewest(saqs));
        json!({
            "labels": labels, "saqs": sized(saqs(at).filter(|_| is_enough(at))),
            "p99_saqs": sized(None), "is_enough": met(is_enough(at)), "at": held(at),
        })
    };
    let without = points.iter().filter(|p| has_sizes && saqs(p).is_none());
    json!({
        "target": {
            "metric": "victims", "at_least": AT_LEAST, "reference": "best", "p99_times": 2,
        },
        "enough": "victims at least 98 % of the best: <made up>",
        "window": "during", "has_sizes": has_sizes, "reference": best.map(|best| held(best)),
        "rank": (0..settings.len()).collect::<Vec<_>>(),
        "settings": settings.iter().map(setting).collect::<Vec<_>>(),
        "without_saqs": without.map(|point| held(point)).collect::<Vec<_>>(),
        "cautions": ["one seed: <made up>"],
    })
}

const ERROR: &str = "deadlock at 12 us: <port 3> & others";

/// Writes a sweep of these points, `replicas` runs each, into `dir`; the run `failed` has failed.
pub(crate) fn write_sweep(
    dir: &Path,
    name: &str,
    shapes: &[Shape],
    replicas: u32,
    failed: Option<usize>,
) {
    let (mut runs, mut points) = (Vec::new(), Vec::new());
    let mut windows = "index,window,start_ns,end_ns,flows,group,note\n".to_string();
    let mut latencies = "point,window,flows,latency_ns,count,undelivered\n".to_string();
    for shape in shapes {
        let first = runs.len();
        let labels: Map<String, Value> =
            shape.labels.iter().map(|(k, v)| (k.clone(), json!(v))).collect();
        let bound = is_bound(shape);
        let at_least = json!({ "latency_p99_ns": bound, "latency_mean_ns": bound });
        let mut all = Vec::new();
        for replica in 0..replicas {
            let (index, directory) = (runs.len(), format!("{:02}-run", runs.len()));
            let (values, series) = measure(shape, replica);
            let ok = failed != Some(index);
            let (status, code, error) =
                if ok { ("ok", 0, None) } else { ("failed", 3, Some(ERROR)) };
            runs.push(json!({
                "index": index, "directory": directory, "replica": replica, "seed": 1 + replica,
                "series_bin_ns": 10_000, "duration_ns": 1_600_000,
                "status": status, "exit_code": code, "error": error,
            }));
            if ok {
                let run = dir.join("runs").join(&directory);
                fs::create_dir_all(&run).unwrap();
                fs::write(run.join("series.csv"), series).unwrap();
                for (window, from, to) in WINDOWS {
                    let note = if window == "after" { "cut: <made up>" } else { "" };
                    let (start, end) = (from * 10_000, to * 10_000);
                    windows.push_str(&format!("{index},{window},{start},{end},all,,{note}\n"));
                }
                all.push(values);
            }
        }
        let least = |v: &[f64]| v.iter().copied().fold(f64::MAX, f64::min);
        let most = |v: &[f64]| v.iter().copied().fold(f64::MIN, f64::max);
        let over = |f: &dyn Fn(&[f64]) -> f64| -> Map<String, Value> {
            let column = |name: String| {
                let values: Vec<f64> = all.iter().filter_map(|v| v[&name].as_f64()).collect();
                (name, json!((!values.is_empty()).then(|| f(&values))))
            };
            column_names().map(column).collect()
        };
        let mean = over(&|v| v.iter().sum::<f64>() / v.len() as f64);
        // made up: as wide as the values are apart
        let half_95 = over(&|v| most(v) - least(v));
        let half_95 = if all.len() > 1 { half_95 } else { Map::new() };
        let judged = json!({
            "delivered_bytes_per_ns": mean["victims_during_bytes_per_ns"],
            "throughput_is_enough": "yes", "p99_ns": mean["latency_p99_ns"],
            "p99_half_95_ns": half_95.get("latency_p99_ns"), "p99_is_lower_bound": bound,
        });
        for (n, part) in [70, 29, 1].into_iter().enumerate().filter(|_| !all.is_empty()) {
            let place = points.len();
            let ns = (n + 1) * (100 + place);
            let late = u32::from(bound && n == 2);
            latencies.push_str(&format!("{place},during,victims,{ns},{part},{late}\n"));
        }
        points.push(json!({
            "name": shape.name, "labels": labels,
            "runs": (first..runs.len()).collect::<Vec<_>>(), "finished": all.len(),
            "replicas": replicas, "at_least": at_least,
            "mean": mean, "half_95": half_95,
            "judged": if all.is_empty() { Value::Null } else { judged },
            "min": over(&least), "max": over(&most),
        }));
    }
    let columns: Value = serde_json::from_str(COLUMNS).unwrap();
    let axes = report::distinct(shapes.iter().flat_map(|shape| &shape.labels).map(|l| &l.0));
    let results = json!({
        "format": 1, "name": name, "scenario": "garcia-trees-2005/case-2.toml", "axes": axes,
        "columns": columns, "points": points, "runs": runs, "answer": answer(&points),
    });
    let manifest = json!({
        "name": name, "version": "0.1.0", "commit": "dee0e18", "dirty": true, "engine": "fast",
        "wall_seconds": 61.3,
    });
    fs::create_dir_all(dir).unwrap();
    for (name, text) in [
        ("results.json", results.to_string()),
        ("windows.csv", windows),
        ("latency.csv", latencies),
        ("manifest.json", manifest.to_string()),
    ] {
        fs::write(dir.join(name), text).unwrap();
    }
}
