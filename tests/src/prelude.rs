//! What most tests and drawers use.

pub use crate::base::{fabric_config, group, network, ratio, speedup, switch_config, time_base};
pub use crate::compare::{difference, outcome, outcome_with, threads};
pub use crate::evolution::Holds;
pub use crate::metamorphic::record;
pub use crate::property::fixed;
pub use crate::random::{ARBITERS, Draw, RECN, SCHEMES};
pub use crate::watch::Watch;
pub use crossbar::ArbiterKind;
pub use fabric::{Engine, Fabric, Run};
pub use flow_control::{Edge, Thresholds};
pub use observe::{Event, Observer, PacketKind, Place, Record, Trace, View};
pub use plan::{
    FabricConfig, FaultConfig, FaultEvent, FaultTables, FaultTarget, Organisation, RoutingKind,
    SaqPriority, SchemeKind, StageLatencies, SwitchConfig, Switching, VoqNetMemory,
};
pub use std::collections::{BTreeMap, BTreeSet};
pub use std::sync::Arc;
pub use topology::{BuildOptions, Endpoint, Network, TopologyConfig};
pub use units::{PortId, Ratio, Span, Tick, Unit};
pub use workload::{Arrivals, GroupConfig, MessageBytes, Pattern, Sources, WorkloadConfig};
