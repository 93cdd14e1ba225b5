//! What came of faults, and of packets out of order.

use serde::{Deserialize, Serialize};

/// One fault or recovery, and what came of it before the next one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FaultRow {
    /// When it happened.
    pub t_ns: f64,
    /// `s3.4` (link behind port 4 of switch 3) or `s3` (switch).
    pub what: String,
    /// It works again; else it failed.
    pub recovers: bool,
    /// From then to the last change of any entry of any table; 0 where none changed.
    pub reconverge_ns: f64,
    /// FD, FR and end marks that were sent.
    pub messages: u64,
    /// Packets lost on links that went down or in memories of a node, or cut in two and discarded
    /// where they ended.
    pub lost: u64,
    /// Packets stranded.
    pub stranded: u64,
    /// Where tables are recomputed: whether those found were used. They are not where they could
    /// deadlock or need more VCs; then the configured ones less
    /// what leads nowhere are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recomputed: Option<bool>,
}

/// All faults of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FaultSummary {
    /// Faults and recoveries.
    pub events: u64,
    /// FD, FR and end marks that were sent.
    pub messages: u64,
    /// The mean over all events.
    pub reconverge_ns_mean: f64,
    /// The longest.
    pub reconverge_ns_max: f64,
    /// Each of them, in order.
    pub rows: Vec<FaultRow>,
}

impl FaultSummary {
    /// Of these; `None` of none.
    pub fn of(rows: Vec<FaultRow>) -> Option<FaultSummary> {
        if rows.is_empty() {
            return None;
        }
        let times = || rows.iter().map(|row| row.reconverge_ns);
        let (sum, most) = (times().sum::<f64>(), times().fold(0.0, f64::max));
        Some(FaultSummary {
            events: rows.len() as u64,
            messages: rows.iter().map(|row| row.messages).sum(),
            reconverge_ns_mean: sum / rows.len() as f64,
            reconverge_ns_max: most,
            rows,
        })
    }
}

/// The most that has waited in the reorder buffer of any one end node.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReorderPeak {
    /// Packets.
    pub packets: u64,
    /// Bytes.
    pub bytes: u64,
}
