//! The largest networks, and the most virtual channels.

/// The most end nodes of a network. The check walks every pair, and a run keeps records of all
/// pairs that it meets (flows, sequence numbers, admittance queues): of all of them 1 GB with 4,096
/// nodes, 15 GB at the most.
pub const NODES_MAX: u32 = 16_384;

/// The most where switches have routing tables: these have all nodes at every port.
pub const TABLE_NODES_MAX: u32 = 4096;

/// Why there is a [`NODES_MAX`], for messages.
pub const NODES_MAX_REASON: &str = "tables of all pairs of nodes fill the memory beyond";

/// The most virtual channels of a link.
pub const VCS_MAX: u8 = 16;
