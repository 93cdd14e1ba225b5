//! Made-up studies, their numbers, and a sweep of them as `study` writes it.

use serde_json::{Map, Value, json};
use std::fs;
use std::path::Path;

/// A point: name, labels, level of the dip (part of 44 bytes/ns), SAQs, control bits of a port.
pub struct Shape {
    pub name: String,
    pub labels: Vec<(String, String)>,
    pub dip: f64,
    pub saqs: u32,
    pub bits: u32,
    /// Load, and what the network can deliver of 64 bytes/ns.
    pub load: Option<(f64, f64)>,
}

pub fn shape(name: &str, labels: &[(&str, &str)], dip: f64, saqs: u32, bits: u32) -> Shape {
    let labels = labels.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    Shape { name: name.into(), labels, dip, saqs, bits, load: None }
}

/// `1q`, `voq-sw` with three outputs, `voq-net`, `recn` with 1 to 16 SAQs.
pub fn sizing() -> Vec<Shape> {
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
pub fn load() -> Vec<Shape> {
    let mut shapes = Vec::new();
    for (arbiter, capacity) in [("round-robin", 0.65), ("random", 0.8)] {
        for tenth in 1..=10 {
            let load = f64::from(tenth) / 10.0;
            let value = load.to_string();
            let labels =
                [("endnode.admittance_arbiter", arbiter), ("workload.load", &value as &str)];
            let name = format!("admittance_arbiter {arbiter}, load {load}");
            let mut shape = shape(&name, &labels, 1.0, 0, 5_130);
            shape.load = Some((load, capacity));
            shapes.push(shape);
        }
    }
    shapes
}

/// More points than a picture shows at once.
pub fn many() -> Vec<Shape> {
    let point = |i: u32| {
        let (name, value) = (format!("load {i}"), i.to_string());
        shape(&name, &[("workload.load", &value)], 0.3 + 0.02 * f64::from(i), 0, 10)
    };
    (0..27).map(point).collect()
}

/// Name, heading, unit, digits, whether short, and of a latency the column of what is undelivered.
type Column = (&'static str, &'static str, &'static str, usize, bool, Option<&'static str>);
const COLUMNS: [Column; 20] = [
    ("delivered_bytes_per_ns", "delivered", "B/ns", 2, true, None),
    ("of_ideal", "of ideal", "", 3, true, None),
    ("relative_throughput", "of topology max", "", 3, false, None),
    ("before_bytes_per_ns", "before", "B/ns", 2, true, None),
    ("during_bytes_per_ns", "during", "B/ns", 2, true, None),
    ("worst_dip_bytes_per_ns", "worst dip", "B/ns", 2, true, None),
    ("after_bytes_per_ns", "after", "B/ns", 2, true, None),
    ("victims_during_bytes_per_ns", "victims during", "B/ns", 2, true, None),
    ("victims_worst_dip_bytes_per_ns", "victims worst dip", "B/ns", 2, true, None),
    ("flows_starved", "starved", "flows", 0, true, None),
    ("halves_differ", "halves differ", "1: yes", 2, false, None),
    ("saqs_peak_ingress", "SAQs in", "peak", 0, true, None),
    ("saqs_peak_egress", "SAQs out", "peak", 0, true, None),
    ("saq_refusals", "refused", "SAQs", 0, true, None),
    ("latency_p99_ns", "message p99", "ns", 0, true, Some("latency_undelivered")),
    ("latency_mean_ns", "message mean", "ns", 0, false, Some("latency_undelivered")),
    ("offered_bytes_per_ns", "offered", "B/ns", 2, false, None),
    ("latency_undelivered", "undelivered", "share", 3, false, None),
    ("port_control_bits", "control / port", "bit", 0, true, None),
    ("switch_control_bits", "control / switch", "bit", 0, false, None),
];

pub const BINS: usize = 160;
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
    let (of_ideal, during, late) =
        (mean(0, 160) / 46.0, mean(80, 140), if bound { 0.065 } else { 0.0 });
    let values = json!([
        delivered,
        of_ideal,
        null,
        mean(40, 80),
        during,
        dip,
        mean(140, 160),
        during * 0.9,
        dip * 0.9,
        starved,
        u32::from(shape.saqs == 2),
        peak,
        peak.div_ceil(2),
        4_096u32.checked_div(shape.saqs).unwrap_or(0),
        p99,
        latency,
        offered,
        late,
        shape.bits,
        shape.bits * 16,
    ]);
    let names = COLUMNS.iter().map(|c| c.0.to_string());
    (names.zip(values.as_array().unwrap().clone()).collect(), series)
}

/// Offered, delivered, and the mean latency, of what an unloaded network delivers.
fn rates(shape: &Shape, delivered: f64, p99: f64) -> (f64, f64, f64) {
    match shape.load {
        Some((load, capacity)) => {
            let part_of_capacity = (load / capacity).min(0.98);
            let noise = delivered / 44.2;
            let latency = 400.0 * noise / (1.0 - part_of_capacity);
            // below its capacity a network delivers what is offered
            let accepted = match load <= capacity {
                true => load,
                false => capacity * noise,
            };
            (64.0 * load, 64.0 * accepted, latency)
        }
        None => (46.0, delivered, p99 / 3.0),
    }
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

const ERROR: &str = "deadlock at 12 us: <port 3> & others";

/// Writes a sweep of these points, `replicas` runs each, into `dir`; the run `failed` has failed.
pub fn write_sweep(dir: &Path, name: &str, shapes: &[Shape], replicas: u32, failed: Option<usize>) {
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
            runs.push(json!({
                "index": index, "directory": directory, "name": shape.name, "labels": labels,
                "replica": replica, "seed": 1 + replica,
                "hash": "00", "series_bin_ns": 10_000, "duration_ns": 1_600_000,
                "at_least": at_least,
                "status": if ok { "ok" } else { "failed" }, "exit_code": if ok { 0 } else { 3 },
                "error": if ok { Value::Null } else { json!(ERROR) },
                "values": if ok { json!(values) } else { Value::Null },
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
        let over = |f: &dyn Fn(Vec<f64>) -> f64| -> Map<String, Value> {
            let column = |c: &Column| {
                let values: Vec<f64> = all.iter().filter_map(|v| v[c.0].as_f64()).collect();
                (c.0.to_string(), json!((!values.is_empty()).then(|| f(values))))
            };
            COLUMNS.iter().map(column).collect()
        };
        let mean = over(&|v| v.iter().sum::<f64>() / v.len() as f64);
        // made up: as wide as the values are apart
        let half_95 = over(&|v| {
            let most = v.iter().copied().fold(f64::MIN, f64::max);
            most - v.into_iter().fold(f64::MAX, f64::min)
        });
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
            "min": over(&|v| v.into_iter().fold(f64::MAX, f64::min)),
            "max": over(&|v| v.into_iter().fold(f64::MIN, f64::max)),
        }));
    }
    let column = |(name, title, unit, decimals, brief, undelivered): &Column| {
        json!({
            "name": name, "title": title, "unit": unit, "decimals": decimals, "brief": brief,
            "undelivered": undelivered,
        })
    };
    let columns: Vec<Value> = COLUMNS.iter().map(column).collect();
    let mut axes: Vec<&str> = Vec::new();
    for (key, _) in shapes.iter().flat_map(|shape| &shape.labels) {
        if !axes.contains(&key.as_str()) {
            axes.push(key);
        }
    }
    let results = json!({
        "format": 1, "name": name, "scenario": "garcia-trees-2005/case-2.toml", "axes": axes,
        "columns": columns, "points": points, "runs": runs, "answer": answer(&points),
    });
    let manifest = json!({
        "name": name, "version": "0.1.0", "commit": "dee0e18", "dirty": true, "engine": "fast",
        "wall_seconds": 61.3,
    });
    fs::create_dir_all(dir).unwrap();
    fs::write(dir.join("results.json"), results.to_string()).unwrap();
    fs::write(dir.join("windows.csv"), windows).unwrap();
    fs::write(dir.join("latency.csv"), latencies).unwrap();
    fs::write(dir.join("manifest.json"), manifest.to_string()).unwrap();
}
