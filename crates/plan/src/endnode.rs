//! End nodes.

use ecn::response::Config;
use units::Span;

units::named! {
    /// Which admittance queue is served next (key `endnode.admittance_arbiter`; spec: recn.md,
    /// Admittance into injection).
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
    pub enum AdmittanceArbiter: "admittance arbiter" {
        /// Round robin over the destinations with waiting messages.
        #[default]
        RoundRobin = "round-robin",
        /// A uniformly drawn destination among those that may move.
        Random = "random",
        /// The oldest message among those that may move.
        OldestFirst = "oldest-first",
    }
}

units::named! {
    /// What a message does that finds its admittance queue full (key `workload.generator`).
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
    pub enum GeneratorRule: "rule of generators" {
        /// It is refused at the source; the arrival process continues.
        #[default]
        Drop = "drop",
        /// It waits for room, and the arrival process with it.
        Delayed = "delayed",
    }
}

/// End nodes (spec: switch.md, End nodes).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndNodeConfig {
    /// Bound of each admittance queue, bytes; `None` = unbounded.
    pub admittance_bytes: Option<u32>,
    /// Who moves to injection next.
    pub admittance_arbiter: AdmittanceArbiter,
    /// What a message does that finds its queue full.
    pub generator: GeneratorRule,
    /// Packets that come before an earlier one of their flow wait for it (key
    /// `endnode.reorder_buffer`). For routes that are chosen at each hop.
    pub reorder_buffer: bool,
    /// Every packet is answered by an ACK, and sources answer marks; `None`: neither.
    pub ecn: Option<EcnEndConfig>,
}

/// What sources answer marks with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EcnEndConfig {
    /// Bytes of an ACK (key `ecn.ack_bytes`); nothing with `cnps`.
    pub ack_bytes: u32,
    /// CNPs in the place of ACKs (`dcqcn`).
    pub cnps: Option<CnpConfig>,
    /// Rate and window (keys `ecn.response`, `ecn.rate_ratio`, `ecn.window`).
    pub response: Config,
}

/// Marked packets are answered by CNPs, and no packet by an ACK.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CnpConfig {
    /// Bytes of a CNP (key `dcqcn.cnp_bytes`).
    pub bytes: u32,
    /// At most one a flow in this time (key `dcqcn.cnp_interval_ns`).
    pub interval: Span,
}
