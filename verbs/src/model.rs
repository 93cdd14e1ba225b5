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
    let (egress, ingress, propagation, xoff, xon) = case.thresholds;
    format!(
        "| {} | {} | {}, {} | {egress}/{ingress}/{propagation}/{xoff}/{xon} | {} | {} | {} | {} | {} | {seconds:.0} |\n",
        case.version(),
        case.traffic,
        case.saqs,
        case.injection_saqs,
        case.timers(),
        1 + u8::from(case.pairs),
        grouped(found.states as u64),
        grouped(found.commits as u64),
        found.depth,
    )
}

/// Which property catches which mutant in which network; the tests run each.
fn mutants() -> String {
    let mut text = String::new();
    for &(mutant, what) in MUTANTS {
        for (case, _, rule) in caught().filter(|c| c.1 == mutant) {
            let (version, traffic) = (case.version(), case.traffic);
            let _ = writeln!(text, "- {what}: {version}, {traffic}: *{}*", rule.name());
        }
    }
    text
}
