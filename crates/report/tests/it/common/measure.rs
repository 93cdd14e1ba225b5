//! Made-up numbers of a run.

use super::columns::COLUMNS;
use super::studies::Shape;
use serde_json::{Map, Value, json};

pub const BINS: usize = 160;
const WINDOWS: [(&str, usize, usize); 4] =
    [("measured", 0, 160), ("before", 40, 80), ("during", 80, 140), ("after", 140, 160)];

/// Values of the columns, `series.csv`, and lines of `windows.csv` without the index.
pub fn measure(shape: &Shape, replica: u32) -> (Map<String, Value>, String, Vec<String>) {
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
    let values = [
        json!(delivered),
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
        json!(latency),
        json!(offered),
        json!(if bound { 0.065 } else { 0.0 }),
        json!(shape.bits),
        json!(shape.bits * 16),
    ];
    let lines = windows(shape, &bins, (dip, p99, starved));
    let names = COLUMNS.iter().map(|c| c.0.to_string());
    (names.zip(values).collect(), series, lines)
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

/// Messages that had not arrived.
pub fn is_bound(shape: &Shape) -> bool {
    shape.saqs == 1 || shape.load.is_some_and(|(load, capacity)| load > capacity)
}

/// Lines of `windows.csv` without the index.
fn windows(shape: &Shape, bins: &[f64], (dip, p99, starved): (f64, f64, u32)) -> Vec<String> {
    let mean = |from: usize, to: usize| bins[from..to].iter().sum::<f64>() / (to - from) as f64;
    let bound = is_bound(shape);
    let mut lines = Vec::new();
    for (window, from, to) in WINDOWS {
        let note = if window == "after" { "cut: <made up>" } else { "" };
        for (flows, group, part) in [("all", "", 1.0), ("victims", "", 0.9), ("group", "hot", 0.1)]
        {
            let starved = if flows == "all" { starved.to_string() } else { String::new() };
            let dip = if window == "during" && flows != "group" {
                (dip * part).to_string()
            } else {
                String::new()
            };
            let (offered, delivered, latency) = rates(shape, mean(from, to), p99);
            let (offered, delivered) = (offered * part, delivered * part);
            let (start, end) = (from * 10_000, to * 10_000);
            let late = if bound { 0.065 } else { 0.0 };
            lines.push(format!(
                "{window},{start},{end},{flows},{group},{offered},{delivered},{dip},{starved},\
                 {latency},{p99},{bound},{bound},{late},{note}"
            ));
        }
    }
    lines
}
