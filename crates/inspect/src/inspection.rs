//! All that looks inside of a run, each where it is asked for.

use crate::messages::MessageLog;
use crate::recording::Recording;
use crate::watch::Watch;
use crate::waves::Waves;
use observe::{Event, Observer, Offered, PacketView, Place, View};

/// An observer that looks at ports between two ticks too, if it has who does.
pub trait Looking: Observer {
    /// The recorders.
    fn recording(&mut self) -> Option<&mut Recording>;
    /// Takes the waves out, to let them look, and puts them back.
    fn waves(&mut self) -> Option<&mut Option<Box<Waves>>> {
        None
    }
}

impl Looking for Recording {
    fn recording(&mut self) -> Option<&mut Recording> {
        Some(self)
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
    pub waves: Option<Box<Waves>>,
    /// Messages, handed on as a trace.
    pub messages: Option<MessageLog>,
}

impl Looking for Inspection {
    fn recording(&mut self) -> Option<&mut Recording> {
        self.recording.as_mut()
    }

    fn waves(&mut self) -> Option<&mut Option<Box<Waves>>> {
        Some(&mut self.waves)
    }
}

impl Observer for Inspection {
    /// Recording, waves and messages must see all events; a watch need not.
    fn fork(&self) -> Option<Inspection> {
        if self.recording.is_some() || self.waves.is_some() || self.messages.is_some() {
            return None;
        }
        let watch = match &self.watch {
            Some(watch) => Some(watch.fork()?),
            None => None,
        };
        Some(Inspection { watch, ..Inspection::default() })
    }

    fn is_ordered(&self) -> bool {
        self.watch.is_some() || self.recording.is_some() || self.waves.is_some()
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
