//! `summary.json`.

use super::WindowResult;
use super::{
    DrainSummary, EcnSummary, FaultSummary, FlowSetResult, LatencySummary, LongestWait, MemoryBits,
    PauseSummary, RecnCounts, ReorderPeak, SaqPeaks, Steady, UntilSummary,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// `summary.json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Delivered in the measured time: from the end of the warm-up to the duration of the run.
    /// A byte is delivered in the tick in which its packet's tail is ejected.
    pub delivered_bytes_per_ns: Option<f64>,
    /// Offered in the measured time, refused included. A message is offered in the tick in
    /// which it is generated.
    pub offered_bytes_per_ns: Option<f64>,
    /// Delivered divided by the maximum of the topology, where it defines one (the definition
    /// of `garcia-mesh-2005`).
    pub relative_throughput: Option<f64>,
    /// Bound of this workload over its routes after warm-up: links alone, no control packets.
    /// The larger of the max-min fair total and the cut bound, mean over the changes of the
    /// workload.
    #[serde(default)]
    pub ideal_bytes_per_ns: Option<f64>,
    /// Jain's index over the bytes delivered in the measured time of the flows that had
    /// anything to send in it: those of which anything was delivered, and those with a message
    /// left at its end.
    pub fairness_jain: Option<f64>,
    /// Flows with standing demand and nothing delivered in the measured time, as in
    /// [`WindowResult::flows_starved`].
    #[serde(default)]
    pub flows_starved: Option<u64>,
    /// The smallest part that any flow got of its max-min fair share, of those that could
    /// expect 32 of the largest packets in the measured time; it may exceed 1.
    #[serde(default)]
    pub worst_flow_share: Option<f64>,
    /// The two halves of the measured time; `None` where the workload changes in it.
    #[serde(default)]
    pub steady: Option<Steady>,
    /// How the measured time was found, and whether the mean is known as well as was asked for;
    /// absent without `run.until`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<UntilSummary>,
    /// From tick 0 to the duration; refused ones not included.
    pub packets_generated: u64,
    /// From tick 0 to the duration.
    pub packets_delivered: u64,
    /// At the duration, those in admittance and on their way there included.
    pub packets_in_flight: u64,
    /// Refused at the source, from tick 0 to the duration.
    pub packets_refused: u64,
    /// On a link or in a switch that went down, from tick 0 to the duration. Always 0 without
    /// faults.
    pub packets_lost_to_faults: u64,
    /// Removed from the head of a queue since no port led to their destination, from tick 0 to the
    /// duration. Always 0 without faults.
    pub packets_stranded: u64,
    /// Packets ejected after one of the same source and destination with a higher number. Always 0
    /// where `reordered_by` is absent: there one is a broken invariant, and ends a run without
    /// faults. A packet that never comes puts no other out of order.
    pub out_of_order: u64,
    /// What lets packets of one source and destination be delivered out of order; absent where they
    /// are delivered in order, whatever happens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reordered_by: Option<String>,
    /// What failed and recovered, and what came of it; absent without faults.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub faults: Option<FaultSummary>,
    /// The reorder buffers of end nodes; absent where they have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reorder_buffer_peak: Option<ReorderPeak>,
    /// ACKs and marks; absent without ECN.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ecn: Option<EcnSummary>,
    /// Pauses of links; absent where links have credits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pause: Option<PauseSummary>,
    /// Of messages generated in the measured time and not refused: from generation to the last
    /// tail ejected.
    pub latency_ns: LatencySummary,
    /// Of their packets that have started on their injection link: from then on until the tail
    /// is ejected.
    pub network_latency_ns: LatencySummary,
    /// Of requests generated in the measured time: from generation to the last tail of the reply
    /// ejected; absent where no group asks for replies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round_trip_ns: Option<LatencySummary>,
    /// At any switch.
    #[serde(default)]
    pub longest_wait_ns: LongestWait,
    /// The most at any one port, from tick 0 to the duration.
    pub saqs_peak: SaqPeaks,
    /// Protocol counts, from tick 0 to the duration.
    pub recn: RecnCounts,
    /// SAQs while the run drained; absent where it did not, or where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drain: Option<DrainSummary>,
    /// One packet through one switch, up to its tail leaving; from tick 0 to the duration.
    pub packet_hops: u64,
    /// A sum over all events to the duration, each with its tick and place; 16 hex digits.
    pub events_hash: String,
    /// Delivered bytes per ns of each group of flows in the measured time.
    pub groups: BTreeMap<String, Option<f64>>,
    /// By group, after warm-up.
    #[serde(default)]
    pub group_results: BTreeMap<String, FlowSetResult>,
    /// Flows to no hot destination, after warm-up; `None` where no destination is hot.
    #[serde(default)]
    pub victims: Option<FlowSetResult>,
    /// By name.
    #[serde(default)]
    pub windows: BTreeMap<String, WindowResult>,
    /// Utilisation of each named link in the measured time: ticks in which it carried a packet.
    pub links: BTreeMap<String, Option<f64>>,
    /// Hardware cost.
    pub memory: MemoryBits,
    /// Time spent.
    pub timing: Timing,
}

/// Time spent; never part of byte equality.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// CPU time of the tick loop.
    pub cpu_seconds: f64,
    /// CPU time of the tick loop divided by packet-hops; null when there were none.
    pub ns_per_packet_hop: Option<f64>,
}
