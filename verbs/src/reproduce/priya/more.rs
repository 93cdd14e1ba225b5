//! Network sizes, efficiency over time, and a hot spot.

use super::WORK;
use crate::page;
use crate::reproduce::chart::{Axis, Line, Panel, Style, svg};
use crate::reproduce::ecn_recn::settle::Bins;
use crate::reproduce::runs::{Done, cell, latency, of_study, run_all};
use observe::{FlowSetResult, LatencyFigure};
use setaside::Failure;
use std::fmt::Write as _;

const ARBITER: &str = "endnode.admittance_arbiter";
const ARBITERS: [&str; 2] = ["round-robin", "random"];
const NODES: &str = "network.nodes";
const LOAD: &str = "workload.load";

pub(super) fn write(text: &mut String) -> Result<(), Failure> {
    sizes(text)?;
    over_time(text)?;
    hot_spot(text)
}

/// What a run is apart from some axes.
fn name(run: &Done, without: &[&str]) -> String {
    let labels = run.labels.iter().filter(|l| !without.contains(&l.0.as_str()));
    let values: Vec<&str> = labels.map(|l| l.1.as_str()).collect();
    values.join(", ")
}

/// Distinct names of runs apart from some axes, in their order.
fn names(done: &[Done], without: &[&str]) -> Vec<String> {
    let mut all = Vec::new();
    for run in done {
        let name = name(run, without);
        if !all.contains(&name) {
            all.push(name);
        }
    }
    all
}

fn sizes(text: &mut String) -> Result<(), Failure> {
    const APART: [&str; 2] = [ARBITER, NODES];
    let done = run_all((WORK, "sizes"), &of_study("recn-dd-iq-sizes.toml", |_| 0)?, false)?;
    let sizes = ["16", "64", "256"];
    text.push_str(
        "## Throughput by scheme and network size, figures 14 and 15\n\n`scenarios/studies/recn-dd-iq-sizes.toml`: uniform traffic at full load, 4 KB a memory, 8 SAQs; \
         delivered, % of the link rate, with admittance in round robin and at random. `1q` and `recn-dd-iq` have memories at inputs only, the others at outputs too; `voq-net` takes two \
         packets a queue where that is more than 4 KB. Queues and memory by size: [a table of their own](../memory-table.md).\n\n",
    );
    let heads = sizes.map(|nodes| format!("{nodes} nodes"));
    let _ = writeln!(
        text,
        "| scheme | {} | at random: {} |\n|---|---|---|---|---|---|---|",
        heads.join(" | "),
        heads.join(" | ")
    );
    for scheme in names(&done, &APART) {
        let mut cells = Vec::new();
        for arbiter in ARBITERS {
            for nodes in sizes {
                let is = |run: &&Done| {
                    run.is(&[(ARBITER, arbiter), (NODES, nodes)]) && name(run, &APART) == scheme
                };
                let share = done.iter().find(is).and_then(|run| run.summary.relative_throughput);
                cells.push(cell(share.map(|share| 100.0 * share), 1));
            }
        }
        let _ = writeln!(text, "| {scheme} | {} |", cells.join(" | "));
    }
    text.push('\n');
    Ok(())
}

/// Of a run of 64 nodes: points of each bin, us and share of the link rate.
fn points(run: &Done, until_us: f64, rate: impl Fn(&observe::SeriesRow) -> f64) -> Vec<(f64, f64)> {
    let rows = run.series.iter().map(|row| (row.t_ns / 1000.0, rate(row)));
    rows.take_while(|point| point.0 < until_us).collect()
}

fn over_time(text: &mut String) -> Result<(), Failure> {
    const FILE: &str = "priya-recn-iq-2017-over-time";
    const TITLE: &str = "Efficiency over time from an empty network on, full load, by SAQs";
    let done = run_all((WORK, "over-time"), &of_study("recn-dd-iq-over-time.toml", |_| 0)?, false)?;
    let efficiency = |run: &Done| points(run, 300.0, |row| row.delivered_bytes_per_ns / 64.0);
    let panel = |arbiter| {
        let of = done
            .iter()
            .filter(|run| run.is(&[(ARBITER, arbiter), ("switch.saq_priority", "bounded")]));
        Panel {
            x: Axis::new("us", 300.0, 50.0),
            y: Axis::new(&format!("{arbiter}: delivered, of the link rate"), 1.0, 0.2),
            lines: of
                .enumerate()
                .map(|(at, run)| Line::new(Style(at, 0), efficiency(run)))
                .collect(),
            levels: Vec::new(),
        }
    };
    let key = ["0", "2", "4", "8"].iter().enumerate();
    let key: Vec<_> = key.map(|(at, saqs)| (format!("{saqs} SAQs"), Style(at, 0))).collect();
    page::write(&format!("docs/img/{FILE}.svg"), &svg(TITLE, &ARBITERS.map(panel), &key))?;
    let _ = writeln!(
        text,
        "## Efficiency over time\n\n`scenarios/studies/recn-dd-iq-over-time.toml`: 64 nodes, uniform traffic at full load from an empty network on. *Efficiency* is what is delivered, as a share of the \
         link rate, in bins of 5 us; below means of the parts of the run, %, and the least bin from 50 us on.\n\n![{TITLE}](../img/{FILE}.svg)\n\n\
         | admittance, SAQs, priority of SAQs | 0 to 10 us | 10 to 50 | 50 to 100 | 100 to 200 | 200 to 300 | least bin |\n|{}",
        "---|".repeat(7)
    );
    for run in &done {
        let points = efficiency(run);
        let part = |from, to| {
            points.iter().filter(move |p| (from..to).contains(&p.0)).map(|p| 100.0 * p.1)
        };
        let parts = [(0.0, 10.0), (10.0, 50.0), (50.0, 100.0), (100.0, 200.0), (200.0, 300.0)];
        let means = parts
            .map(|(from, to)| part(from, to).sum::<f64>() / part(from, to).count().max(1) as f64);
        let least = part(50.0, 300.0).fold(f64::INFINITY, f64::min);
        let cells: Vec<String> = means.iter().chain([&least]).map(|v| format!("{v:.1}")).collect();
        let _ = writeln!(text, "| {} | {} |", name(run, &[]), cells.join(" | "));
    }
    text.push('\n');
    Ok(())
}

fn hot_spot(text: &mut String) -> Result<(), Failure> {
    const FILE: &str = "priya-recn-iq-2017-hot-spot";
    const TITLE: &str = "A hot spot from 100 to 400 us: delivered of random sources";
    const BIN_US: f64 = 10.0;
    let done = run_all((WORK, "hot-spot"), &of_study("recn-dd-iq-hot-spot.toml", |_| 0)?, false)?;
    let random = |run: &Done| {
        let at = run.groups.iter().position(|name| name == "random");
        points(run, 3000.0, |row| at.map_or(0.0, |at| row.groups[at]))
    };
    let schemes = names(&done, &[LOAD]);
    let panel = |load| Panel {
        x: Axis::new("us", 1500.0, 300.0),
        y: Axis::new(&format!("load {load}: bytes/ns"), 48.0, 8.0),
        lines: schemes
            .iter()
            .enumerate()
            .filter_map(|(at, scheme)| {
                let run = done
                    .iter()
                    .find(|run| run.is(&[(LOAD, load)]) && name(run, &[LOAD]) == *scheme)?;
                let mut points = random(run);
                points.retain(|point| point.0 < 1500.0);
                Some(Line::new(Style(at, 0), points))
            })
            .collect(),
        levels: Vec::new(),
    };
    let key: Vec<_> =
        schemes.iter().enumerate().map(|(at, name)| (name.clone(), Style(at, 0))).collect();
    page::write(
        &format!("docs/img/{FILE}.svg"),
        &svg(TITLE, &["0.3", "0.5", "0.7"].map(panel), &key),
    )?;
    let _ = writeln!(
        text,
        "## A hot spot\n\n`scenarios/studies/recn-dd-iq-hot-spot.toml`: 64 nodes, 4 KB a memory; 48 nodes send to random destinations at *load*, 16 to node 32 at full rate from 100 to 400 us. Published: \
         without any mechanism throughput falls by about 70 %, latency rises from some hundred ns to some hundred us, and recovery takes milliseconds. *Delivered* is all of it, before (50 to 100 us) and \
         during the hot spot; latency is the mean of messages of victims, flows to other nodes than 32, from generation on; *recovered*: time from 400 us on after which random sources are above, or at \
         most 10 % below, what they had before; *after*: latency from 2.8 ms on.\n\n![{TITLE}](../img/{FILE}.svg)\n\n\
         | load | scheme | delivered before | during | change, % | worst 20 us | latency before, ns | during | factor | recovered, us | latency after, ns |\n|{}",
        "---|".repeat(11)
    );
    for run in &done {
        let window = |name| run.summary.windows.get(name);
        let of = |name| window(name)?.all.delivered_bytes_per_ns;
        let victims = |name| -> Option<&FlowSetResult> { window(name)?.victims.as_ref() };
        let mean = |name| victims(name)?.latency_ns.mean;
        let told = |name| {
            victims(name).map_or("-".to_string(), |v| latency(&v.latency_ns, LatencyFigure::Mean))
        };
        let (before, during) = (of("before"), of("during"));
        let rates: Vec<f64> = random(run).iter().map(|point| point.1).collect();
        let bins = Bins { rates: &rates, onset: 10, end: 40 };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            run.label(LOAD),
            name(run, &[LOAD]),
            cell(before, 2),
            cell(during, 2),
            cell(before.zip(during).map(|(b, d)| 100.0 * (d / b - 1.0)), 0),
            cell(window("during").and_then(|w| w.worst_dip_bytes_per_ns), 2),
            told("before"),
            told("during"),
            cell(mean("before").zip(mean("during")).map(|(b, d)| d / b), 0),
            bins.recover()
                .map_or("never".to_string(), |bins| format!("{:.0}", bins as f64 * BIN_US)),
            told("after"),
        );
    }
    text.push('\n');
    Ok(())
}
