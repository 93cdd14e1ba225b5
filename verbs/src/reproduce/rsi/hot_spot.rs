//! The hot spot: one super node sends to another. LAR, its threshold, and what else it depends on.

use super::chart::Style;
use super::runs::{Done, latency, of_study, run_all};
use super::{PACKED, SPREAD, WIRINGS, injection_axis, latency_axis, lines, pair, throughput_axis};
use crate::page;
use observe::LatencyFigure;
use setaside::Failure;
use std::fmt::Write as _;

/// Nodes of a super node, and so those that send.
const SENDERS: u32 = 16;
const QUEUES: [&str; 2] = ["voq-per-vc", "fifo-per-vc"];
const DECISIONS: [&str; 2] = ["arrival", "head"];
const COUNTERS: [&str; 3] = ["requests", "credits", "requests+credits"];

pub(super) fn write(text: &mut String, resume: bool) -> Result<(), Failure> {
    let done =
        run_all((super::WORK, "hot-spot"), &of_study("rsi-hot-spot.toml", |_| SENDERS)?, resume)?;
    text.push_str(
        "## Hot spot\n\n`setaside sweep scenarios/studies/rsi-hot-spot.toml`: BR of 128 nodes, the 16 nodes of super node 0 send to the 16 of super node 1, no \
         background traffic, one link a pair: with minimal routing 1/16 = 0.0625 of the link rate a sender. A super node has 7 global links: no routing gets more than \
         7/16 = 0.4375. LAR with Th = 0.6.\n\n",
    );
    for wiring in WIRINGS {
        figure(text, &done, wiring)?;
    }
    everything(text, &done);
    for wiring in WIRINGS {
        whole_curves(text, &done, wiring);
    }
    thresholds(text, resume)
}

fn of<'a>(done: &'a [Done], labels: &[(&str, &str)]) -> Vec<&'a Done> {
    done.iter().filter(|run| run.is(labels)).collect()
}

fn short(wiring: &str) -> &str {
    wiring.strip_prefix("palm-tree-").unwrap_or(wiring)
}

/// What a table or a figure calls a variant, and its labels.
type Variant = (String, Vec<(&'static str, &'static str)>);

/// Minimal, LAR in all its ways, valiant and ugal-l.
fn variants() -> Vec<Variant> {
    const ALGORITHM: &str = "routing.algorithm";
    let mut all = vec![("minimal".to_string(), vec![(ALGORITHM, "minimal")])];
    for decision in DECISIONS {
        for counter in COUNTERS {
            all.push((
                format!("lar, {decision}, {counter}"),
                vec![
                    (ALGORITHM, "lar"),
                    ("routing.lar_decision", decision),
                    ("routing.lar_counter", counter),
                ],
            ));
        }
    }
    for other in ["valiant", "ugal-l"] {
        all.push((other.to_string(), vec![(ALGORITHM, other)]));
    }
    all
}

fn axes() -> [super::chart::Axis; 3] {
    [injection_axis(1.0, 0.2), latency_axis(40_000.0, 10_000.0), throughput_axis(0.5, 0.1)]
}

fn figure(text: &mut String, done: &[Done], wiring: &'static str) -> Result<(), Failure> {
    let (mut pictured, mut key) = (Vec::new(), Vec::new());
    let shown = variants();
    let shown = shown.iter().filter(|v| !v.0.contains("head") && !v.0.contains("requests+"));
    for (at, (name, labels)) in shown.enumerate() {
        for (dash, queues) in QUEUES.into_iter().enumerate() {
            let mut labels = labels.clone();
            labels.extend([("network.wiring", wiring), ("switch.queues", queues)]);
            pictured.push(lines(&of(done, &labels), SENDERS, Style(at, dash)));
            key.push((format!("{name}, {queues}"), Style(at, dash)));
        }
    }
    let levels = vec![(Style(0, 0), 0.0625), (Style(7, 0), 0.4375)];
    let short = short(wiring);
    let title = format!("Hot spot, BR, {short}: one super node to another; 1/16 and 7/16 dotted");
    let file = format!("lai-rsi-hot-spot-{short}.svg");
    page::write(&format!("docs/img/{file}"), &pair(&title, pictured, levels, axes(), &key))?;
    let _ = writeln!(text, "![Hot spot, {short}](../img/{file})\n");
    Ok(())
}

/// Decision x counter x queues x wiring at three loads.
fn everything(text: &mut String, done: &[Done]) {
    const LOADS: [&str; 4] = ["0.1", "0.2", "0.4", "1.0"];
    text.push_str("Throughput a sender at loads 0.1, 0.2, 0.4 and 1.0, and at full load the least and the most of a sender:\n\n| |");
    for wiring in WIRINGS {
        for queues in QUEUES {
            let _ = write!(text, " {}, {queues} |", short(wiring));
        }
    }
    let _ = writeln!(text, "\n|---|---|---|---|---|");
    for (name, labels) in variants() {
        let _ = write!(text, "| {name} |");
        for wiring in WIRINGS {
            for queues in QUEUES {
                let mut labels = labels.clone();
                labels.extend([("network.wiring", wiring), ("switch.queues", queues)]);
                let runs = of(done, &labels);
                let at = |load: &str| {
                    runs.iter()
                        .find(|run| load.parse() == Ok(run.load()))
                        .map_or("-".to_string(), |run| format!("{:.3}", run.delivered(SENDERS)))
                };
                let cells = LOADS.map(at).join(", ");
                let (least, most) = runs.last().map_or((0.0, 0.0), |run| run.of_sources);
                let _ = write!(text, " {cells} ({least:.2} to {most:.2}) |");
            }
        }
        text.push('\n');
    }
    text.push('\n');
}

/// The whole curves with VOQs: throughput, 99th percentile.
fn whole_curves(text: &mut String, done: &[Done], wiring: &'static str) {
    let shown = variants();
    let _ = writeln!(
        text,
        "Whole curves, {}, `voq-per-vc`: throughput, mean latency.\n\n| load | {} |\n|---{}|",
        short(wiring),
        shown.iter().map(|v| v.0.as_str()).collect::<Vec<_>>().join(" | "),
        "|---".repeat(shown.len())
    );
    let curves: Vec<Vec<&Done>> = shown
        .iter()
        .map(|(_, labels)| {
            let mut labels = labels.clone();
            labels.extend([("network.wiring", wiring), ("switch.queues", QUEUES[0])]);
            of(done, &labels)
        })
        .collect();
    rows(text, &curves);
}

/// A line a load.
fn rows(text: &mut String, curves: &[Vec<&Done>]) {
    for at in 0..curves.first().map_or(0, Vec::len) {
        let cells: Vec<String> = curves
            .iter()
            .map(|runs| {
                let run = runs[at];
                let mean = latency(&run.summary.latency_ns, LatencyFigure::Mean);
                format!("{:.3}, {mean}", run.delivered(SENDERS))
            })
            .collect();
        let _ = writeln!(text, "| {} | {} |", curves[0][at].load(), cells.join(" | "));
    }
    text.push('\n');
}

fn thresholds(text: &mut String, resume: bool) -> Result<(), Failure> {
    const THRESHOLDS: [&str; 6] = ["0.1", "0.2", "0.4", "0.6", "0.8", "1.0"];
    let done =
        run_all((super::WORK, "threshold"), &of_study("rsi-threshold.toml", |_| SENDERS)?, resume)?;
    text.push_str(
        "## Threshold of LAR\n\n`setaside sweep scenarios/studies/rsi-threshold.toml`: the hot spot, decision at arrival, `voq-per-vc`. Th is a part of the 64 packets of a VC.\n\n",
    );
    for wiring in [SPREAD, PACKED] {
        let (mut pictured, mut key) = (Vec::new(), Vec::new());
        for (dash, counter) in ["requests", "credits"].into_iter().enumerate() {
            let mut curves = Vec::new();
            for (at, threshold) in THRESHOLDS.into_iter().enumerate() {
                let value: f64 = threshold.parse().unwrap_or(0.0);
                let of = |run: &&Done| {
                    run.is(&[("network.wiring", wiring), ("routing.lar_counter", counter)])
                        && run.label("routing.threshold").parse() == Ok(value)
                };
                let runs: Vec<&Done> = done.iter().filter(of).collect();
                pictured.push(lines(&runs, SENDERS, Style(at, dash)));
                key.push((format!("Th {threshold}, {counter}"), Style(at, dash)));
                curves.push(runs);
            }
            let heads: Vec<String> = THRESHOLDS.iter().map(|t| format!("Th {t}")).collect();
            let _ = writeln!(
                text,
                "{}, counter `{counter}`: throughput, mean latency.\n\n| load | {} |\n|---{}|",
                short(wiring),
                heads.join(" | "),
                "|---".repeat(heads.len())
            );
            rows(text, &curves);
        }
        let short = short(wiring);
        let levels = vec![(Style(7, 0), 0.0625), (Style(7, 0), 0.4375)];
        let title = format!("LAR by its threshold, hot spot, BR, {short}; 1/16 and 7/16 dotted");
        let file = format!("lai-rsi-threshold-{short}.svg");
        page::write(&format!("docs/img/{file}"), &pair(&title, pictured, levels, axes(), &key))?;
        let _ = writeln!(text, "![LAR by its threshold, {short}](../img/{file})\n");
    }
    Ok(())
}
