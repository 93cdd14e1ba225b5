//! Observers of the inside of a run.
//!
//! [`Trees`] finds congestion trees, [`Recorder`] samples ports over time; [`Recording`] is both
//! together. [`Watch`] reports what happens to one packet or port, [`Waves`] writes registers as
//! waveforms, [`MessageLog`] hands on messages; an [`Inspection`] is all that were asked for. They
//! see events, and ports as plain values, see the crate `observe`, and depend on no engine.

mod inspection;
mod messages;
mod points;
mod recorder;
mod trees;
mod watch;
pub mod waveform;
mod waves;

pub use inspection::{Inspection, Recording};
pub use messages::{Logged, MessageLog};
pub use recorder::{Recorder, RecorderConfig};
pub use trees::{
    Branch, BranchRow, Inside, InsideRow, Move, MoveRow, PortCounts, Tree, TreeRow, Trees,
    TreesRecord,
};
pub use watch::{AbsentUnit, Selection, SelectionError, Watch, WatchConfig, emit};
pub use waves::{Waves, WavesConfig};
