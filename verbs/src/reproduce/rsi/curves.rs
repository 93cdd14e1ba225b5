//! Latency and throughput against injection: uniform, inside super nodes, more links a pair.

use super::by_load;
use super::networks::{analysis, share};
use crate::reproduce::chart::Style;
use crate::reproduce::figure::Figure;
use crate::reproduce::runs::{Runner, pairs, with};
use crate::reproduce::template::{Page, filled};
use setaside::Failure;
use units::Ratio;

/// Each a picture, the table by load, the sources with least and most at full load, and longest
/// waits; two with bounds of the links of the networks in a scenario.
pub(super) fn write(page: &mut Page, runs: &Runner) -> Result<(), Failure> {
    for (name, bounded) in [
        ("uniform", Some("lai-rsi/br-uniform.toml")),
        ("local", None),
        ("links", Some("lai-rsi/br-3x1.toml")),
    ] {
        let mut figure = runs.figure(name)?;
        if let Some(file) = bounded {
            page.put(&format!("{name}-bounds"), &bounds(&mut figure, file)?);
        }
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
    }
    Ok(())
}

/// Bounds of the links by name; those of the first kind of dashes are in the picture too.
fn bounds(figure: &mut Figure, file: &str) -> Result<String, Failure> {
    let mut bounds = Vec::new();
    for (name, Style(colour, dash), labels) in figure.styles() {
        let bound = analysis(file, &pairs(&labels))?.uniform_bound;
        let name = name.split(" (").next().unwrap_or_default();
        bounds.push(format!("{name} {}", share(bound)));
        if dash == 0 {
            let level = (colour, bound.map_or(0.0, Ratio::to_f64));
            figure.panel[1].levels.push(level);
        }
    }
    Ok(bounds.join("; "))
}
