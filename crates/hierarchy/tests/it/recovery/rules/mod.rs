//! The unit alone, a rule a test (spec: rsi.md, Fault discovery and recovery).

mod paper;
mod per_entry;
mod refusals;
pub(crate) mod table;
