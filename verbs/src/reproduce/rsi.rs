//! lai-rsi: the four hierarchical networks, LAR, and faults, beside what is published.

mod curves;
mod faults;
mod hot_spot;
mod networks;
mod rack;

use super::page_of;
use super::runs::Runner;
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

/// What is on its page; the study of racks has a page of its own.
pub(super) fn section(runs: &Runner) -> Result<String, Failure> {
    page::put_before_hand(&page_of(rack::NAME), "")?;
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

/// A line a load, a column a curve: delivered of a sender at 1 byte/ns, and mean latency.
fn by_load(curves: &[Column<'_>]) -> String {
    let cell = "{delivered_bytes_per_ns/senders|0:3}, {>=latency_ns.mean:0}";
    cross("load", "{load}", curves, cell)
}
