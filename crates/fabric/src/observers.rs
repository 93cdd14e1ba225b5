//! The observers that come with the fabric.

mod hash;
mod stats;
mod trace;

pub use hash::EventsHash;
pub use stats::{Stats, StatsConfig};
pub use trace::Trace;
