//! `cargo xtask model`: explores RECN protocols in larger networks into docs/model-checking.md.

use crate::page;
use setaside::{Exit, Failure};
use setaside_tests::protocol_model::{Case, Explored, LARGE, MUTANTS, SMALL, caught};
use std::fmt::Write as _;
use std::time::Instant;
use units::grouped;

const PAGE: &str = "docs/model-checking.md";
const FILE: &str = "docs/reproduction/model-checking.csv";
const HEAD: &str =
    "by,version,packets,SAQs,injection SAQs,thresholds,timers,events,states,commits,depth,s\n";

/// Explores, prints a line a case and writes them beside the page, and on it how many there are.
pub(crate) fn write() -> Result<(), Failure> {
    let (mut broken, mut rows) = (Vec::new(), HEAD.to_string());
    let mut explored: Vec<(&Case, Explored)> = Vec::new();
    print!("{HEAD}");
    let small = SMALL.iter().map(|small| ("test", &small.0));
    for (by, case) in small.chain(LARGE.iter().map(|case| ("xtask", case))) {
        let start = Instant::now();
        let found = case.explore(None, None);
        let row = row(by, case, &found, start.elapsed().as_secs_f64());
        print!("{row}");
        rows += &row;
        let rules = found.broken.iter();
        broken
            .extend(rules.map(|(rule, way)| format!("{case}: broken: {}, by {way}", rule.name())));
        explored.push((case, found));
    }
    if !broken.is_empty() {
        return Err(Failure::new(Exit::Failure, broken.join("\n")));
    }
    page::write(FILE, &rows)?;
    let mut text = page::read(PAGE)?;
    for (key, part) in [("explored", versions(&explored)), ("mutants", mutants())] {
        text = page::with_part(&text, key, &part)?;
    }
    page::write(PAGE, &text)
}

/// How many cases of each version, and the largest of them.
fn versions(explored: &[(&Case, Explored)]) -> String {
    let mut text = "| version | cases | most states | most commits | greatest depth |\n\
                    |---|---:|---:|---:|---:|\n"
        .to_string();
    let mut versions: Vec<String> = explored.iter().map(|(case, _)| case.version()).collect();
    versions.sort();
    versions.dedup();
    for version in versions {
        let of_version = explored.iter().filter(|(case, _)| case.version() == version);
        let most = |count: fn(&Explored) -> u64| {
            grouped(of_version.clone().map(|(_, found)| count(found)).max().unwrap_or(0))
        };
        let _ = writeln!(
            text,
            "| {version} | {} | {} | {} | {} |",
            of_version.clone().count(),
            most(|found| found.states as u64),
            most(|found| found.commits as u64),
            most(|found| found.depth as u64),
        );
    }
    text
}

fn row(by: &str, case: &Case, found: &Explored, seconds: f64) -> String {
    let (egress, ingress, propagation, xoff, xon) = case.thresholds;
    format!(
        "{by},\"{}\",\"{}\",{},{},{egress}/{ingress}/{propagation}/{xoff}/{xon},{},{},{},{},{},{seconds:.0}\n",
        case.version().replace('`', ""),
        case.traffic,
        case.saqs,
        case.injection_saqs,
        case.timers(),
        1 + u8::from(case.pairs),
        found.states,
        found.commits,
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
