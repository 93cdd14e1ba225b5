//! What the networks are, computed, beside what is printed of them; virtual channels as printed.

use super::{NETS, PACKED, SPREAD, WIRING};
use crate::page::failed;
use crate::reproduce::runs::{Sets, scenario};
use crate::reproduce::template::Page;
use fabric::Engine;
use scenario::Scenario;
use setaside::{Exit, Failure, simulate};
use topology::{Deadlock, HierarchyAnalysis};
use units::Ratio;

/// Numbers of a scenario's network with sets over it.
pub(super) fn analysis(file: &str, sets: Sets<'_>) -> Result<HierarchyAnalysis, Failure> {
    of(&scenario(file, sets)?, file)
}

pub(super) fn of(scenario: &Scenario, file: &str) -> Result<HierarchyAnalysis, Failure> {
    let found = scenario.build_network()?.analysis().hierarchy;
    found.ok_or_else(|| failed(format!("{file}: no super nodes")))
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

pub(super) fn write(page: &mut Page) -> Result<(), Failure> {
    let mut text = String::new();
    for ((_, name, file), published) in NETS.iter().zip(PUBLISHED) {
        let spread = analysis(file, &[(WIRING, SPREAD)])?;
        let packed = analysis(file, &[(WIRING, PACKED)])?;
        let lar = analysis(file, &[("routing.algorithm", "lar")])?;
        let nodes = spread.super_nodes * spread.nodes;
        let [of_nodes, radix, largest, hops] = published;
        let (t1, t2) = spread.table_entries;
        let mean = spread.hops_mean.map_or(0.0, Ratio::to_f64);
        text += &format!(
            "| {name} | {nodes} ({of_nodes}) | {} ({radix}) | {} ({largest}) | {mean:.4} ({hops}) \
             | {} | {} | {t1} + {t2} | {} | {} | {} | {} | {} | {} |\n",
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
    page.put("networks", &text);
    let three = analysis("lai-rsi/br-3x1.toml", &[])?;
    let (t1, t2) = three.table_entries;
    page.put("br-3x1-entries", &format!("{t2} + {t1}"));
    page.put("br-3x1-others", &(three.super_nodes * three.nodes - 1).to_string());
    page.put("channels", &channels()?);
    Ok(())
}

/// The virtual channels as printed: is there a cycle, and does a run stop?
fn channels() -> Result<String, Failure> {
    const FILE: &str = "lai-rsi/df-paper-literal-deadlock.toml";
    let mut text = String::new();
    for (topology, name, _) in NETS {
        let on = ("network.topology", topology);
        let literal = scenario(FILE, &[on])?;
        let cycle = match literal.build_network()?.deadlock() {
            Deadlock::Free => "none".to_string(),
            Deadlock::Cycle(cycle) => format!("`{cycle}`"),
        };
        let ended = match simulate(&literal, Engine::Fast, &|| ()) {
            Ok(record) => delivered(&record.summary, literal.nodes()),
            Err(failure) if failure.exit == Exit::Deadlock => {
                let line = failure.message.lines().next().unwrap_or_default();
                line.trim_start_matches("error: ").to_string()
            }
            Err(failure) => return Err(failure),
        };
        let sets = [on, ("routing.vc_scheme", "hop-count"), ("routing.allow_deadlock", "false")];
        let counted = scenario(FILE, &sets)?;
        let record = simulate(&counted, Engine::Fast, &|| ())?;
        let counted = delivered(&record.summary, counted.nodes());
        text += &format!("| {name} | {cycle} | {ended} | {counted} |\n");
    }
    Ok(text)
}

fn delivered(summary: &observe::Summary, nodes: u32) -> String {
    let rate = summary.delivered_bytes_per_ns.unwrap_or(0.0);
    format!("{:.4}", rate / f64::from(nodes))
}
