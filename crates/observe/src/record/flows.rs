//! `flows.csv`.

use serde::{Deserialize, Serialize};

/// One line of `flows.csv`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FlowRow {
    /// Source node.
    pub source: u32,
    /// Destination node.
    pub destination: u32,
    /// Packets delivered, from tick 0 to the duration.
    pub packets: u64,
    /// Bytes delivered, from tick 0 to the duration.
    pub bytes: u64,
    /// Bytes delivered in the measured time.
    pub bytes_measured: u64,
    /// Standing demand and nothing delivered in the measured time.
    #[serde(default)]
    pub starved: bool,
}
