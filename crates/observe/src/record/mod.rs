//! What a run leaves behind: [`Record`], plain data that the store writes.

mod histogram;
mod parts;
mod rows;
mod summary;

pub use histogram::*;
pub use parts::*;
pub use rows::*;
pub use summary::*;

use serde::{Deserialize, Serialize};

/// All results of a finished run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// `summary.json`.
    pub summary: Summary,
    /// Names of the groups, in the order of their columns.
    pub groups: Vec<String>,
    /// `series.csv`.
    pub series: Vec<SeriesRow>,
    /// `flows.csv`, by source, then destination; flows that neither delivered a packet nor
    /// starved are left out.
    pub flows: Vec<FlowRow>,
    /// `latency.csv`.
    #[serde(default)]
    pub latencies: Vec<LatencySet>,
    /// `pauses.csv`; none where links have credits.
    #[serde(default)]
    pub pauses: Vec<PauseRow>,
    /// Simulated ticks, drain included.
    pub ticks: u64,
}
