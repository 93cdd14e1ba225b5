//! What is seen when the measured time and each window end: which flows starve, and counts.

use super::Watched;
use crate::engine::{Implementation, either};
use crate::faults::FaultRecord;
use observe::{Observer, ReorderPeak, Window};
use plan::FabricConfig;
use units::{Span, Tick};

/// Source, destination.
type Flow = (u32, u32);

/// What was seen when the measured time ended.
#[derive(Debug, Clone, Default)]
pub(super) struct Measured {
    /// Flows that starved in it (source, destination), sorted; `None` if it is empty.
    pub(super) starved: Option<Vec<Flow>>,
    /// Flows that had something to deliver and of which nothing was delivered in it.
    pub(super) waiting: u64,
    /// What the engine says by these names.
    pub(super) longest_waits: [Span; 2],
    pub(super) reorder_peak: Option<ReorderPeak>,
    pub(super) marking_events: [u64; 3],
    /// Each fault, and what came of it until then.
    pub(super) faults: Vec<FaultRecord>,
}

/// When to look, and what was seen.
#[derive(Debug, Clone)]
pub(super) struct Snapshots {
    /// Ends of windows that are not empty and of the measured time, sorted.
    ticks: Vec<Tick>,
    windows: Vec<Window>,
    measured_span: Window,
    /// Flows that starved in each window; `None` of an empty one and before its end.
    pub(super) starved: Vec<Option<u64>>,
    pub(super) measured: Option<Measured>,
}

impl Snapshots {
    pub(super) fn new(config: &FabricConfig) -> Snapshots {
        let windows: Vec<_> = config.windows.iter().map(|w| (w.start, w.end)).collect();
        let ends = windows.iter().filter(|w| w.1 > w.0).map(|w| w.1);
        let mut ticks: Vec<Tick> = ends.chain([config.run.duration]).collect();
        ticks.sort_unstable();
        ticks.dedup();
        Snapshots {
            ticks,
            starved: vec![None; windows.len()],
            windows,
            measured_span: (config.run.warmup, config.run.duration),
            measured: None,
        }
    }

    /// The next tick to look at.
    pub(super) fn next(&self) -> Option<Tick> {
        self.ticks.first().copied()
    }

    /// Takes one, if it is time.
    pub(super) fn take_due<X: Observer>(&mut self, fabric: &mut Watched<X>) {
        let now = fabric.now();
        if self.next() != Some(now) {
            return;
        }
        self.ticks.remove(0);
        for (&(start, end), count) in self.windows.iter().zip(&mut self.starved) {
            if end == now && start < end {
                *count = Some(starved(fabric, (start, end)).len() as u64);
            }
        }
        if now == self.measured_span.1 {
            self.take_measured(fabric);
        }
    }

    /// One at the end of the measured time, or where a run was left before.
    pub(super) fn take_measured<X: Observer>(&mut self, fabric: &mut Watched<X>) {
        let span = (self.measured_span.0, fabric.now());
        let mut flows = outstanding(fabric, |_| true);
        flows.retain(|&(source, destination)| {
            let stats = fabric.observers().map(|o| &o.0.0);
            stats.map(|s| s.measured_bytes(source, destination)).sum::<u64>() == 0
        });
        self.measured = Some(Measured {
            starved: (span.0 < span.1).then(|| starved(fabric, span)),
            waiting: flows.len() as u64,
            longest_waits: either!(&fabric.engine, it => it.longest_waits()),
            reorder_peak: either!(&fabric.engine, it => it.reorder_peak()),
            marking_events: either!(&fabric.engine, it => it.marking_events()),
            faults: fabric.fault_log().to_vec(),
        });
    }
}

/// Flows with standing demand of which nothing was delivered in a window that ends now, sorted.
/// Demand stands if the oldest message that has not arrived has waited for at least half of the
/// window.
fn starved<X: Observer>(fabric: &Watched<X>, (start, end): Window) -> Vec<Flow> {
    let stands = |born: Tick| (end - born.max(start)) * 2 >= end - start;
    let mut flows = outstanding(fabric, stands);
    flows.retain(|&(source, destination)| {
        let stats = fabric.observers().map(|o| &o.0.0);
        let last = stats.filter_map(|s| s.last_delivery(source, destination)).max();
        last.is_none_or(|last| last < start)
    });
    flows
}

/// Flows with a message that was generated in a tick that is `wanted` and has not arrived, sorted.
fn outstanding<X: Observer>(fabric: &Watched<X>, wanted: impl Fn(Tick) -> bool) -> Vec<Flow> {
    let mut flows = Vec::new();
    either!(&fabric.engine, it => it.outstanding(|what| {
        if what.is_message && wanted(what.born) {
            flows.push((what.source, what.destination));
        }
    }));
    flows.sort_unstable();
    flows.dedup();
    flows
}
