//! Observers: what a run measures of itself, at fixed hook points.
//!
//! A fabric notifies an [`Observer`] of every [`Event`] with its tick; observers
//! change nothing. [`Stats`] counts what a [`Record`] states, [`EventsHash`] adds up all that
//! happened, [`Trace`] writes it down. A pair of observers sees everything, the first one
//! first. Those that examine a run are in the crate `inspect`.
//!
//! On several threads every part of a fabric has an observer of its own, see [`Observer::fork`]:
//! their results are merged from sums and maxima of integers, so that the parts do not show.
//!
//! This crate depends on no clock, engine or switch: its inputs are plain values, packets as
//! [`PacketView`], ports as [`PortProbe`] and [`PortView`], whatever records an engine has of them.

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
