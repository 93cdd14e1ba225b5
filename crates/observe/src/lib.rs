//! Observers: what a run says about itself, from what it is told at fixed hook points.
//!
//! A fabric tells an [`Observer`] of every event in the tick in which it happens; observers change
//! nothing. [`Stats`] counts what a [`Record`] states, [`EventsHash`] adds up all that happened,
//! [`Trace`] writes it down, [`Trees`] finds congestion trees, and [`Recorder`] looks at ports over
//! time; [`Recording`] is the last two together. [`Watch`] tells the story of one packet or port,
//! [`Waves`] writes registers as waveforms. Two observers in a pair are told everything, the
//! first one first.
//!
//! On several threads every part of a fabric has an observer of its own, see [`Observer::fork`]:
//! what they say is put together from sums and maxima of integers, so that the parts do not show.
//!
//! This crate does not know the clock and engines. What it must know of a fabric comes in as plain
//! values: [`StatsConfig`], [`RecorderConfig`], [`PortProbe`], [`Outstanding`].

mod hash;
mod inspection;
mod look;
mod observer;
mod pair;
mod points;
mod probe;
mod record;
mod recorder;
mod recording;
mod stats;
mod trace;
mod trees;
mod watch;
mod waves;

pub use endnode::Offered;
pub use hash::EventsHash;
pub use inspection::{Inspection, Looking};
pub use look::{PortLook, PortSide};
pub use observer::{Observer, Owner, View};
pub use probe::{LinesInUse, PortProbe};
pub use record::{
    EcnSummary, FaultRow, FaultSummary, FlowRow, FlowSetResult, LatencyFigure, LatencyRow,
    LatencySummary, LongestWait, MemoryBits, PauseRow, PauseSummary, RecnCounts, Record,
    ReorderPeak, SaqPeaks, SeriesRow, Steady, Summary, Timing, WindowResult,
};
pub use recorder::{Recorder, RecorderConfig, Sample};
pub use recording::Recording;
pub use stats::{FlowSet, Outstanding, PauseCause, PauseCount, Stats, StatsConfig, Way, Window};
pub use trace::Trace;
pub use trees::{
    Branch, BranchRow, Inside, InsideRow, Move, MoveRow, PortCounts, Tree, TreeRow, Trees,
    TreesRecord, XoffSpan,
};
pub use watch::{AbsentUnit, Selection, SelectionError, Watch, WatchConfig, tell};
pub use waves::{Waves, WavesConfig};
