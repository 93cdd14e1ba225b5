//! What cannot be.

use super::Region;
use units::PortId;

/// Wrong tables, or a broken invariant.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecoveryError {
    /// A port is local and global.
    #[error("ports {0:#x} are local and global")]
    LocalAndGlobal(u64),
    /// An entry names a port that it cannot lead through: T1 local ports only, T2 any of a link.
    #[error("entry {region:?} names ports {ports:#x}; legal: {legal:#x}")]
    Ports {
        /// The entry.
        region: Region,
        /// Its ports, as a mask.
        ports: u64,
        /// Ports that it may have.
        legal: u64,
    },
    /// More entries than an index of 16 bits can name.
    #[error("{0} entries; at most 65536 are legal")]
    Entries(usize),
    /// A message is about an entry that the tables do not have.
    #[error(
        "a message from port {port} is about {region:?}; the tables have {nodes} nodes and \
             {super_nodes} super nodes"
    )]
    NoEntry {
        /// Where it came from.
        port: PortId,
        /// What it is about.
        region: Region,
        /// Entries of T1.
        nodes: usize,
        /// Entries of T2.
        super_nodes: usize,
    },
    /// A message of another protocol.
    #[error("a message from port {0} is of another protocol than this router's")]
    OtherProtocol(PortId),
}
