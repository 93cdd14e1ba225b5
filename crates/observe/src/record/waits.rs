//! How long heads waited, and how many SAQs there were.

use serde::{Deserialize, Serialize};

/// The most SAQs in use at any one port.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaqPeaks {
    /// Ingress ports of switches.
    pub ingress: u32,
    /// Egress ports of switches.
    pub egress: u32,
    /// Injection side of end nodes.
    pub injection: u32,
}

/// The longest that any head of an ingress queue of a switch has requested its output after
/// warm-up: from when it is at the head and visible to the arbiter (of a SAQ: and ready and open)
/// to the start of its transfer, or to the duration where it has not started. Time in which the
/// memory behind the crossbar had no room is part of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct LongestWait {
    /// In a normal or detection queue, ns.
    pub normal: f64,
    /// In a SAQ, ns; `None` where the scheme has none.
    pub saq: Option<f64>,
}
