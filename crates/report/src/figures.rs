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

pub(crate) struct Figure {
    /// Unique on the page.
    pub(crate) id: &'static str,
    pub(crate) heading: &'static str,
    /// What its lines are; figures whose lines are the same things are chosen from together.
    pub(crate) of: Of,
    /// Each with a heading of its own where there are several.
    pub(crate) pictures: Vec<(Option<&'static str>, Plot)>,
    pub(crate) caption: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Of {
    Points,
    Settings,
    /// The parts of a run, all of which are drawn.
    Parts,
}

/// All that a store has numbers for, in the order of the page.
pub(crate) fn all(store: &Store) -> Vec<Figure> {
    let mut all = Vec::new();
    if store.is_sweep {
        all.extend(sizing::sizing(store));
        all.extend(sizing::p99(store));
        all.extend(load::latency(store));
        all.extend(load::accepted(store));
    }
    all.extend(time::throughput(store));
    all.extend(latency::latency(store));
    all.extend(time::saqs(store));
    if store.is_sweep {
        all.extend(memory::memory(store));
    }
    match_styles(&mut all);
    all
}

/// Gives lines of the latencies the styles of lines of the same name over time.
fn match_styles(all: &mut [Figure]) {
    let at = |id: &str| all.iter().position(|figure| figure.id == id);
    let (Some(first), Some(second)) = (at("throughput"), at("latency")) else {
        return;
    };
    let lines = all[first].pictures.iter().flat_map(|(_, plot)| &plot.lines);
    let known: Vec<(String, usize)> = lines.map(|line| (line.name.clone(), line.style)).collect();
    let lines = all[second].pictures.iter_mut().flat_map(|(_, plot)| &mut plot.lines);
    for line in lines {
        if let Some(known) = known.iter().find(|known| known.0 == line.name) {
            line.style = known.1;
        }
    }
}

/// The note on lines of several replicas; empty where there is one.
fn replicas_note(store: &Store) -> &'static str {
    if store.has_replicas() { " Means over the replicas." } else { "" }
}
