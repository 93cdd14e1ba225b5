//! priya-recn-iq-2017: RECN-DD-IQ against load and by number of SAQs, network sizes, efficiency
//! over time, and a hot spot, beside what is published.

use super::STRICT;
use super::runs::{Done, Runner, cell, with};
use super::settle::Bins;
use super::template::{Column, Page, cross, filled};
use observe::SeriesRow;
use setaside::Failure;

const ARBITER: &str = "endnode.admittance_arbiter";
const ARBITERS: [&str; 2] = ["round-robin", "random"];
const SAQS: [&str; 4] = ["0", "2", "4", "8"];
const NODES: &str = "network.nodes";
const LOAD: &str = "workload.load";

/// What is on its page.
pub(super) fn section(runs: &Runner) -> Result<String, Failure> {
    let mut page = Page::read(runs.work)?;
    against_load(&mut page, runs)?;
    sizes(&mut page, runs)?;
    over_time(&mut page, runs)?;
    hot_spot(&mut page, runs)?;
    saqs(&mut page, runs)?;
    page.finish()
}

/// By SAQs, admittance arbiter and load, with both priorities of SAQs.
fn against_load(page: &mut Page, runs: &Runner) -> Result<(), Failure> {
    const FILE: &str = "recn-dd-iq-load.toml";
    let table = runs.study("load", FILE, &[], None)?;
    let strict = runs.study("load-strict", FILE, &[STRICT], None)?;
    for saqs in SAQS {
        let last = |done, arbiter| {
            let runs = with(done, &[(ARBITER, arbiter), ("recn.saqs", saqs)]);
            let last = &runs[runs.len().saturating_sub(1)..];
            match filled("{relative_throughput*100:1}", last).as_str() {
                "-" => "-".to_string(),
                share => format!("{share} %"),
            }
        };
        let cells = [&table, &strict].map(|done| ARBITERS.map(|a| last(done, a)).join(" | "));
        page.put(&format!("full-load-{saqs}"), &cells.join(" | "));
    }
    let mut columns = Vec::new();
    for (arbiter, name) in ARBITERS.into_iter().zip(["SAQs", "SAQs, at random"]) {
        columns.extend(SAQS.map(|saqs| {
            (format!("{saqs} {name}"), with(&table, &[(ARBITER, arbiter), ("recn.saqs", saqs)]))
        }));
    }
    let cell = "{relative_throughput*100:1}, {>=latency_ns.p99*1e-3:2}";
    page.put("against-load", &cross("load", "{workload.load}", &columns, cell));
    let figures = ["relative_throughput", "latency_ns.p99"];
    let pairs = || table.iter().zip(&strict);
    let same = pairs().filter(|(a, b)| figures.iter().all(|f| a.number(f) == b.number(f)));
    let apart = |figure: &str, far: fn(f64, f64) -> f64| {
        let both = pairs().filter_map(|(a, b)| Some(far(a.number(figure)?, b.number(figure)?)));
        both.fold(0.0, f64::max)
    };
    let text = format!(
        "With strict priority {} of the {} points have the same figures; elsewhere delivered \
         differs by {:.1} points at most, and the percentile by a factor of {:.2}.",
        same.count(),
        table.len(),
        100.0 * apart(figures[0], |a, b| (a - b).abs()),
        apart(figures[1], |a, b| (a / b).max(b / a)),
    );
    page.put("strict", &text);
    Ok(())
}

/// Names runs by their labels but some.
fn named(done: &mut [Done], without: &[&str]) {
    for run in done {
        let labels = run.labels.iter().filter(|label| !without.contains(&label.0.as_str()));
        let values: Vec<&str> = labels.map(|label| label.1.as_str()).collect();
        let name = values.join(", ");
        run.set("name", name);
    }
}

fn sizes(page: &mut Page, runs: &Runner) -> Result<(), Failure> {
    let mut done = runs.study("sizes", "recn-dd-iq-sizes.toml", &[], None)?;
    named(&mut done, &[ARBITER, NODES]);
    let columns = ARBITERS.into_iter().flat_map(|arbiter| {
        let before = if arbiter == "random" { "at random: " } else { "" };
        ["16", "64", "256"].into_iter().enumerate().map(move |(at, nodes)| {
            let before = if at == 0 { before } else { "" };
            (format!("{before}{nodes} nodes"), [(ARBITER, arbiter), (NODES, nodes)])
        })
    });
    let columns = columns.map(|(name, labels)| (name, with(&done, &labels)));
    let columns: Vec<Column<'_>> = columns.collect();
    page.put("sizes", &cross("scheme", "{name}", &columns, "{relative_throughput*100:1}"));
    Ok(())
}

/// Points of each bin, us.
fn points(run: &Done, until_us: f64, rate: impl Fn(&SeriesRow) -> f64) -> Vec<(f64, f64)> {
    let rows = run.series.iter().map(|row| (row.t_ns / 1000.0, rate(row)));
    rows.take_while(|point| point.0 < until_us).collect()
}

fn over_time(page: &mut Page, runs: &Runner) -> Result<(), Failure> {
    const PARTS: [(f64, f64); 5] =
        [(0.0, 10.0), (10.0, 50.0), (50.0, 100.0), (100.0, 200.0), (200.0, 300.0)];
    let mut done = runs.study("over-time", "recn-dd-iq-over-time.toml", &[], None)?;
    named(&mut done, &[]);
    // of 64 nodes
    let efficiency =
        |run: &Done, until_us| points(run, until_us, |row| row.delivered_bytes_per_ns / 64.0);
    let bounded = with(&done, &[(STRICT.0, "bounded")]);
    runs.figure("over-time")?.write_series("priya-recn-iq-2017-over-time", &bounded, efficiency)?;
    for run in &mut done {
        let points = efficiency(run, 300.0);
        let part = |(from, to): (f64, f64)| {
            points.iter().filter(move |p| (from..to).contains(&p.0)).map(|p| 100.0 * p.1)
        };
        for (at, of) in PARTS.into_iter().enumerate() {
            let mean = part(of).sum::<f64>() / part(of).count().max(1) as f64;
            run.set(&format!("part{at}"), mean);
        }
        run.set("least_bin", part((50.0, 300.0)).fold(f64::INFINITY, f64::min));
    }
    page.rows("over-time", &done);
    Ok(())
}

fn hot_spot(page: &mut Page, runs: &Runner) -> Result<(), Failure> {
    const BIN_US: f64 = 10.0;
    let mut done = runs.study("hot-spot", "recn-dd-iq-hot-spot.toml", &[], None)?;
    named(&mut done, &[LOAD]);
    let random = |run: &Done, until_us| {
        let at = run.groups.iter().position(|name| name == "random");
        points(run, until_us, |row| at.map_or(0.0, |at| row.groups[at]))
    };
    let all = with(&done, &[]);
    runs.figure("hot-spot")?.write_series("priya-recn-iq-2017-hot-spot", &all, random)?;
    for run in &mut done {
        let change = run
            .number("windows.during.delivered_bytes_per_ns/windows.before.delivered_bytes_per_ns");
        run.set("change", change.map(|part| 100.0 * (part - 1.0)));
        let rates: Vec<f64> = random(run, 3000.0).iter().map(|point| point.1).collect();
        let recovered = Bins { rates: &rates, onset: 10, end: 40 }.recover();
        run.set(
            "recovered",
            match recovered {
                None => "never".to_string(),
                bins => cell(bins.map(|bins| bins as f64 * BIN_US), 0),
            },
        );
    }
    page.rows("hot-spot", &done);
    Ok(())
}

/// SAQs in use, and 256 nodes: a row a run, and one for strict priority unless events are the same.
fn saqs(page: &mut Page, runs: &Runner) -> Result<(), Failure> {
    let bounded = runs.all("saqs", &runs.wanted("saqs", &[])?)?;
    let mut strict = runs.wanted("saqs", &[STRICT])?;
    for run in &mut strict {
        let name = &mut run.labels[0].1;
        let before = if *name == "as shipped" { String::new() } else { format!("{name} ") };
        *name = format!("{before}`{}={}`", STRICT.0, STRICT.1);
    }
    let strict = runs.all("saqs-strict", &strict)?;
    let rows = bounded.iter().zip(&strict).flat_map(|(bounded, strict)| {
        let is_same = strict.summary.events_hash == bounded.summary.events_hash;
        [Some(bounded), (!is_same).then_some(strict)]
    });
    page.rows("saqs", rows.flatten());
    Ok(())
}
