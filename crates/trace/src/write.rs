//! Writes traces: files that the readers, and others' readers, take.

mod packed;
mod records;

pub use packed::Packed;
pub use records::{RecordWriter, WriteError};
