//! What the networks are, computed, beside what is printed of them; virtual channels as printed.

use super::runs::scenario;
use super::{NETS, PACKED, SPREAD};
use fabric::Engine;
use setaside::{Exit, Failure};
use std::fmt::Write as _;
use topology::{Deadlock, HierarchyAnalysis};
use units::Ratio;

/// Numbers of a scenario's network with sets over it.
pub(super) fn analysis(file: &str, sets: &[(&str, &str)]) -> Result<HierarchyAnalysis, Failure> {
    let network = scenario(super::WORK, file, sets)?.build_network()?;
    let found = network.analysis().hierarchy;
    found.ok_or_else(|| Failure::new(Exit::Failure, format!("error: {file}: no super nodes")))
}

pub(super) fn share(bound: Option<Ratio>) -> String {
    bound.map_or("-".to_string(), |bound| format!("{:.4}", bound.to_f64()))
}

/// By network: published nodes, virtual radix, largest network, mean hops.
const PUBLISHED: [[&str; 4]; 4] = [
    ["40", "20", "105", "2.5"],
    ["128", "64", "1040", "4.6"],
    ["144", "54", "990", "4.0"],
    ["128", "32", "not printed", "3.7"],
];

pub(super) fn write(text: &mut String) -> Result<(), Failure> {
    text.push_str(
        "## The networks\n\nComputed by `setaside topo`, beside published values in brackets. Hops are links between switches, pairs of a node \
         with itself included; *bound*: share of the link rate a node before a link is full under uniform traffic with minimal routing; *pair*: \
         the same where all nodes of a super node send to those of another.\n\n\
         | network | nodes | virtual radix | largest | mean hops | longest, minimal | longest, LAR | T1 + T2 entries | one table | bound, spread | packed | pair | VCs, minimal | LAR |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for ((_, name, file), published) in NETS.iter().zip(PUBLISHED) {
        let spread = analysis(file, &[("network.wiring", SPREAD)])?;
        let packed = analysis(file, &[("network.wiring", PACKED)])?;
        let lar = analysis(file, &[("routing.algorithm", "lar")])?;
        let nodes = spread.super_nodes * spread.nodes;
        let [of_nodes, radix, largest, hops] = published;
        let (t1, t2) = spread.table_entries;
        let mean = spread.hops_mean.map_or(0.0, Ratio::to_f64);
        let _ = writeln!(
            text,
            "| {name} | {nodes} ({of_nodes}) | {} ({radix}) | {} ({largest}) | {mean:.4} ({hops}) | {} | {} | {t1} + {t2} | {} | {} | {} | {} | {} | {} |",
            spread.virtual_radix,
            spread.nodes_max,
            spread.hops_max,
            lar.hops_max,
            nodes - 1,
            share(spread.uniform_bound),
            share(packed.uniform_bound),
            share(spread.pair_bound),
            spread.vcs_needed,
            lar.vcs_needed,
        );
    }
    let three = analysis("br-3x1.toml", &[])?;
    let (t1, t2) = three.table_entries;
    let _ = writeln!(
        text,
        "\nBR with G = 3, 48 nodes: {t2} + {t1} entries a port (published 2 + 15) instead of {} (47).\n",
        three.super_nodes * three.nodes - 1
    );
    channels(text)
}

/// The virtual channels as printed: is there a cycle, and does a run stop?
fn channels(text: &mut String) -> Result<(), Failure> {
    text.push_str(
        "## Virtual channels as printed\n\nThe paper's rule taken literally (`vc_scheme = \"paper-literal\"`), minimal routing, and `hop-count` with the VCs that it needs. \
         Each super node sends to the next at load 0.5 for 500 us; one link a pair.\n\n\
         | network | cycle of channels | run | run with `hop-count`, delivered |\n|---|---|---|---|\n",
    );
    const FILE: &str = "df-paper-literal-deadlock.toml";
    for (topology, name, _) in NETS {
        let on = ("network.topology", topology);
        let literal = scenario(super::WORK, FILE, &[on])?;
        let cycle = match literal.build_network()?.deadlock() {
            Deadlock::Free => "none".to_string(),
            Deadlock::Cycle(cycle) => format!("`{cycle}`"),
        };
        let ended = match setaside::simulate(&literal, Engine::Fast, &|| ()) {
            Ok(record) => delivered(&record.summary, literal.nodes()),
            Err(failure) if failure.exit == Exit::Deadlock => {
                let line = failure.message.lines().next().unwrap_or_default();
                line.trim_start_matches("error: ").to_string()
            }
            Err(failure) => return Err(failure),
        };
        let sets = [on, ("routing.vc_scheme", "hop-count"), ("routing.allow_deadlock", "false")];
        let counted = scenario(super::WORK, FILE, &sets)?;
        let record = setaside::simulate(&counted, Engine::Fast, &|| ())?;
        let counted = delivered(&record.summary, counted.nodes());
        let _ = writeln!(text, "| {name} | {cycle} | {ended} | {counted} |");
    }
    text.push('\n');
    Ok(())
}

fn delivered(summary: &observe::Summary, nodes: u32) -> String {
    let rate = summary.delivered_bytes_per_ns.unwrap_or(0.0);
    format!("{:.4}", rate / f64::from(nodes))
}
