//! Runs that are looked into: the clock stops where somebody wants to see ports.

use super::Run;
use crate::config::FabricConfig;
use crate::layouts::{Layouts, params};
use crate::watch::RunError;
use observe::{Looking, RecorderConfig, Recording, Selection, Watch, WatchConfig};
use switch::{ConfigError, MemoryLayout};
use units::{Span, Tick, WireId};

impl<X: Looking> Run<X> {
    /// Simulates up to `until`, at most to the end, with samples on the way: of each sampled tick
    /// the recorder sees the state before it and the state after it. While the run drains there are
    /// none. Results are those of [`Run::step`].
    ///
    /// # Errors
    /// Deadlock or livelock.
    pub fn step_recorded(&mut self, until: Tick) -> Result<(), RunError> {
        loop {
            let next = self.recording().map(|r| r.recorder.next_sample());
            let Some(at) = next.filter(|at| *at < until.min(self.config.run.duration)) else {
                return self.step(until);
            };
            self.step(at)?;
            let Some(recording) = self.fabric.observer.1.recording() else {
                return Ok(());
            };
            let mut sample = recording.recorder.begin_sample();
            self.fabric.probe(|port| sample.before(&port));
            self.step(at.next())?;
            self.fabric.probe(|port| sample.after(&port));
            if let Some(recording) = self.recording() {
                recording.recorder.end_sample(sample);
            }
        }
    }

    fn recording(&mut self) -> Option<&mut Recording> {
        self.fabric.observer.1.recording()
    }

    /// Ends a recorded run: closes the last windows and bins. Call it before [`Run::finish`].
    pub fn end_recording(&mut self) {
        let now = self.fabric.now();
        if let Some(recording) = self.recording() {
            recording.trees.finish(now);
            recording.recorder.finish();
        }
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

/// The observer of a run of which packets or units are watched.
///
/// # Errors
/// What cannot be built. Selections are to be checked before ([`Selection::check`]).
pub fn watch(config: &FabricConfig, selections: Vec<Selection>) -> Result<Watch, ConfigError> {
    Ok(Watch::new(WatchConfig {
        selections,
        network: config.network.clone(),
        time_base: config.time_base,
        normal_queues: normal_queues(config)?,
    }))
}

/// Normal queues of all port memories, by wire, then side.
fn normal_queues(config: &FabricConfig) -> Result<Vec<[u32; 2]>, ConfigError> {
    let (params, graph) = (params(config)?, config.network.graph());
    let layouts = Layouts {
        params: &params,
        graph,
    };
    let queues = |memory: Option<MemoryLayout>| memory.unwrap_or_default().queues;
    let mut all = Vec::new();
    for switch in 0..graph.switches() as u32 {
        for port in 0..graph.ports(switch) as u8 {
            let ingress = queues(layouts.ingress(switch, port)?);
            all.push([ingress, queues(layouts.egress(switch, port)?)]);
        }
    }
    for node in 0..graph.nodes() as u32 {
        all.push([0, layouts.injection(node)?.queues]);
    }
    Ok(all)
}
