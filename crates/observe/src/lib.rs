//! Observers: what a run measures of itself, at fixed hook points.
//!
//! A fabric notifies an [`Observer`] of every [`Event`] with its tick; observers change nothing.
//! [`Stats`] counts what a [`Record`] states, [`EventsHash`] adds up all that happened, [`Trace`]
//! writes it down. Inputs are plain values, whatever records an engine has: packets as
//! [`PacketView`], ports as [`PortProbe`] and [`PortView`]. On several threads every part of a
//! fabric has an observer of its own ([`Observer::fork`]), merged so that the parts do not show.

mod event;
mod hash;
mod observer;
mod packet;
mod port;
mod record;
mod stats;
mod trace;

pub use event::{Event, Offered, Place, Side};
pub use hash::EventsHash;
pub use observer::{Observer, Owner, View};
pub use packet::{PacketKey, PacketKind, PacketView, REPLY_SEQUENCE, payload};
pub use port::{CellsInUse, LineView, LinesInUse, PortProbe, PortView, SenderView, Waits};
pub use record::{
    DrainSummary, EcnSummary, FaultRow, FaultSummary, FlowRow, FlowSetResult, LatencyBucket,
    LatencyFigure, LatencyHistogram, LatencyRow, LatencySet, LatencySummary, LongestWait,
    MemoryBits, PauseRow, PauseSummary, RecnCounts, Record, ReorderPeak, SaqPeaks, SeriesRow,
    Steady, Summary, Timing, UntilResult, UntilSummary, WindowResult,
};
pub use stats::{
    Counts, FlowSet, Frees, LatencyCounts, Outstanding, PauseCause, PauseCount, SetCounts, Stats,
    StatsConfig, Way, Window, is_early,
};
pub use trace::Trace;
