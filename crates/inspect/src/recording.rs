//! Trees and ports recorded together: what `setaside run --record` writes.

use crate::recorder::{Recorder, RecorderConfig};
use crate::trees::Trees;
use observe::{Event, Observer, Place, View};
use std::sync::Arc;
use topology::Network;

/// Both observers.
#[derive(Debug, Clone)]
pub struct Recording {
    /// Congestion trees.
    pub trees: Trees,
    /// Ports, CAM lines and cells over time.
    pub recorder: Recorder,
}

impl Recording {
    /// For a run over a network. Windows of trees are the bins of the recorder.
    pub fn new(network: Arc<Network>, config: RecorderConfig) -> Recording {
        Recording { trees: Trees::new(network, config.bin), recorder: Recorder::new(config) }
    }
}

impl Observer for Recording {
    #[inline]
    fn event(&mut self, view: View<'_>, place: Place, event: Event) {
        self.trees.event(view, place, event);
        self.recorder.event(view, place, event);
    }
}
