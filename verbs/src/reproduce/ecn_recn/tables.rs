//! The table of a case.

use super::cases::{self, BIN_NS, Case, ECN, Ran, named};
use crate::reproduce::runs::{Done, interval};
use std::fmt::Write as _;

pub(super) fn write(text: &mut String, case: &Case, ran: &Ran) {
    let _ = writeln!(
        text,
        "## {}\n\n{}\n\n![Random sources over time](../img/ecn-beside-recn-{}.svg)\n\n\
         | scheme | ECN | victims | dip | p99 | to hot | Jain random | Jain hot | converge | recover | SAQs | refused | marked |\n|{}",
        case.title,
        case.told(),
        case.short,
        "---|".repeat(13)
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
                "| `{scheme}` | {ecn} | {} | {} | {}{} | {} | {} | {} | {} | {} | {} | {} | {} |",
                mean(&cases::delivered, 2),
                mean(&cases::dip, 2),
                if is_bound { ">= " } else { "" },
                mean(&|run| Some(cases::p99(run)?.0), 1),
                mean(&cases::to_hot, 2),
                mean(&|run| ran.jain(run, false), 3),
                mean(&|run| ran.jain(run, true), 3),
                time(&runs, case.tree_bins(), &|run| case
                    .bins(&cases::random_rates(run))
                    .converge()),
                time(&runs, case.after_bins(), &|run| case
                    .bins(&cases::random_rates(run))
                    .recover()),
                saqs.map_or("-".to_string(), |_| peaks(&runs)),
                saqs.map_or("-".to_string(), |_| {
                    mean(&|run| Some(run.summary.recn.refusals as f64), 0)
                }),
                mean(&|run| Some(run.summary.ecn.as_ref()?.packets_marked as f64), 0),
            );
        }
    }
    text.push('\n');
    strict(text, ran);
}

/// What strict priority of SAQs changes, the first seed of each.
fn strict(text: &mut String, ran: &Ran) {
    let first = |run: &Done| ran.of(run.label("scheme"), run.label("ecn")).first().copied();
    let pairs = || ran.strict.iter().filter_map(|run| Some((first(run)?, run)));
    let same = |(a, b): &(&Done, &Done)| a.summary.events_hash == b.summary.events_hash;
    let apart = |figure: &dyn Fn(&Done) -> Option<f64>| {
        let all = pairs().filter_map(|(a, b)| Some((figure(b)? / figure(a)? - 1.0).abs()));
        100.0 * all.fold(0.0, f64::max)
    };
    let _ = writeln!(
        text,
        "With strict priority of SAQs (`switch.saq_priority`), seed 1: {} of the {} runs with SAQs have the same events; in the others victims differ by {:.1} % at most, and their p99 by {:.0} %.\n",
        pairs().filter(same).count(),
        ran.strict.len(),
        apart(&cases::delivered),
        apart(&|run| Some(cases::p99(run)?.0)),
    );
}

/// A number of bins in us. Runs that never come to rest count with all the bins there are, `most`:
/// the figure is a lower bound then.
fn time(runs: &[&Done], most: usize, bins: &dyn Fn(&Done) -> Option<usize>) -> String {
    let found: Vec<Option<usize>> = runs.iter().map(|run| bins(run)).collect();
    let us = |bins: usize| bins as f64 * BIN_NS / 1000.0;
    let times: Vec<f64> = found.iter().map(|bins| us(bins.unwrap_or(most))).collect();
    match found.iter().filter(|bins| bins.is_none()).count() {
        0 => interval(&times, 0),
        never if never == found.len() => "never".to_string(),
        _ => format!(">= {}", interval(&times, 0)),
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
