//! What a trace holds, for people and for programs.

use super::Written;
use serde_json::{Map, Value, json};
use study::lines;
use trace::{Dispersion, Kind, Operations, Place, Problem, Summary, TraceError};
use units::grouped;

/// Column of values: the blocks of all bins follow it.
const AT: usize = 19;
const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Scales of burstiness that are shown: the longest ones.
const SCALES: usize = 4;

fn scaled(number: f64, unit: &str) -> String {
    let prefixes = [(1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    let found = prefixes.into_iter().find(|(scale, _)| number >= *scale);
    let (scale, prefix) = found.unwrap_or((1.0, ""));
    format!("{:.3} {prefix}{unit}", number / scale)
}

fn time(ns: u64) -> String {
    let units = [(1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "us")];
    match units.into_iter().find(|(scale, _)| ns >= *scale) {
        Some((scale, unit)) => {
            let part = format!("{:03}", ns % scale / (scale / 1_000));
            let part = part.trim_end_matches('0');
            let point = if part.is_empty() { "" } else { "." };
            format!("{}{point}{part} {unit}", grouped(ns / scale))
        }
        None => format!("{ns} ns"),
    }
}

fn counted(count: impl Into<u128>, one: &str) -> String {
    let count = count.into();
    let s = if count == 1 { "" } else { "s" };
    format!("{} {one}{s}", grouped(count))
}

/// A whole number, as a number where JSON's readers hold it.
pub(super) fn whole(number: u128) -> Value {
    u64::try_from(number).map_or_else(|_| json!(number as f64), |number| json!(number))
}

fn blocks(bytes: &[u64]) -> String {
    let most = bytes.iter().copied().max().unwrap_or(0).max(1);
    let block = |bytes: &u64| match bytes {
        0 => ' ',
        _ => {
            let above = u128::from(*bytes) * BLOCKS.len() as u128;
            let eighth = above.div_ceil(most.into()) as usize;
            BLOCKS[eighth.clamp(1, BLOCKS.len()) - 1]
        }
    };
    bytes.iter().map(block).collect()
}

fn operations(of: &Operations, total: u64) -> String {
    let percent = 100.0 * of.count as f64 / total.max(1) as f64;
    let bytes = scaled(of.bytes as f64, "B");
    format!("{} ({percent:.1} %), {bytes}", grouped(of.count))
}

fn dispersion(all: &[Dispersion]) -> String {
    let shown = &all[all.len().saturating_sub(SCALES)..];
    let scales = shown.iter().map(|d| format!("{:.1} in {}", d.index, time(d.window_ns)));
    scales.collect::<Vec<_>>().join(", ")
}

/// The answer first, then what it is made of; a screen at most.
pub(super) fn text(name: &str, summary: &Summary) -> String {
    let mut text = lines::sentence(&answer(name, summary));
    let mut line = |name: &str, value: String| lines::add(&mut text, AT, name, &value);
    let total = summary.total.count;
    line("format", format(summary));
    match &summary.kind {
        Kind::Io { reads, writes, machines, .. } => {
            let seen = &summary.seen;
            line("reads", operations(reads, total));
            line("writes", operations(writes, total));
            if !machines.is_empty() {
                line("machines", grouped(machines.len() as u64));
            }
            line("out of order", grouped(seen.out_of_order));
            if seen.suspect > 0 {
                let suspect = counted(seen.suspect, "suspect record");
                line("left out", format!("{suspect}: their times are wrong"));
            }
            if seen.skipped > 0 {
                let skipped = counted(seen.skipped, "event");
                line("left out", format!("{skipped} of other kinds; see --event"));
            }
        }
        Kind::Messages { sources, destinations, waiting, .. } => {
            line("sources", grouped(*sources as u64));
            line("destinations", grouped(*destinations as u64));
            line("wait for another", grouped(*waiting));
        }
    }
    if total > 0 {
        let s = summary.sizes;
        let [min, p50, p90, p99, max] = [s.min, s.p50, s.p90, s.p99, s.max].map(grouped);
        let sizes = format!("min {min}, median {p50}, 90 % {p90}, 99 % {p99}, max {max}");
        line("sizes, bytes", sizes);
    }
    if let Some(records) = summary.records_per_s() {
        line("mean rate", format!("{records:.1} a second"));
    }
    if let Some(peak) = summary.peak_to_mean() {
        let bin = time(summary.rate.bin_ns);
        line("peak to mean", format!("{peak:.1}, in bins of {bin}"));
        line("bytes over time", blocks(&summary.rate.bytes));
    }
    if !summary.dispersion.is_empty() {
        line("burstiness", dispersion(&summary.dispersion));
        line("", "(variance to mean of counts; Poisson: 1)".to_string());
    }
    if let Some(error) = summary.seen.truncated.as_ref() {
        line("cut off", cut(error));
    }
    text
}

/// Where a file is cut off that is used nonetheless, and what ends there.
pub(super) fn cut(error: &TraceError) -> String {
    let place = match error.place {
        Place::Line { line, .. } => format!("line {line}"),
        place => place.to_string().trim_start_matches([':', ' ']).to_string(),
    };
    match &error.problem {
        Problem::Truncated { what, .. } => format!("at {place}: {what}"),
        problem => format!("at {place}: {problem}"),
    }
}

fn format(summary: &Summary) -> String {
    let Some(format) = summary.format else {
        return "none: a made workload (b-model), no trace".to_string();
    };
    let version = match &summary.kind {
        Kind::Io { version: Some(version), .. } => format!(" version {version}"),
        _ => String::new(),
    };
    format!("{format}{version}, {}", summary.compression)
}

fn answer(name: &str, summary: &Summary) -> String {
    let span = match summary.is_in_ticks {
        true => counted(summary.span_ns, "tick"),
        false => time(summary.span_ns),
    };
    let rate = summary
        .bytes_per_s()
        .map_or(String::new(), |rate| format!(", {} on average", scaled(rate, "B/s")));
    let what = match &summary.kind {
        Kind::Io { devices, .. } => {
            let records = counted(summary.total.count, "record");
            let devices = counted(devices.len() as u64, "device");
            format!("{records} of {devices}")
        }
        Kind::Messages { .. } => counted(summary.total.count, "message"),
    };
    let is_cut = match summary.seen.truncated.as_ref() {
        Some(_) => "; the file is cut off",
        None => "",
    };
    format!("{name}: {what} in {span}{rate}{is_cut}")
}

pub(super) fn written(to: &str, written: &Written, nodes: u32, cut: Option<&TraceError>) -> String {
    let messages = counted(written.messages, "message");
    let (span, bytes) = (time(written.last_ns), scaled(written.bytes as f64, "B"));
    let line = format!("{to}: {messages} between {nodes} end nodes in {span}, {bytes}");
    let cut = cut.map_or(String::new(), |error| {
        lines::sentence(&format!("the trace is cut off {}", self::cut(error)))
    });
    lines::sentence(&line) + &cut
}

pub(super) fn json(name: &str, summary: &Summary) -> Value {
    let s = summary.sizes;
    let mut object = json!({
        "file": name,
        "format": summary.format.map(|format| format.name()),
        "compression": summary.compression.name(),
        "span_ns": (!summary.is_in_ticks).then_some(summary.span_ns),
        "span_ticks": summary.is_in_ticks.then_some(summary.span_ns),
        "bytes": summary.total.bytes,
        "bytes_per_s": summary.bytes_per_s(),
        "per_s": summary.records_per_s(),
        "size_min_bytes": s.min,
        "size_p50_bytes": s.p50,
        "size_p90_bytes": s.p90,
        "size_p99_bytes": s.p99,
        "size_max_bytes": s.max,
        "peak_to_mean": summary.peak_to_mean(),
        "rate_bin_ns": summary.rate.bin_ns,
        "rate_bins_bytes": summary.rate.bytes,
        "dispersion": summary.dispersion.iter()
            .map(|d| json!({"window_ns": d.window_ns, "windows": d.windows, "index": d.index}))
            .collect::<Vec<_>>(),
        "truncated": summary.seen.truncated.as_ref().map(cut),
    });
    let own = match &summary.kind {
        Kind::Io { reads, writes, devices, machines, version } => json!({
            "records": summary.total.count,
            "reads": reads.count,
            "writes": writes.count,
            "read_bytes": reads.bytes,
            "written_bytes": writes.bytes,
            "devices": devices,
            "machines": machines,
            "version": version,
            "out_of_order": summary.seen.out_of_order,
            "suspect": summary.seen.suspect,
            "skipped": summary.seen.skipped,
        }),
        Kind::Messages { sources, destinations, waiting, .. } => json!({
            "messages": summary.total.count,
            "sources": sources,
            "destinations": destinations,
            "waiting": waiting,
        }),
    };
    if let (Some(object), Value::Object(own)) = (object.as_object_mut(), own) {
        let more: Map<String, Value> = own;
        object.extend(more);
    }
    object
}
