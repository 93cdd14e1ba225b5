//! Runs that are recorded: the clock stops at sampling times and lets the recorder look.

use super::Run;
use crate::config::FabricConfig;
use crate::watch::RunError;
use observe::{RecorderConfig, Recording};
use units::{Span, Tick, WireId};

impl Run<Recording> {
    /// Simulates up to `until`, at most to the end, with samples on the way: of each sampled tick
    /// the recorder sees the state before it and the state after it. While the run drains there are
    /// none. Results are those of [`Run::step`].
    ///
    /// # Errors
    /// Deadlock or livelock.
    pub fn step_recorded(&mut self, until: Tick) -> Result<(), RunError> {
        loop {
            let at = self.fabric.observer.1.recorder.next_sample();
            if at >= until.min(self.config.run.duration) {
                return self.step(until);
            }
            self.step(at)?;
            let mut sample = self.fabric.observer.1.recorder.begin_sample();
            self.fabric.probe(|port| sample.before(&port));
            self.step(at.next())?;
            self.fabric.probe(|port| sample.after(&port));
            self.fabric.observer.1.recorder.end_sample(sample);
        }
    }

    /// Ends a recorded run: closes the last windows and bins. Call it before [`Run::finish`].
    pub fn end_recording(&mut self) {
        let now = self.fabric.now();
        let recording = &mut self.fabric.observer.1;
        recording.trees.finish(now);
        recording.recorder.finish();
    }
}

/// The observers of a recorded run: ports are sampled every `interval`; bins are those of the
/// series.
pub fn recording(config: &FabricConfig, interval: Span) -> Recording {
    let ports = config.network.graph().ports_total();
    let recorder = RecorderConfig {
        ports: ports + config.network.nodes(),
        first_node_port: WireId::at(ports),
        bin: config.run.series_bin,
        interval,
        duration: config.run.duration,
        time_base: config.time_base,
    };
    Recording::new(config.network.clone(), recorder)
}
