//! Trees and ports recorded together: what `setaside run --record` writes.

use crate::recorder::{Recorder, RecorderConfig};
use crate::trees::Trees;
use observe::{Event, Observer, Place, View};
use std::sync::Arc;
use topology::Network;
use units::Tick;

/// Both observers. They end with the duration: what follows to drain is not recorded.
#[derive(Debug, Clone)]
pub struct Recording {
    /// Congestion trees.
    pub trees: Trees,
    /// Ports, CAM lines and cells over time.
    pub recorder: Recorder,
    duration: Tick,
}

impl Recording {
    /// For a run over a network. Windows of trees are the bins of the recorder.
    pub fn new(network: Arc<Network>, config: RecorderConfig) -> Recording {
        let duration = config.duration;
        let trees = Trees::new(network, config.bin);
        Recording { trees, recorder: Recorder::new(config), duration }
    }

    /// The run is over in tick `now`.
    pub fn finish(&mut self, now: Tick) {
        self.trees.finish(now.min(self.duration));
        self.recorder.finish();
    }
}

impl Observer for Recording {
    #[inline]
    fn event(&mut self, view: View<'_>, place: Place, event: Event) {
        if view.now < self.duration {
            self.trees.event(view, place, event);
            self.recorder.event(view, place, event);
        }
    }
}
