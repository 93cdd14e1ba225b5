//! priya-recn-iq-2017: RECN-DD-IQ against load, by number of SAQs, beside what is published.

mod more;

use super::{STRICT, run_study};
use observe::LatencyFigure;
use setaside::Failure;
use std::fmt::Write as _;
use study::{PointRow, Table};

const STUDY: &str = "recn-dd-iq-load.toml";
const WORK: &str = "priya-recn-iq-2017";

fn label<'a>(point: &'a PointRow, key: &str) -> &'a str {
    let found = point.labels.iter().find(|l| l.0 == key);
    found.map_or("", |l| l.1.as_str())
}

/// Distinct values of an axis, in their order.
fn axis<'a>(table: &'a Table, key: &str) -> Vec<&'a str> {
    let mut values: Vec<&str> = Vec::new();
    for point in &table.points {
        let value = label(point, key);
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

/// A number, marked where it is a lower bound.
fn bound(at_least: bool, value: f64, digits: usize) -> String {
    let mark = if at_least { ">= " } else { "" };
    format!("{mark}{value:.digits$}")
}

/// One table: loads down, SAQs across.
fn against_load(
    text: &mut String,
    table: &Table,
    arbiter: &str,
    column: &str,
    scale: f64,
    digits: usize,
) {
    let saqs = axis(table, "recn.saqs");
    let heads: Vec<String> = saqs.iter().map(|s| format!("{s} SAQs")).collect();
    let _ = writeln!(text, "| load | {} |\n|---{}|", heads.join(" | "), "|---".repeat(saqs.len()));
    for load in axis(table, "workload.load") {
        let cell = |s: &&str| {
            let point = table.points.iter().find(|p| {
                label(p, "endnode.admittance_arbiter") == arbiter
                    && label(p, "recn.saqs") == *s
                    && label(p, "workload.load") == load
            });
            let measured = point.and_then(|p| p.value(column));
            measured.map_or("-".to_string(), |s| bound(s.at_least, s.mean * scale, digits))
        };
        let cells: Vec<String> = saqs.iter().map(cell).collect();
        let _ = writeln!(text, "| {load} | {} |", cells.join(" | "));
    }
    text.push('\n');
}

/// Throughput at full load in percent.
fn at_full_load(table: &Table, arbiter: &str, saqs: &str) -> String {
    let point = table.points.iter().rfind(|p| {
        label(p, "endnode.admittance_arbiter") == arbiter && label(p, "recn.saqs") == saqs
    });
    let measured = point.and_then(|p| p.value("relative_throughput"));
    measured.map_or("-".to_string(), |s| format!("{:.1} %", s.mean * 100.0))
}

/// How far apart the two priorities of SAQs are, over both tables.
fn strict_apart(text: &mut String, table: &Table, strict: &Table) {
    let pairs = || table.points.iter().zip(&strict.points);
    let apart = |column, far: fn(f64, f64) -> f64| {
        let both = pairs().filter_map(|(a, b)| Some((a.value(column)?, b.value(column)?)));
        both.map(|(a, b)| far(a.mean, b.mean)).fold(0.0, f64::max)
    };
    let same = |(a, b): &(&PointRow, &PointRow)| {
        ["relative_throughput", "latency_p99_ns"]
            .iter()
            .all(|c| a.value(c).map(|s| s.mean) == b.value(c).map(|s| s.mean))
    };
    let _ = writeln!(
        text,
        "With strict priority {} of the {} points above have the same figures; elsewhere delivered differs by {:.1} points at most, and the percentile by a factor of {:.2}.\n",
        pairs().filter(same).count(),
        table.points.len(),
        100.0 * apart("relative_throughput", |a, b| (a - b).abs()),
        apart("latency_p99_ns", |a, b| (a / b).max(b / a)),
    );
}

/// One run of a shipped scenario with sets over it: a row of the table below, and one for strict
/// priority unless its events are the same.
fn run_row(text: &mut String, file: &str, sets: &[(&str, &str)]) -> Result<(), Failure> {
    let bounded = run_one(text, file, sets)?;
    let mut row = String::new();
    let both: Vec<_> = sets.iter().copied().chain([STRICT]).collect();
    if run_one(&mut row, file, &both)? != bounded {
        text.push_str(&row);
    }
    Ok(())
}

/// Writes a row; the hash of the run's events.
fn run_one(text: &mut String, file: &str, sets: &[(&str, &str)]) -> Result<String, Failure> {
    // as studies/recn-dd-iq-load.toml has it, which says why
    let drain = ("run.drain_ns", "1000000");
    let over: Vec<_> = sets.iter().copied().chain([drain]).collect();
    let scenario = super::runs::scenario(WORK, file, &over)?;
    let summary = setaside::simulate(&scenario, fabric::Engine::Fast, &|| ())?.summary;
    let (peak, recn) = (summary.saqs_peak, summary.recn);
    let latency = &summary.network_latency_ns;
    let is_bound = latency.lower_bounds.contains(&LatencyFigure::Mean);
    let number = |v: Option<f64>, scale: f64, digits: usize| {
        v.map_or("-".to_string(), |v| format!("{:.digits$}", v * scale))
    };
    let names: Vec<String> = sets.iter().map(|(k, v)| format!("`{k}={v}`")).collect();
    let _ = writeln!(
        text,
        "| {} | {} | {} | {} | {} | {} | {} | {} | {} |",
        scenario.nodes(),
        if names.is_empty() { "as shipped".to_string() } else { names.join(" ") },
        number(summary.relative_throughput, 100.0, 1),
        latency.mean.map_or("-".to_string(), |v| bound(is_bound, v, 0)),
        peak.ingress,
        peak.egress,
        peak.injection,
        recn.allocations,
        recn.refusals,
    );
    Ok(summary.events_hash)
}

const CIOQ: [(&str, &str); 2] = [("switch.scheme", "recn"), ("switch.organisation", "cioq")];

/// The section of the reproduction page.
pub(super) fn section() -> Result<String, Failure> {
    let table = run_study(STUDY, "priya-recn-iq-2017/load", &[])?;
    let strict = run_study(STUDY, "priya-recn-iq-2017/load-strict", &[STRICT])?;
    let mut text = String::from(
        "## Throughput by SAQs\n\n\
         64 nodes, uniform traffic, `iq` with 4 KB a port, detection 5, Xoff 10, Xon 5; 200 us after 100 us of warm-up, then a drain until \
         all measured messages have arrived. Delivered as a share of the \
         rate of the links, at full load, for both admittance arbiters: bounded admittance queues in round robin smooth the arrivals and \
         hide head-of-line blocking above saturation. *Strict*: `switch.saq_priority = \"strict\"`, normal queues always before SAQs.\n\n\
         | SAQs | published | round robin | random | round robin, strict | random, strict |\n|---|---|---|---|---|---|\n",
    );
    for (saqs, published) in [
        ("0", "about 65 %"),
        ("2", "above 80 %"),
        ("4", "the maximum from 4 on"),
        ("8", "the maximum"),
    ] {
        let _ = writeln!(
            text,
            "| {saqs} | {published} | {} | {} | {} | {} |",
            at_full_load(&table, "round-robin", saqs),
            at_full_load(&table, "random", saqs),
            at_full_load(&strict, "round-robin", saqs),
            at_full_load(&strict, "random", saqs),
        );
    }
    text.push('\n');
    for arbiter in ["round-robin", "random"] {
        let _ = write!(
            text,
            "## Against load, admittance {arbiter}\n\nDelivered, % of the link rate:\n\n"
        );
        against_load(&mut text, &table, arbiter, "relative_throughput", 100.0, 1);
        text.push_str("99th percentile of message latency, us, from generation on:\n\n");
        against_load(&mut text, &table, arbiter, "latency_p99_ns", 1e-3, 2);
    }
    strict_apart(&mut text, &table, &strict);
    more::write(&mut text)?;
    text.push_str(
        "## SAQs in use, and 256 nodes\n\nThe most at any one port; allocations and refusals of the whole run; latency is the mean from injection on. A row with `switch.saq_priority=strict` follows where its events are not the same. `recn` has 4 KB \
         memories at input and output and no speedup.\n\n\
         | nodes | set | delivered, % | network latency, ns | SAQs ingress | egress | injection | allocations | refused |\n|---|---|---|---|---|---|---|---|---|\n",
    );
    let load = ("workload.load", "0.8");
    let egress = ("recn.iq_egress_lines", "true");
    run_row(&mut text, "bmin-64.toml", &[])?;
    run_row(&mut text, "bmin-64.toml", &[egress])?;
    run_row(&mut text, "bmin-64.toml", &CIOQ)?;
    run_row(&mut text, "bmin-64.toml", &[load])?;
    run_row(&mut text, "bmin-64.toml", &[load, egress])?;
    run_row(&mut text, "bmin-64.toml", &[CIOQ[0], CIOQ[1], load])?;
    for saqs in ["0", "2", "4", "8"] {
        run_row(&mut text, "bmin-256.toml", &[("recn.saqs", saqs)])?;
    }
    run_row(
        &mut text,
        "bmin-256.toml",
        &[("recn.saqs", "0"), ("endnode.admittance_arbiter", "random")],
    )?;
    run_row(&mut text, "bmin-256.toml", &[("endnode.admittance_arbiter", "random")])?;
    run_row(&mut text, "bmin-256.toml", &CIOQ)?;
    text.push('\n');
    Ok(text)
}
