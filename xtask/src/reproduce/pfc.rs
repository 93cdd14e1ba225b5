//! Link-level pause and DCQCN beside RECN on case 4 of garcia-trees-2005: a page of its own with
//! heat maps of the links, `docs/notes/pfc.md`. Nobody has published it.

mod heat;
mod look;
mod tree;

use crate::page::{self, root};
use heat::Panel;
use look::Looked;
use observe::PauseRow;
use scenario::{Scenario, Set};
use setaside::Failure;
use std::fmt::Write as _;

const PAGE: &str = "docs/notes/pfc.md";
const PICTURE: &str = "docs/img/pfc-case-4.svg";
const TREE: &str = "docs/img/pfc-case-4-tree.svg";

const PFC: &str = "pfc/case-4.toml";
const DCQCN: &str = "pfc/case-4-dcqcn.toml";
const RECN: &str = "garcia-trees-2005/case-4.toml";

/// Name, scenario, what is set over it, title of its panel in the picture.
type Run = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
    Option<&'static str>,
);

const RUNS: [Run; 11] = [
    ("`1q`, credits", RECN, &[("switch.scheme", "1q")], None),
    ("`pfc`", PFC, &[], Some("pfc")),
    (
        "`pfc`, PAUSE at 4 KB",
        PFC,
        &[("pfc.xoff_bytes", "4096")],
        None,
    ),
    ("`pfc`, `voq-sw`", PFC, &[("pfc.queues", "voq-sw")], None),
    (
        "`pfc` + DCQCN end nodes, no marks",
        DCQCN,
        &[("ecn.marking", "none")],
        None,
    ),
    ("`pfc` + DCQCN", DCQCN, &[], Some("pfc + dcqcn")),
    (
        "`pfc` + DCQCN, marks early",
        DCQCN,
        &[("ecn.red_kmax_bytes", "8000"), ("ecn.red_pmax", "0.1")],
        None,
    ),
    (
        "`pfc` + DCQCN, marks early, times a tenth",
        DCQCN,
        &[
            ("ecn.red_kmax_bytes", "8000"),
            ("ecn.red_pmax", "0.1"),
            ("dcqcn.cnp_interval_ns", "5000"),
            ("dcqcn.alpha_timer_ns", "5500"),
            ("dcqcn.rate_timer_ns", "5500"),
        ],
        Some("pfc + dcqcn, early, times / 10"),
    ),
    (
        "the same, PAUSE at 4 KB",
        DCQCN,
        &[
            ("pfc.xoff_bytes", "4096"),
            ("ecn.red_kmax_bytes", "8000"),
            ("ecn.red_pmax", "0.1"),
            ("dcqcn.cnp_interval_ns", "5000"),
            ("dcqcn.alpha_timer_ns", "5500"),
            ("dcqcn.rate_timer_ns", "5500"),
        ],
        None,
    ),
    (
        "`voq-sw`, credits",
        RECN,
        &[("switch.scheme", "voq-sw")],
        None,
    ),
    ("`recn`, 8 SAQs", RECN, &[], Some("recn")),
];

/// The section of the reproduction page; tables and picture have a page of their own.
pub(super) fn section() -> Result<String, Failure> {
    let mut looked = Vec::new();
    for (name, file, sets, _) in RUNS {
        let sets: Vec<Set> = sets.iter().map(|(k, v)| Set::new(k, v)).collect();
        let scenario = Scenario::load(&root().join("scenarios").join(file), &sets)?;
        looked.push(look::at(&scenario)?);
        eprintln!("{name}: done");
    }
    let panels = RUNS.iter().zip(&looked).filter_map(|(run, looked)| {
        Some(Panel {
            title: run.3?,
            shares: &looked.held_back,
        })
    });
    let picture = heat::svg(
        "Case 4: share of 800 to 1100 us for which a link was held back",
        &panels.collect::<Vec<_>>(),
    );
    page::write(PICTURE, &picture)?;
    let of_pfc = RUNS.iter().zip(&looked).find(|(run, _)| run.0 == "`pfc`");
    let rows = of_pfc.map_or(&[][..], |(_, looked)| &looked.pauses);
    let tree = tree::svg(
        "Case 4, pfc: which pause came from which, 800 to 1100 us",
        rows,
    );
    page::write(TREE, &tree)?;
    let mut text = String::from(
        "# Pause spreads: PFC and DCQCN beside RECN\n\nWritten by `cargo xtask reproduce pfc`; the last section is by hand.\n\n\
         Case 4 of garcia-trees-2005: 64-node BMIN of 8-port switches, 8 Gbit/s, 64-byte packets, 32 KB a port, speedup 1.5. 48 nodes send to random destinations at full rate; \
         from 800 to 1100 us 16 more send to node 32 alone. Victims are all flows to other nodes. Engine fast, seed 1. Scenarios `scenarios/pfc/case-4.toml`, `case-4-dcqcn.toml`, and \
         `garcia-trees-2005/case-4.toml`.\n\n",
    );
    thresholds(&mut text, &looked);
    victims(&mut text, &looked);
    links(&mut text, &looked);
    pauses(&mut text, &looked);
    let _ = writeln!(
        text,
        "![Which pause came from which](../{})\n\n\
         The tree with `pfc`: links that were paused for at least {:.0} % of 800 to 1100 us, each at the one that most of its pauses came from; \
         colour: share of the time paused, width of a line: how often.\n\n\
         ## Where\n\n![Share of time that each link was held back](../{})\n\n\
         A row is a link; a column leads from one stage to the next, up to the top stage and down again; within it links stand by switch and port. \
         The same samples as in *Links*.\n",
        &TREE["docs/".len()..],
        100.0 * tree::LEAST_SHARE,
        &PICTURE["docs/".len()..],
    );
    page::write_with_hand(PAGE, &text)?;
    Ok("Link-level pause (PFC) and DCQCN beside RECN on case 4 of garcia-trees-2005; not published. \
        Tables and heat maps: [a page of its own](notes/pfc.md).\n"
        .to_string())
}

fn thresholds(text: &mut String, looked: &[Looked]) {
    let pause = looked
        .iter()
        .find_map(|looked| looked.summary.pause.as_ref());
    if let Some(pause) = pause {
        let _ = writeln!(
            text,
            "PAUSE at {} bytes of a port, RESUME at {}, headroom {} bytes: the least that loses nothing on these links.\n",
            pause.xoff_bytes, pause.xon_bytes, pause.headroom_bytes
        );
    }
}

fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or("-".to_string(), |value| format!("{value:.digits$}"))
}

/// What victims and hot flows got.
fn victims(text: &mut String, looked: &[Looked]) {
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
        let p99 = during.and_then(|w| {
            let latency = &w.victims.as_ref()?.latency_ns;
            let bound = latency.lower_bounds.contains(&observe::LatencyFigure::P99);
            let sign = if bound { ">= " } else { "" };
            Some(format!("{sign}{:.1}", latency.p99? / 1000.0))
        });
        let cnps = looked
            .summary
            .ecn
            .as_ref()
            .and_then(|ecn| ecn.cnps_delivered);
        let _ = writeln!(
            text,
            "| {name} | {} | {} | {} | {} | {} | {} | {} |",
            number(rate("before"), 2),
            number(rate("during"), 2),
            number(dip, 2),
            number(rate("after"), 2),
            number(hot, 2),
            p99.unwrap_or("-".to_string()),
            cnps.map_or("-".to_string(), |cnps| cnps.to_string()),
        );
    }
    text.push('\n');
}

/// Which links were held back.
fn links(text: &mut String, looked: &[Looked]) {
    let _ = writeln!(
        text,
        "## Links\n\nA link is *held back* while packets wait at its sender and none may go: for want of credit, in a pause, or as all are in SAQs at Xoff. Looked at every {} ns from 800 to 1100 us, with all \
         schemes alike. *Random nodes*: injection links of the 48 nodes that send at random. Then, of the 320 links that end at a switch, by what is at their two ends: mean share of the looks, and how many \
         links were held back in more than 1 % of them.\n",
        look::EVERY_NS
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
        let above = looked
            .held_back
            .iter()
            .flatten()
            .filter(|share| **share > 0.01);
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
fn pauses(text: &mut String, looked: &[Looked]) {
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
