//! `setaside topo`.

use crate::args::Format;
use crate::exit::{Failure, print};
use crate::walk;
use fabric::{Ideal, Ideals, NoIdeal};
use scenario::{Scenario, Set};
use serde_json::json;
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::Path;
use topology::{Analysis, Deadlock};

pub(crate) fn topo(
    file: &Path,
    sets: &[Set],
    threads: NonZeroUsize,
    format: Format,
) -> Result<(), Failure> {
    let scenario = Scenario::from_input(&crate::kind::read_scenario(file)?, sets)?;
    let config = walk::shown(scenario, threads, |scenario| scenario.build())?;
    let network = &config.network;
    let analysis = network.analysis();
    let ideal = Ideals::new(&config).over(config.run.warmup, config.run.duration);
    match format {
        Format::Text => print(&text(network.name(), &analysis, &ideal)),
        Format::Json => print(&format!("{:#}\n", json(network.name(), &analysis, &ideal))),
    }
}

fn deadlock(analysis: &Analysis) -> String {
    match &analysis.deadlock {
        Deadlock::Free => "none: the channel dependency graph has no cycle".to_string(),
        Deadlock::Cycle(cycle) => format!("possible: {cycle}"),
    }
}

fn text(name: &str, a: &Analysis, ideal: &Result<Ideal, NoIdeal>) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<28} {value}");
    };
    line("topology", name.to_string());
    line("switches", a.switches.to_string());
    line("end nodes", a.nodes.to_string());
    line("links", a.links.to_string());
    line(
        "hops (switches), mean / max",
        format!("{:.3} / {}", a.hops_mean, a.hops_max),
    );
    for (hops, pairs) in a.hops_histogram.iter().enumerate().filter(|(_, p)| **p > 0) {
        line(&format!("  {hops} hops"), format!("{pairs} pairs"));
    }
    line("route bits, longest", a.route_bits_max.to_string());
    if let Some(path) = &a.longest_route {
        line("longest route", path.to_string());
    }
    line(
        "virtual channels, used / of",
        format!("{} / {}", a.vcs_used, a.vcs),
    );
    if let Some(entries) = a.table_entries {
        line("routing tables", format!("{entries} entries"));
    }
    if let Some(bound) = a.uniform_bound {
        line(
            "uniform traffic, bound",
            format!("{:.4} of link rate a node", bound.to_f64()),
        );
    }
    if let Some(most) = a.link_loads.iter().max_by_key(|l| l.pairs) {
        line(
            "most loaded link",
            format!("{} -> {}: {} pairs", most.from, most.to, most.pairs),
        );
    }
    line("deadlock", deadlock(a));
    // After warm-up, as results are.
    match ideal {
        Ok(ideal) => {
            let rate = |value: f64| format!("{value:.3} bytes/ns");
            line("workload, offered", rate(ideal.offered_bytes_per_ns));
            line("workload, max-min fair", rate(ideal.max_min_bytes_per_ns));
            line("workload, cut bound", rate(ideal.cut_bytes_per_ns));
        }
        Err(reason) => line("workload, bounds", format!("none: {reason}")),
    }
    text
}

fn json(name: &str, a: &Analysis, ideal: &Result<Ideal, NoIdeal>) -> serde_json::Value {
    json!({
        "topology": name,
        "switches": a.switches,
        "nodes": a.nodes,
        "links": a.links,
        "hops_mean": a.hops_mean,
        "hops_max": a.hops_max,
        "hops_histogram": a.hops_histogram,
        "route_bits_max": a.route_bits_max,
        "longest_route": a.longest_route.as_ref().map(ToString::to_string),
        "vcs": a.vcs,
        "vcs_used": a.vcs_used,
        "table_entries": a.table_entries,
        "uniform_bound": a.uniform_bound.map(|b| b.to_f64()),
        "deadlock": deadlock(a),
        "workload": ideal.as_ref().ok().map(|ideal| json!({
            "offered_bytes_per_ns": ideal.offered_bytes_per_ns,
            "max_min_bytes_per_ns": ideal.max_min_bytes_per_ns,
            "cut_bytes_per_ns": ideal.cut_bytes_per_ns,
            "ideal_bytes_per_ns": ideal.bytes_per_ns,
        })),
        "workload_without_bounds": ideal.as_ref().err().map(ToString::to_string),
        "link_loads": a.link_loads.iter()
            .map(|l| json!({"from": l.from.to_string(), "to": l.to.to_string(), "pairs": l.pairs}))
            .collect::<Vec<_>>(),
    })
}
