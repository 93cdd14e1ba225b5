//! All observers of the inside of a run, each where it is asked for.

use crate::messages::MessageLog;
use crate::recorder::{Recorder, RecorderConfig};
use crate::trees::Trees;
use crate::watch::Watch;
use crate::waves::Waves;
use observe::{Event, Observer, Offered, PacketView, Place, View};
use std::sync::Arc;
use topology::Network;
use units::Tick;

/// Trees and ports, what `setaside run --record` writes. They end with the duration: what follows
/// to drain is not recorded.
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

/// The observers of `setaside run` that a plain run does not have.
#[derive(Default)]
pub struct Inspection {
    /// Trees and ports over time.
    pub recording: Option<Recording>,
    /// The story of packets and ports.
    pub watch: Option<Watch>,
    /// Registers as waveforms.
    pub waves: Option<Waves>,
    /// Messages, handed on as a trace.
    pub messages: Option<MessageLog>,
}

impl Observer for Inspection {
    /// Recording, waves and messages must see all events; a watch need not.
    fn fork(&self) -> Option<Inspection> {
        if self.recording.is_some() || self.waves.is_some() || self.messages.is_some() {
            return None;
        }
        let watch = self.watch.as_ref().and_then(Watch::fork);
        Some(Inspection { watch, ..Inspection::default() })
    }

    fn merge(&mut self, other: Inspection) {
        if let (Some(watch), Some(others)) = (&mut self.watch, other.watch) {
            watch.merge(others);
        }
    }

    #[inline]
    fn event(&mut self, view: View<'_>, place: Place, event: Event) {
        if let Some(recording) = &mut self.recording {
            recording.event(view, place, event);
        }
        if let Some(watch) = &mut self.watch {
            watch.event(view, place, event);
        }
        if let Some(waves) = &mut self.waves {
            waves.event(view, place, event);
        }
    }

    fn offered(&mut self, view: View<'_>, offered: Offered) {
        if let Some(messages) = &mut self.messages {
            messages.offered(offered);
        }
        if let Some(watch) = &mut self.watch {
            watch.offered(view, offered);
        }
        if let Some(waves) = &mut self.waves {
            waves.offered(view, offered);
        }
    }

    fn ejected(&mut self, view: View<'_>, place: Place, packet: PacketView) {
        if let Some(watch) = &mut self.watch {
            watch.ejected(view, place, packet);
        }
        if let Some(waves) = &mut self.waves {
            waves.ejected(view, place, packet);
        }
    }
}
