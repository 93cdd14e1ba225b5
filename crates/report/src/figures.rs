//! The figures of a page: what is drawn and its caption.

mod family;
mod first;
mod latency;
mod load;
mod memory;
mod metric;
mod sizing;
mod time;

use crate::plot::Plot;
use crate::store::Store;
use std::collections::BTreeMap;

pub(crate) struct Figure {
    /// Unique on the page.
    pub(crate) id: &'static str,
    pub(crate) heading: &'static str,
    pub(crate) of: Of,
    /// Each with a heading of its own where there are several.
    pub(crate) pictures: Vec<(Option<&'static str>, Plot)>,
    pub(crate) caption: String,
}

impl Figure {
    /// One picture of settings.
    fn of_settings(id: &'static str, heading: &'static str, plot: Plot, caption: String) -> Figure {
        Figure { id, heading, of: Of::Settings, pictures: vec![(None, plot)], caption }
    }
}

/// What lines are; figures whose lines are the same things are chosen from together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Of {
    Points,
    Settings,
    /// The parts of a run, all of which are drawn.
    Parts,
}

/// All that a store has numbers for, in the order of the page.
pub(crate) fn all(store: &Store) -> Vec<Figure> {
    let of_sweep =
        |figure: fn(&Store) -> Option<Figure>| store.is_sweep.then(|| figure(store)).flatten();
    let all = [
        of_sweep(sizing::sizing),
        of_sweep(sizing::p99),
        of_sweep(load::latency),
        of_sweep(load::accepted),
        time::throughput(store),
        latency::latency(store),
        time::saqs(store),
        of_sweep(memory::memory),
    ];
    let mut all: Vec<Figure> = all.into_iter().flatten().collect();
    match_styles(&mut all);
    all
}

/// Gives lines of the latencies the styles of lines of the same name over time.
fn match_styles(all: &mut [Figure]) {
    let over_time = all.iter().filter(|figure| figure.id == "throughput");
    let known = over_time.flat_map(|figure| &figure.pictures).flat_map(|(_, plot)| &plot.lines);
    let known: BTreeMap<String, usize> =
        known.map(|line| (line.name.clone(), line.style)).collect();
    let latencies = all.iter_mut().filter(|figure| figure.id == "latency");
    let plots = latencies.flat_map(|figure| &mut figure.pictures).map(|(_, plot)| plot);
    for line in plots.flat_map(|plot| &mut plot.lines) {
        line.style = known.get(&line.name).copied().unwrap_or(line.style);
    }
}

/// The note on lines of several replicas; empty where there is one.
fn replicas_note(store: &Store) -> &'static str {
    if store.has_replicas() { " Means over the replicas." } else { "" }
}
