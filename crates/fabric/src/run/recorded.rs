//! Runs that are looked into: the clock stops where somebody wants to see ports.

use super::Run;
use crate::engine::Engine;
use crate::watch::RunError;
use inspect::waveform::{Signals, Sink};
use inspect::{
    Inspection, Recorder, RecorderConfig, Recording, Selection, Watch, WatchConfig, Waves,
};
use observe::{PortProbe, PortView};
use plan::{ConfigError, FabricConfig, Layouts, MemoryLayout, params};
use std::io;
use units::{Span, Tick, WireId};

impl Run<Inspection> {
    /// A run that is looked into, before its first tick; compiled here as [`Run::advance`] is.
    ///
    /// # Errors
    /// What cannot be built.
    pub fn inspected(
        config: &FabricConfig,
        engine: Engine,
        inspection: Inspection,
    ) -> Result<Run<Inspection>, ConfigError> {
        Run::with(config, engine, inspection)
    }

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
            let inspection = &self.fabric.observer.1;
            let sample = inspection.recording.as_ref().map(|r| r.recorder.next_sample());
            let sample = sample.filter(|at| *at < duration);
            let waves = inspection.waves.as_ref().and_then(|waves| waves.next_sample(now));
            let samples = [sample, waves].into_iter().flatten();
            let Some(at) = samples.min().filter(|at| *at < until && !self.is_over) else {
                return self.step(until);
            };
            self.step(at)?;
            let is_sampled = sample == Some(at);
            if is_sampled {
                self.sample(Recorder::before);
            }
            self.step(at.next())?;
            if is_sampled {
                self.sample(Recorder::after);
            }
            if waves == Some(at) && self.fabric.now() == at.next() {
                let ports = self.wave_ports();
                if let Some(waves) = &mut self.fabric.observer.1.waves {
                    waves.sample(ports);
                }
            }
        }
    }

    fn sample(&mut self, take: fn(&mut Recorder, &[PortProbe])) {
        let mut ports = Vec::new();
        self.fabric.probe(|port| ports.push(port));
        if let Some(recording) = &mut self.fabric.observer.1.recording {
            take(&mut recording.recorder, &ports);
        }
    }

    /// The ports that waves show, as they are now.
    fn wave_ports(&mut self) -> Vec<PortView> {
        let waves = self.fabric.observer.1.waves.as_ref();
        let units = waves.map(Waves::sampled).unwrap_or_default();
        units.iter().filter_map(|unit| self.fabric.look(*unit)).collect()
    }

    /// Begins the file of the waves, which starts at a time in ps; before the first tick.
    ///
    /// # Errors
    /// What it is written to does not take it.
    pub fn begin_waves(
        &mut self,
        file: impl FnOnce(&Signals, u64) -> io::Result<Box<dyn Sink + Send>>,
    ) -> io::Result<()> {
        let ports = self.wave_ports();
        let waves = self.fabric.observer.1.waves.as_mut();
        waves.map_or(Ok(()), |waves| waves.begin(ports, file))
    }

    /// Ends the file of the waves; the run may have failed.
    ///
    /// # Errors
    /// What it is written to did not take it.
    pub fn end_waves(&mut self) -> io::Result<()> {
        let now = self.fabric.now();
        self.fabric.observer.1.waves.as_mut().map_or(Ok(()), |waves| waves.end(now))
    }

    /// Ends a recorded run: closes the last windows and bins. Call it before [`Run::finish`].
    pub fn end_recording(&mut self) {
        let now = self.fabric.now();
        if let Some(recording) = &mut self.fabric.observer.1.recording {
            recording.finish(now);
        }
    }
}

/// The observers of a recorded run; bins are those of the series.
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
