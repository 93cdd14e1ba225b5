//! The tables of the page: thresholds, what victims got, which links were held back, which pause
//! came from which.

use super::look::{EVERY_NS, Looked};
use super::{RUNS, heat};
use crate::reproduce::runs::{cell, p99_text, p99_us};
use observe::PauseRow;
use std::fmt::Write as _;

/// Where memories pause.
pub(super) fn thresholds(text: &mut String, looked: &[Looked]) {
    let mut said = Vec::new();
    for ((name, ..), looked) in RUNS.iter().zip(looked) {
        let Some(pause) = looked.summary.pause.as_ref() else {
            continue;
        };
        let numbers = (pause.xoff_bytes, pause.xon_bytes, pause.headroom_bytes);
        if !said.contains(&numbers) {
            let (xoff, xon, headroom) = numbers;
            let _ = writeln!(
                text,
                "{name}: PAUSE at {xoff} bytes of a port, RESUME at {xon}, headroom {headroom}.\n"
            );
            said.push(numbers);
        }
    }
    text.push_str(
        "The headroom is the least that loses nothing on these links. CNPs need more: their 20 bytes take cells of 64. Rows that are not named have the numbers of `pfc`, with DCQCN those of the first row with it.\n\n",
    );
}

/// What victims and hot flows got.
pub(super) fn victims(text: &mut String, looked: &[Looked]) {
    text.push_str(
        "## Victims\n\nBytes/ns of all 64 nodes; victims are offered 47.3. *Before* is 400 to 800 us, *during* 800 to 1100 us, *dip* the worst mean over 20 us of it, *after* 1400 to 1600 us. \
         p99 of messages of victims generated during the tree, us; `>=` where not all had arrived at the end of the run.\n\n\
         | scheme | before | during | dip | after | hot during | p99, us | CNPs |\n|---|---|---|---|---|---|---|---|\n",
    );
    for ((name, ..), looked) in RUNS.iter().zip(looked) {
        let of = |window: &str| looked.summary.windows.get(window);
        let rate = |window: &str| {
            let victims = of(window).and_then(|w| w.victims.as_ref());
            victims.and_then(|v| v.delivered_bytes_per_ns)
        };
        let during = of("during");
        let dip = during.and_then(|w| w.victims_worst_dip_bytes_per_ns);
        let hot = during.and_then(|w| w.groups.get("hot")?.delivered_bytes_per_ns);
        let p99 = during.and_then(|w| p99_us(&w.victims.as_ref()?.latency_ns));
        let cnps = looked.summary.ecn.as_ref().and_then(|ecn| ecn.cnps_delivered);
        let _ = writeln!(
            text,
            "| {name} | {} | {} | {} | {} | {} | {} | {} |",
            cell(rate("before"), 2),
            cell(rate("during"), 2),
            cell(dip, 2),
            cell(rate("after"), 2),
            cell(hot, 2),
            p99_text(p99),
            cnps.map_or("-".to_string(), |cnps| cnps.to_string()),
        );
    }
    text.push('\n');
}

/// Which links were held back.
pub(super) fn links(text: &mut String, looked: &[Looked]) {
    let _ = writeln!(
        text,
        "## Links\n\nA link is *held back* while packets wait at its sender and none may go: for want of credit, in a pause, or as all are in SAQs at Xoff. Looked at every {} ns from 800 to 1100 us, with all \
         schemes alike. *Random nodes*: injection links of the 48 nodes that send at random. Then, of the 320 links that end at a switch, by what is at their two ends: mean share of the looks, and how many \
         links were held back in more than 1 % of them.\n",
        EVERY_NS
    );
    let _ = writeln!(
        text,
        "| scheme | random nodes | {} | links above 1 % |\n|---|---|{}---|",
        heat::COLUMNS.join(" | "),
        "---|".repeat(heat::COLUMNS.len())
    );
    for ((name, ..), looked) in RUNS.iter().zip(looked) {
        let mean = |column: &Vec<f64>| column.iter().sum::<f64>() / column.len().max(1) as f64;
        let cells: Vec<String> = looked
            .held_back
            .iter()
            .map(|column| format!("{:.1} %", 100.0 * mean(column)))
            .collect();
        let above = looked.held_back.iter().flatten().filter(|share| **share > 0.01);
        let _ = writeln!(
            text,
            "| {name} | {:.1} % | {} | {} |",
            100.0 * looked.random_nodes,
            cells.join(" | "),
            above.count()
        );
    }
    text.push('\n');
}

/// Which pause came from which.
pub(super) fn pauses(text: &mut String, looked: &[Looked]) {
    let all = looked.iter().flat_map(|looked| &looked.pauses);
    let deepest = all.filter_map(|row| row.depth).max().unwrap_or(0);
    text.push_str(
        "## Pauses\n\nWords PAUSE from 800 to 1100 us, repeats apart. A word comes from the output for which the VC that says it holds the most packets, of those that are paused; it *spreads* where there is such an \
         output. Where there is none the output is slow by itself: the root. A link stands one pause further away than the link that most of its words came from. *Away*: links, and words on them.\n\n",
    );
    let heads: Vec<String> = (1..=deepest).map(|depth| format!("{depth} away")).collect();
    let _ = writeln!(
        text,
        "| scheme | words | that spread | {} | random nodes paused |\n|---|---|---|{}---|",
        heads.join(" | "),
        "---|".repeat(heads.len())
    );
    for ((name, ..), looked) in RUNS.iter().zip(looked) {
        let rows = &looked.pauses;
        if rows.is_empty() {
            continue;
        }
        let words = |row: &PauseRow| row.pauses_said - row.pauses_repeated;
        let said: u64 = rows.iter().map(words).sum();
        let spread: u64 = rows.iter().map(|row| row.pauses_spread).sum();
        let cells = (1..=deepest).map(|depth| {
            let there = rows.iter().filter(|row| row.depth == Some(depth));
            let (links, said) = there.fold((0, 0), |(n, sum), row| (n + 1, sum + words(row)));
            format!("{links}, {said}")
        });
        let cells: Vec<String> = cells.collect();
        let _ = writeln!(
            text,
            "| {name} | {said} | {spread} ({:.0} %) | {} | {:.1} % |",
            100.0 * spread as f64 / said.max(1) as f64,
            cells.join(" | "),
            100.0 * looked.random_paused
        );
    }
    text.push('\n');
}
