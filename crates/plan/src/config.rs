//! All that a fabric is built from: [`FabricConfig`].

use crate::{EndNodeConfig, SwitchConfig};
use std::sync::Arc;
use topology::Network;
use units::{Ratio, Span, Tick, TimeBase};
use workload::Workload;

/// Where a switch finds the egress port of a packet (key `routing.algorithm`; spec: switch.md,
/// Tables).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum RoutingKind {
    /// In the turns of the route header.
    #[default]
    Turns,
    /// In the table of the ingress port: the network has them ([`Network::tables`]).
    Table,
    /// In T1 and T2 of the ingress port, chosen there ([`crate::AdaptiveConfig`]).
    TwoLevel,
}

impl RoutingKind {
    /// Legal names, in the order of the variants.
    pub const NAMES: &'static [&'static str] = &["turns", "table"];
}

/// Links (spec: clock.md, Links).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkConfig {
    /// Wire latency of every link that has none of its own in the topology, ticks, at least 1.
    pub wire: Span,
    /// Wire latency by link where the topology gives one: `(switch, port) -> ticks`, sorted; both
    /// directions listed.
    pub wire_overrides: Vec<((u32, u8), Span)>,
    /// Bytes of a credit packet on the link; 0 = out of band.
    pub control_packet_bytes: u32,
    /// Bytes of Xoff, Xon, notification, token and NACK; 0 = out of band.
    pub named_control_bytes: u32,
}

impl LinkConfig {
    /// Latency of the wire behind a port of a switch.
    pub fn latency(&self, switch: u32, port: u8) -> Span {
        let overrides = &self.wire_overrides;
        match overrides.binary_search_by_key(&(switch, port), |o| o.0) {
            Ok(at) => overrides[at].1,
            Err(_) => self.wire,
        }
    }
}

/// A window of time `[start, end)` in which results are counted apart. Windows are in order of
/// time, do not overlap and lie in the run; an empty one has `start == end`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WindowConfig {
    /// Name in results.
    pub name: String,
    /// First tick.
    pub start: Tick,
    /// First tick after it.
    pub end: Tick,
    /// Why it is empty or was cut short, in words.
    pub note: Option<String>,
}

/// When to measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunConfig {
    /// Simulated ticks: the run covers ticks `0..duration`, and what follows to drain.
    pub duration: Tick,
    /// Ticks after `duration` in which measured messages may still arrive (key `run.drain_ns`):
    /// traffic continues and is not measured. It ends once the last measured message has arrived.
    pub drain: Span,
    /// Ticks before measurement starts.
    pub warmup: Tick,
    /// Bin of the time series.
    pub series_bin: Span,
    /// Seed of every random stream.
    pub seed: u64,
    /// Period of the watchdog, at least `fabric::least_watchdog`; two of them detect a deadlock.
    pub watchdog: Span,
}

/// What fails, or works again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaultTarget {
    /// The link behind a port of a switch, both ways.
    Link {
        /// The switch.
        switch: u32,
        /// Its port.
        port: u8,
    },
    /// A switch with all its links; what is in its memories is lost.
    Node {
        /// The switch.
        switch: u32,
    },
}

/// A failure or recovery before a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct FaultEvent {
    /// The first tick in which it is in effect.
    pub at: Tick,
    /// What.
    pub target: FaultTarget,
    /// It works again; else it fails.
    pub recovers: bool,
}

units::named! {
    /// Tables after a fault (key `faults.tables`; spec: rsi.md).
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
    pub enum FaultTables: "tables after a fault" {
        /// The configured minimal ports less the dead.
        #[default]
        Pruned = "pruned",
        /// Shortest paths on what is left, checked again for deadlocks before they are used.
        Recomputed = "recomputed",
    }
}

/// Failures that happen at random: of each link between switches, and of each switch, times between
/// failures and times to repair are exponential.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RandomFaults {
    /// Mean time between failures of a link, ticks; `None`: links do not fail.
    pub link_mtbf: Option<Span>,
    /// Mean time to repair a link, ticks.
    pub link_mttr: Span,
    /// Mean time between failures of a node, ticks; `None`: nodes do not fail.
    pub node_mtbf: Option<Span>,
    /// Mean time to repair a node, ticks.
    pub node_mttr: Span,
    /// Nothing fails before this tick.
    pub start: Tick,
    /// Nothing fails from this tick on; what has failed is repaired.
    pub end: Tick,
}

/// What fails and when, and what routers do about it (spec: rsi.md, Fault discovery and recovery).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultConfig {
    /// How routers notify each other (key `faults.protocol`).
    pub protocol: hierarchy::recovery::Protocol,
    /// Their tables after a fault.
    pub tables: FaultTables,
    /// At given times, in their order.
    pub events: Vec<FaultEvent>,
    /// From streams of the seed of the run.
    pub random: Option<RandomFaults>,
    /// End nodes are notified of what was lost and stranded in every multiple of this (key
    /// `faults.notice_ns`), at most that of the watchdog: closed loops and reorder buffers wait for
    /// it no longer.
    pub notice: Span,
}

impl Default for FaultConfig {
    fn default() -> FaultConfig {
        FaultConfig {
            protocol: hierarchy::recovery::Protocol::default(),
            tables: FaultTables::default(),
            events: Vec::new(),
            random: None,
            notice: FaultConfig::NOTICE,
        }
    }
}

impl FaultConfig {
    /// The notice unless another is given, ticks.
    pub const NOTICE: Span = Span(1_000);

    /// Whether anything ever fails.
    pub fn is_none(&self) -> bool {
        self.events.is_empty() && self.random.is_none()
    }
}

/// A whole fabric with its traffic.
#[derive(Debug, Clone)]
pub struct FabricConfig {
    /// Graph, routes, turn widths; checked.
    pub network: Arc<Network>,
    /// Ticks, phits, rates.
    pub time_base: TimeBase,
    /// Every switch.
    pub switch: SwitchConfig,
    /// Where switches find egress ports; with [`RoutingKind::Table`] the network has tables.
    pub routing: RoutingKind,
    /// Every link.
    pub link: LinkConfig,
    /// Every end node.
    pub endnode: EndNodeConfig,
    /// Largest packet; longer messages are cut into packets of this size.
    pub packet_bytes: u32,
    /// Who sends what to whom, when.
    pub workload: Workload,
    /// What throughput is relative to (delivered bytes per ns), where the topology defines it.
    pub maximum_bytes_per_ns: Option<Ratio>,
    /// Links that the results name: `(name, [(switch, port)])`, sending side.
    pub named_links: Vec<(String, Vec<(u32, u8)>)>,
    /// What fails and when; with [`RoutingKind::TwoLevel`] only.
    pub faults: FaultConfig,
    /// When to measure.
    pub run: RunConfig,
    /// Windows of time that results are counted in apart.
    pub windows: Vec<WindowConfig>,
    /// Destinations of the groups whose pattern is `hot`, sorted: flows to all others are victims.
    pub hot_destinations: Vec<u32>,
}

/// Whether a link carries anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkState {
    /// It does.
    Up,
    /// Nothing starts on it.
    Down,
}
