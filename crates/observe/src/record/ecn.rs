//! What came of ECN.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// ACKs and marks, from tick 0 to the duration.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EcnSummary {
    /// ACKs ejected at the sources of their packets. They are in no other count of packets but
    /// [`Summary::packet_hops`](super::Summary::packet_hops), in no bytes and in no latency.
    pub acks_delivered: u64,
    /// How often an arriving packet made an input memory full, at all switches together.
    pub events: u64,
    /// Of these: those that found no marks still owed by an earlier one for an output wanted there.
    pub events_at_rest: u64,
    /// Data packets that waited in these memories at these events, over all events: those there
    /// that were not being sent.
    #[serde(default)]
    pub events_waiting: u64,
    /// CNPs ejected at the sources of marked flows, counted as ACKs are; absent with ACKs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cnps_delivered: Option<u64>,
    /// Packets delivered that were marked.
    pub packets_marked: u64,
    /// The same by group.
    pub groups_marked: BTreeMap<String, u64>,
}
