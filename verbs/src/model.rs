//! `cargo xtask model`: explores the RECN protocols in the larger networks and writes
//! docs/model-checking.md.

use crate::page::{self, grouped};
use setaside::{Exit, Failure};
use setaside_tests::protocol_model::{Case, Explored, LARGE, MUTANTS, SMALL, caught};
use std::fmt::Write as _;
use std::time::Instant;

const PAGE: &str = "docs/model-checking.md";
const HEAD: &str = "| version | packets | SAQs | thresholds | timers | events | states | commits | depth | s |\n\
    |---|---|---|---|---|---:|---:|---:|---:|---:|\n";

/// Explores, prints a table and writes the page.
pub(crate) fn write() -> Result<(), Failure> {
    let mut broken = Vec::new();
    let mut table = |cases: &mut dyn Iterator<Item = &Case>| {
        let mut text = HEAD.to_string();
        print!("{HEAD}");
        for case in cases {
            let start = Instant::now();
            let found = case.explore(None, None);
            let row = row(case, &found, start.elapsed().as_secs_f64());
            print!("{row}");
            text += &row;
            let rules = found.broken.iter();
            broken.extend(
                rules.map(|(rule, way)| format!("{case}: broken: {}, by {way}", rule.name())),
            );
        }
        text
    };
    let small = table(&mut SMALL.iter().map(|s| &s.0));
    let large = table(&mut LARGE.iter());
    if !broken.is_empty() {
        return Err(Failure::new(Exit::Failure, broken.join("\n")));
    }
    let mut text = page::read(PAGE)?;
    for (key, part) in [("small", small), ("large", large), ("mutants", mutants())] {
        text = page::with_part(&text, key, &part)?;
    }
    page::write(PAGE, &text)
}

fn row(case: &Case, found: &Explored, seconds: f64) -> String {
    let (egress, ingress, propagation, xoff, xon) = case.limits.thresholds;
    format!(
        "| {} | {} | {}, {} | {egress}/{ingress}/{propagation}/{xoff}/{xon} | {} | {} | {} | {} | {} | {seconds:.0} |\n",
        case.version(),
        case.traffic,
        case.limits.saqs,
        case.limits.injection_saqs,
        case.timers.name(),
        1 + u8::from(case.pairs),
        grouped(found.states as u64),
        grouped(found.commits as u64),
        found.depth,
    )
}

/// Which property catches which mutant in which networks; the tests run each.
fn mutants() -> String {
    let mut text = String::new();
    for &(mutant, what) in MUTANTS {
        let of_mutant: Vec<_> = caught().filter(|c| c.1 == mutant).collect();
        let by_rule = of_mutant.chunk_by(|a, b| a.2 == b.2).map(|same| {
            let cases =
                same.iter().map(|(case, ..)| format!("{} {}", case.version(), case.traffic));
            format!("*{}* ({})", same[0].2.name(), cases.collect::<Vec<_>>().join("; "))
        });
        let _ = writeln!(text, "- {what}: {}", by_rule.collect::<Vec<_>>().join(", "));
    }
    text
}
