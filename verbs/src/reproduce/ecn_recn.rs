//! Unpublished: ECN at the sources beside RECN in the switches, on garcia-trees-2005 cases 4 and 5.

mod cases;
mod figures;

use super::runs::{Done, Runner, listed};
use super::template::Page;
use crate::page;
use cases::{BIN_NS, DELIVERED, P99, Plan, Ran, random_rates};
use setaside::Failure;

/// What is on its page.
pub(super) fn section(runs: &Runner) -> Result<String, Failure> {
    let mut page = Page::read(runs.work)?;
    let mut sweep = runs.study("sweep", "ecn-beside-recn.toml", &[], None)?;
    sweep.iter_mut().for_each(cases::set_to_hot);
    page.rows("sweep", &sweep);
    let mut all = Vec::new();
    let plan: Plan = listed(runs.work)?;
    for case in &plan.case {
        let mut ran = case.run(&plan.ecn, runs)?;
        page.put(&format!("{}-strict", case.short), &strict(&ran));
        summed(&mut ran);
        let groups = ran.done.chunk_by(|a, b| a.labels == b.labels);
        let groups: Vec<Vec<&Done>> = groups.map(|runs| runs.iter().collect()).collect();
        page.groups(&case.short, &groups);
        let picture = figures::over_time(&plan.ecn, case, &ran);
        page::write(&format!("docs/img/ecn-beside-recn-{}.svg", case.short), &picture)?;
        all.push(ran);
    }
    page::write("docs/img/ecn-beside-recn-saqs.svg", &figures::over_saqs(&plan, &all))?;
    page.finish()
}

/// Names the values of a group of runs as a whole, in its first run, and the fairness of each.
fn summed(ran: &mut Ran) {
    let mut done = std::mem::take(&mut ran.done);
    for runs in done.chunk_by_mut(|a, b| a.labels == b.labels) {
        let bins = runs.iter().map(random_rates).collect::<Vec<_>>();
        let bins = || bins.iter().map(|rates| ran.bins(rates));
        let converge = time(bins().map(|bins| bins.converge()).collect(), ran.tree_bins());
        let recover = time(bins().map(|bins| bins.recover()).collect(), ran.after_bins());
        let most = |of: fn(&Done) -> u32| runs.iter().map(of).max().unwrap_or(0);
        let peaks = format!(
            "{}, {}, {}",
            most(|run| run.summary.saqs_peak.ingress),
            most(|run| run.summary.saqs_peak.egress),
            most(|run| run.summary.saqs_peak.injection)
        );
        for run in runs {
            let has_saqs = run.label("scheme").starts_with("recn");
            run.set("converge", converge.as_str());
            run.set("recover", recover.as_str());
            run.set("peaks", has_saqs.then_some(peaks.as_str()));
            run.set("refused", has_saqs.then_some(run.summary.recn.refusals));
            run.set("jain_hot", cases::jain(run, &ran.hot));
            run.set("jain_random", cases::jain(run, &ran.random));
        }
    }
    ran.done = done;
}

/// What strict priority of SAQs changes, the first seed of each.
fn strict(ran: &Ran) -> String {
    let first = |run: &Done| ran.of(run.label("scheme"), run.label("control")).first().copied();
    let pairs = || ran.strict.iter().filter_map(|run| Some((first(run)?, run)));
    let same = |(a, b): &(&Done, &Done)| a.summary.events_hash == b.summary.events_hash;
    let apart = |value: &str| {
        let all =
            pairs().filter_map(|(a, b)| Some((b.number(value)? / a.number(value)? - 1.0).abs()));
        100.0 * all.fold(0.0, f64::max)
    };
    format!(
        "With strict priority of SAQs (`switch.saq_priority`), seed 1: {} of the {} runs with SAQs \
         have the same events; in the others victims differ by {:.1} % at most, and their p99 by \
         {:.0} %.",
        pairs().filter(same).count(),
        ran.strict.len(),
        apart(DELIVERED),
        apart(P99),
    )
}

/// Bins in us; runs that never come to rest count with all, `most`: a lower bound then.
fn time(found: Vec<Option<usize>>, most: usize) -> String {
    let us = |bins: &Option<usize>| bins.unwrap_or(most) as f64 * BIN_NS / 1000.0;
    let times: Vec<f64> = found.iter().map(us).collect();
    match found.iter().filter(|bins| bins.is_none()).count() {
        0 => super::runs::interval(&times, 0),
        never if never == found.len() => "never".to_string(),
        _ => format!(">= {}", super::runs::interval(&times, 0)),
    }
}
