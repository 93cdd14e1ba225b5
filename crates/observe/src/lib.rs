//! The observers that come with the fabric.

mod hash;
mod points;
mod recorder;
mod recording;
mod stats;
mod trace;
mod trees;

pub use hash::EventsHash;
pub use recorder::{Recorder, RecorderConfig};
pub use recording::Recording;
pub(crate) use stats::{FlowSet, named_links};
pub use stats::{Stats, StatsConfig};
pub use trace::Trace;
pub use trees::{Branch, Inside, Move, Tree, TreeRow, Trees, TreesRecord};
