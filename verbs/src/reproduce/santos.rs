//! santos-ecn-2002: ECN on the dumbbell, beside what is published and the closed form.

use super::chart::{Axis, Line, Panel, Style, grid};
use super::runs::{Done, Runner, Wanted, jain, with};
use super::template::{Page, cross};
use crate::page;
use setaside::Failure;
use std::ops::Range;

/// Flows of each kind, and their sources: A1 to A10 are nodes 0 to 9, B1 to B10 11 to 20.
const FLOWS: u32 = 10;
const REMOTE: Range<u32> = 0..FLOWS;
const LOCAL: Range<u32> = FLOWS + 1..2 * FLOWS + 1;

/// What is on its page.
pub(super) fn section(runs: &Runner) -> Result<String, Failure> {
    let mut page = Page::read(runs.work)?;
    series(&mut page, runs)?;
    drawn(&mut page, runs)?;
    thresholds(&mut page, runs)?;
    let mut parking = runs.study("parking-lot", "ecn-parking-lot.toml", &[], Some(|_| 5))?;
    for run in &mut parking {
        let all: f64 = (0..5).map(|source| run.rate(source)).sum();
        for source in 0..5 {
            run.set(&format!("share{source}"), run.rate(source) / all);
        }
    }
    page.rows("parking-lot", &parking);
    // What the paper leaves open: a sweep and a table each.
    for study in [
        "rate-ratio",
        "initial-rate",
        "cut-through",
        "arbiter",
        "multicast-read",
        "waits-until",
        "calm",
    ] {
        let done = runs.study(study, &format!("ecn-{study}.toml"), &[], None)?;
        page.rows(study, &done.into_iter().map(seen).collect::<Vec<_>>());
    }
    page.finish()
}

/// Names what remote flows get of what local ones get in each window; and for each event remote
/// packets marked, and data packets that waited in the full memory.
fn seen(mut run: Done) -> Done {
    for (name, place, rate) in [
        ("remote_over_local", "groups", ""),
        ("remote_over_local_alone", "windows.alone.groups", ".delivered_bytes_per_ns"),
        ("remote_over_local_with_victim", "windows.with-victim.groups", ".delivered_bytes_per_ns"),
    ] {
        // none where local flows get nothing
        run.set(name, run.number(&format!("{place}.remote{rate}/{place}.local{rate}")));
    }
    let ecn = run.summary.ecn.as_ref().filter(|ecn| ecn.events > 0);
    let of_event = |count: u64, events: u64| count as f64 / events as f64;
    let marked =
        ecn.map(|ecn| of_event(ecn.groups_marked.get("remote").copied().unwrap_or(0), ecn.events));
    let waiting = ecn.map(|ecn| of_event(ecn.events_waiting, ecn.events));
    run.set("marked_an_event", marked);
    run.set("waiting_at_event", waiting);
    run
}

/// Colours of the lines over time, and the groups that share a link.
const LINES: [(&str, Style, &[&str]); 5] = [
    ("root link", Style(7, 0), &["local", "remote"]),
    ("inter-switch link", Style(5, 1), &["remote", "victim"]),
    ("local flows", Style(0, 0), &["local"]),
    ("remote flows", Style(1, 0), &["remote"]),
    ("victim", Style(2, 0), &["victim"]),
];

/// Rates of links and flows in a sliding window, without control and with each marking.
fn series(page: &mut Page, runs: &Runner) -> Result<(), Failure> {
    let done = runs.all("series", &runs.wanted("series", &[])?)?;
    let done: Vec<Done> = done.into_iter().map(seen).map(spread).collect();
    for (file, title, runs) in [
        ("none-naive", "No congestion control; naive marking", 0..2),
        ("input", "Input-triggered marking", 2..3),
        ("input-output", "Input-output-triggered marking, thresholds 4 and 8", 3..5),
    ] {
        let panels = done[runs].iter().map(|run| {
            let (x, y) =
                (Axis::new("time, ms", 100.0, 20.0), Axis::new("rate, of link rate", 1.0, 0.2));
            let line = |(_, style, groups): (_, _, &[&str])| Line::new(style, sliding(run, groups));
            Panel::new(x, y, LINES.map(line).into())
        });
        let key = LINES.map(|(name, style, _)| (name.to_string(), style));
        let panels: Vec<Panel> = panels.collect();
        let picture = grid(title, &panels, panels.len(), &key);
        page::write(&format!("docs/img/santos-ecn-2002-{file}.svg"), &picture)?;
    }
    page.rows("series", &done);
    page.rows("spread", &done);
    Ok(())
}

/// Means of the window of 20 bins around every fifth bin, of some groups together; ms.
fn sliding(run: &Done, groups: &[&str]) -> Vec<(f64, f64)> {
    const WINDOW: usize = 20;
    const STEP: usize = 5;
    let at: Vec<usize> =
        (0..run.groups.len()).filter(|&at| groups.contains(&run.groups[at].as_str())).collect();
    let rates: Vec<f64> =
        run.series.iter().map(|row| at.iter().map(|&at| row.groups[at]).sum()).collect();
    let windows = rates.windows(WINDOW).enumerate().step_by(STEP);
    let mean = |(first, rates): (usize, &[f64])| {
        let centre = run.series[first + WINDOW / 2].t_ns / 1e6;
        (centre, rates.iter().sum::<f64>() / WINDOW as f64)
    };
    windows.map(mean).collect()
}

/// Names the least and most of a flow of a kind, in fair shares, and the fairness of all.
fn spread(mut run: Done) -> Done {
    for (kind, sources) in [("local", LOCAL), ("remote", REMOTE)] {
        let rates = sources.map(|source| run.rate(source) / (1.0 / f64::from(2 * FLOWS)));
        let (least, most) = rates.fold((f64::INFINITY, 0.0_f64), |(least, most), rate| {
            (least.min(rate), most.max(rate))
        });
        run.set(&format!("{kind}_least"), least);
        run.set(&format!("{kind}_most"), most);
    }
    let rates: Vec<f64> = REMOTE.chain(LOCAL).map(|source| run.rate(source)).collect();
    run.set("jain", jain(rates.into_iter()));
    run
}

/// Means of 400 ms, by output threshold (without one it is input-triggered marking) and by flows.
fn drawn(page: &mut Page, runs: &Runner) -> Result<(), Failure> {
    for name in ["buffer", "flows"] {
        let done = runs.study(name, &format!("ecn-{name}.toml"), &[], None)?;
        let done: Vec<Done> = done.into_iter().map(seen).collect();
        let figure = runs.figure(name)?;
        figure.write(&format!("santos-ecn-2002-{name}"), &with(&done, &[]))?;
        let columns = figure.curves(&with(&done, &[]))?;
        if name == "flows" {
            page.rows("flows", columns.into_iter().flat_map(|(_, runs)| runs));
            continue;
        }
        let cell =
            "{links.root:3}; {remote_over_local:2}; {marked_an_event:2}, {waiting_at_event:2}";
        page.put(name, &cross("packets a memory", "{ecn.buffer_packets}", &columns, cell));
    }
    Ok(())
}

/// Why the share of local flows rises with the output threshold, and when `naive` leaves them 90 %.
fn thresholds(page: &mut Page, runs: &Runner) -> Result<(), Failure> {
    for name in ["thresholds", "ratios"] {
        let wanted = runs.wanted(name, &[])?;
        let mut done = runs.all(name, &wanted)?;
        for (wanted, run) in wanted.iter().zip(&mut done) {
            for kind in ["local", "remote"] {
                let marks = marks(wanted, run, kind);
                run.set(&format!("{kind}_marks"), marks.map(|[marks, _]| marks));
                run.set(&format!("{kind}_marked"), marks.map(|[_, percent]| percent));
            }
        }
        page.rows(name, &done);
    }
    Ok(())
}

/// Marks of a flow of a kind in M packet times, and marked packets in percent.
fn marks(wanted: &Wanted, run: &Done, kind: &str) -> Option<[f64; 2]> {
    let get = |key| wanted.scenario.get(key)?.parse::<f64>().ok();
    let marks = *run.summary.ecn.as_ref()?.groups_marked.get(kind)? as f64;
    let packet_times = wanted.scenario.duration_ns().to_f64() / get("link.packet_bytes")?;
    let sent = run.number(&format!("groups.{kind}"))? * packet_times;
    let of_flow = marks / f64::from(FLOWS) / packet_times;
    Some([of_flow * get("ecn.rate_ratio")?, 100.0 * marks / sent])
}
