//! Latency and throughput against injection: uniform, inside super nodes, more links a pair.

use super::networks::{analysis, share};
use super::{NETS, PACKED, WIRING, WIRINGS, by_load, short};
use crate::reproduce::figure::Figure;
use crate::reproduce::runs::{Runner, with};
use crate::reproduce::template::{Page, filled};
use setaside::Failure;
use units::Ratio;

pub(super) fn write(page: &mut Page, runs: &Runner) -> Result<(), Failure> {
    let mut uniform = runs.figure("uniform")?;
    let nets = NETS.iter().flat_map(|(_, name, file)| {
        WIRINGS.map(|wiring| (format!("{name}, {}", short(wiring)), *file, (WIRING, wiring)))
    });
    page.put("uniform-bounds", &bounds(&mut uniform, nets)?);
    part(page, "uniform", &uniform, runs)?;
    part(page, "local", &runs.figure("local")?, runs)?;
    let mut links = runs.figure("links")?;
    let counts = ["1", "2", "4", "8", "16"].into_iter().map(|count| {
        let set = ("network.links_per_pair", count);
        (format!("L = {count}"), "lai-rsi/br-3x1.toml", set)
    });
    page.put("links-bounds", &bounds(&mut links, counts)?);
    part(page, "links", &links, runs)
}

/// Bounds of the links by name; those of spread wirings are in the picture too.
fn bounds<'a>(
    figure: &mut Figure,
    nets: impl Iterator<Item = (String, &'a str, (&'a str, &'a str))>,
) -> Result<String, Failure> {
    let mut bounds = Vec::new();
    for (name, file, set) in nets {
        let bound = analysis(file, &[set])?.uniform_bound;
        bounds.push(format!("{name} {}", share(bound)));
        if set.1 != PACKED {
            let levels = &mut figure.panel[1].levels;
            levels.push((levels.len(), bound.map_or(0.0, Ratio::to_f64)));
        }
    }
    Ok(bounds.join("; "))
}

/// A picture, the table by load, the sources with least and most at full load, and longest waits.
fn part(page: &mut Page, name: &str, figure: &Figure, runs: &Runner) -> Result<(), Failure> {
    let all = |scenario: &scenario::Scenario| scenario.nodes();
    let done = runs.study(name, &format!("rsi-{name}.toml"), &[], Some(all))?;
    let all = with(&done, &[]);
    figure.write(&format!("lai-rsi-{name}"), &all)?;
    let curves = figure.curves(&all)?;
    page.put(name, &by_load(&curves));
    let full = curves.iter().filter_map(|(name, runs)| {
        let row = "{delivered_bytes_per_ns/senders|0:3} | {least:3} | {most:3} \
                   | {longest_wait_ns.normal:0}";
        Some(format!("| {name} | {} |\n", filled(row, &[runs.last()?])))
    });
    page.put(&format!("{name}-full"), &full.collect::<String>());
    Ok(())
}
