//! What a run leaves behind: [`Record`], plain data that the store writes.

mod ecn;
mod faults;
mod flows;
mod histogram;
mod latency;
mod memory;
mod pauses;
mod recn;
mod series;
mod summary;
mod until;
mod waits;
mod windows;

pub use ecn::EcnSummary;
pub use faults::{FaultRow, FaultSummary, ReorderPeak};
pub use flows::FlowRow;
pub use histogram::{LatencyBucket, LatencyHistogram, LatencyRow, LatencySet};
pub use latency::{LatencyFigure, LatencySummary};
pub use memory::MemoryBits;
pub use pauses::{PauseRow, PauseSummary};
pub use recn::{DrainSummary, RecnCounts};
pub use series::SeriesRow;
pub use summary::{Summary, Timing};
pub use until::{UntilResult, UntilSummary};
pub use waits::{LongestWait, SaqPeaks};
pub use windows::{FlowSetResult, Steady, WindowResult};

use serde::{Deserialize, Serialize};

/// Everything that a finished run says.
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
