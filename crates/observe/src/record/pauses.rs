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
    /// Of these: those that repeat one that holds, with `pfc.quanta_ns`.
    pub pauses_repeated: u64,
    /// Of those that do not: sent while an output was paused for which the VC held packets. Pauses
    /// that spread.
    pub pauses_spread: u64,
    /// The output of the receiver's switch that most of its words, repeats apart, came from: the
    /// one for which the VC held the most packets, of those that were paused; of all, if none was.
    pub cause: Option<String>,
    /// The VC of the link behind it.
    pub cause_vc: Option<u8>,
    /// 1 where the cause was slow, not paused: the root of the tree. Else one more than that of the
    /// link behind the cause. `None` if the receiver sent no PAUSE, or no slow output is behind all
    /// causes.
    pub depth: Option<u32>,
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
    /// Words PAUSE, repeats apart, that were sent while an output was paused for which the VC held
    /// packets.
    pub pauses_spread: u64,
    /// The deepest link of the trees of pauses; 0 if there is none.
    pub depth: u32,
    /// Time paused, over all VCs of links.
    pub pause_ns: f64,
    /// The largest part of the time that any of them was paused.
    pub worst_share: Option<f64>,
}
