//! The figures of a page: what is drawn, its caption, its numbers.

mod family;
mod load;
mod memory;
mod metric;
mod saqs;
mod sizing;
mod throughput;
mod time;

use crate::plot::Plot;
use crate::store::Store;

/// A figure ready for the page.
pub(crate) struct Figure {
    /// Unique on the page; also the name of its CSV file.
    pub(crate) id: &'static str,
    pub(crate) heading: &'static str,
    /// Each with a heading of its own where there are several.
    pub(crate) pictures: Vec<(Option<&'static str>, Plot)>,
    pub(crate) caption: String,
    pub(crate) csv: String,
}

/// All that a store has numbers for, in the order of the page.
pub(crate) fn all(store: &Store) -> Vec<Figure> {
    let mut all = Vec::new();
    if store.is_sweep {
        all.extend(load::latency(store));
        all.extend(load::accepted(store));
    }
    all.extend(throughput::throughput(store));
    all.extend(saqs::saqs(store, false));
    all.extend(saqs::saqs(store, true));
    if store.is_sweep {
        all.extend(sizing::sizing(store));
        all.extend(memory::memory(store));
    }
    all
}

/// What is said of lines of several replicas; empty where there is one.
fn replicas_note(store: &Store) -> &'static str {
    if store.has_replicas() {
        "Lines are means over the replicas; the CSV has every run."
    } else {
        ""
    }
}
