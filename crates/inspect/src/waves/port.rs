//! The signals of one port, grouped as its block diagram.

use super::track::{Out, Pulse, Track};
use crate::points::Points;
use crate::waveform::Signals;
use observe::{LineView, PacketKey, PortView, SenderView, Waits};
use recn::LifeState;
use std::fmt;
use units::{PortId, Tick, Unit};

pub(super) struct PortSignals {
    pub(super) unit: Unit,
    cells: [Track<u32>; 3],
    waits: Track<Option<&'static str>>,
    grant: Option<Track<Option<Across>>>,
    /// Heads that are stored.
    pub(super) arrives: Pulse,
    heads: Vec<Track<Option<PacketKey>>>,
    lines: Vec<LineSignals>,
    pub(super) side: Side,
}

pub(super) enum Side {
    Ingress(Crossing),
    Egress(Box<Sending>),
}

pub(super) struct Crossing {
    shown: Track<Option<PacketKey>>,
    /// The one that started last.
    pub(super) last: Option<PacketKey>,
}

/// A port of the other side of the crossbar.
#[derive(PartialEq)]
struct Across(&'static str, PortId);

impl fmt::Display for Across {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.0, self.1.0)
    }
}

/// The sending end of a link.
pub(super) struct Sending {
    credits: Vec<Track<u32>>,
    busy: Track<bool>,
    shown: Track<Option<PacketKey>>,
    /// The packet that started last.
    pub(super) last: Option<PacketKey>,
    /// When the link is free of it; of an end node, not known before a sample.
    pub(super) end: Option<Tick>,
    /// None in `iq`, where packets start from the crossbar.
    pub(super) has_memory: bool,
    pub(super) control: Pulse,
    pub(super) credit: Pulse,
    pub(super) internal: Pulse,
}

/// One CAM line and its SAQ.
struct LineSignals {
    /// Valid, blocked, ready, leaf.
    bits: [Track<bool>; 4],
    state: Track<Option<LifeState>>,
    root: Track<Option<Unit>>,
    cells: Track<u32>,
    head: Track<Option<PacketKey>>,
}

impl LineSignals {
    fn new(signals: &mut Signals, line: usize) -> LineSignals {
        signals.open(format!("line{line}"));
        let line = LineSignals {
            bits: ["V", "B", "R", "leaf"].map(|name| Track::new(signals, name)),
            state: Track::new(signals, "state"),
            root: Track::new(signals, "root"),
            cells: Track::new(signals, "cells"),
            head: Track::new(signals, "head"),
        };
        signals.close();
        line
    }

    fn sample(&mut self, line: &LineView, unit: Unit, points: &Points, out: &mut Out) {
        let bits = [line.point.is_some(), line.blocked, line.ready, line.leaf];
        self.bits.iter_mut().zip(bits).for_each(|(track, bit)| track.set(bit, out));
        let state = match line.point {
            Some(_) => LifeState::of(line.ready, line.blocked, line.leaf),
            None => LifeState::Idle,
        };
        self.state.set(Some(state), out);
        let root = line.point.and_then(|point| points.root(unit, point));
        self.root.set(root, out);
        if let Some(cells) = line.cells {
            self.cells.set(cells, out);
            self.head.set(line.head, out);
        }
    }
}

impl PortSignals {
    pub(super) fn new(signals: &mut Signals, port: &PortView) -> PortSignals {
        let cells = ["cells_normal", "cells_saq", "cells_leaving"];
        let cells = cells.map(|name| Track::new(signals, name));
        let waits = Track::new(signals, "waits_for");
        let grant = match port.probe.unit {
            Unit::Injection { .. } => None,
            _ => Some(Track::new(signals, "grant")),
        };
        let arrives = Pulse::new(signals, "stored");
        let side = match &port.sender {
            None => Side::Ingress(Crossing { shown: Track::new(signals, "crossing"), last: None }),
            Some(sender) => Side::Egress(Box::new(Sending::new(signals, sender))),
        };
        signals.open("heads");
        let heads = (0..port.heads.len()).map(|queue| Track::new(signals, &format!("q{queue}")));
        let heads = heads.collect();
        signals.close();
        let mut lines = Vec::new();
        if !port.lines.is_empty() {
            signals.open("cam");
            lines.extend((0..port.lines.len()).map(|line| LineSignals::new(signals, line)));
            signals.close();
        }
        PortSignals { unit: port.probe.unit, cells, waits, grant, arrives, heads, lines, side }
    }

    pub(super) fn sample(&mut self, port: &PortView, points: &Points, out: &mut Out) {
        let cells = port.probe.cells;
        let cells = [cells.normal, cells.saq, cells.leaving];
        self.cells.iter_mut().zip(cells).for_each(|(track, cells)| track.set(cells, out));
        let waits = match port.probe.waits {
            Waits::Nothing => None,
            Waits::Xon => Some("xon"),
            Waits::Credit => Some("credit"),
            Waits::Arbitration => Some("arbitration"),
        };
        self.waits.set(waits, out);
        self.arrives.set(out);
        if let Some(grant) = &mut self.grant {
            let side = if matches!(self.side, Side::Ingress(_)) { "out" } else { "in" };
            let other = port.granted.map(|port| Across(side, port));
            grant.set(other, out);
        }
        match (&mut self.side, &port.sender) {
            (Side::Ingress(crossing), None) => {
                crossing.shown.set(port.granted.and(crossing.last), out);
            }
            (Side::Egress(sending), Some(sender)) => sending.sample(sender, port.tick, out),
            _ => panic!("{} has changed sides", self.unit),
        }
        for (track, head) in self.heads.iter_mut().zip(&port.heads) {
            track.set(*head, out);
        }
        for (signals, line) in self.lines.iter_mut().zip(&port.lines) {
            signals.sample(line, self.unit, points, out);
        }
    }
}

impl Sending {
    fn new(signals: &mut Signals, sender: &SenderView) -> Sending {
        let classes = sender.credits.len();
        signals.open("credits");
        let credits = (0..classes).map(|class| Track::new(signals, &format!("class{class}")));
        let credits = credits.collect();
        signals.close();
        Sending {
            credits,
            busy: Track::new(signals, "link_busy"),
            shown: Track::new(signals, "link"),
            last: None,
            end: None,
            has_memory: sender.has_memory,
            control: Pulse::new(signals, "control"),
            credit: Pulse::new(signals, "credit_sent"),
            internal: Pulse::new(signals, "internal"),
        }
    }

    pub(super) fn start(&mut self, packet: PacketKey) {
        (self.last, self.end) = (Some(packet), None);
    }

    fn sample(&mut self, sender: &SenderView, tick: Tick, out: &mut Out) {
        for (track, credit) in self.credits.iter_mut().zip(&sender.credits) {
            track.set(*credit, out);
        }
        let busy_until = sender.busy_until;
        self.busy.set(busy_until > tick, out);
        let end = *self.end.get_or_insert(busy_until);
        self.shown.set(self.last.filter(|_| end > tick), out);
        self.control.set(out);
        self.credit.set(out);
        self.internal.set(out);
    }
}
