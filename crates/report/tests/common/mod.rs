//! A store made by hand: the SAQ sizing study with made-up numbers.
#![allow(
    dead_code,
    missing_docs,
    unreachable_pub,
    reason = "shared by test files, each of which uses some"
)]

pub mod chromium;

use serde_json::{Map, Value, json};
use std::fs;
use std::path::Path;

pub const BINS: usize = 160;
/// Name, heading, unit, digits, in the short table, and of a latency the column with the share that
/// had not arrived.
type Column = (
    &'static str,
    &'static str,
    &'static str,
    usize,
    bool,
    Option<&'static str>,
);
const COLUMNS: [Column; 18] = [
    ("delivered_bytes_per_ns", "delivered", "B/ns", 2, true, None),
    ("of_ideal", "of ideal", "", 3, true, None),
    ("relative_throughput", "of topology max", "", 3, false, None),
    ("before_bytes_per_ns", "before", "B/ns", 2, true, None),
    ("during_bytes_per_ns", "during", "B/ns", 2, true, None),
    ("worst_dip_bytes_per_ns", "worst dip", "B/ns", 2, true, None),
    ("after_bytes_per_ns", "after", "B/ns", 2, true, None),
    (
        "victims_during_bytes_per_ns",
        "victims during",
        "B/ns",
        2,
        true,
        None,
    ),
    (
        "victims_worst_dip_bytes_per_ns",
        "victims worst dip",
        "B/ns",
        2,
        true,
        None,
    ),
    ("flows_starved", "starved", "flows", 0, true, None),
    ("halves_differ", "halves differ", "1: yes", 2, false, None),
    ("saqs_peak_ingress", "SAQs in", "peak", 0, true, None),
    ("saqs_peak_egress", "SAQs out", "peak", 0, true, None),
    ("saq_refusals", "refused", "SAQs", 0, true, None),
    (
        "latency_p99_ns",
        "message p99",
        "ns",
        0,
        true,
        Some("latency_undelivered"),
    ),
    (
        "latency_undelivered",
        "undelivered",
        "share",
        3,
        false,
        None,
    ),
    ("port_control_bits", "control / port", "bit", 0, true, None),
    (
        "switch_control_bits",
        "control / switch",
        "bit",
        0,
        false,
        None,
    ),
];
pub const FINDING: &str = "recn: 8 SAQs are enough: <made up>";
const WINDOWS: [(&str, usize, usize); 4] = [
    ("measured", 0, 160),
    ("before", 40, 80),
    ("during", 80, 140),
    ("after", 140, 160),
];

/// A point: name, labels, level of the dip (part of 44 bytes/ns), SAQs, control bits of a port.
pub struct Shape {
    pub name: String,
    pub labels: Vec<(String, String)>,
    pub dip: f64,
    pub saqs: u32,
    pub bits: u32,
}

pub fn shape(name: &str, labels: &[(&str, &str)], dip: f64, saqs: u32, bits: u32) -> Shape {
    let labels = labels
        .iter()
        .map(|(k, v)| (k.to_string(), v.to_string()))
        .collect();
    Shape {
        name: name.into(),
        labels,
        dip,
        saqs,
        bits,
    }
}

/// `1q`, `voq-sw` with three outputs, `voq-net`, `recn` with 1 to 16 SAQs.
pub fn sizing() -> Vec<Shape> {
    let mut shapes = vec![shape("1q", &[("switch.scheme", "1q")], 0.22, 0, 5_130)];
    for (output, dip) in [("next-port", 0.55), ("one", 0.45), ("by-input", 0.6)] {
        let labels = [("switch.scheme", "voq-sw"), ("voq_sw.output", output)];
        shapes.push(shape(
            &format!("voq-sw, output {output}"),
            &labels,
            dip,
            0,
            5_280,
        ));
    }
    shapes.push(shape(
        "voq-net",
        &[("switch.scheme", "voq-net")],
        1.0,
        0,
        5_900,
    ));
    for (saqs, dip) in [(1u32, 0.6), (2, 0.78), (4, 0.93), (8, 0.985), (16, 0.99)] {
        let labels = [
            ("switch.scheme", "recn"),
            ("recn.saqs", &saqs.to_string() as &str),
        ];
        shapes.push(shape(
            &format!("recn, saqs {saqs}"),
            &labels,
            dip,
            saqs,
            5_130 + 83 * saqs,
        ));
    }
    shapes
}

/// Writes a sweep of these points, `replicas` runs each, into `dir`; the run `failed` has failed.
pub fn write_sweep(dir: &Path, name: &str, shapes: &[Shape], replicas: u32, failed: Option<usize>) {
    let (mut runs, mut points) = (Vec::new(), Vec::new());
    let mut windows = "index,window,start_ns,end_ns,flows,group,delivered_bytes_per_ns,worst_dip_bytes_per_ns,flows_starved,\
                       latency_p99_ns,latency_p99_is_lower_bound,latency_undelivered,note\n"
        .to_string();
    for shape in shapes {
        let first = runs.len();
        let labels: Map<String, Value> = shape
            .labels
            .iter()
            .map(|(k, v)| (k.clone(), json!(v)))
            .collect();
        let mut all = Vec::new();
        for replica in 0..replicas {
            let (index, directory) = (runs.len(), format!("{:02}-run", runs.len()));
            let (values, series, of_windows) = measure(shape, replica);
            let ok = failed != Some(index);
            runs.push(json!({
                "index": index, "directory": directory, "name": shape.name, "labels": labels, "replica": replica, "seed": 1 + replica,
                "hash": "00", "series_bin_ns": 10_000, "duration_ns": 1_600_000,
                "at_least": { "latency_p99_ns": shape.saqs == 1 },
                "status": if ok { "ok" } else { "failed" }, "exit_code": if ok { 0 } else { 3 },
                "error": if ok { Value::Null } else { json!("deadlock at 12 us: <port 3> & others") },
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
            let column = |c: &Column| {
                all.iter()
                    .filter_map(|v| v[c.0].as_f64())
                    .collect::<Vec<_>>()
            };
            COLUMNS
                .iter()
                .map(|c| {
                    (
                        c.0.to_string(),
                        if column(c).is_empty() {
                            Value::Null
                        } else {
                            json!(f(column(c)))
                        },
                    )
                })
                .collect()
        };
        points.push(json!({
            "name": shape.name, "labels": labels, "runs": (first..runs.len()).collect::<Vec<_>>(), "finished": all.len(),
            "replicas": replicas, "at_least": { "latency_p99_ns": shape.saqs == 1 },
            "mean": over(&|v| v.iter().sum::<f64>() / v.len() as f64),
            "min": over(&|v| v.into_iter().fold(f64::MAX, f64::min)),
            "max": over(&|v| v.into_iter().fold(f64::MIN, f64::max)),
        }));
    }
    let columns: Vec<Value> =
        COLUMNS.iter().map(|(name, title, unit, decimals, brief, undelivered)| json!({
            "name": name, "title": title, "unit": unit, "decimals": decimals, "brief": brief, "undelivered": undelivered,
        })).collect();
    let results = json!({
        "format": 1, "name": name, "scenario": "garcia-trees-2005/case-2.toml", "axes": ["switch.scheme", "voq_sw.output", "recn.saqs"],
        "columns": columns, "points": points, "runs": runs, "findings": [FINDING],
    });
    let manifest = json!({ "name": name, "version": "0.1.0", "commit": "dee0e18", "dirty": true, "engine": "fast", "wall_seconds": 61.3 });
    fs::create_dir_all(dir).unwrap();
    fs::write(dir.join("results.json"), results.to_string()).unwrap();
    fs::write(dir.join("windows.csv"), windows).unwrap();
    fs::write(dir.join("manifest.json"), manifest.to_string()).unwrap();
}

/// Values of the columns, `series.csv`, and lines of `windows.csv` without the index.
fn measure(shape: &Shape, replica: u32) -> (Map<String, Value>, String, Vec<String>) {
    let mut series = String::from(
        "t_ns,delivered_bytes_per_ns,saqs_ingress,saqs_egress,saqs_ingress_max_port,saqs_egress_max_port,hot_bytes_per_ns,random_bytes_per_ns\n",
    );
    let mut noise = 12_345u64 + u64::from(replica) * 77 + shape.name.len() as u64 * 1_003;
    let mut bins = Vec::new();
    for bin in 0..BINS {
        noise = noise
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
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
    let dip = bins[80..140]
        .windows(2)
        .map(|w| (w[0] + w[1]) / 2.0)
        .fold(f64::MAX, f64::min);
    let peak = shape.saqs.min(7);
    let (starved, bound) = (u32::from(shape.dip < 0.3), shape.saqs == 1);
    let p99 = 4e6 * (1.05 - shape.dip);
    let values = [
        json!(mean(0, 160)),
        json!(mean(0, 160) / 46.0),
        Value::Null,
        json!(mean(40, 80)),
        json!(mean(80, 140)),
        json!(dip),
        json!(mean(140, 160)),
        json!(mean(80, 140) * 0.9),
        json!(dip * 0.9),
        json!(starved),
        json!(u32::from(shape.saqs == 2)),
        json!(peak),
        json!(peak.div_ceil(2)),
        json!(4_096u32.checked_div(shape.saqs).unwrap_or(0)),
        json!(p99),
        json!(if bound { 0.065 } else { 0.0 }),
        json!(shape.bits),
        json!(shape.bits * 16),
    ];
    let mut lines = Vec::new();
    for (window, from, to) in WINDOWS {
        let note = if window == "after" {
            "cut: <made up>"
        } else {
            ""
        };
        for (flows, group, part) in [
            ("all", "", 1.0),
            ("victims", "", 0.9),
            ("group", "hot", 0.1),
        ] {
            let starved = if flows == "all" {
                starved.to_string()
            } else {
                String::new()
            };
            let dip = if window == "during" && flows != "group" {
                (dip * part).to_string()
            } else {
                String::new()
            };
            lines.push(format!(
                "{window},{},{},{flows},{group},{},{dip},{starved},{p99},{bound},{},{note}",
                from * 10_000,
                to * 10_000,
                mean(from, to) * part,
                if bound { 0.065 } else { 0.0 },
            ));
        }
    }
    let names = COLUMNS.iter().map(|c| c.0.to_string());
    (names.zip(values).collect(), series, lines)
}
