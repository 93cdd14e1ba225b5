//! `summary.json`: the whole, windows of time, latencies.

use super::parts::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// `summary.json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Delivered in the measured time, from the end of the warm-up to the duration: in the tick in
    /// which the tail of the packet is ejected.
    pub delivered_bytes_per_ns: Option<f64>,
    /// Offered in the measured time, refused included, by the tick of generation.
    pub offered_bytes_per_ns: Option<f64>,
    /// Delivered / maximum of the topology, where it defines one (`garcia-mesh-2005`).
    pub relative_throughput: Option<f64>,
    /// Bound of this workload over its routes after warm-up, links alone, no control packets: the
    /// larger of the max-min fair total and the cut bound, mean over the changes of the workload.
    pub ideal_bytes_per_ns: Option<f64>,
    /// Jain's index over the bytes delivered in the measured time of the flows that had
    /// anything to send in it: those of which anything was delivered, and those with a message
    /// left at its end.
    pub fairness_jain: Option<f64>,
    /// Flows with standing demand and nothing delivered in the measured time.
    pub flows_starved: Option<u64>,
    /// The smallest part that any flow got of its max-min fair share, of those that could
    /// expect 32 of the largest packets in the measured time; it may exceed 1.
    pub worst_flow_share: Option<f64>,
    /// The two halves of the measured time; `None` where the workload changes in it.
    pub steady: Option<Steady>,
    /// How the measured time was found, and whether the mean is known as well as was asked for;
    /// absent without `run.until`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<UntilSummary>,
    /// From tick 0 to the duration; refused ones not included.
    pub packets_generated: u64,
    /// From tick 0 to the duration.
    pub packets_delivered: u64,
    /// At the duration, in admittance and on their way there too.
    pub packets_in_flight: u64,
    /// Refused at the source, from tick 0 to the duration.
    pub packets_refused: u64,
    /// On a link or in a switch that went down, to the duration; 0 without faults.
    pub packets_lost_to_faults: u64,
    /// Removed from the head of a queue, as no port led to their destination, to the duration; 0
    /// without faults.
    pub packets_stranded: u64,
    /// Packets ejected after one of the same source and destination with a higher number. Always 0
    /// where `reordered_by` is absent: there one is a broken invariant, and ends a run without
    /// faults. A packet that never comes puts no other out of order.
    pub out_of_order: u64,
    /// What lets packets of one source and destination be delivered out of order; absent where they
    /// are delivered in order, whatever happens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reordered_by: Option<String>,
    /// What failed and recovered, and what came of it; absent without faults.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub faults: Option<FaultSummary>,
    /// The reorder buffers of end nodes; absent where they have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reorder_buffer_peak: Option<ReorderPeak>,
    /// ACKs and marks; absent without ECN.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ecn: Option<EcnSummary>,
    /// Pauses of links; absent where links have credits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pause: Option<PauseSummary>,
    /// Of messages generated in the measured time and not refused: from generation to the last
    /// tail ejected.
    pub latency_ns: LatencySummary,
    /// Of their packets that have started on their injection link: from then on until the tail
    /// is ejected.
    pub network_latency_ns: LatencySummary,
    /// Of requests generated in the measured time: from generation to the last tail of the reply
    /// ejected; absent where no group asks for replies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round_trip_ns: Option<LatencySummary>,
    /// At any switch.
    #[serde(default)]
    pub longest_wait_ns: LongestWait,
    /// The most at any one port, from tick 0 to the duration.
    pub saqs_peak: SaqPeaks,
    /// Protocol counts, from tick 0 to the duration.
    pub recn: RecnCounts,
    /// SAQs while the run drained; absent where it did not, or where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drain: Option<DrainSummary>,
    /// A packet through a switch, up to its tail leaving; to the duration.
    pub packet_hops: u64,
    /// Sum over all events to the duration, with tick and place; 16 hex digits.
    pub events_hash: String,
    /// Delivered bytes per ns of each group in the measured time.
    pub groups: BTreeMap<String, Option<f64>>,
    /// By group, after warm-up.
    #[serde(default)]
    pub group_results: BTreeMap<String, FlowSetResult>,
    /// Flows to no hot destination, after warm-up; `None` where none is hot.
    pub victims: Option<FlowSetResult>,
    /// By name.
    #[serde(default)]
    pub windows: BTreeMap<String, WindowResult>,
    /// Part of the measured time in whose ticks each named link carried a packet.
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
    /// CPU time of the tick loop / packet-hops; null without any.
    pub ns_per_packet_hop: Option<f64>,
}

/// What a set of flows did in a window of time `[start, end)`, by tick: rates of what happened
/// in it, latencies of messages generated in it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FlowSetResult {
    /// Offered, refused included.
    pub offered_bytes_per_ns: Option<f64>,
    /// Delivered.
    pub delivered_bytes_per_ns: Option<f64>,
    /// What the workload could get over its routes in this time: of all flows as
    /// [`Summary::ideal_bytes_per_ns`](super::Summary::ideal_bytes_per_ns), of the victims the
    /// total of their max-min fair rates; absent of groups.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ideal_bytes_per_ns: Option<f64>,
    /// From the generation of a message to its last tail ejected; refused messages are left out.
    pub latency_ns: LatencySummary,
    /// Of a packet that has started on its injection link: from then on until its tail is ejected.
    pub network_latency_ns: LatencySummary,
    /// Of requests generated in it: from generation to the last tail of the reply ejected; absent
    /// where none of the flows asks for replies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round_trip_ns: Option<LatencySummary>,
    /// Requests generated in it with a reply; absent as `round_trip_ns`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replies_delivered: Option<u64>,
    /// Those without one when the run ended; absent as `round_trip_ns`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests_under_way: Option<u64>,
}

impl FlowSetResult {
    /// Delivered as a part of [`FlowSetResult::ideal_bytes_per_ns`]. Above 1 where what waited from
    /// before this time is delivered in it, too.
    pub fn of_ideal(&self) -> Option<f64> {
        part(self.delivered_bytes_per_ns, self.ideal_bytes_per_ns)
    }
}

impl Summary {
    /// As [`FlowSetResult::of_ideal`], of all flows in the measured time.
    pub fn of_ideal(&self) -> Option<f64> {
        part(self.delivered_bytes_per_ns, self.ideal_bytes_per_ns)
    }
}

fn part(delivered: Option<f64>, ideal: Option<f64>) -> Option<f64> {
    Some(delivered? / ideal.filter(|ideal| *ideal > 0.0)?)
}

/// One window of time `[start_ns, end_ns)`, counted exactly.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct WindowResult {
    /// Its start.
    pub start_ns: f64,
    /// Its end; that of an empty window is its start.
    pub end_ns: f64,
    /// Why it is empty or was cut short, in words; `None` where it is whole.
    pub note: Option<String>,
    /// All flows.
    #[serde(flatten)]
    pub all: FlowSetResult,
    /// The lowest mean over one of its equal parts of about 20 us: never above its mean.
    pub worst_dip_bytes_per_ns: Option<f64>,
    /// The same of the victims.
    pub victims_worst_dip_bytes_per_ns: Option<f64>,
    /// Flows with standing demand and nothing delivered in the window. Demand stands if the
    /// oldest message that had not arrived at its end had waited for at least half of it.
    pub flows_starved: Option<u64>,
    /// By group.
    pub groups: BTreeMap<String, FlowSetResult>,
    /// Flows to no hot destination; `None` where there is none.
    pub victims: Option<FlowSetResult>,
    /// Utilisation of each named link.
    pub links: BTreeMap<String, Option<f64>>,
}

/// Whether the measured time is in steady state: its two halves beside each other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Steady {
    /// Delivered in the first half.
    pub first_half_bytes_per_ns: f64,
    /// Delivered in the second half.
    pub second_half_bytes_per_ns: f64,
    /// What their difference may be by chance: half of its 95 % interval, from the spread
    /// between neighbours of the equal parts of each half.
    pub noise_bytes_per_ns: f64,
    /// The halves differ by more.
    pub differs: bool,
}

/// A figure of [`LatencySummary`], by its name in files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LatencyFigure {
    /// [`LatencySummary::mean`].
    Mean,
    /// [`LatencySummary::p50`].
    P50,
    /// [`LatencySummary::p99`].
    P99,
    /// [`LatencySummary::p999`].
    P999,
    /// [`LatencySummary::max`].
    Max,
}

/// Latency, ns; all null where nothing was measured. What has not arrived when the run ends
/// counts with its age. Quantiles are values of rank ceil(q n), from a histogram: up to 1/1024
/// above the exact ones, never below; mean and maximum are exact.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LatencySummary {
    /// Arithmetic mean.
    pub mean: Option<f64>,
    /// Median.
    pub p50: Option<f64>,
    /// 99th percentile.
    pub p99: Option<f64>,
    /// 99.9th percentile.
    pub p999: Option<f64>,
    /// Largest.
    pub max: Option<f64>,
    /// Share that had not arrived when the run ended, 0 to 1.
    pub undelivered: Option<f64>,
    /// The figures above that are lower bounds, since they follow from ages of what had not
    /// arrived: printed as `>= x`. In the order of the fields.
    #[serde(default)]
    pub lower_bounds: Vec<LatencyFigure>,
}
