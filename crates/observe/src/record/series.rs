//! `series.csv`.

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
    /// Delivered of the flows to no hot destination; absent where none is hot.
    #[serde(default)]
    pub victims_bytes_per_ns: Option<f64>,
    /// Offered of those flows; absent where none is hot.
    #[serde(default)]
    pub victims_offered_bytes_per_ns: Option<f64>,
    /// With pause in the place of credits: time for which VCs of links were paused in the bin, over
    /// all of them.
    #[serde(default)]
    pub pause_ns: Option<f64>,
    /// Delivered bytes per ns of each group, in the order of `Record::groups`.
    pub groups: Vec<f64>,
}
