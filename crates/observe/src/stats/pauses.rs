//! How long links were paused, by VC, and why (spec: pfc.md): in the measured time and by bin.

use super::config::{StatsConfig, Window};
use super::series::Bins;
use crate::event::{Event, Place, Side};
use crate::observer::{Owner, View};
use crate::packet::{PacketKey, PacketKind};
use flow_control::{Control, PauseWord};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use units::{PortId, Span, Tick, VcId, WireId};

/// What was counted of a VC of a link, by one of its ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PauseCount {
    /// At the sender: pauses that began in the measured time.
    pub pauses: u64,
    /// At the sender: ticks of the measured time in which it was paused.
    pub paused: Span,
    /// At the receiver: words PAUSE that started in the measured time.
    pub sent: u64,
    /// Of these: those that repeat one that holds.
    pub repeated: u64,
    /// Of the others: sent while an output was paused for which the VC held packets.
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
    /// By wire that ends at a port, then VC; no longer than needed.
    vcs: Vec<Vec<Vc>>,
    /// By wire: the packets of an input with their requests as they were stored: the route may be
    /// another one when the packet leaves. A map, since a packet leaves from among thousands.
    held: Vec<BTreeMap<(PacketKey, PacketKind), Request>>,
    /// Paused ticks of all links and VCs, by bin.
    bins: Bins,
}

/// A VC of a port, as sender and as receiver.
#[derive(Debug, Clone, Default)]
struct Vc {
    count: PauseCount,
    /// Its output is paused now: since when nothing starts.
    paused: Option<Tick>,
    /// The last word of its input was PAUSE.
    is_pausing: bool,
    /// Words PAUSE that repeat none, by their cause.
    causes: BTreeMap<PauseCause, u64>,
}

impl Pauses {
    pub(super) fn new(config: &StatsConfig) -> Pauses {
        let (measured, duration, bin) = (config.measured(), config.duration, config.series_bin);
        let bins = Bins::new(1, duration, bin);
        Pauses { measured, duration, bin, bins, ..Pauses::default() }
    }

    fn is_measured(&self, tick: Tick) -> bool {
        (self.measured.0..self.measured.1).contains(&tick)
    }

    pub(super) fn event(&mut self, view: View<'_>, place: Place, event: Event) {
        let owner = view.owners[place.port.index()];
        match event {
            Event::Paused { vc, word } => {
                // A word takes effect in the tick after its arrival.
                let next = view.now.next();
                let is_measured = self.is_measured(next);
                let register = self.vc_mut(place.port, vc);
                match word {
                    PauseWord::Pause => {
                        register.count.pauses += u64::from(is_measured);
                        register.paused = Some(next);
                    }
                    PauseWord::Resume => {
                        if let Some(since) = register.paused.take() {
                            self.was_paused(place.port, vc, since, next);
                        }
                    }
                }
            }
            Event::ControlSent(Control::Pause(word, vc)) => {
                let pauses = word == PauseWord::Pause;
                let register = self.vc_mut(place.port, vc);
                let repeats = std::mem::replace(&mut register.is_pausing, pauses);
                if pauses && self.is_measured(view.now) {
                    self.count_word(place.port, vc, owner, repeats);
                }
            }
            _ => {}
        }
    }

    fn vc(&self, port: WireId, vc: VcId) -> Option<&Vc> {
        self.vcs.get(port.index())?.get(vc.index())
    }

    fn vc_mut(&mut self, port: WireId, vc: VcId) -> &mut Vc {
        at(at(&mut self.vcs, port.index()), vc.index())
    }

    /// A word PAUSE starts at an input.
    fn count_word(&mut self, port: WireId, vc: VcId, owner: Owner, repeats: bool) {
        let first = port.0 - u32::from(owner.port.0);
        let is_paused = |way: Way| {
            let output = WireId(first + u32::from(way.output.0));
            self.vc(output, way.vc).is_some_and(|output| output.paused.is_some())
        };
        let held = self.held.get(port.index()).filter(|_| !repeats).into_iter();
        let requests = held.flat_map(BTreeMap::values);
        let ways = requests.filter(|request| request.vc == vc).map(|request| request.way);
        let paused = most(ways.clone().filter(|way| is_paused(*way)));
        let way = paused.or_else(|| most(ways));
        let is_paused = paused.is_some();
        let register = self.vc_mut(port, vc);
        register.count.sent += 1;
        register.count.repeated += u64::from(repeats);
        register.count.spread += u64::from(is_paused);
        if let Some(way) = way {
            *register.causes.entry(PauseCause { way, is_paused }).or_default() += 1;
        }
    }

    pub(super) fn stored(
        &mut self,
        place: Place,
        packet: (PacketKey, PacketKind),
        request: Request,
    ) {
        if place.side == Side::Ingress {
            at(&mut self.held, place.port.index()).insert(packet, request);
        }
    }

    pub(super) fn departed(&mut self, place: Place, packet: (PacketKey, PacketKind)) {
        if place.side == Side::Ingress
            && let Some(held) = self.held.get_mut(place.port.index())
        {
            held.remove(&packet);
        }
    }

    fn was_paused(&mut self, port: WireId, vc: VcId, from: Tick, to: Tick) {
        let (start, end) = self.measured;
        self.vc_mut(port, vc).count.paused += to.min(end).since(from.max(start).min(to.min(end)));
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
        for port in 0..self.vcs.len() {
            for vc in 0..self.vcs[port].len() {
                if let Some(since) = self.vcs[port][vc].paused.take() {
                    let end = self.duration.max(since);
                    self.was_paused(WireId::at(port), VcId(vc as u8), since, end);
                }
            }
        }
    }

    /// Adds what was counted in another part; both have ended.
    pub(super) fn merge(&mut self, other: &Pauses) {
        for (port, vcs) in other.vcs.iter().enumerate() {
            for (vc, other) in vcs.iter().enumerate() {
                let own = self.vc_mut(WireId::at(port), VcId(vc as u8));
                own.count += other.count;
                for (cause, words) in &other.causes {
                    *own.causes.entry(*cause).or_default() += words;
                }
            }
        }
        self.bins.merge(&other.bins);
    }

    pub(super) fn count(&self, port: WireId, vc: VcId) -> PauseCount {
        self.vc(port, vc).map(|register| register.count).unwrap_or_default()
    }

    /// The cause of most words PAUSE of a port that repeat none; of equal ones the first.
    pub(super) fn main_cause(&self, port: WireId, vc: VcId) -> Option<PauseCause> {
        let causes = self.vc(port, vc)?.causes.iter();
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

/// What a packet requests.
#[derive(Debug, Clone, Copy)]
pub(super) struct Request {
    pub(super) vc: VcId,
    pub(super) way: Way,
}

/// An element of a list that is as long as needed.
fn at<T: Clone + Default>(list: &mut Vec<T>, at: usize) -> &mut T {
    if list.len() <= at {
        list.resize(at + 1, T::default());
    }
    &mut list[at]
}

/// The way of most packets; of equal ones the first.
fn most(ways: impl Iterator<Item = Way>) -> Option<Way> {
    let mut packets = BTreeMap::new();
    ways.for_each(|way| *packets.entry(way).or_insert(0) += 1);
    let most = packets.into_iter().max_by_key(|&(way, n)| (n, Reverse(way)));
    most.map(|(way, _)| way)
}
