//! How long links were paused, by VC (spec: pfc.md): in the measured time, and by bin of the
//! series.

use super::cuts::Window;
use crate::observer::View;
use flow_control::{Control, PauseWord};
use std::collections::BTreeMap;
use switch::{Event, Place};
use units::{ElementId, PortId, Span, Tick, VcId, WireId};

/// What was counted of a VC of a link, by one of its ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PauseCount {
    /// At the sender: pauses that began in the measured time.
    pub pauses: u64,
    /// At the sender: ticks of the measured time in which it was paused.
    pub paused: Span,
    /// At the receiver: words PAUSE that started in the measured time.
    pub said: u64,
    /// Those that started while another output of the receiving switch was paused: pauses that
    /// spread.
    pub spread: u64,
}

/// All links of a part of a fabric.
#[derive(Debug, Clone)]
pub(super) struct Pauses {
    measured: Window,
    duration: Tick,
    bin: Span,
    /// By port, VC: at the sender the wire that ends at its port, at the receiver likewise.
    counts: BTreeMap<(WireId, VcId), PauseCount>,
    /// Outputs that are paused now: since when nothing starts.
    now: BTreeMap<(ElementId, PortId, VcId), (WireId, Tick)>,
    /// Paused ticks of all links and VCs, by bin.
    bins: Vec<u64>,
}

impl Pauses {
    pub(super) fn new(measured: Window, duration: Tick, bin: Span) -> Pauses {
        Pauses {
            measured,
            duration,
            bin,
            counts: BTreeMap::new(),
            now: BTreeMap::new(),
            bins: Vec::new(),
        }
    }

    /// Of another part of the same fabric.
    pub(super) fn fork(&self) -> Pauses {
        Pauses::new(self.measured, self.duration, self.bin)
    }

    fn is_measured(&self, tick: Tick) -> bool {
        (self.measured.0..self.measured.1).contains(&tick)
    }

    /// Something happened at a port.
    pub(super) fn event(&mut self, view: View<'_>, place: Place, event: Event) {
        let owner = view.owners[place.port.index()];
        match event {
            Event::Paused { vc, word } => {
                let at = (owner.element, owner.port, vc);
                // What is heard in a tick holds from the next one on.
                let next = view.now.next();
                match word {
                    PauseWord::Pause => {
                        let is_measured = self.is_measured(next);
                        let count = self.counts.entry((place.port, vc)).or_default();
                        count.pauses += u64::from(is_measured);
                        self.now.insert(at, (place.port, next));
                    }
                    PauseWord::Resume => {
                        if let Some((wire, since)) = self.now.remove(&at) {
                            self.was_paused((wire, vc), since, next);
                        }
                    }
                }
            }
            Event::ControlSent(Control::Pause(PauseWord::Pause, vc))
                if self.is_measured(view.now) =>
            {
                let (first, last) = (
                    (owner.element, PortId(0), VcId(0)),
                    (owner.element, PortId(u8::MAX), VcId(u8::MAX)),
                );
                let mut paused = self.now.range(first..=last);
                let spreads = paused.any(|((_, port, _), _)| *port != owner.port);
                let count = self.counts.entry((place.port, vc)).or_default();
                count.said += 1;
                count.spread += u64::from(spreads);
            }
            _ => {}
        }
    }

    /// A VC was paused in ticks `from..to`.
    fn was_paused(&mut self, key: (WireId, VcId), from: Tick, to: Tick) {
        let (start, end) = self.measured;
        let count = self.counts.entry(key).or_default();
        count.paused += to.min(end).since(from.max(start).min(to.min(end)));
        let to = to.min(self.duration);
        let mut from = from;
        while from < to {
            let bin = (from.0 / self.bin.0) as usize;
            let end = Tick((bin as u64 + 1).saturating_mul(self.bin.0)).min(to);
            if self.bins.len() <= bin {
                self.bins.resize(bin + 1, 0);
            }
            self.bins[bin] += (end - from).0;
            from = end;
        }
    }

    /// The run is over: what is paused still is so to its end.
    pub(super) fn end(&mut self) {
        for ((.., vc), (wire, since)) in std::mem::take(&mut self.now) {
            self.was_paused((wire, vc), since, self.duration.max(since));
        }
    }

    /// Adds what was counted in another part; both have ended.
    pub(super) fn merge(&mut self, other: &Pauses) {
        for (key, other) in &other.counts {
            let own = self.counts.entry(*key).or_default();
            own.pauses += other.pauses;
            own.paused += other.paused;
            own.said += other.said;
            own.spread += other.spread;
        }
        if self.bins.len() < other.bins.len() {
            self.bins.resize(other.bins.len(), 0);
        }
        super::merge::add(&mut self.bins, &other.bins);
    }

    /// What was counted at a port.
    pub(super) fn count(&self, port: WireId, vc: VcId) -> PauseCount {
        self.counts.get(&(port, vc)).copied().unwrap_or_default()
    }

    /// Paused ticks of all links and VCs in a bin.
    pub(super) fn in_bin(&self, bin: usize) -> Span {
        Span(self.bins.get(bin).copied().unwrap_or(0))
    }
}
