//! What an engine has seen of faults.

use units::Tick;

/// What has been seen of faults since the last one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    /// The last change of an entry.
    pub(crate) changed: Tick,
    /// FD, FR and end marks that were sent.
    pub(crate) messages: u64,
    /// Packets lost: on links that went down, in memories of a node, or cut in two.
    pub(crate) lost: u64,
    pub(crate) stranded: u64,
}
