//! What was counted in a window of time.

use super::{LatencySummary, Summary};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ideal_bytes_per_ns: Option<f64>,
    /// From the generation of a message to its last tail ejected; refused messages are left out.
    pub latency_ns: LatencySummary,
    /// Of a packet that has started on its injection link: from then on until its tail is ejected.
    pub network_latency_ns: LatencySummary,
    /// Of requests generated in it: from generation to the last tail of the reply ejected; absent
    /// where none of the flows asks for replies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round_trip_ns: Option<LatencySummary>,
    /// Requests generated in it whose reply has arrived; absent as `round_trip_ns`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replies_delivered: Option<u64>,
    /// Requests generated in it that were without a reply when the run ended; absent as
    /// `round_trip_ns`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
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
    /// The lowest mean over one of the equal parts of about 20 us that the window is cut into:
    /// never above its mean.
    pub worst_dip_bytes_per_ns: Option<f64>,
    /// The lowest mean of the victims over one of the equal parts of the window.
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
