//! `setaside topo`.

use crate::about::{self, Row};
use crate::exit::{Exit, Failure, print};
use crate::options::Format;
use crate::{drawing, progress, target};
use fabric::{Ideal, Ideals, NoIdeal};
use scenario::{Scenario, Set};
use serde_json::json;
use std::num::NonZeroUsize;
use std::path::Path;
use study::lines;
use topology::{Analysis, Deadlock, HierarchyAnalysis, Network};
use units::Ratio;

/// What the bounds of uniform traffic in a hierarchical network assume.
const ONE_ROUTE: &str = "all packets of a pair by the lowest minimal ports (routing.selection = \"first\"), none to oneself";
const EVEN_SPLIT: &str =
    "every switch splits evenly over the minimal ports of an entry, self included";

pub(crate) fn topo(
    file: &Path,
    sets: &[Set],
    threads: NonZeroUsize,
    format: Format,
    svg: Option<&Path>,
) -> Result<(), Failure> {
    if let Some(path) = svg {
        target::check("--svg", path)?;
    }
    let scenario = Scenario::from_input(&target::read_scenario(file)?, sets)?;
    let loads = about::loads(&scenario);
    let config = progress::of_routes(scenario, threads, |scenario| scenario.build())?;
    let network = &config.network;
    if let Some(path) = svg {
        draw(network, path)?;
    }
    let analysis = network.analysis();
    let ideal = Ideals::new(&config).over(config.run.warmup, config.run.duration);
    match format {
        Format::Text => print(&text(network.name(), &analysis, &loads, &ideal)),
        Format::Json => {
            let json = json(network.name(), &analysis, &loads, &ideal);
            print(&format!("{json:#}\n"))
        }
    }
}

fn draw(network: &Network, path: &Path) -> Result<(), Failure> {
    let Some(hierarchy) = network.hierarchy() else {
        let what = format!("--svg: a picture of {}", network.name());
        let legal = "legal: hierarchical networks, such as dragonfly or rsi-butterfly";
        return Err(Failure::error(Exit::Usage, format!("{what}; {legal}")));
    };
    let picture = drawing::svg(network.name(), hierarchy.plan());
    std::fs::write(path, picture).map_err(|error| target::failure("--svg", path, &error))
}

fn deadlock(analysis: &Analysis) -> String {
    match &analysis.deadlock {
        Deadlock::Free => "none: the channel dependency graph has no cycle".to_string(),
        Deadlock::Cycle(cycle) => format!("possible: {cycle}"),
    }
}

fn text(name: &str, a: &Analysis, loads: &[Row], ideal: &Result<Ideal, NoIdeal>) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: String| lines::add(&mut text, 28, name, &value);
    line("topology", name.to_string());
    line("switches", a.switches.to_string());
    line("end nodes", a.nodes.to_string());
    line("links", a.links.to_string());
    line("hops (switches), mean / max", format!("{:.3} / {}", a.hops_mean, a.hops_max));
    for (hops, pairs) in a.hops_histogram.iter().enumerate().filter(|(_, p)| **p > 0) {
        line(&format!("  {hops} hops"), format!("{pairs} pairs"));
    }
    line("route bits, longest", a.route_bits_max.to_string());
    if let Some(path) = &a.longest_route {
        line("longest route", path.to_string());
    }
    line("virtual channels, used / of", format!("{} / {}", a.vcs_used, a.vcs));
    if let Some(entries) = a.table_entries {
        line("routing tables", format!("{entries} entries"));
    }
    if let Some(bound) = a.uniform_bound {
        let (name, split) = match &a.hierarchy {
            Some(_) => ("uniform bound, one route", ONE_ROUTE),
            None => ("uniform traffic, bound", ""),
        };
        line(name, share(Some(bound), split));
    }
    if let Some(most) = a.link_loads.iter().max_by_key(|l| l.pairs) {
        line("most loaded link", format!("{} -> {}: {} pairs", most.from, most.to, most.pairs));
    }
    if let Some(hierarchy) = &a.hierarchy {
        super_nodes(hierarchy, &mut line);
    }
    line("deadlock", deadlock(a));
    for (who, load) in loads {
        line(who, load.clone());
    }
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

/// A bound, and what it assumes: a hierarchical network has bounds that assume different things.
fn share(bound: Option<Ratio>, assumes: &str) -> String {
    let Some(bound) = bound else {
        return "none".to_string();
    };
    let separator = if assumes.is_empty() { "" } else { "; " };
    format!("{:.4} of link rate a node{separator}{assumes}", bound.to_f64())
}

/// The lines that hierarchical networks have more.
fn super_nodes(h: &HierarchyAnalysis, line: &mut impl FnMut(&str, String)) {
    let nodes = format!("{} of {} nodes, {}", h.super_nodes, h.nodes, h.wiring);
    line("super nodes", nodes);
    let ports = format!("{} / {}", h.ports.0, h.ports.1);
    line("ports a node, local / global", ports);
    line("links, local / global", format!("{} / {}", h.links.0, h.links.1));
    let largest = format!("{} / {} nodes", h.virtual_radix, h.nodes_max);
    line("virtual radix / largest", largest);
    line("local diameter", h.local_diameter.to_string());
    let mean = h.hops_mean.map_or(0.0, Ratio::to_f64);
    line("links on minimal routes, mean", format!("{mean:.4}, self included"));
    line("links on the longest way", h.hops_max.to_string());
    let entries = format!("{} + {} entries a port", h.table_entries.0, h.table_entries.1);
    line("T1 + T2", entries);
    line("uniform bound, even split", share(h.uniform_bound, EVEN_SPLIT));
    line("super node to super node", share(h.pair_bound, "minimal ports, evenly split"));
    let vcs = format!("{} / {} / {}", h.vcs_used.0, h.vcs_used.1, h.vcs_needed);
    line("VCs, local / global / needed", vcs);
}

fn hierarchy(h: &HierarchyAnalysis) -> serde_json::Value {
    json!({
        "wiring": h.wiring,
        "super_nodes": h.super_nodes,
        "nodes_per_super_node": h.nodes,
        "local_ports": h.ports.0,
        "global_ports": h.ports.1,
        "local_links": h.links.0,
        "global_links": h.links.1,
        "virtual_radix": h.virtual_radix,
        "nodes_max": h.nodes_max,
        "local_diameter": h.local_diameter,
        "links_mean": h.hops_mean.map_or(0.0, Ratio::to_f64),
        "links_max": h.hops_max,
        "t1_entries": h.table_entries.0,
        "t2_entries": h.table_entries.1,
        "uniform_bound_assumes": EVEN_SPLIT,
        "uniform_bound": h.uniform_bound.map(Ratio::to_f64),
        "pair_bound": h.pair_bound.map(Ratio::to_f64),
        "vcs_needed": h.vcs_needed,
        "vcs_local": h.vcs_used.0,
        "vcs_global": h.vcs_used.1,
    })
}

fn json(
    name: &str,
    a: &Analysis,
    loads: &[Row],
    ideal: &Result<Ideal, NoIdeal>,
) -> serde_json::Value {
    let loads = loads.iter();
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
        "uniform_bound_assumes": a.hierarchy.as_ref().map(|_| ONE_ROUTE),
        "deadlock": deadlock(a),
        "hierarchy": a.hierarchy.as_ref().map(hierarchy),
        "loads": loads.map(|(who, load)| json!({ "of": who, "load": load })).collect::<Vec<_>>(),
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
