//! What can go wrong in a port memory.

/// A broken invariant or a wrong call of a port memory, in words: the caller adds unit and tick and
/// ends the run.
///
/// Overflow is a bug of the model, never a drop [spec page `switch.md`]: credits must have kept the
/// packet away.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct MmuError(pub String);
