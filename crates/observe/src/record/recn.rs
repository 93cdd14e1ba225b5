//! Counts of the RECN protocol.

use super::SaqPeaks;
use serde::{Deserialize, Serialize};

/// Counts of the RECN protocol over all ports. Control packets on links and messages inside
/// switches are counted apart, in every version alike: once for each port that they go to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecnCounts {
    /// SAQs allocated.
    pub allocations: u64,
    /// Allocations refused: no SAQ was free, or (`recn-basic`) a less specific point was set aside.
    pub refusals: u64,
    /// SAQs freed.
    pub frees: u64,
    /// Early frees: a point is allocated again at a port within 2 us of being freed there.
    pub early_frees: u64,
    /// Notifications sent over links.
    pub notifications: u64,
    /// Xoff sent over links.
    pub xoffs: u64,
    /// Xon sent over links.
    pub xons: u64,
    /// Tokens sent over links.
    pub tokens: u64,
    /// NACKs sent over links; inside a switch the answer comes at once and is no message.
    pub nacks: u64,
    /// Notifications inside switches, from an egress port to an ingress port; DD versions:
    /// requests, but for those that find the point set aside.
    #[serde(default)]
    pub internal_notifications: u64,
    /// Xoff inside switches, counted once for each ingress port that it goes to: children, or
    /// (DD versions) all.
    #[serde(default)]
    pub internal_xoffs: u64,
    /// Xon inside switches, counted as Xoff is.
    #[serde(default)]
    pub internal_xons: u64,
    /// Tokens inside switches, from an ingress port to an egress port.
    #[serde(default)]
    pub internal_tokens: u64,
    /// Xoff and Xon ignored for want of an exact match.
    pub ignored: u64,
}

/// What SAQs did while a run drained, which latencies contain and all else does not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrainSummary {
    /// The most at any one port, from tick 0 to the end of the drain.
    pub saqs_peak: SaqPeaks,
    /// Protocol counts from the duration on.
    pub recn: RecnCounts,
}
