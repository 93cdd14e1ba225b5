//! Trees and ports recorded together: what `setaside run --record` writes.

use super::recorder::{Recorder, RecorderConfig};
use super::trees::Trees;
use crate::config::FabricConfig;
use crate::observer::{Observer, View};
use std::sync::Arc;
use switch::{Event, Place};
use units::Ticks;

/// Both observers.
#[derive(Debug, Clone)]
pub struct Recording {
    /// Congestion trees.
    pub trees: Trees,
    /// Ports, CAM lines and cells over time.
    pub recorder: Recorder,
}

impl Recording {
    /// For a run of this configuration. Ports are sampled every `interval` ticks; bins are those of the series.
    pub fn new(config: &FabricConfig, interval: Ticks) -> Recording {
        Recording {
            trees: Trees::new(Arc::clone(&config.network), config.run.series_bin),
            recorder: Recorder::new(RecorderConfig {
                ports: config.network.graph().ports_total() + config.network.nodes(),
                first_node_port: config.network.graph().ports_total() as u32,
                bin: config.run.series_bin,
                interval,
                duration: config.run.duration,
                time_base: config.time_base,
            }),
        }
    }
}

impl Observer for Recording {
    #[inline]
    fn event(&mut self, view: View<'_>, place: Place, event: Event) {
        self.trees.event(view, place, event);
        self.recorder.event(view, place, event);
    }
}
