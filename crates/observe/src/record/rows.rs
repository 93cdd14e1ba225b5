//! Rows of `series.csv`, `flows.csv` and `pauses.csv`.

use serde::{Deserialize, Serialize};

/// One bin of `series.csv`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SeriesRow {
    /// Start of the bin.
    pub t_ns: f64,
    /// Delivered in the bin.
    pub delivered_bytes_per_ns: f64,
    /// Offered in the bin, refused included, by the tick of generation.
    #[serde(default)]
    pub offered_bytes_per_ns: f64,
    /// SAQs in use at all ingress ports, maximum in the bin.
    pub saqs_ingress: u32,
    /// SAQs in use at all egress ports, maximum in the bin.
    pub saqs_egress: u32,
    /// The most at one ingress port in the bin.
    pub saqs_ingress_max_port: u32,
    /// The most at one egress port in the bin.
    pub saqs_egress_max_port: u32,
    /// Delivered to no hot destination; absent where none is hot.
    pub victims_bytes_per_ns: Option<f64>,
    /// Offered of those flows; absent where none is hot.
    pub victims_offered_bytes_per_ns: Option<f64>,
    /// With `pfc`: time for which VCs of links were paused in the bin, over all of them.
    pub pause_ns: Option<f64>,
    /// Delivered bytes per ns of each group, in the order of `Record::groups`.
    pub groups: Vec<f64>,
}

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
