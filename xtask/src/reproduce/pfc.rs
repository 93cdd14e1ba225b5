//! Link-level pause and DCQCN beside RECN on case 4 of garcia-trees-2005: a page of its own with
//! heat maps of the links, `docs/notes/pfc.md`. Nobody has published it.

mod heat;
mod look;

use crate::page::{self, root};
use heat::Panel;
use look::Looked;
use scenario::{Scenario, Set};
use setaside::Failure;
use std::fmt::Write as _;

const PAGE: &str = "docs/notes/pfc.md";
const PICTURE: &str = "docs/img/pfc-case-4.svg";
/// From here on the page is written by hand, and stays. Its line, as the head of the page names it.
const BY_HAND: &str = "\n## What it says\n";

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

const RUNS: [Run; 10] = [
    ("`1q`, credits", RECN, &[("switch.scheme", "1q")], None),
    ("`pfc`", PFC, &[], Some("pfc")),
    (
        "`pfc`, PAUSE at 4 KB",
        PFC,
        &[("pfc.xoff_bytes", "4096")],
        None,
    ),
    ("`pfc`, `voq-sw`", PFC, &[("pfc.queues", "voq-sw")], None),
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
    let mut text = String::from(
        "# Pause spreads: PFC and DCQCN beside RECN\n\nWritten by `cargo xtask reproduce pfc`, from `## What it says` on by hand.\n\n\
         Case 4 of garcia-trees-2005: 64-node BMIN of 8-port switches, 8 Gbit/s, 64-byte packets, 32 KB a port, speedup 1.5. 48 nodes send to random destinations at full rate; \
         from 800 to 1100 us 16 more send to node 32 alone. Victims are all flows to other nodes. Engine fast, seed 1. Scenarios `scenarios/pfc/case-4.toml`, `case-4-dcqcn.toml`, and \
         `garcia-trees-2005/case-4.toml`.\n\n",
    );
    thresholds(&mut text, &looked);
    victims(&mut text, &looked);
    links(&mut text, &looked);
    let _ = writeln!(
        text,
        "## Where\n\n![Share of time that each link was held back](../{})\n\n\
         A row is a link; a column leads from one stage to the next, up to the top stage and down again; within it links stand by switch and port. With `pfc` a link is held back while it is paused; \
         with `recn` while no head at its sender may go for want of credit, or as all are in SAQs at Xoff (looked at every {} ns).\n",
        &PICTURE["docs/".len()..],
        look::EVERY_NS
    );
    let old = page::read(PAGE).unwrap_or_default();
    let by_hand = old.find(BY_HAND).map_or(BY_HAND, |at| &old[at..]);
    text.push_str(&by_hand[1..]);
    page::write(PAGE, &text)?;
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
    text.push_str(
        "## Links\n\n*Random nodes*: injection links of the 48 nodes that send at random. Then, of the 320 links that end at a switch, by what is at their two ends: mean share of 800 to 1100 us for which they were held back, and how many were for more than 1 % of it. \
         *Pauses that spread*: words PAUSE that were sent while another output of the same switch was paused, of all.\n\n",
    );
    let _ = writeln!(
        text,
        "| scheme | random nodes | {} | links above 1 % | pauses that spread |\n|---|---|{}---|---|",
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
        let spread = looked.spread.map_or("-".to_string(), |(spread, said)| {
            format!("{spread} of {said}")
        });
        let _ = writeln!(
            text,
            "| {name} | {:.1} % | {} | {} | {spread} |",
            100.0 * looked.random_nodes,
            cells.join(" | "),
            above.count()
        );
    }
    text.push('\n');
}
