//! Writes a made-up sweep.

use super::answer::answer;
use super::columns::{COLUMNS, Column};
use super::measure::{is_bound, measure};
use super::studies::Shape;
use serde_json::{Map, Value, json};
use std::fs;
use std::path::Path;

const ERROR: &str = "deadlock at 12 us: <port 3> & others";

/// Writes a sweep of these points, `replicas` runs each, into `dir`; the run `failed` has failed.
pub fn write_sweep(dir: &Path, name: &str, shapes: &[Shape], replicas: u32, failed: Option<usize>) {
    let (mut runs, mut points) = (Vec::new(), Vec::new());
    let mut windows = "index,window,start_ns,end_ns,flows,group,offered_bytes_per_ns,\
                       delivered_bytes_per_ns,worst_dip_bytes_per_ns,flows_starved,\
                       latency_mean_ns,latency_p99_ns,latency_mean_is_lower_bound,\
                       latency_p99_is_lower_bound,latency_undelivered,note\n"
        .to_string();
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
            let (values, series, of_windows) = measure(shape, replica);
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
                for line in of_windows {
                    windows.push_str(&format!("{index},{line}\n"));
                }
                all.push(values);
            }
        }
        let over = |f: &dyn Fn(Vec<f64>) -> f64| -> Map<String, Value> {
            let column =
                |c: &Column| all.iter().filter_map(|v| v[c.0].as_f64()).collect::<Vec<_>>();
            COLUMNS
                .iter()
                .map(|c| {
                    (
                        c.0.to_string(),
                        if column(c).is_empty() { Value::Null } else { json!(f(column(c))) },
                    )
                })
                .collect()
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
    let columns: Vec<Value> = COLUMNS
        .iter()
        .map(|(name, title, unit, decimals, brief, undelivered)| {
            json!({
                "name": name, "title": title, "unit": unit, "decimals": decimals, "brief": brief,
                "undelivered": undelivered,
            })
        })
        .collect();
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
