//! Runs that are looked into: the clock stops where somebody wants to see ports.

use super::Run;
use crate::watch::RunError;
use inspect::waveform::{Signals, Sink};
use inspect::{Looking, RecorderConfig, Recording, Selection, Watch, WatchConfig, Waves};
use plan::FabricConfig;
use plan::{ConfigError, MemoryLayout};
use plan::{Layouts, params};
use std::io;
use units::{Span, Tick, WireId};

impl<X: Looking> Run<X> {
    /// Simulates up to `until`, at most to the end, with looks at ports on the way: of each sampled
    /// tick the recorder sees the state before it and the state after it, while the run does not
    /// drain; waves see the state after every tick of their window. Results are those of
    /// [`Run::step`].
    ///
    /// # Errors
    /// Deadlock or livelock.
    pub fn step_recorded(&mut self, until: Tick) -> Result<(), RunError> {
        loop {
            let (now, duration) = (self.fabric.now(), self.config.run.duration);
            let sample = self.recording().map(|r| r.recorder.next_sample());
            let sample = sample.filter(|at| *at < duration);
            let waves = self.waves().and_then(|waves| waves.next_look(now));
            let looks = [sample, waves].into_iter().flatten();
            let Some(at) = looks.min().filter(|at| *at < until && !self.is_over) else {
                return self.step(until);
            };
            self.step(at)?;
            let is_sampled = sample == Some(at);
            let sampler = self.recording().filter(|_| is_sampled);
            let mut sample = sampler.map(|recording| recording.recorder.begin_sample());
            if let Some(sample) = &mut sample {
                self.fabric.probe(|port| sample.before(&port));
            }
            self.step(at.next())?;
            if let Some(mut sample) = sample {
                self.fabric.probe(|port| sample.after(&port));
                if let Some(recording) = self.recording() {
                    recording.recorder.end_sample(sample);
                }
            }
            if waves == Some(at) && self.fabric.now() == at.next() {
                self.look_at_waves();
            }
        }
    }

    fn waves(&mut self) -> Option<&mut Waves> {
        self.fabric.observer.1.waves()?.as_deref_mut()
    }

    fn look_at_waves(&mut self) {
        let slot = self.fabric.observer.1.waves();
        if let Some(mut waves) = slot.and_then(Option::take) {
            let looks = waves.looks();
            waves.look(looks.iter().filter_map(|unit| self.fabric.look(*unit)));
            if let Some(slot) = self.fabric.observer.1.waves() {
                *slot = Some(waves);
            }
        }
    }

    /// Begins the file of the waves, which starts at a time in ps; before the first tick.
    ///
    /// # Errors
    /// What it is written to does not take it.
    pub fn begin_waves(
        &mut self,
        file: impl FnOnce(&Signals, u64) -> io::Result<Box<dyn Sink + Send>>,
    ) -> io::Result<()> {
        let slot = self.fabric.observer.1.waves();
        let Some(mut waves) = slot.and_then(Option::take) else {
            return Ok(());
        };
        let looks = waves.looks();
        let begun = waves.begin(looks.iter().filter_map(|unit| self.fabric.look(*unit)), file);
        if let Some(slot) = self.fabric.observer.1.waves() {
            *slot = Some(waves);
        }
        begun
    }

    /// Ends the file of the waves; the run may have failed.
    ///
    /// # Errors
    /// What it is written to did not take it.
    pub fn end_waves(&mut self) -> io::Result<()> {
        let now = self.fabric.now();
        self.waves().map_or(Ok(()), |waves| waves.end(now))
    }

    fn recording(&mut self) -> Option<&mut Recording> {
        self.fabric.observer.1.recording()
    }

    /// Ends a recorded run: closes the last windows and bins. Call it before [`Run::finish`].
    pub fn end_recording(&mut self) {
        let now = self.fabric.now();
        if let Some(recording) = self.recording() {
            recording.finish(now);
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
    let layouts = Layouts { params: &params, graph };
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
