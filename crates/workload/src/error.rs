//! Wrong workloads, each with the key, what was given and what is legal.

use units::Ratio;

use crate::arrivals::BERNOULLI_LOAD_PARTS_MAX;
use crate::interval::IntervalError;
use crate::pattern::{Pattern, Shape};
use crate::size::{MESSAGE_BYTES_MAX, MessageBytes};

/// A workload that cannot be built. `key` is the setting in the scenario file, such as
/// `workload.hot.sources`; settings of `[[workload.group]]` have the number of the group in
/// brackets.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorkloadError {
    /// A load above the link rate.
    #[error("{key}: {given} given; legal: 0 to 1 (of the link rate)")]
    Load {
        /// The setting.
        key: String,
        /// The load given.
        given: Ratio,
    },
    /// A load so small that the search for the next successful trial would not end.
    #[error(
        "{key}: {given} given with bernoulli arrivals; \
         legal: 0, or 1/{BERNOULLI_LOAD_PARTS_MAX} to 1"
    )]
    BernoulliLoad {
        /// The setting.
        key: String,
        /// The load given.
        given: Ratio,
    },
    /// Load and message length that together give no usable interval.
    #[error("{key}: messages would start {} ticks apart, more than can be counted exactly; legal: 0, or a load of 1e-8 or more of at most 8 digits, such as 0.125", fraction.shown())]
    Interval {
        /// The setting.
        key: String,
        /// The fraction of ticks that came out.
        fraction: IntervalError,
    },
    /// A permutation on a number of nodes that it is not defined for.
    #[error("{key}: `{pattern}` given for {nodes} nodes; legal: {legal}")]
    Shape {
        /// The setting.
        key: String,
        /// The pattern given.
        pattern: Pattern,
        /// Number of nodes of the network.
        nodes: u32,
        /// What the pattern asks for.
        legal: Shape,
    },
    /// A pattern that goes by blocks where nodes are in none.
    #[error("{key}: `{pattern}` given; legal: in a network of super nodes")]
    NoBlocks {
        /// The setting.
        key: String,
        /// The pattern given.
        pattern: Pattern,
    },
    /// Lengths of messages that are none.
    #[error(
        "{key}: {given} given; \
         legal: 1 to {MESSAGE_BYTES_MAX} bytes, the shortest first, a weight above 0"
    )]
    MessageBytes {
        /// The setting.
        key: String,
        /// The lengths given.
        given: MessageBytes,
    },
    /// A node that the network does not have.
    #[error("{key}: node {given} given; legal: 0 to {}", nodes.saturating_sub(1))]
    NoSuchNode {
        /// The setting.
        key: String,
        /// The node given.
        given: u32,
        /// Number of nodes of the network.
        nodes: u32,
    },
    /// A network without nodes.
    #[error("{key}: {given} given; legal: 1 or more")]
    NoNodes {
        /// The setting.
        key: String,
        /// Number of nodes given.
        given: u32,
    },
    /// A node twice in a list of sources.
    #[error("{key}: node {given} given twice; legal: each node once")]
    RepeatedSource {
        /// The setting.
        key: String,
        /// The node given.
        given: u32,
    },
    /// More or fewer sources than can be placed.
    #[error(
        "{key}: {given} sources given; \
         legal: 1 to {limit} (nodes that are no hot destination and send in no other group), or a list of nodes"
    )]
    SourceCount {
        /// The setting.
        key: String,
        /// Number of sources given.
        given: u64,
        /// Nodes that are left.
        limit: u32,
    },
    /// A share of the nodes that is above 1 or holds not even one node.
    #[error("{key}: {given} of {nodes} nodes given; legal: 1/{nodes} to 1")]
    Share {
        /// The setting.
        key: String,
        /// The share given.
        given: Ratio,
        /// Number of nodes of the network.
        nodes: u32,
    },
    /// A pattern that goes by a list of destinations, with a list of another length.
    #[error("{key}: {given} destinations given for `{pattern}`; legal: {legal}")]
    DestinationCount {
        /// The setting.
        key: String,
        /// The pattern.
        pattern: Pattern,
        /// Length of the list given.
        given: usize,
        /// The lengths that are legal.
        legal: String,
    },
    /// A source that would have only itself to send to.
    #[error(
        "{key}: node {given} would send to itself; \
         legal: another destination, or `workload.self = true`"
    )]
    SelfDestination {
        /// The setting.
        key: String,
        /// The node.
        given: u32,
    },
    /// A window that ends before it starts.
    #[error("{key}: {given} given; legal: more than the start, {start_ns}")]
    Window {
        /// The setting.
        key: String,
        /// The end given, in ns.
        given: u64,
        /// The start, in ns.
        start_ns: u64,
    },
    /// A reply of no bytes, or of too many.
    #[error("{key}: {given} given; legal: 1 to {MESSAGE_BYTES_MAX} bytes")]
    ReplyBytes {
        /// The setting.
        key: String,
        /// The length given, in bytes.
        given: u32,
    },
    /// A window that lets no request out.
    #[error("{key}: {given} given; legal: 1 or more requests")]
    NoWindow {
        /// The setting.
        key: String,
        /// The window given, in requests.
        given: u32,
    },
    /// A setting that says nothing without another.
    #[error("{key}: given without {needs}; legal: both, or neither")]
    Needs {
        /// The setting.
        key: String,
        /// The other.
        needs: String,
    },
    /// A time beyond the clock.
    #[error("{key}: {given} ns given; legal: what 64 bits of ticks hold")]
    Time {
        /// The setting.
        key: String,
        /// The time, in ns.
        given: u64,
    },
    /// Two groups of one name, or a group with the name of the random sources.
    #[error(
        "{key}: `{given}` given; legal: a name that is not empty, not `delivered` or `victims`, and that no other group has"
    )]
    GroupName {
        /// The setting.
        key: String,
        /// The name given.
        given: String,
    },
    /// A group that would draw from the random streams of hot spots that move.
    #[error(
        "{key}: `{given}` given, the name of random streams of `workload.moving`; \
         legal: another name"
    )]
    StreamName {
        /// The setting.
        key: String,
        /// The name given.
        given: String,
    },
    /// More destinations hot at a time than there are sources.
    #[error("{key}: {given} given for {sources} sources; legal: 1 to {sources}")]
    Overlap {
        /// The setting.
        key: String,
        /// The number given.
        given: u32,
        /// Number of sources.
        sources: usize,
    },
    /// Hot spots that move so fast that a set of sources would have two at a time.
    #[error(
        "{key}: {given} ns given, so that sources would turn to the next destination after \
         {overlap} x {given} ns, and each is hot for {dwell_ns} ns; \
         legal: {least_ns} ns or more, or up to {overlap} destinations"
    )]
    Period {
        /// The setting.
        key: String,
        /// The period given, in ns.
        given: u64,
        /// Destinations hot at a time.
        overlap: u32,
        /// For how long each is hot, in ns.
        dwell_ns: u64,
        /// The least that is legal, in ns.
        least_ns: u64,
    },
    /// A number or time of 0 where that says nothing.
    #[error("{key}: 0 given; legal: 1 or more")]
    Zero {
        /// The setting.
        key: String,
    },
    /// More groups than a message can name.
    #[error("{key}: {given} groups given; legal: up to 255")]
    GroupCount {
        /// The setting.
        key: String,
        /// Number of groups given, that of the random sources not counted.
        given: usize,
    },
}

impl WorkloadError {
    /// The setting that is wrong, such as `workload.hot.sources`.
    pub fn key(&self) -> &str {
        match self {
            Self::Load { key, .. }
            | Self::BernoulliLoad { key, .. }
            | Self::Interval { key, .. }
            | Self::Shape { key, .. }
            | Self::NoBlocks { key, .. }
            | Self::MessageBytes { key, .. }
            | Self::NoSuchNode { key, .. }
            | Self::NoNodes { key, .. }
            | Self::RepeatedSource { key, .. }
            | Self::SourceCount { key, .. }
            | Self::Share { key, .. }
            | Self::DestinationCount { key, .. }
            | Self::SelfDestination { key, .. }
            | Self::Window { key, .. }
            | Self::ReplyBytes { key, .. }
            | Self::NoWindow { key, .. }
            | Self::Needs { key, .. }
            | Self::Time { key, .. }
            | Self::GroupName { key, .. }
            | Self::StreamName { key, .. }
            | Self::Overlap { key, .. }
            | Self::Period { key, .. }
            | Self::Zero { key }
            | Self::GroupCount { key, .. } => key,
        }
    }
}
