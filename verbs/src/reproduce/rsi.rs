//! lai-rsi: the four hierarchical networks, LAR, and faults, beside what is published.

mod curves;
mod faults;
mod hot_spot;
mod networks;
mod rack;

use super::{chart, page_of, runs};
use crate::page;
use setaside::Failure;

const WORK: &str = "lai-rsi";

/// Topology, short name, scenario.
type Net = (&'static str, &'static str, &'static str);

/// The four networks, in the order of the paper.
const NETS: [Net; 4] = [
    ("dragonfly", "DF", "df-uniform.toml"),
    ("rsi-hypercube", "HR", "hr-uniform.toml"),
    ("rsi-slimfly", "SR", "sr-uniform.toml"),
    ("rsi-butterfly", "BR", "br-uniform.toml"),
];

const SPREAD: &str = "palm-tree-spread";
const PACKED: &str = "palm-tree-packed";
const WIRINGS: [&str; 2] = [SPREAD, PACKED];

/// What is on its page; the study of racks has a page of its own. With `resume` runs that are
/// stored are taken as they are.
pub(super) fn section(resume: bool) -> Result<String, Failure> {
    page::check_hand(&page_of(rack::NAME))?;
    let mut text = String::from(
        "Share of the link rate a node throughout, link rate 1 byte/ns (8 Gbit/s), packets of 64 bytes, 64 packets a VC. \
         Latency is that of messages from generation on, ns; `>=` where not all had arrived at the end: those count with their age, \
         so that beyond saturation it grows with the run. Unless a table says other, runs last 100 us, 20 us of them warm-up, with seed 1, and up to 10 us more to drain. Of the published curves the specification has no numbers: curves stand beside the bounds \
         of `setaside topo`, and statements in words are compared below in *What it says*.\n\n",
    );
    networks::write(&mut text)?;
    curves::write(&mut text, resume)?;
    hot_spot::write(&mut text, resume)?;
    faults::write(&mut text, resume)?;
    rack::write(resume)?;
    text.push_str(
        "## Racks of equal size\n\nThe four networks at about equal node count: [a page of its own](rack-study.md).\n\n",
    );
    Ok(text)
}

/// Of messages from generation on: latency axis of the diagrams, ns.
fn latency_axis(max: f64, step: f64) -> chart::Axis {
    chart::Axis::new("mean latency, ns", max, step)
}

fn injection_axis(max: f64, step: f64) -> chart::Axis {
    chart::Axis::new("injection, share of link rate", max, step)
}

fn throughput_axis(max: f64, step: f64) -> chart::Axis {
    chart::Axis::new("throughput, share of link rate a node", max, step)
}

/// The two lines of a curve, latency and throughput, by load.
fn lines(done: &[&runs::Done], senders: u32, style: chart::Style) -> [chart::Line; 2] {
    let latency = done.iter().filter_map(|run| Some((run.load(), run.summary.latency_ns.mean?)));
    let throughput = done.iter().map(|run| (run.load(), run.delivered(senders)));
    [chart::Line::new(style, latency.collect()), chart::Line::new(style, throughput.collect())]
}

/// Latency left, throughput right, injection on x.
fn pair(
    title: &str,
    curves: Vec<[chart::Line; 2]>,
    levels: Vec<(chart::Style, f64)>,
    axes: [chart::Axis; 3],
    key: &[(String, chart::Style)],
) -> String {
    let [x, latency, throughput] = axes;
    let (left, right) = curves.into_iter().map(|[a, b]| (a, b)).unzip();
    let panels = [
        chart::Panel {
            x: chart::Axis::new(&x.title, x.max, x.step),
            y: latency,
            lines: left,
            levels: Vec::new(),
        },
        chart::Panel { x, y: throughput, lines: right, levels },
    ];
    chart::svg(title, &panels, key)
}
