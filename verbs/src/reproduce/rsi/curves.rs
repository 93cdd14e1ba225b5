//! Latency and throughput against injection: uniform, inside super nodes, more links a pair.

use super::networks::{analysis, share};
use super::{Curve, NETS, SPREAD, WIRING, WIRINGS, by_load, picture, short};
use crate::reproduce::chart::Style;
use crate::reproduce::runs::Runner;
use crate::reproduce::template::{Page, filled};
use scenario::Scenario;
use setaside::Failure;
use units::Ratio;

const TOPOLOGY: &str = "network.topology";
const ALL: Option<fn(&Scenario) -> u32> = Some(|scenario| scenario.nodes());

pub(super) fn write(page: &mut Page, runs: &Runner) -> Result<(), Failure> {
    uniform(page, runs)?;
    local(page, runs)?;
    links(page, runs)
}

/// A picture, the table by load, and what the sources with the least and the most get at full load,
/// with the longest wait of a head.
fn part(
    page: &mut Page,
    name: &str,
    title: &str,
    curves: &[Curve<'_>],
    levels: Vec<(Style, f64)>,
) -> Result<(), Failure> {
    picture(&format!("lai-rsi-{name}"), title, curves, levels, (2000.0, 1.0))?;
    page.put(name, &by_load(curves));
    let full = curves.iter().filter_map(|curve| {
        let row = "{delivered_bytes_per_ns/senders|0:3} | {least:3} | {most:3} | {longest_wait_ns.normal:0}";
        Some(format!("| {} | {} |\n", curve.name, filled(row, &[curve.runs.last()?])))
    });
    page.put(&format!("{name}-full"), &full.collect::<String>());
    Ok(())
}

fn uniform(page: &mut Page, runs: &Runner) -> Result<(), Failure> {
    let done = runs.study("uniform", "rsi-uniform.toml", ALL)?;
    let (mut curves, mut levels, mut bounds) = (Vec::new(), Vec::new(), Vec::new());
    for (at, (topology, name, file)) in NETS.iter().enumerate() {
        for (dash, wiring) in WIRINGS.iter().enumerate() {
            let bound = analysis(file, &[(WIRING, wiring)])?.uniform_bound;
            if *wiring == SPREAD {
                levels.push((Style(at, 0), bound.map_or(0.0, Ratio::to_f64)));
            }
            let name = format!("{name}, {}", short(wiring));
            bounds.push(format!("{name} {}", share(bound)));
            let labels = [(TOPOLOGY, *topology), (WIRING, *wiring)];
            curves.push(Curve::new(name, Style(at, dash), &done, &labels));
        }
    }
    page.put("uniform-bounds", &bounds.join("; "));
    let title = "Uniform traffic, minimal routing, G = 8; bounds of the links dotted (spread)";
    part(page, "uniform", title, &curves, levels)
}

fn local(page: &mut Page, runs: &Runner) -> Result<(), Failure> {
    let done = runs.study("local", "rsi-local.toml", ALL)?;
    let curves = NETS.iter().enumerate().map(|(at, (topology, name, _))| {
        Curve::new(name.to_string(), Style(at, 0), &done, &[(TOPOLOGY, topology)])
    });
    let title = "Traffic inside super nodes only, minimal routing";
    part(page, "local", title, &curves.collect::<Vec<_>>(), Vec::new())
}

fn links(page: &mut Page, runs: &Runner) -> Result<(), Failure> {
    const AXIS: &str = "network.links_per_pair";
    let done = runs.study("links", "rsi-links.toml", ALL)?;
    let (mut curves, mut levels, mut bounds) = (Vec::new(), Vec::new(), Vec::new());
    for (at, count) in ["1", "2", "4", "8", "16"].into_iter().enumerate() {
        let bound = analysis("lai-rsi/br-3x1.toml", &[(AXIS, count)])?.uniform_bound;
        bounds.push(format!("L = {count} {}", share(bound)));
        levels.push((Style(at, 0), bound.map_or(0.0, Ratio::to_f64)));
        let name = match count {
            "1" => "L = 1 (BF-1)".to_string(),
            "16" => "L = 16 (BF-2)".to_string(),
            _ => format!("L = {count}"),
        };
        curves.push(Curve::new(name, Style(at, 0), &done, &[(AXIS, count)]));
    }
    page.put("links-bounds", &bounds.join("; "));
    let title = "BR, G = 3, 1 to 16 links a pair, uniform traffic, minimal routing; bounds dotted";
    part(page, "links", title, &curves, levels)
}
