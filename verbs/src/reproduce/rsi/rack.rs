//! The four networks as racks of about equal node count, as a page of its own.

use super::networks::{self, share};
use crate::page::failed;
use crate::reproduce::runs::{Done, Runner, Wanted, with};
use crate::reproduce::template::{Page, filled};
use crate::reproduce::write_page;
use setaside::Failure;
use topology::HierarchyAnalysis;
use units::Ratio;

/// Its page.
pub(super) const NAME: &str = "rack-study";

const CELL: &str = "{delivered_bytes_per_ns/senders|0:3}, {>=latency_ns.p99:0}";

/// Entries are sets of egress ports, a bit each: of T1 local ones, of T2 all.
fn table_bits(numbers: &HierarchyAnalysis) -> u32 {
    let (t1, t2) = numbers.table_entries;
    let (local, global) = (u32::from(numbers.ports.0), u32::from(numbers.ports.1));
    t1 * local + t2 * (local + global)
}

/// Tables of a node: network ports and that of the processor.
const COPIES: u32 = 9;

pub(super) fn write(runs: &Runner) -> Result<(), Failure> {
    let mut page = Page::read(NAME)?;
    for (title, short) in [
        ("Uniform", "uniform"),
        ("Adversarial: each super node to the next", "adversarial"),
        ("Hot spot: super node 0 to super node 1", "hot-spot"),
    ] {
        let name = format!("rack-{short}");
        let mut wanted = runs.wanted(&name, &[])?;
        if short == "uniform" {
            let racks = wanted.chunk_by(|a, b| a.labels[0] == b.labels[0]).map(cost);
            page.put("cost", &racks.collect::<Result<String, _>>()?);
        }
        wanted.iter_mut().for_each(|run| run.flows = false);
        for runs in wanted.chunk_by_mut(|a, b| a.labels[0] == b.labels[0]) {
            if short == "hot-spot" {
                let senders = networks::of(&runs[0].scenario, NAME)?.nodes;
                runs.iter_mut().for_each(|run| run.senders = senders);
            }
        }
        let done = runs.all(&name, &wanted)?;
        for (part, links) in [("one", "one link a pair"), ("all", "all global ports in use")] {
            let figure = runs.figure(&format!("rack-{part}"))?;
            let figure = figure.titled(&format!("{title}; {links}"));
            figure.write(&format!("{name}-{part}"), &with(&done, &[]))?;
        }
        let rows = done.chunk_by(|a, b| a.labels[..2] == b.labels[..2]).map(row);
        page.put(short, &rows.collect::<Result<String, _>>()?);
    }
    write_page(NAME, "Racks of about equal size", runs.work, &page.finish()?)
}

/// What a rack takes, of runs on it.
fn cost(runs: &[Wanted]) -> Result<String, Failure> {
    let numbers = networks::of(&runs[0].scenario, NAME)?;
    let nodes = numbers.super_nodes * numbers.nodes;
    let links = numbers.links.0 + numbers.links.1;
    let mut vcs = Vec::new();
    for of_algorithm in runs.chunk_by(|a, b| a.labels[1] == b.labels[1]) {
        vcs.push(networks::of(&of_algorithm[0].scenario, NAME)?.vcs_needed.to_string());
    }
    let bits = table_bits(&numbers);
    Ok(format!(
        "| {} | {nodes} | {links} | {:.2} | {} | {} + {} | {bits} | {} | {} | {} | {:.3} | {} | {} |\n",
        runs[0].labels[0].1,
        links as f64 / f64::from(nodes),
        numbers.links.1,
        numbers.table_entries.0,
        numbers.table_entries.1,
        bits * COPIES,
        (nodes - 1) * 8,
        vcs.join(" | "),
        numbers.hops_mean.map_or(0.0, Ratio::to_f64),
        share(numbers.uniform_bound),
        share(numbers.pair_bound),
    ))
}

/// Of the runs with a routing on a rack.
fn row(runs: &[Done]) -> Result<String, Failure> {
    let cell = |row, load| {
        let run = runs.iter().find(|run| run.label("load") == load);
        let some = || failed(format!("a cell of no runs: {:?}, {load}", runs[0].labels));
        run.map(|run| filled(row, &[run])).ok_or_else(some)
    };
    let full = cell("{rack} | {algorithm} | {delivered_bytes_per_ns/senders|0:3}", "1.0")?;
    let cells = [cell(CELL, "0.05")?, cell(CELL, "0.1")?, cell(CELL, "0.3")?].join(" | ");
    Ok(format!("| {full} | {cells} |\n"))
}
