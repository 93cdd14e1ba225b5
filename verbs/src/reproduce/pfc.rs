//! Link-level pause and DCQCN beside RECN on case 4 of garcia-trees-2005, with heat maps of the
//! links. Nobody has published it.

mod heat;
mod look;
mod tables;
mod tree;

use crate::page::{self, root};
use heat::Panel;
use scenario::{Scenario, Set};
use setaside::Failure;
use std::fmt::Write as _;

const PICTURE: &str = "docs/img/pfc-case-4.svg";
const TREE: &str = "docs/img/pfc-case-4-tree.svg";

const PFC: &str = "pfc/case-4.toml";
const DCQCN: &str = "pfc/case-4-dcqcn.toml";
const RECN: &str = "garcia-trees-2005/case-4.toml";

/// Name, scenario, what is set over it, title of its panel in the picture.
type Run =
    (&'static str, &'static str, &'static [(&'static str, &'static str)], Option<&'static str>);

const RUNS: [Run; 12] = [
    ("`1q`, credits", RECN, &[("switch.scheme", "1q")], None),
    ("`pfc`", PFC, &[], Some("pfc")),
    ("`pfc`, PAUSE at 4 KB", PFC, &[("pfc.xoff_bytes", "4096")], None),
    ("`pfc`, `voq-sw`", PFC, &[("pfc.queues", "voq-sw")], None),
    ("`pfc` + DCQCN end nodes, no marks", DCQCN, &[("ecn.marking", "none")], None),
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
    ("`voq-sw`, credits", RECN, &[("switch.scheme", "voq-sw")], None),
    ("`recn`, 8 SAQs", RECN, &[], Some("recn")),
    ("`recn`, 8 SAQs, strict priority", RECN, &[super::STRICT], None),
];

/// What is on its page.
pub(super) fn section() -> Result<String, Failure> {
    let mut looked = Vec::new();
    for (name, file, sets, _) in RUNS {
        let sets = [super::runs::NO_DRAIN].iter().chain(sets.iter());
        let sets: Vec<Set> = sets.map(|(k, v)| Set::new(k, v)).collect();
        let scenario = Scenario::load(&root().join("scenarios").join(file), &sets)?;
        looked.push(look::at(&scenario)?);
        eprintln!("{name}: done");
    }
    let panels = RUNS
        .iter()
        .zip(&looked)
        .filter_map(|(run, looked)| Some(Panel { title: run.3?, shares: &looked.held_back }));
    let picture = heat::svg(
        "Case 4: share of 800 to 1100 us for which a link was held back",
        &panels.collect::<Vec<_>>(),
    );
    page::write(PICTURE, &picture)?;
    let of_pfc = RUNS.iter().zip(&looked).find(|(run, _)| run.0 == "`pfc`");
    let rows = of_pfc.map_or(&[][..], |(_, looked)| &looked.pauses);
    let tree = tree::svg("Case 4, pfc: which pause came from which, 800 to 1100 us", rows);
    page::write(TREE, &tree)?;
    let mut text = String::from(
        "Case 4 of garcia-trees-2005: 64-node BMIN of 8-port switches, 8 Gbit/s, 64-byte packets, 32 KB a port, speedup 1.5. 48 nodes send to random destinations at full rate; \
         from 800 to 1100 us 16 more send to node 32 alone. Victims are all flows to other nodes. Engine fast, seed 1. Scenarios `scenarios/pfc/case-4.toml`, `case-4-dcqcn.toml`, and \
         `garcia-trees-2005/case-4.toml`.\n\n",
    );
    tables::thresholds(&mut text, &looked);
    tables::victims(&mut text, &looked);
    tables::links(&mut text, &looked);
    tables::pauses(&mut text, &looked);
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
    Ok(text)
}
