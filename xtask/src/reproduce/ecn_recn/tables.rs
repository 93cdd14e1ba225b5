//! The table of a case.

use super::cases::{self, BIN_NS, Case, ECN, Ran, named};
use crate::reproduce::runs::{Done, interval};
use std::fmt::Write as _;

pub(super) fn write(text: &mut String, case: &Case, ran: &Ran) {
    let _ = writeln!(
        text,
        "## {}\n\n{}\n\n![Random sources over time](../img/ecn-beside-recn-{}.svg)\n\n\
         | scheme | ECN | victims | dip | p99 | to hot | Jain random | Jain hot | converge | recover | SAQs | refused |\n|{}",
        case.title,
        case.told(),
        case.short,
        "---|".repeat(12)
    );
    for (scheme, saqs) in case.schemes() {
        for (ecn, _) in ECN {
            let scheme = named(scheme, saqs);
            let runs = ran.of(&scheme, ecn);
            let mean = |figure: &dyn Fn(&Done) -> Option<f64>, digits| {
                let values: Vec<f64> = runs.iter().filter_map(|run| figure(run)).collect();
                interval(&values, digits)
            };
            let is_bound = runs.iter().filter_map(|run| cases::p99(run)).any(|p| p.1);
            let _ = writeln!(
                text,
                "| `{scheme}` | {ecn} | {} | {} | {}{} | {} | {} | {} | {} | {} | {} | {} |",
                mean(&cases::delivered, 2),
                mean(&cases::dip, 2),
                if is_bound { ">= " } else { "" },
                mean(&|run| Some(cases::p99(run)?.0), 1),
                mean(&cases::to_hot, 2),
                mean(&|run| ran.jain(run, false), 3),
                mean(&|run| ran.jain(run, true), 3),
                time(&runs, &|run| case
                    .bins(&cases::random_rates(run))
                    .converge()),
                time(&runs, &|run| case.bins(&cases::random_rates(run)).recover()),
                saqs.map_or("-".to_string(), |_| peaks(&runs)),
                saqs.map_or("-".to_string(), |_| {
                    mean(&|run| Some(run.summary.recn.refusals as f64), 0)
                }),
            );
        }
    }
    text.push('\n');
}

/// A number of bins in us; of those that never come to rest how many do.
fn time(runs: &[&Done], bins: &dyn Fn(&Done) -> Option<usize>) -> String {
    let found: Vec<f64> = runs
        .iter()
        .filter_map(|run| Some(bins(run)? as f64 * BIN_NS / 1000.0))
        .collect();
    match found.len() {
        0 => "never".to_string(),
        n if n < runs.len() => format!("{} ({n})", interval(&found, 0)),
        _ => interval(&found, 0),
    }
}

/// The most SAQs in use at a port.
fn peaks(runs: &[&Done]) -> String {
    let most = |of: fn(&Done) -> u32| runs.iter().map(|run| of(run)).max().unwrap_or(0);
    format!(
        "{}, {}, {}",
        most(|run| run.summary.saqs_peak.ingress),
        most(|run| run.summary.saqs_peak.egress),
        most(|run| run.summary.saqs_peak.injection)
    )
}
