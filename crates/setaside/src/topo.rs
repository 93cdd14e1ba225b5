//! `setaside topo`.

use crate::args::Format;
use crate::exit::{Failure, print};
use scenario::{Scenario, Set};
use serde_json::json;
use std::fmt::Write as _;
use std::path::Path;
use topology::{Analysis, Deadlock};

pub(crate) fn topo(file: &Path, sets: &[Set], format: Format) -> Result<(), Failure> {
    let scenario = Scenario::from_input(&crate::kind::read_scenario(file)?, sets)?;
    let network = scenario.build_network()?;
    let analysis = network.analysis();
    match format {
        Format::Text => print(&text(network.name(), &analysis)),
        Format::Json => print(&format!("{:#}\n", json(network.name(), &analysis))),
    }
}

fn deadlock(analysis: &Analysis) -> String {
    match &analysis.deadlock {
        Deadlock::Free => "none: the channel dependency graph has no cycle".to_string(),
        Deadlock::Cycle(cycle) => format!("possible: {cycle}"),
    }
}

fn text(name: &str, a: &Analysis) -> String {
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
    text
}

fn json(name: &str, a: &Analysis) -> serde_json::Value {
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
        "uniform_bound": a.uniform_bound.map(|b| b.to_f64()),
        "deadlock": deadlock(a),
        "link_loads": a.link_loads.iter()
            .map(|l| json!({"from": l.from.to_string(), "to": l.to.to_string(), "pairs": l.pairs}))
            .collect::<Vec<_>>(),
    })
}
