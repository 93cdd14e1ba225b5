//! What an engine has seen of faults.

use units::Tick;

/// What has been seen of faults since the last one.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Seen {
    /// The last change of an entry.
    pub(crate) changed: Tick,
    pub(crate) messages: u64,
    pub(crate) lost: u64,
    pub(crate) stranded: u64,
}
