//! The hot spot: one super node sends to another. LAR, its threshold, and what else it depends on.

use super::{Curve, PACKED, SPREAD, WIRING, WIRINGS, by_load, picture, short};
use crate::reproduce::chart::Style;
use crate::reproduce::runs::{Done, Runner, with};
use crate::reproduce::template::{Page, filled};
use setaside::Failure;

/// Nodes of a super node, and so those that send.
const SENDERS: u32 = 16;
const QUEUES: [&str; 2] = ["voq-per-vc", "fifo-per-vc"];
const ENDS: super::Ends = (40_000.0, 0.5);

/// What a table or a figure calls a variant, and its labels.
type Variant = (String, Vec<(&'static str, &'static str)>);

pub(super) fn write(page: &mut Page, runs: &Runner) -> Result<(), Failure> {
    let done = runs.study("hot-spot", "rsi-hot-spot.toml", Some(|_| SENDERS))?;
    for wiring in WIRINGS {
        let mut curves = Vec::new();
        let variants = variants();
        let shown = variants.iter().filter(|v| !v.0.contains("head") && !v.0.contains("requests+"));
        for (at, variant) in shown.enumerate() {
            for (dash, queues) in QUEUES.into_iter().enumerate() {
                let name = format!("{}, {queues}", variant.0);
                curves.push(curve(name, Style(at, dash), &done, variant, (wiring, queues)));
            }
        }
        let short = short(wiring);
        let title =
            format!("Hot spot, BR, {short}: one super node to another; 1/16 and 7/16 dotted");
        let levels = vec![(Style(0, 0), 0.0625), (Style(7, 0), 0.4375)];
        picture(&format!("lai-rsi-hot-spot-{short}"), &title, &curves, levels, ENDS)?;
        // whole curves with VOQs
        let whole = variants.iter().map(|variant| {
            let (name, with) = (variant.0.clone(), (wiring, QUEUES[0]));
            curve(name, Style(0, 0), &done, variant, with)
        });
        page.put(&format!("hot-spot-{short}"), &by_load(&whole.collect::<Vec<_>>()));
    }
    page.put("hot-spot", &everything(&done));
    thresholds(page, runs)
}

fn curve<'a>(
    name: String,
    style: Style,
    done: &'a [Done],
    (_, labels): &Variant,
    (wiring, queues): (&str, &str),
) -> Curve<'a> {
    let own = [(WIRING, wiring), ("switch.queues", queues)];
    let labels: Vec<(&str, &str)> = labels.iter().copied().chain(own).collect();
    Curve::new(name, style, done, &labels)
}

/// Minimal, LAR in all its ways, valiant and ugal-l.
fn variants() -> Vec<Variant> {
    const ALGORITHM: &str = "routing.algorithm";
    let plain = |name: &'static str| (name.to_string(), vec![(ALGORITHM, name)]);
    let mut all = vec![plain("minimal")];
    for decision in ["arrival", "head"] {
        for counter in ["requests", "credits", "requests+credits"] {
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
    all.extend(["valiant", "ugal-l"].map(plain));
    all
}

/// Decision x counter x queues x wiring at four loads.
fn everything(done: &[Done]) -> String {
    let mut text = String::new();
    for variant in variants() {
        text += &format!("| {} |", variant.0);
        for wiring in WIRINGS {
            for queues in QUEUES {
                let runs = curve(String::new(), Style(0, 0), done, &variant, (wiring, queues)).runs;
                let at = |load: f64| {
                    let run = runs.iter().copied().find(|run| run.number("load") == Some(load));
                    filled("{delivered_bytes_per_ns/senders|0:3}", run.as_slice())
                };
                let cells = [0.1, 0.2, 0.4, 1.0].map(at).join(", ");
                let last = filled("({least:2} to {most:2})", &runs[runs.len().saturating_sub(1)..]);
                text += &format!(" {cells} {last} |");
            }
        }
        text.push('\n');
    }
    text
}

fn thresholds(page: &mut Page, runs: &Runner) -> Result<(), Failure> {
    const THRESHOLDS: [&str; 6] = ["0.1", "0.2", "0.4", "0.6", "0.8", "1.0"];
    let done = runs.study("threshold", "rsi-threshold.toml", Some(|_| SENDERS))?;
    for wiring in [SPREAD, PACKED] {
        let short = short(wiring);
        let mut curves = Vec::new();
        for (dash, counter) in ["requests", "credits"].into_iter().enumerate() {
            let labels = [(WIRING, wiring), ("routing.lar_counter", counter)];
            let runs = with(&done, &labels);
            let of_counter = THRESHOLDS.iter().enumerate().map(|(at, threshold)| {
                let value = threshold.parse().ok();
                let is_meant = |run: &&Done| run.number("routing.threshold") == value;
                let runs = runs.iter().copied().filter(is_meant).collect();
                Curve { name: format!("Th {threshold}"), style: Style(at, dash), runs }
            });
            let mut of_counter: Vec<Curve<'_>> = of_counter.collect();
            page.put(&format!("threshold-{short}-{counter}"), &by_load(&of_counter));
            of_counter.iter_mut().for_each(|curve| curve.name += &format!(", {counter}"));
            curves.extend(of_counter);
        }
        let levels = vec![(Style(7, 0), 0.0625), (Style(7, 0), 0.4375)];
        let title = format!("LAR by its threshold, hot spot, BR, {short}; 1/16 and 7/16 dotted");
        picture(&format!("lai-rsi-threshold-{short}"), &title, &curves, levels, ENDS)?;
    }
    Ok(())
}
