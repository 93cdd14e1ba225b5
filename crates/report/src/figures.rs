//! The figures of a page: what is drawn and its caption.

mod family;
mod first;
mod load;
mod memory;
mod metric;
mod saqs;
mod sizing;
mod throughput;
mod time;
pub(crate) use first::parts;

use crate::plot::Plot;
use crate::store::Store;

/// A figure ready for the page.
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

/// What a line is.
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
    all.extend(throughput::throughput(store));
    all.extend(saqs::saqs(store));
    if store.is_sweep {
        all.extend(memory::memory(store));
    }
    all
}

/// Gives lines of the second figure the looks that lines of the same name have in the first.
pub(crate) fn look_alike(first: &Figure, second: &mut Figure) {
    let known = || first.pictures.iter().flat_map(|(_, plot)| &plot.lines);
    let lines = second
        .pictures
        .iter_mut()
        .flat_map(|(_, plot)| &mut plot.lines);
    for line in lines {
        if let Some(known) = known().find(|known| known.name == line.name) {
            line.style = known.style;
        }
    }
}

/// What is said of lines of several replicas; empty where there is one.
fn replicas_note(store: &Store) -> &'static str {
    if store.has_replicas() {
        " Means over the replicas."
    } else {
        ""
    }
}
