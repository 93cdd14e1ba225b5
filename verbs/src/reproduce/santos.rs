//! santos-ecn-2002: ECN on the dumbbell, beside what is published and the closed form.

use super::chart::{Axis, Line, Panel, Style, svg};
use super::runs::{Done, Runner, Sets, Wanted, jain, labels, scenario, with};
use super::template::{Page, cross};
use crate::page;
use setaside::Failure;
use std::ops::Range;

/// Flows of each kind, and their sources: A1 to A10 are nodes 0 to 9, B1 to B10 11 to 20.
const FLOWS: u32 = 10;
const REMOTE: Range<u32> = 0..FLOWS;
const LOCAL: Range<u32> = FLOWS + 1..2 * FLOWS + 1;

const INPUT_OUTPUT: &str = "santos-ecn-2002/input-output-triggered.toml";
const NAIVE: &str = "santos-ecn-2002/naive.toml";

/// What is on its page.
pub(super) fn section(runs: &Runner) -> Result<String, Failure> {
    let mut page = Page::read(runs.work)?;
    series(&mut page, runs)?;
    buffers(&mut page, runs)?;
    flows(&mut page, runs)?;
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
    let listed = runs.list("series")?;
    let wanted = listed.iter().map(|run| {
        let bins = [("run.series_bin_ns", "100000")];
        let sets: Vec<_> = run.sets().into_iter().chain(bins).collect();
        wanted(&run.file, [("run", &run.name)], &sets)
    });
    let wanted = wanted.collect::<Result<Vec<_>, Failure>>()?;
    let done: Vec<Done> = runs.all("series", &wanted)?.into_iter().map(seen).map(spread).collect();
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
        let picture = svg(title, &panels.collect::<Vec<_>>(), &key);
        page::write(&format!("docs/img/santos-ecn-2002-{file}.svg"), &picture)?;
    }
    page.rows("series", &done);
    page.rows("spread", &done);
    Ok(())
}

fn wanted<const N: usize>(
    file: &str,
    of: [(&str, &str); N],
    sets: Sets<'_>,
) -> Result<Wanted, Failure> {
    let scenario = scenario(file, sets)?;
    Ok(Wanted { labels: labels(of), scenario, senders: 2 * FLOWS + 1, flows: true })
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

/// By output threshold; without one it is input-triggered marking. Means of 400 ms.
fn buffers(page: &mut Page, runs: &Runner) -> Result<(), Failure> {
    let done = runs.study("buffer", "ecn-buffer.toml", &[], None)?;
    let done: Vec<Done> = done.into_iter().map(seen).collect();
    let figure = runs.figure("buffer")?;
    figure.write("santos-ecn-2002-buffer", &with(&done, &[]))?;
    let cell = "{links.root:3}; {remote_over_local:2}; {marked_an_event:2}, {waiting_at_event:2}";
    let columns = figure.curves(&with(&done, &[]))?;
    page.put("buffer", &cross("packets a memory", "{ecn.buffer_packets}", &columns, cell));
    Ok(())
}

fn flows(page: &mut Page, runs: &Runner) -> Result<(), Failure> {
    let done = runs.study("flows", "ecn-flows.toml", &[], None)?;
    let done: Vec<Done> = done.into_iter().map(seen).collect();
    let figure = runs.figure("flows")?;
    figure.write("santos-ecn-2002-flows", &with(&done, &[]))?;
    page.rows("flows", figure.curves(&with(&done, &[]))?.into_iter().flat_map(|(_, runs)| runs));
    Ok(())
}

/// 500 ms, of which the last 400 ms are measured; the victim stays off.
const LONG: Sets<'_> = &[
    ("run.duration_ns", "500000000"),
    ("run.warmup_ns", "100000000"),
    ("workload.group.2.start_ns", "600000000"),
    ("workload.group.2.end_ns", "700000000"),
];

/// Why the share of local flows rises with the output threshold, and when `naive` leaves them 90 %.
fn thresholds(page: &mut Page, runs: &Runner) -> Result<(), Failure> {
    let mut all = Vec::new();
    let mut add = |file: &str, name: &str, of: &str, sets: Sets<'_>| {
        let sets: Vec<_> = LONG.iter().chain(sets).copied().collect();
        all.push(wanted(file, [("variant", name), ("of", of)], &sets)?);
        Ok::<(), Failure>(())
    };
    for variant in &runs.list("variant")? {
        for threshold in ["4", "6", "8"] {
            let own = [("ecn.buffer_packets", "12"), ("ecn.output_threshold_packets", threshold)];
            let sets: Vec<_> = own.into_iter().chain(variant.sets()).collect();
            add(INPUT_OUTPUT, &variant.name, threshold, &sets)?;
        }
    }
    for m in ["32", "64", "128", "256", "512", "1024", "4096"] {
        add(NAIVE, "naive", m, &[("ecn.rate_ratio", m)])?;
    }
    let mut done = runs.all("thresholds", &all)?;
    for (wanted, run) in all.iter().zip(&mut done) {
        for kind in ["local", "remote"] {
            let marks = marks(wanted, run, kind);
            run.set(&format!("{kind}_marks"), marks.map(|[marks, _]| marks));
            run.set(&format!("{kind}_marked"), marks.map(|[_, percent]| percent));
        }
    }
    let is_naive = |run: &&Done| run.is(&[("variant", "naive")]);
    page.rows("thresholds", done.iter().filter(|run| !is_naive(run)));
    page.rows("ratios", done.iter().filter(is_naive));
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
