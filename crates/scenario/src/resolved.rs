//! What a scenario has come to before anything is built.

use crate::traced::TraceConfig;
use plan::{
    EndNodeConfig, FaultConfig, LinkConfig, RoutingKind, RunConfig, SwitchConfig, WindowConfig,
};
use topology::{BuildOptions, TopologyConfig};
use units::{Ratio, TimeBase};
use workload::WorkloadConfig;

/// A scenario without its network and generators, which cost time to build.
#[derive(Debug, Clone)]
pub(crate) struct Resolved {
    pub(crate) topology: TopologyConfig,
    pub(crate) options: BuildOptions,
    pub(crate) routing: RoutingKind,
    pub(crate) nodes: u32,
    pub(crate) time_base: TimeBase,
    pub(crate) rate: Ratio,
    pub(crate) switch: SwitchConfig,
    pub(crate) link: LinkConfig,
    pub(crate) endnode: EndNodeConfig,
    pub(crate) packet_bytes: u32,
    pub(crate) workload: WorkloadConfig,
    pub(crate) trace: Option<TraceConfig>,
    pub(crate) faults: FaultConfig,
    pub(crate) run: RunConfig,
    pub(crate) windows: Vec<WindowConfig>,
}
