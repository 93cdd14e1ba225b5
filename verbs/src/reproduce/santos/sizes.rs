//! Buffers and thresholds, and the number of flows: means of 400 ms.

use super::{WORK, an_event, group, link, remote_over_local};
use crate::page;
use crate::reproduce::chart::{Axis, Line, Panel, Style, svg};
use crate::reproduce::runs::{Done, cell, of_study, run_all};
use setaside::Failure;
use std::fmt::Write as _;

const MARKING: &str = "ecn.marking";
const THRESHOLD: &str = "ecn.output_threshold_packets";
const BUFFER: &str = "ecn.buffer_packets";

/// Output thresholds; none is input-triggered marking.
const THRESHOLDS: [&str; 5] = ["", "16", "8", "6", "4"];

pub(super) fn write(text: &mut String, resume: bool) -> Result<(), Failure> {
    buffers(text, resume)?;
    flows(text, resume)
}

fn named(threshold: &str) -> String {
    match threshold {
        "" => "no output threshold".to_string(),
        threshold => format!("output threshold {threshold}"),
    }
}

/// Runs with a threshold, in the order of their buffers.
fn with<'a>(done: &'a [Done], threshold: &'a str) -> impl Iterator<Item = &'a Done> {
    done.iter().filter(move |run| run.label(THRESHOLD) == threshold)
}

fn buffers(text: &mut String, resume: bool) -> Result<(), Failure> {
    const FILE: &str = "santos-ecn-2002-buffer";
    let done = run_all((WORK, "buffer"), &of_study("ecn-buffer.toml", |_| 1)?, resume)?;
    let curve = |threshold, value: fn(&Done) -> Option<f64>| {
        let points = with(&done, threshold);
        let points = points.filter_map(|run| Some((run.label(BUFFER).parse().ok()?, value(run)?)));
        points.collect::<Vec<(f64, f64)>>()
    };
    let panel = |title: &str, max: f64, value: fn(&Done) -> Option<f64>| Panel {
        x: Axis::new("packets a memory", 16.0, 2.0),
        y: Axis::new(title, max, max / 5.0),
        lines: (0..THRESHOLDS.len())
            .map(|at| Line::new(Style(at, 0), curve(THRESHOLDS[at], value)))
            .collect(),
        levels: Vec::new(),
    };
    let panels = [
        panel("utilisation of the root link", 1.0, |run| link(run, None, "root")),
        panel("remote over local", 1.5, |run| remote_over_local(run, None)),
    ];
    let key: Vec<(String, Style)> =
        (0..THRESHOLDS.len()).map(|at| (named(THRESHOLDS[at]), Style(at, 0))).collect();
    let title = "Buffers and output thresholds: root utilisation, remote over local";
    page::write(&format!("docs/img/{FILE}.svg"), &svg(title, &panels, &key))?;
    let _ = writeln!(
        text,
        "## Buffers and output thresholds\n\n`setaside sweep scenarios/studies/ecn-buffer.toml`: 500 ms, the mean of the last 400 ms, no victim. Utilisation of the \
         root link; what remote flows get of what local ones get; for each event remote packets marked, and data packets that wait in the full memory.\n\n![{title}](../img/{FILE}.svg)\n"
    );
    let heads: Vec<String> = THRESHOLDS.iter().map(|threshold| named(threshold)).collect();
    let _ = writeln!(
        text,
        "| packets a memory | {} |\n|---{}|",
        heads.join(" | "),
        "|---".repeat(heads.len())
    );
    for run in with(&done, "") {
        let size = run.label(BUFFER);
        let cells: Vec<String> = THRESHOLDS
            .iter()
            .map(|threshold| {
                let run = with(&done, threshold).find(|run| run.label(BUFFER) == size);
                run.map_or(String::new(), |run| {
                    format!(
                        "{}; {}; {}, {}",
                        cell(link(run, None, "root"), 3),
                        cell(remote_over_local(run, None), 2),
                        cell(an_event(run).map(|[marked, _]| marked), 2),
                        cell(an_event(run).map(|[_, waiting]| waiting), 2)
                    )
                })
            })
            .collect();
        let _ = writeln!(text, "| {size} | {} |", cells.join(" | "));
    }
    text.push('\n');
    Ok(())
}

fn flows(text: &mut String, resume: bool) -> Result<(), Failure> {
    const FILE: &str = "santos-ecn-2002-flows";
    const FLOWS: &str = "network.inputs";
    let done = run_all((WORK, "flows"), &of_study("ecn-flows.toml", |_| 1)?, resume)?;
    let markings = ["naive", "input-triggered", "input-output-triggered"];
    let of = |marking: &'static str| done.iter().filter(move |run| run.label(MARKING) == marking);
    let panel = |title: &str, value: fn(&Done) -> Option<f64>| Panel {
        x: Axis::new("flows of each kind", 20.0, 5.0),
        y: Axis::new(title, 1.0, 0.2),
        lines: markings
            .iter()
            .enumerate()
            .map(|(at, marking)| {
                let points = of(marking);
                let points =
                    points.filter_map(|run| Some((run.label(FLOWS).parse().ok()?, value(run)?)));
                Line::new(Style(at, 0), points.collect())
            })
            .collect(),
        levels: Vec::new(),
    };
    let panels = [
        panel("utilisation of the root link", |run| link(run, None, "root")),
        panel("remote over local", |run| remote_over_local(run, None)),
    ];
    let key: Vec<(String, Style)> = markings
        .iter()
        .enumerate()
        .map(|(at, marking)| (marking.to_string(), Style(at, 0)))
        .collect();
    let title = "5 to 20 flows of each kind: root utilisation, remote over local";
    page::write(&format!("docs/img/{FILE}.svg"), &svg(title, &panels, &key))?;
    let _ = writeln!(
        text,
        "## Number of flows\n\n`setaside sweep scenarios/studies/ecn-flows.toml`: as many local as remote flows, 500 ms, the mean of the last 400 ms, no victim, \
         output threshold 8.\n\n![{title}](../img/{FILE}.svg)\n\n\
         | flows of each kind | marking | root | local | remote | remote/local | Jain | remote packets marked an event | waiting at an event |\n|---|---|---|---|---|---|---|---|---|"
    );
    for marking in markings {
        for run in of(marking) {
            let cells = [
                cell(link(run, None, "root"), 3),
                cell(group(run, None, "local"), 3),
                cell(group(run, None, "remote"), 3),
                cell(remote_over_local(run, None), 2),
                cell(run.summary.fairness_jain, 3),
                cell(an_event(run).map(|[marked, _]| marked), 2),
                cell(an_event(run).map(|[_, waiting]| waiting), 2),
            ];
            let flows = run.label(FLOWS);
            let _ = writeln!(text, "| {flows} | {marking} | {} |", cells.join(" | "));
        }
    }
    text.push('\n');
    Ok(())
}
