//! What a run leaves behind: [`Record`], plain data that the store writes (field names: DESIGN of the command line).

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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

/// Latency, ns; all null where nothing was measured. What has not arrived when the run ends counts with its age. Quantiles are
/// values of rank ceil(q n), from a histogram: up to 1/1024 above the exact ones, never below; mean and maximum are exact.
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
    /// Share of what is measured that had not arrived when the run ended, 0 to 1.
    #[serde(default)]
    pub undelivered: Option<f64>,
    /// The figures above that are lower bounds, since they follow from ages of what had not arrived: printed as `>= x`. In the
    /// order of the fields.
    #[serde(default)]
    pub lower_bounds: Vec<LatencyFigure>,
}

/// What a set of flows did in a window of time `[start, end)`, by tick: rates of what happened in it, latencies of messages generated in it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FlowSetResult {
    /// Offered, refused included.
    pub offered_bytes_per_ns: Option<f64>,
    /// Delivered.
    pub delivered_bytes_per_ns: Option<f64>,
    /// From the generation of a message to its last tail ejected; refused messages are left out.
    pub latency_ns: LatencySummary,
    /// Of a packet that has started on its injection link: from then on until its tail is ejected.
    pub network_latency_ns: LatencySummary,
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
    /// The lowest mean over one of the equal parts of about 20 us that the window is cut into: never above its mean.
    pub worst_dip_bytes_per_ns: Option<f64>,
    /// The same of the victims.
    pub victims_worst_dip_bytes_per_ns: Option<f64>,
    /// Flows with standing demand and nothing delivered in the window. Demand stands if the oldest message that had not arrived at
    /// its end had waited for at least half of it.
    pub flows_starved: Option<u64>,
    /// What the workload could get over its routes in this window, see [`Summary::ideal_bytes_per_ns`].
    pub ideal_bytes_per_ns: Option<f64>,
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
    /// What their difference may be by chance: half of its 95 % interval, from the spread between neighbours of the equal parts of
    /// each half.
    pub noise_bytes_per_ns: f64,
    /// The halves differ by more.
    pub differs: bool,
}

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
/// to the start of its transfer, or to the end of the run where it has not started. Time in which
/// the memory behind the crossbar had no room is part of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct LongestWait {
    /// In a normal or detection queue, ns.
    pub normal: f64,
    /// In a SAQ, ns; `None` where the scheme has none.
    pub saq: Option<f64>,
}

/// Counts of the RECN protocol over all ports and the whole run, drain included. Control packets on
/// links and messages inside switches are counted apart, in every version alike: once for each port
/// that they go to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecnCounts {
    /// SAQs allocated.
    pub allocations: u64,
    /// Allocations refused for want of a free SAQ.
    pub refusals: u64,
    /// SAQs freed.
    pub frees: u64,
    /// The same point allocated again at a port within 2 us of being freed.
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
    /// Notifications inside switches, from an egress port to an ingress port; DD versions: requests, but for those that find the
    /// point set aside.
    #[serde(default)]
    pub internal_notifications: u64,
    /// Xoff inside switches, counted once for each ingress port that it goes to: children, or (DD versions) all.
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

/// Hardware cost of the costliest port, ingress and egress memory together, and of the costliest switch, bits.
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
    /// Registers of SAQs and of congestion detection beside the CAM ([`switch::SAQ_REGISTERS`]).
    #[serde(default)]
    pub port_saq_bits: u64,
    /// Credit counters of the port: free cells of the next memory and of its own output memory, one for each class.
    #[serde(default)]
    pub port_credit_bits: u64,
    /// Queue registers, CAM, SAQ registers and credit counters of all ports of the costliest switch.
    pub switch_control_bits: u64,
    /// Data memory of all ports of the costliest switch.
    pub switch_data_bits: u64,
}

impl MemoryBits {
    /// All bits of the port but the data memory.
    pub fn port_control_bits(&self) -> u64 {
        self.port_queue_bits + self.port_cam_bits + self.port_saq_bits + self.port_credit_bits
    }
}

/// Time spent; never part of byte equality.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// CPU time of the tick loop.
    pub cpu_seconds: f64,
    /// CPU time of the tick loop divided by packet-hops; null when there were none.
    pub ns_per_packet_hop: Option<f64>,
}

/// `summary.json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Delivered in the measured time: from the end of the warm-up to the duration of the run. A byte is delivered in the tick in
    /// which its packet's tail is ejected.
    pub delivered_bytes_per_ns: Option<f64>,
    /// Offered in the measured time, refused included. A message is offered in the tick in which it is generated.
    pub offered_bytes_per_ns: Option<f64>,
    /// Delivered divided by the maximum of the topology, where it defines one (the definition of `garcia-mesh-2005`).
    pub relative_throughput: Option<f64>,
    /// Bound of this workload over its routes after warm-up: links alone, no control packets. The larger of the max-min fair
    /// total and the cut bound, mean over the changes of the workload.
    #[serde(default)]
    pub ideal_bytes_per_ns: Option<f64>,
    /// Jain's index over the bytes delivered in the measured time of the flows that had anything to send in it: those of which
    /// anything was delivered, and those with a message left at its end.
    pub fairness_jain: Option<f64>,
    /// Flows with standing demand and nothing delivered in the measured time, as in [`WindowResult::flows_starved`].
    #[serde(default)]
    pub flows_starved: Option<u64>,
    /// The smallest part that any flow got of its max-min fair share, of those that could expect 32 of the largest packets in the
    /// measured time; it may exceed 1.
    #[serde(default)]
    pub worst_flow_share: Option<f64>,
    /// The two halves of the measured time; `None` where the workload changes in it.
    #[serde(default)]
    pub steady: Option<Steady>,
    /// From tick 0 to the end, drain included; refused ones not included.
    pub packets_generated: u64,
    /// From tick 0 to the end, drain included.
    pub packets_delivered: u64,
    /// At the end, those in admittance and on their way there included.
    pub packets_in_flight: u64,
    /// Refused at the source, from tick 0 to the end, drain included.
    pub packets_refused: u64,
    /// Always 0 without faults.
    pub packets_lost_to_faults: u64,
    /// Always 0 without faults.
    pub packets_stranded: u64,
    /// Ejected out of order per (source, destination): 0, since with deterministic routes that is a broken invariant and ends the run.
    pub out_of_order: u64,
    /// Of messages generated in the measured time and not refused: from generation to the last tail ejected.
    pub latency_ns: LatencySummary,
    /// Of their packets that have started on their injection link: from then on until the tail is ejected.
    pub network_latency_ns: LatencySummary,
    /// At any switch.
    #[serde(default)]
    pub longest_wait_ns: LongestWait,
    /// The most at any one port, from tick 0 to the end, drain included.
    pub saqs_peak: SaqPeaks,
    /// Protocol counts.
    pub recn: RecnCounts,
    /// One packet through one switch, up to its tail leaving; from tick 0 to the end, drain included.
    pub packet_hops: u64,
    /// Of all events to the end, drain included: per-unit hashes combined in the order of their ids, 16 hex digits.
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

/// One bin of `series.csv`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SeriesRow {
    /// Start of the bin.
    pub t_ns: f64,
    /// Delivered in the bin.
    pub delivered_bytes_per_ns: f64,
    /// SAQs in use at all ingress ports, maximum in the bin.
    pub saqs_ingress: u32,
    /// SAQs in use at all egress ports, maximum in the bin.
    pub saqs_egress: u32,
    /// The most at one ingress port in the bin.
    pub saqs_ingress_max_port: u32,
    /// The most at one egress port in the bin.
    pub saqs_egress_max_port: u32,
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
    /// Packets delivered, from tick 0 to the end, drain included.
    pub packets: u64,
    /// Bytes delivered, from tick 0 to the end, drain included.
    pub bytes: u64,
    /// Bytes delivered in the measured time.
    pub bytes_measured: u64,
    /// Standing demand and nothing delivered in the measured time.
    #[serde(default)]
    pub starved: bool,
}

/// Everything that a finished run says.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// `summary.json`.
    pub summary: Summary,
    /// Names of the groups, in the order of their columns.
    pub groups: Vec<String>,
    /// `series.csv`.
    pub series: Vec<SeriesRow>,
    /// `flows.csv`, by source, then destination; flows that neither delivered a packet nor starved are left out.
    pub flows: Vec<FlowRow>,
    /// Simulated ticks, drain included.
    pub ticks: u64,
}
