//! Parts of `summary.json`: SAQs and their protocol, memory, ECN, pauses, faults, `run.until`.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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
    /// A point is allocated again at a port within 2 us of being freed there.
    pub early_frees: u64,
    /// Notifications sent over links.
    pub notifications: u64,
    /// Xoff sent over links.
    pub xoffs: u64,
    /// Xon sent over links.
    pub xons: u64,
    /// Tokens sent over links.
    pub tokens: u64,
    /// NACKs sent over links; inside a switch there are none.
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

/// Hardware cost of the costliest port, ingress and egress memory together, and of the
/// costliest switch, bits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryBits {
    /// Queues of its ingress memory, SAQs included.
    pub queues_ingress: u32,
    /// Queues of its egress memory, SAQs included.
    pub queues_egress: u32,
    /// Data memory of the port.
    pub port_data_bits: u64,
    /// Next-slot registers, heads and tails of the port.
    pub port_queue_bits: u64,
    /// CAM of the port.
    pub port_cam_bits: u64,
    /// Registers of SAQs and of congestion detection beside the CAM.
    #[serde(default)]
    pub port_saq_bits: u64,
    /// Credit counters of the port: free cells of the next memory and of its own output memory,
    /// one for each class.
    #[serde(default)]
    pub port_credit_bits: u64,
    /// Registers of the ECN marker for the port's output.
    #[serde(default)]
    pub port_marker_bits: u64,
    /// Queue registers, CAM, SAQ registers, credit counters and marker of all ports of the
    /// costliest switch.
    pub switch_control_bits: u64,
    /// Data memory of all ports of the costliest switch.
    pub switch_data_bits: u64,
}

impl MemoryBits {
    /// All bits of the port but the data memory.
    pub fn port_control_bits(&self) -> u64 {
        self.port_queue_bits
            + self.port_cam_bits
            + self.port_saq_bits
            + self.port_credit_bits
            + self.port_marker_bits
    }
}

/// ACKs and marks, from tick 0 to the duration.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EcnSummary {
    /// ACKs ejected at the sources of their packets. They are in no other count of packets but
    /// [`Summary::packet_hops`](super::Summary::packet_hops), in no bytes and in no latency.
    pub acks_delivered: u64,
    /// How often an arriving packet made an input memory full, in all switches.
    pub events: u64,
    /// Of these: those that found no pending marks for an output wanted there.
    pub events_at_rest: u64,
    /// Data packets that waited in these memories at these events, over all events: those there
    /// that were not being sent.
    #[serde(default)]
    pub events_waiting: u64,
    /// CNPs ejected at sources, counted as ACKs are; absent with ACKs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cnps_delivered: Option<u64>,
    /// Packets delivered that were marked.
    pub packets_marked: u64,
    /// The same by group.
    pub groups_marked: BTreeMap<String, u64>,
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
    /// PAUSE, repeats apart, sent while an output was paused for which the VC held packets.
    pub pauses_spread: u64,
    /// The deepest link of the trees of pauses; 0 if there is none.
    pub depth: u32,
    /// Time paused, over all VCs of links.
    pub pause_ns: f64,
    /// The largest part of the time that any of them was paused.
    pub worst_share: Option<f64>,
}

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
    #[serde(skip_serializing_if = "Option::is_none")]
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

/// Of a run with `run.until`: the measured time that was found, and what its series says of the
/// mean. All but this object is that of a run with this warm-up and duration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UntilSummary {
    /// `run.until.metric`.
    pub metric: String,
    /// How it came out.
    pub result: UntilResult,
    /// Of the metric in the measured time.
    pub mean_bytes_per_ns: f64,
    /// Half of the interval of that mean, over the mean, by batch means; null where bins of the
    /// series correlate so much that there is none.
    pub half_width: Option<f64>,
    /// Of the interval.
    pub confidence: f64,
    /// End of the warm-up that was found; of a run that does not say where it ends, half of it.
    pub warmup_ns: f64,
    /// Duration that was found.
    pub duration_ns: f64,
    /// Batches that the interval is from; 0 without one.
    pub batches: u64,
    /// Runs that were simulated, this one included.
    pub attempts: u64,
}

/// How a run came out that was to go on until its mean is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum UntilResult {
    /// The interval is as narrow as was asked for.
    #[serde(rename = "converged")]
    Converged,
    /// The longest run that is allowed was too short.
    #[serde(rename = "not converged")]
    NotConverged,
    /// More is offered than is delivered: what waits or is refused grows all the time.
    #[serde(rename = "saturated")]
    Saturated,
}

impl UntilResult {
    /// As in `summary.json`, and for people.
    pub fn word(self) -> &'static str {
        match self {
            UntilResult::Converged => "converged",
            UntilResult::NotConverged => "not converged",
            UntilResult::Saturated => "saturated",
        }
    }
}
