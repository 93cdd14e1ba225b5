//! The hot spot: one super node sends to another. LAR, its threshold, and what else it depends on.

use super::{WIRING, WIRINGS, by_load, short};
use crate::reproduce::figure::meant;
use crate::reproduce::runs::{Done, Named, Runner, with};
use crate::reproduce::template::{Page, filled};
use setaside::Failure;

/// Nodes of a super node, and so those that send.
const SENDERS: u32 = 16;
const QUEUES: [&str; 2] = ["voq-per-vc", "fifo-per-vc"];

pub(super) fn write(page: &mut Page, runs: &Runner) -> Result<(), Failure> {
    let done = runs.study("hot-spot", "rsi-hot-spot.toml", &[], Some(|_| SENDERS))?;
    // Minimal, LAR in all its ways, valiant and ugal-l; not all are drawn.
    let all = runs.figure("hot-spot")?;
    let mut drawn = all.clone();
    drawn.colour.retain(|v| !v[0].contains("head") && !v[0].contains("requests+"));
    for wiring in WIRINGS {
        let short = short(wiring);
        let of_wiring = with(&done, &[(WIRING, wiring)]);
        drawn.titled(short).write(&format!("lai-rsi-hot-spot-{short}"), &of_wiring)?;
        let whole = with(&done, &[(WIRING, wiring), ("switch.queues", QUEUES[0])]);
        page.put(&format!("hot-spot-{short}"), &by_load(&all.solid().curves(&whole)?));
    }
    page.put("hot-spot", &everything(&all.colour, &done)?);
    thresholds(page, runs)
}

/// Decision x counter x queues x wiring at four loads.
fn everything(variants: &[Named], done: &[Done]) -> Result<String, Failure> {
    let mut text = String::new();
    for variant in variants {
        text += &format!("| {} |", variant[0]);
        for wiring in WIRINGS {
            for queues in QUEUES {
                let runs = with(done, &[(WIRING, wiring), ("switch.queues", queues)]);
                let runs = meant(&runs, &variant[1..])?;
                let at = |load: f64| {
                    let run = runs.iter().copied().find(|run| run.number("load") == Some(load));
                    filled("{delivered_bytes_per_ns/senders|0:3}", run.as_slice())
                };
                let cells = [0.1, 0.2, 0.4, 1.0].map(at).join(", ");
                let last = filled("({least:2} to {most:2})", &runs[runs.len() - 1..]);
                text += &format!(" {cells} {last} |");
            }
        }
        text.push('\n');
    }
    Ok(text)
}

fn thresholds(page: &mut Page, runs: &Runner) -> Result<(), Failure> {
    let done = runs.study("threshold", "rsi-threshold.toml", &[], Some(|_| SENDERS))?;
    let figure = runs.figure("threshold")?;
    for wiring in WIRINGS {
        let short = short(wiring);
        let of_wiring = with(&done, &[(WIRING, wiring)]);
        figure.titled(short).write(&format!("lai-rsi-threshold-{short}"), &of_wiring)?;
        for counter in ["requests", "credits"] {
            let runs = with(&done, &[(WIRING, wiring), ("routing.lar_counter", counter)]);
            let table = by_load(&figure.solid().curves(&runs)?);
            page.put(&format!("threshold-{short}-{counter}"), &table);
        }
    }
    Ok(())
}
