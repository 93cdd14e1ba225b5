//! The signals of one port, grouped as its block diagram.

use super::track::{Granted, Out, Pulse, Track};
use crate::look::{PortLook, PortSide};
use crate::points::Points;
use recn::{LifeState, RecnPort};
use switch::{Egress, PacketKey, Waits};
use units::{ClassId, LineId, QueueId, Tick, Unit};
use waveform::Signals;

/// One port.
#[derive(Debug)]
pub(super) struct PortSignals {
    pub(super) unit: Unit,
    cells: [Track<u32>; 3],
    waits: Track<Waits>,
    grant: Option<Track<Granted>>,
    /// Heads that are stored.
    pub(super) arrives: Pulse,
    heads: Vec<Track<Option<PacketKey>>>,
    lines: Vec<LineSignals>,
    pub(super) side: Side,
}

/// What one side alone has.
#[derive(Debug)]
pub(super) enum Side {
    Ingress(Crossing),
    Egress(Box<Sending>),
}

/// The packet on the crossbar.
#[derive(Debug)]
pub(super) struct Crossing {
    shown: Track<Option<PacketKey>>,
    /// The one that started last.
    pub(super) last: Option<PacketKey>,
}

/// The sending end of a link.
#[derive(Debug)]
pub(super) struct Sending {
    credits: Vec<Track<u32>>,
    busy: Track<bool>,
    shown: Track<Option<PacketKey>>,
    /// The packet that started last.
    pub(super) last: Option<PacketKey>,
    /// When the link is free of it; not known before a look, for an end node.
    pub(super) end: Option<Tick>,
    /// None in `iq`, where packets start from the crossbar.
    pub(super) has_memory: bool,
    pub(super) control: Pulse,
    pub(super) credit: Pulse,
    pub(super) internal: Pulse,
}

/// One CAM line and its SAQ.
#[derive(Debug)]
struct LineSignals {
    valid: Track<bool>,
    blocked: Track<bool>,
    ready: Track<bool>,
    leaf: Track<bool>,
    state: Track<LifeState>,
    root: Track<Option<Unit>>,
    cells: Track<u32>,
    head: Track<Option<PacketKey>>,
}

impl LineSignals {
    fn new(signals: &mut Signals, line: usize) -> LineSignals {
        signals.open(format!("line{line}"));
        let line = LineSignals {
            valid: Track::new(signals, "V"),
            blocked: Track::new(signals, "B"),
            ready: Track::new(signals, "R"),
            leaf: Track::new(signals, "leaf"),
            state: Track::new(signals, "state"),
            root: Track::new(signals, "root"),
            cells: Track::new(signals, "cells"),
            head: Track::new(signals, "head"),
        };
        signals.close();
        line
    }

    fn look(
        &mut self,
        at: LineId,
        recn: &RecnPort,
        port: &PortLook<'_>,
        points: &Points,
        out: &mut Out,
    ) {
        let cam = recn.cam();
        let is_valid = cam.is_valid(at);
        self.valid.set(is_valid, out);
        self.blocked.set(is_valid && cam.blocked(at), out);
        self.ready.set(is_valid && cam.ready(at), out);
        self.leaf.set(is_valid && cam.leaf(at), out);
        self.state.set(recn.state(at), out);
        let root = is_valid.then(|| points.root(port.unit(), cam.point(at)));
        self.root.set(root.flatten(), out);
        let queue = recn.queue(at);
        if queue.index() < port.memory().queues() {
            self.cells.set(port.memory().cells(queue), out);
            self.head.set(head(port, queue), out);
        }
    }
}

impl PortSignals {
    /// Declares them.
    pub(super) fn new(signals: &mut Signals, port: &PortLook<'_>) -> PortSignals {
        let cells = ["cells_normal", "cells_saq", "cells_leaving"];
        let cells = cells.map(|name| Track::new(signals, name));
        let waits = Track::new(signals, "waits_for");
        let grant = match port.unit() {
            Unit::Injection { .. } => None,
            _ => Some(Track::new(signals, "grant")),
        };
        let arrives = Pulse::new(signals, "stored");
        let side = match port.port {
            PortSide::Ingress(_) => Side::Ingress(Crossing {
                shown: Track::new(signals, "crossing"),
                last: None,
            }),
            PortSide::Egress(egress) => Side::Egress(Box::new(Sending::new(signals, egress))),
        };
        let recn = port.recn();
        let saqs = recn.map_or(0, |recn| recn.cam().lines());
        let normal = match recn {
            Some(recn) => recn.base().index(),
            None => port.memory().queues(),
        };
        signals.open("heads");
        let heads = (0..normal).map(|queue| Track::new(signals, &format!("q{queue}")));
        let heads = heads.collect();
        signals.close();
        let mut lines = Vec::new();
        if saqs > 0 {
            signals.open("cam");
            lines.extend((0..saqs).map(|line| LineSignals::new(signals, line)));
            signals.close();
        }
        PortSignals {
            unit: port.unit(),
            cells,
            waits,
            grant,
            arrives,
            heads,
            lines,
            side,
        }
    }

    /// A tick is over.
    pub(super) fn look(&mut self, port: &PortLook<'_>, points: &Points, out: &mut Out) {
        let cells = port.cells();
        let cells = [cells.normal, cells.saq, cells.leaving];
        for (track, cells) in self.cells.iter_mut().zip(cells) {
            track.set(cells, out);
        }
        self.waits.set(port.waits, out);
        self.arrives.set(out);
        if let Some(grant) = &mut self.grant {
            let other = match (&self.side, port.granted) {
                (_, None) => Granted::None,
                (Side::Ingress(_), Some(output)) => Granted::Output(output),
                (Side::Egress(_), Some(input)) => Granted::Input(input),
            };
            grant.set(other, out);
        }
        match (&mut self.side, port.port) {
            (Side::Ingress(crossing), PortSide::Ingress(_)) => {
                let last = port.granted.and(crossing.last);
                crossing.shown.set(last, out);
            }
            (Side::Egress(sending), PortSide::Egress(egress)) => {
                sending.look(egress, port.tick, out);
            }
            _ => panic!("{} has changed sides", self.unit),
        }
        for (queue, track) in self.heads.iter_mut().enumerate() {
            track.set(head(port, QueueId::at(queue)), out);
        }
        if let Some(recn) = port.recn() {
            for (at, line) in self.lines.iter_mut().enumerate() {
                line.look(LineId::at(at), recn, port, points, out);
            }
        }
    }
}

impl Sending {
    fn new(signals: &mut Signals, egress: &Egress) -> Sending {
        let classes = egress.fcu().credits().iter().count();
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
            has_memory: egress.memory().is_there(),
            control: Pulse::new(signals, "control"),
            credit: Pulse::new(signals, "credit_sent"),
            internal: Pulse::new(signals, "internal"),
        }
    }

    /// A packet starts.
    pub(super) fn start(&mut self, packet: PacketKey) {
        (self.last, self.end) = (Some(packet), None);
    }

    fn look(&mut self, egress: &Egress, tick: Tick, out: &mut Out) {
        for (class, track) in self.credits.iter_mut().enumerate() {
            let credits = egress.fcu().credits();
            track.set(credits.available(ClassId::at(class)), out);
        }
        let busy_until = egress.link().busy_until();
        self.busy.set(busy_until > tick, out);
        let end = *self.end.get_or_insert(busy_until);
        self.shown.set(self.last.filter(|_| end > tick), out);
        self.control.set(out);
        self.credit.set(out);
        self.internal.set(out);
    }
}

/// The packet at the head of a queue.
fn head(port: &PortLook<'_>, queue: QueueId) -> Option<PacketKey> {
    let memory = port.memory();
    if queue.index() >= memory.queues() {
        return None;
    }
    memory.front(queue).map(|id| port.packets[id].key())
}
