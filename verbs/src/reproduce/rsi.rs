//! lai-rsi: the four hierarchical networks, LAR, and faults, beside what is published.

mod curves;
mod faults;
mod hot_spot;
mod networks;
mod rack;

use super::chart::{Axis, Line, Panel, Style, svg};
use super::page_of;
use super::runs::{Done, Runner, line, with};
use super::template::{Column, Page, cross};
use crate::page;
use setaside::Failure;

/// Topology, short name, scenario.
type Net = (&'static str, &'static str, &'static str);

/// The four networks, in the order of the paper.
const NETS: [Net; 4] = [
    ("dragonfly", "DF", "lai-rsi/df-uniform.toml"),
    ("rsi-hypercube", "HR", "lai-rsi/hr-uniform.toml"),
    ("rsi-slimfly", "SR", "lai-rsi/sr-uniform.toml"),
    ("rsi-butterfly", "BR", "lai-rsi/br-uniform.toml"),
];

const WIRING: &str = "network.wiring";
const SPREAD: &str = "palm-tree-spread";
const PACKED: &str = "palm-tree-packed";
const WIRINGS: [&str; 2] = [SPREAD, PACKED];

/// Delivered of a sender, as a share of the link rate of 1 byte/ns; and a cell with the latency.
const THROUGHPUT: &str = "delivered_bytes_per_ns/senders|0";
const CELL: &str = "{delivered_bytes_per_ns/senders|0:3}, {>=latency_ns.mean:0}";

/// What is on its page; the study of racks has a page of its own.
pub(super) fn section(runs: &Runner) -> Result<String, Failure> {
    page::check_hand(&page_of(rack::NAME))?;
    let mut page = Page::read(runs.work)?;
    networks::write(&mut page)?;
    curves::write(&mut page, runs)?;
    hot_spot::write(&mut page, runs)?;
    faults::write(&mut page, runs)?;
    rack::write(runs)?;
    page.finish()
}

fn short(wiring: &str) -> &str {
    wiring.strip_prefix("palm-tree-").unwrap_or(wiring)
}

/// A line of a picture and a column of a table: runs by load.
struct Curve<'a> {
    name: String,
    style: Style,
    runs: Vec<&'a Done>,
}

impl<'a> Curve<'a> {
    fn new(name: String, style: Style, done: &'a [Done], labels: &[(&str, &str)]) -> Self {
        Curve { name, style, runs: with(done, labels) }
    }
}

/// A line a load, a column a curve: throughput and mean latency.
fn by_load<'a>(curves: impl IntoIterator<Item = &'a Curve<'a>>) -> String {
    let columns = curves.into_iter().map(|curve| (curve.name.clone(), curve.runs.clone()));
    cross("load", "{load}", &columns.collect::<Vec<Column<'_>>>(), CELL)
}

/// Ends of the axes of latency, ns, with marks at each fourth, and of throughput, at each fifth.
type Ends = (f64, f64);

/// Latency left, throughput right, injection on x; with bounds of throughput.
fn picture(
    file: &str,
    title: &str,
    curves: &[Curve<'_>],
    levels: Vec<(Style, f64)>,
    (latency, throughput): Ends,
) -> Result<(), Failure> {
    let lines = |y: &str| -> Vec<Line> {
        curves.iter().map(|curve| line(curve.style, &curve.runs, "load", y)).collect()
    };
    let x = || Axis::new("injection, share of link rate", 1.0, 0.2);
    let of_latency = Axis::new("mean latency, ns", latency, latency / 4.0);
    let shares = Axis::new("throughput, share of link rate a node", throughput, throughput / 5.0);
    let panels = [
        Panel::new(x(), of_latency, lines("latency_ns.mean")),
        Panel { levels, ..Panel::new(x(), shares, lines(THROUGHPUT)) },
    ];
    let key: Vec<(String, Style)> = curves.iter().map(|c| (c.name.clone(), c.style)).collect();
    page::write(&format!("docs/img/{file}.svg"), &svg(title, &panels, &key))
}
