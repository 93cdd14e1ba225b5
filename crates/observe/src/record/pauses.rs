//! What came of pause in the place of credits: `pauses.csv`, and its totals.

use serde::{Deserialize, Serialize};

/// One line of `pauses.csv`: a VC of a link that ends at a switch, in one direction.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PauseRow {
    /// The sender: `s3.p1` for port 1 of switch 3, `n7` for an end node.
    pub from: String,
    /// The receiver, which says PAUSE.
    pub to: String,
    /// VC.
    pub vc: u8,
    /// Pauses that began in the measured time.
    pub pauses: u64,
    /// Time of the measured time in which it was paused.
    pub paused_ns: f64,
    /// The same as a part of the measured time; `None` if that is empty.
    pub paused_share: Option<f64>,
    /// Words PAUSE that the receiver sent in the measured time.
    pub pauses_said: u64,
    /// Those that it sent while another of its outputs was paused: pauses that spread.
    pub pauses_spread: u64,
}

/// Totals in the measured time, and the thresholds.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PauseSummary {
    /// PAUSE at so many bytes of a VC.
    pub xoff_bytes: u64,
    /// RESUME at so many.
    pub xon_bytes: u64,
    /// Bytes that may come after PAUSE is wanted, on the longest link.
    pub headroom_bytes: u64,
    /// VCs of links that end at a switch.
    pub vcs: u64,
    /// Those that were ever paused.
    pub vcs_paused: u64,
    /// Pauses that began.
    pub pauses: u64,
    /// Words PAUSE that were sent while another output of the switch was paused.
    pub pauses_spread: u64,
    /// Time paused, over all VCs of links.
    pub pause_ns: f64,
    /// The largest part of the time that any of them was paused.
    pub worst_share: Option<f64>,
}
