//! Unpublished: ECN at the sources beside RECN in the switches, on garcia-trees-2005 cases 4 and 5.

use super::STRICT;
use super::runs::{Done, Runner, interval, jain, with};
use super::settle::Bins;
use super::template::Page;
use crate::page::failed;
use scenario::Scenario;
use setaside::Failure;
use std::collections::BTreeSet;
use study::Interval;

/// Length of a bin of the series, as `run.series_bin_ns` of the runs.
const BIN_NS: f64 = 5_000.0;

/// Delivered to victims while the tree exists, bytes/ns.
const DELIVERED: &str = "windows.during.victims.delivered_bytes_per_ns";
/// 99th percentile of messages of victims generated while the tree exists, us.
const P99: &str = "windows.during.victims.latency_ns.p99/1000";

/// What is on its page.
pub(super) fn section(runs: &Runner) -> Result<String, Failure> {
    let mut page = Page::read(runs.work)?;
    let mut sweep = runs.study("sweep", "ecn-beside-recn.toml", &[], None)?;
    sweep.iter_mut().for_each(set_to_hot);
    page.rows("sweep", &sweep);
    let wanted = runs.wanted("cases", &[])?;
    // The first seed of each with SAQs again.
    let mut strict = runs.wanted("cases", &[STRICT])?;
    strict.retain(|run| run.scenario.seed() == 1 && run.labels[1].1.starts_with("recn"));
    let strict = runs.all("strict", &strict)?;
    let mut all = runs.all("cases", &wanted)?;
    let mut saqs = runs.figure("saqs")?;
    let cases = all.chunk_by_mut(|a, b| a.label("case") == b.label("case"));
    for (panel, done) in saqs.panel.iter_mut().zip(cases) {
        let labels = &done[0].labels;
        let case = labels[0].1.clone();
        let first = wanted.iter().find(|run| run.labels == *labels);
        let tree = Tree::of(&first.ok_or_else(|| failed("a case of no runs"))?.scenario)?;
        done.iter_mut().for_each(set_to_hot);
        done.chunk_by_mut(|a, b| a.labels == b.labels).for_each(|runs| tree.set(runs));
        let strict = with(&strict, &[("case", &case)]);
        page.put(&format!("{case}-strict"), &apart(done, &strict));
        let groups = done.chunk_by(|a, b| a.labels == b.labels);
        let groups: Vec<Vec<&Done>> = groups.map(|runs| runs.iter().collect()).collect();
        page.groups(&case, &groups);
        let file = format!("ecn-beside-recn-{case}");
        runs.figure(&case)?.write_series(&file, &with(done, &[]), |run, _| {
            let rates = random_rates(run).into_iter().enumerate();
            rates.map(|(bin, rate)| ((bin as f64 + 0.5) * BIN_NS / 1000.0, rate)).collect()
        })?;
        let voq = with(done, &[("scheme", "voq-sw"), ("control", "none")]);
        let voq: Vec<f64> = voq.iter().filter_map(|run| run.number(DELIVERED)).collect();
        panel.levels.extend(Interval::of(&voq).map(|of_seeds| (7, of_seeds.mean)));
    }
    saqs.write("ecn-beside-recn-saqs", &with(&all, &[]))?;
    page.finish()
}

/// When the tree of a case is there, and who sends.
struct Tree {
    /// Nodes that send to random destinations, and hot ones.
    random: BTreeSet<u32>,
    hot: BTreeSet<u32>,
    /// Bins before the tree, up to its end, and of the whole run.
    onset: usize,
    end: usize,
    all: usize,
}

impl Tree {
    fn of(scenario: &Scenario) -> Result<Tree, Failure> {
        let (onset, end) = scenario.hot_window_ns().ok_or_else(|| failed("no hot sources"))?;
        let bins = |ns: f64| (ns / BIN_NS) as usize;
        // The first group is that of the nodes which are in no other.
        let groups = scenario.build()?.workload.summaries;
        let random = groups.iter().take(1).flat_map(|group| &group.sources);
        let hot = groups.iter().skip(1).flat_map(|group| &group.sources);
        Ok(Tree {
            random: random.copied().collect(),
            hot: hot.copied().collect(),
            onset: bins(onset as f64),
            end: bins(end as f64),
            all: bins(scenario.duration_ns().to_f64()),
        })
    }

    /// Names the values of runs that differ by their seeds, and the fairness of each.
    fn set(&self, runs: &mut [Done]) {
        let rates: Vec<Vec<f64>> = runs.iter().map(random_rates).collect();
        let &Tree { onset, end, all, .. } = self;
        let bins = || rates.iter().map(|rates| Bins { rates, onset, end });
        let converge = time(bins().map(|bins| bins.converge()).collect(), end - onset);
        let recover = time(bins().map(|bins| bins.recover()).collect(), all - end);
        let most = |of: fn(&Done) -> u32| runs.iter().map(of).max().unwrap_or(0);
        let peaks = format!(
            "{}, {}, {}",
            most(|run| run.summary.saqs_peak.ingress),
            most(|run| run.summary.saqs_peak.egress),
            most(|run| run.summary.saqs_peak.injection)
        );
        for run in runs {
            let saqs = run.label("scheme").strip_prefix("recn, ").map(str::to_string);
            let refused = saqs.as_ref().map(|_| run.summary.recn.refusals);
            let fairness = |nodes: &BTreeSet<u32>| jain(nodes.iter().map(|&node| run.rate(node)));
            let (of_hot, of_random) = (fairness(&self.hot), fairness(&self.random));
            run.set("jain_hot", of_hot);
            run.set("jain_random", of_random);
            run.set("converge", converge.as_str());
            run.set("recover", recover.as_str());
            run.set("peaks", refused.map(|_| peaks.as_str()));
            run.set("refused", refused);
            // Without a SAQ: one queue.
            run.set("saqs", saqs.or((run.label("scheme") == "1q").then(|| "0".to_string())));
        }
    }
}

/// What strict priority of SAQs changes, the first seed of each.
fn apart(done: &[Done], strict: &[&Done]) -> String {
    let first = |run: &Done| done.iter().find(|first| first.labels == run.labels);
    let pairs = || strict.iter().filter_map(|run| Some((first(run)?, *run)));
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
        strict.len(),
        apart(DELIVERED),
        apart(P99),
    )
}

/// Bins in us; runs that never come to rest count with all, `most`: a lower bound then.
fn time(found: Vec<Option<usize>>, most: usize) -> String {
    let us = |bins: &Option<usize>| bins.unwrap_or(most) as f64 * BIN_NS / 1000.0;
    let times: Vec<f64> = found.iter().map(us).collect();
    match found.iter().filter(|bins| bins.is_none()).count() {
        0 => interval(&times, 0),
        never if never == found.len() => "never".to_string(),
        _ => format!(">= {}", interval(&times, 0)),
    }
}

/// Names what is delivered to hot destinations by all that send to them, bytes/ns.
fn set_to_hot(run: &mut Done) {
    let all = run.number("windows.during.delivered_bytes_per_ns");
    run.set("to_hot", all.zip(run.number(DELIVERED)).map(|(all, victims)| all - victims));
}

/// Over time, those that send to random destinations.
fn random_rates(run: &Done) -> Vec<f64> {
    let at = run.groups.iter().position(|name| name != "hot");
    let rows = run.series.iter();
    rows.map(|row| at.map_or(0.0, |at| row.groups[at])).collect()
}
