//! Latency and throughput against injection: uniform, inside super nodes, more links a pair.

use super::chart::Style;
use super::networks::{analysis, share};
use super::runs::{Done, latency, of_study, run_all};
use super::{NETS, SPREAD, WIRINGS, injection_axis, latency_axis, lines, pair, throughput_axis};
use crate::page;
use observe::LatencyFigure;
use setaside::Failure;
use std::fmt::Write as _;
use units::Ratio;

const UNIFORM: &str = "docs/img/lai-rsi-uniform.svg";
const LOCAL: &str = "docs/img/lai-rsi-local.svg";
const LINKS: &str = "docs/img/lai-rsi-links.svg";

pub(super) fn write(text: &mut String, resume: bool) -> Result<(), Failure> {
    uniform(text, resume)?;
    local(text, resume)?;
    links(text, resume)
}

/// Nodes of a network, from its numbers.
fn nodes(file: &str) -> Result<u32, Failure> {
    let numbers = analysis(file, &[])?;
    Ok(numbers.super_nodes * numbers.nodes)
}

/// Runs in the order of their loads, one cell each for throughput and latency.
fn table(text: &mut String, heads: &[String], curves: &[(Vec<&Done>, u32)]) {
    let _ = writeln!(text, "| load | {} |\n|---{}|", heads.join(" | "), "|---".repeat(heads.len()));
    for at in 0..curves.first().map_or(0, |curve| curve.0.len()) {
        let cells: Vec<String> = curves
            .iter()
            .map(|(runs, senders)| {
                let run = runs[at];
                format!(
                    "{:.3}, {}",
                    run.delivered(*senders),
                    latency(&run.summary.latency_ns, LatencyFigure::Mean)
                )
            })
            .collect();
        let load = curves[0].0[at].load();
        let _ = writeln!(text, "| {load} | {} |", cells.join(" | "));
    }
    text.push('\n');
}

/// What the sources with the least and the most get at full load, and the longest wait of a head.
fn sources(text: &mut String, names: &[String], curves: &[(Vec<&Done>, u32)]) {
    text.push_str("At full load:\n\n| | mean | least of a source | most | longest wait of a head, ns |\n|---|---|---|---|---|\n");
    for (name, (runs, senders)) in names.iter().zip(curves) {
        let Some(run) = runs.last() else { continue };
        let (least, most) = run.of_sources;
        let _ = writeln!(
            text,
            "| {name} | {:.3} | {least:.3} | {most:.3} | {:.0} |",
            run.delivered(*senders),
            run.summary.longest_wait_ns.normal
        );
    }
    text.push('\n');
}

fn short(wiring: &str) -> &str {
    wiring.strip_prefix("palm-tree-").unwrap_or(wiring)
}

fn uniform(text: &mut String, resume: bool) -> Result<(), Failure> {
    let done =
        run_all((super::WORK, "uniform"), &of_study("rsi-uniform.toml", |s| s.nodes())?, resume)?;
    let (mut pictured, mut levels, mut key) = (Vec::new(), Vec::new(), Vec::new());
    let (mut heads, mut curves) = (Vec::new(), Vec::new());
    let mut bounds = String::new();
    for (at, (topology, name, file)) in NETS.iter().enumerate() {
        let senders = nodes(file)?;
        for (dash, wiring) in WIRINGS.iter().enumerate() {
            let of =
                |run: &&Done| run.is(&[("network.topology", topology), ("network.wiring", wiring)]);
            let runs: Vec<&Done> = done.iter().filter(of).collect();
            let bound = analysis(file, &[("network.wiring", wiring)])?.uniform_bound;
            if *wiring == SPREAD {
                levels.push((Style(at, 0), bound.map_or(0.0, Ratio::to_f64)));
            }
            let name = format!("{name}, {}", short(wiring));
            let _ = write!(bounds, "{name} {}; ", share(bound));
            pictured.push(lines(&runs, senders, Style(at, dash)));
            key.push((name.clone(), Style(at, dash)));
            heads.push(name);
            curves.push((runs, senders));
        }
    }
    let axes = [injection_axis(1.0, 0.2), latency_axis(2000.0, 500.0), throughput_axis(1.0, 0.2)];
    let title = "Uniform traffic, minimal routing, G = 8; bounds of the links dotted (spread)";
    page::write(UNIFORM, &pair(title, pictured, levels, axes, &key))?;
    let _ = writeln!(
        text,
        "## Uniform traffic\n\n`setaside sweep scenarios/studies/rsi-uniform.toml`: minimal routing, G = 8, one link a pair. Throughput, mean latency. \
         Bounds of the links: {}.\n\n![Latency and throughput, uniform traffic](../img/lai-rsi-uniform.svg)\n",
        bounds.trim_end_matches("; ")
    );
    table(text, &heads, &curves);
    sources(text, &heads, &curves);
    Ok(())
}

fn local(text: &mut String, resume: bool) -> Result<(), Failure> {
    let done =
        run_all((super::WORK, "local"), &of_study("rsi-local.toml", |s| s.nodes())?, resume)?;
    let (mut pictured, mut key) = (Vec::new(), Vec::new());
    let (mut heads, mut curves) = (Vec::new(), Vec::new());
    for (at, (topology, name, file)) in NETS.iter().enumerate() {
        let senders = nodes(file)?;
        let of = |run: &&Done| run.is(&[("network.topology", topology)]);
        let runs: Vec<&Done> = done.iter().filter(of).collect();
        pictured.push(lines(&runs, senders, Style(at, 0)));
        key.push((name.to_string(), Style(at, 0)));
        heads.push(name.to_string());
        curves.push((runs, senders));
    }
    let axes = [injection_axis(1.0, 0.2), latency_axis(2000.0, 500.0), throughput_axis(1.0, 0.2)];
    let title = "Traffic inside super nodes only, minimal routing";
    page::write(LOCAL, &pair(title, pictured, Vec::new(), axes, &key))?;
    text.push_str(
        "## Inside super nodes\n\n`setaside sweep scenarios/studies/rsi-local.toml`: each node sends to others of its super node. Throughput, mean latency.\n\n\
         ![Latency and throughput inside super nodes](../img/lai-rsi-local.svg)\n\n",
    );
    table(text, &heads, &curves);
    sources(text, &heads, &curves);
    Ok(())
}

fn links(text: &mut String, resume: bool) -> Result<(), Failure> {
    const AXIS: &str = "network.links_per_pair";
    let done =
        run_all((super::WORK, "links"), &of_study("rsi-links.toml", |s| s.nodes())?, resume)?;
    let senders = nodes("br-3x1.toml")?;
    let (mut pictured, mut levels, mut key) = (Vec::new(), Vec::new(), Vec::new());
    let (mut heads, mut curves) = (Vec::new(), Vec::new());
    let mut bounds = String::new();
    for (at, count) in ["1", "2", "4", "8", "16"].into_iter().enumerate() {
        let runs: Vec<&Done> = done.iter().filter(|run| run.is(&[(AXIS, count)])).collect();
        let bound = analysis("br-3x1.toml", &[(AXIS, count)])?.uniform_bound;
        let _ = write!(bounds, "L = {count} {}; ", share(bound));
        levels.push((Style(at, 0), bound.map_or(0.0, Ratio::to_f64)));
        pictured.push(lines(&runs, senders, Style(at, 0)));
        let name = match count {
            "1" => "L = 1 (BF-1)".to_string(),
            "16" => "L = 16 (BF-2)".to_string(),
            _ => format!("L = {count}"),
        };
        key.push((name.clone(), Style(at, 0)));
        heads.push(name);
        curves.push((runs, senders));
    }
    let axes = [injection_axis(1.0, 0.2), latency_axis(2000.0, 500.0), throughput_axis(1.0, 0.2)];
    let title = "BR, G = 3, 1 to 16 links a pair, uniform traffic, minimal routing; bounds dotted";
    page::write(LINKS, &pair(title, pictured, levels, axes, &key))?;
    let _ = writeln!(
        text,
        "## More links a pair\n\n`setaside sweep scenarios/studies/rsi-links.toml`: BR with G = 3, 48 nodes, uniform traffic, minimal routing. Throughput, \
         mean latency. Bounds of the links: {}.\n\n![Latency and throughput by links a pair](../img/lai-rsi-links.svg)\n",
        bounds.trim_end_matches("; ")
    );
    table(text, &heads, &curves);
    sources(text, &heads, &curves);
    Ok(())
}
