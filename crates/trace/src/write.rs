//! Writes traces: files that the readers, and others' readers, take.

mod messages;
mod packed;
mod records;

pub use messages::MessageWriter;
pub use packed::Packed;
pub use records::{RecordWriter, WriteError};
