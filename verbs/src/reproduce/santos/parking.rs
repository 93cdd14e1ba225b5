//! The parking lot: who gets which share of the last link.

use super::WORK;
use crate::reproduce::runs::{Done, cell, of_study, run_all};
use setaside::Failure;
use std::fmt::Write as _;

/// Sources, one a switch; the last one is next to the end.
const SOURCES: u32 = 5;

pub(super) fn write(text: &mut String, resume: bool) -> Result<(), Failure> {
    const FILE: &str = "ecn-parking-lot.toml";
    let done = run_all((WORK, "parking-lot"), &of_study(FILE, |_| SOURCES)?, resume)?;
    let heads: Vec<String> = (0..SOURCES).map(|s| format!("source {s}")).collect();
    let _ = writeln!(
        text,
        "## Parking lot\n\n`scenarios/studies/{FILE}`: five switches in a chain, source s at switch s, all to the node behind switch 4. Share of each source in what is delivered; fair is 0.2. \
         *Delivered*: of the rate of the last link. 500 ms, the mean of the last 400 ms. Closed form without control, with sources that always have a packet: each switch gives its source and the chain behind \
         it half each.\n\n\
         | arbiter | window | marking | {} | Jain | delivered | p99, us |\n|---|---|---|{}---|---|---|\n\
         | closed form | unbounded | none | 0.063 | 0.063 | 0.125 | 0.250 | 0.500 | 0.595 | 1 | |",
        heads.join(" | "),
        "---|".repeat(heads.len())
    );
    for run in &done {
        let shares = shares(run).map(|share| format!("{share:.3}"));
        let p99 = run.summary.latency_ns.p99.map(|ns| ns / 1000.0);
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} |",
            run.label("switch.arbiter"),
            run.label("ecn.window"),
            run.label("ecn.marking"),
            shares.join(" | "),
            cell(run.summary.fairness_jain, 3),
            cell(run.summary.delivered_bytes_per_ns, 3),
            cell(p99, 0),
        );
    }
    text.push('\n');
    Ok(())
}

fn shares(run: &Done) -> [f64; SOURCES as usize] {
    let rate = |source: u32| run.by_source.get(&source).copied().unwrap_or(0.0);
    let all: f64 = (0..SOURCES).map(rate).sum();
    std::array::from_fn(|source| rate(source as u32) / all)
}
