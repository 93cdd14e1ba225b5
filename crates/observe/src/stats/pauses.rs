//! How long links were paused, by VC, and why (spec: pfc.md): in the measured time and by bin.

use super::config::Window;
use super::series::Bins;
use crate::event::{Event, Place, Side};
use crate::observer::{Owner, View};
use crate::packet::{PacketKey, PacketKind};
use flow_control::{Control, PauseWord};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
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
    /// Of these: those that repeat one that holds.
    pub repeated: u64,
    /// Of those that do not: that started while an output was paused for which the VC held packets.
    /// Pauses that spread.
    pub spread: u64,
}

/// What an input waited for when it sent PAUSE: the output for which its VC held the most packets,
/// of those that were paused; of all, if none of them was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PauseCause {
    /// The output, of the same switch, and the VC behind it.
    pub way: Way,
    /// It was paused.
    pub is_paused: bool,
}

/// All links of a part of a fabric.
#[derive(Debug, Clone, Default)]
pub(super) struct Pauses {
    measured: Window,
    duration: Tick,
    bin: Span,
    /// By port, VC: at the sender the wire that ends at its port, at the receiver likewise.
    counts: BTreeMap<(WireId, VcId), PauseCount>,
    /// Outputs that are paused now: since when nothing starts.
    now: BTreeMap<(ElementId, PortId, VcId), (WireId, Tick)>,
    /// Inputs whose last word was PAUSE.
    pausing: BTreeSet<(WireId, VcId)>,
    /// By wire.
    inputs: Vec<Input>,
    /// Words PAUSE that repeat none, by their cause.
    causes: BTreeMap<(WireId, VcId), BTreeMap<PauseCause, u64>>,
    /// Paused ticks of all links and VCs, by bin.
    bins: Bins,
}

impl Pauses {
    pub(super) fn new(measured: Window, duration: Tick, bin: Span) -> Pauses {
        let bins = Bins::new(1, duration, bin);
        Pauses { measured, duration, bin, bins, ..Pauses::default() }
    }

    /// Of another part of the same fabric.
    pub(super) fn fork(&self) -> Pauses {
        Pauses::new(self.measured, self.duration, self.bin)
    }

    fn is_measured(&self, tick: Tick) -> bool {
        (self.measured.0..self.measured.1).contains(&tick)
    }

    pub(super) fn event(&mut self, view: View<'_>, place: Place, event: Event) {
        let owner = view.owners[place.port.index()];
        match event {
            Event::Paused { vc, word } => {
                let at = (owner.element, owner.port, vc);
                // A word takes effect in the tick after its arrival.
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
            Event::ControlSent(Control::Pause(PauseWord::Pause, vc)) => {
                let repeats = !self.pausing.insert((place.port, vc));
                if self.is_measured(view.now) {
                    self.count_word((place.port, vc), owner, repeats);
                }
            }
            Event::ControlSent(Control::Pause(PauseWord::Resume, vc)) => {
                self.pausing.remove(&(place.port, vc));
            }
            _ => {}
        }
    }

    /// A word PAUSE starts at an input.
    fn count_word(&mut self, key: (WireId, VcId), owner: Owner, repeats: bool) {
        let count = self.counts.entry(key).or_default();
        count.said += 1;
        count.repeated += u64::from(repeats);
        if repeats {
            return;
        }
        let is_paused = |way: Way| {
            let at = (owner.element, way.output, way.vc);
            self.now.contains_key(&at)
        };
        let input = self.inputs.get(key.0.index());
        let paused = input.and_then(|input| input.most(key.1, is_paused));
        let any = || input.and_then(|input| input.most(key.1, |_| true));
        count.spread += u64::from(paused.is_some());
        if let Some(way) = paused.or_else(any) {
            let is_paused = paused.is_some();
            let cause = PauseCause { way, is_paused };
            *self.causes.entry(key).or_default().entry(cause).or_default() += 1;
        }
    }

    pub(super) fn stored(&mut self, at: Place, packet: (PacketKey, PacketKind), request: Request) {
        if at.side != Side::Ingress {
            return;
        }
        if self.inputs.len() <= at.port.index() {
            self.inputs.resize(at.port.index() + 1, Input::default());
        }
        let input = &mut self.inputs[at.port.index()];
        input.of.insert(packet, request);
        *input.packets.entry(request).or_default() += 1;
    }

    pub(super) fn departed(&mut self, at: Place, packet: (PacketKey, PacketKind)) {
        let input = self.inputs.get_mut(at.port.index()).filter(|_| at.side == Side::Ingress);
        if let Some(input) = input
            && let Some(request) = input.of.remove(&packet)
        {
            *input.packets.entry(request).or_default() -= 1;
        }
    }

    fn was_paused(&mut self, key: (WireId, VcId), from: Tick, to: Tick) {
        let (start, end) = self.measured;
        let count = self.counts.entry(key).or_default();
        count.paused += to.min(end).since(from.max(start).min(to.min(end)));
        let to = to.min(self.duration);
        let mut from = from;
        while from < to {
            let bin = (from.0 / self.bin.0) as usize;
            let end = Tick((bin as u64 + 1).saturating_mul(self.bin.0)).min(to);
            self.bins.add(bin, 0, (end - from).0);
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
            *self.counts.entry(*key).or_default() += *other;
        }
        for (key, causes) in &other.causes {
            let own = self.causes.entry(*key).or_default();
            for (cause, words) in causes {
                *own.entry(*cause).or_default() += words;
            }
        }
        self.bins.merge(&other.bins);
    }

    pub(super) fn count(&self, port: WireId, vc: VcId) -> PauseCount {
        self.counts.get(&(port, vc)).copied().unwrap_or_default()
    }

    /// The cause of most words PAUSE of a port that repeat none; of equal ones the first.
    pub(super) fn main_cause(&self, port: WireId, vc: VcId) -> Option<PauseCause> {
        let causes = self.causes.get(&(port, vc))?.iter();
        let most = causes.max_by_key(|(cause, words)| (**words, Reverse(**cause)))?;
        Some(*most.0)
    }

    /// Paused ticks of all links and VCs in a bin.
    pub(super) fn in_bin(&self, bin: usize) -> Span {
        Span(self.bins.get(bin, 0))
    }
}

/// A VC of the link behind an output of a switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Way {
    /// The output.
    pub output: PortId,
    /// The VC behind it.
    pub vc: VcId,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Request {
    pub(super) vc: VcId,
    pub(super) way: Way,
}

#[derive(Debug, Clone, Default)]
struct Input {
    /// By packet, as it was when it was stored: its route may be another one when it leaves.
    of: BTreeMap<(PacketKey, PacketKind), Request>,
    packets: BTreeMap<Request, u32>,
}

impl Input {
    /// The way for which a VC holds the most packets, of those that `are`; of equal ones the first.
    fn most(&self, vc: VcId, are: impl Fn(Way) -> bool) -> Option<Way> {
        let here =
            self.packets.iter().filter(|(request, packets)| request.vc == vc && **packets > 0);
        let ways = here.filter(|(request, _)| are(request.way));
        ways.max_by_key(|(request, packets)| (**packets, Reverse(request.way)))
            .map(|most| most.0.way)
    }
}
