//! What a watch has noted, events in words, and their output.

use super::Watch;
use super::queues::{At, Id};
use flow_control::Control;
use observe::{Event, Offered, PacketKey, PacketKind, PacketView, Place, View};
use turnpool::Point;
use units::{LineId, QueueId, Span, Tick, Unit};

/// Where events of a watch go.
const TARGET: &str = "setaside::watch";

#[derive(Debug, Clone)]
pub(super) struct Line {
    pub(super) tick: Tick,
    /// The order within a tick.
    pub(super) place: Place,
    pub(super) unit: Unit,
    pub(super) packet: Option<PacketKey>,
    pub(super) words: Words,
}

pub(super) type Words = (&'static str, String);

/// Kinds of events that come with every packet: written at level DEBUG.
const HOP: &str = "hop";
const CREDIT: &str = "credit";

/// Writes what the watches of all parts of a fabric have noted since the last call, as events of
/// `tracing` with target `setaside::watch`: at level INFO, credit and hops at DEBUG.
pub fn emit<'a>(watches: impl IntoIterator<Item = &'a mut Watch>) {
    let mut lines = Vec::new();
    let mut time_base = None;
    for watch in watches {
        lines.append(&mut watch.lines);
        time_base = Some(watch.config.time_base);
    }
    lines.sort_by_key(|line: &Line| (line.tick, line.place));
    for Line { tick, unit, packet, words, .. } in &lines {
        let ns = time_base.map_or(0.0, |base| base.tick_to_ns(*tick));
        let (kind, text) = words;
        let name = packet.map(|key| key.to_string());
        let (tick, packet) = (tick.0, name.as_deref());
        if [HOP, CREDIT].contains(kind) {
            tracing::debug!(target: TARGET, tick, ns, %unit, packet, event = kind, "{text}");
        } else {
            tracing::info!(target: TARGET, tick, ns, %unit, packet, event = kind, "{text}");
        }
    }
}

pub(super) fn offered(offered: &Offered, born: &str) -> Words {
    let Offered { destination, bytes, .. } = offered;
    let what = match offered.kind {
        PacketKind::Reply => "a reply",
        PacketKind::Data => "a message",
        PacketKind::Ack => "an ACK",
        PacketKind::Cnp => "a CNP",
    };
    let refused = if offered.refused { ", refused" } else { "" };
    let generated = format!("generated at {born} ns{refused}");
    ("offered", format!("{what} of {bytes} bytes for n{destination}, {generated}"))
}

/// The sender of a control packet that starts on the link of `unit`: upstream the ingress side,
/// downstream the egress side.
pub(crate) fn sender(unit: Unit, control: Control) -> Unit {
    match (unit, control) {
        (_, Control::Token(_) | Control::Nack(_)) => unit,
        (Unit::Egress { switch, port }, _) => Unit::Ingress { switch, port },
        _ => unit,
    }
}

impl Watch {
    /// The output port that is the root of a tree, by a point as `unit` names it, else the point.
    fn tree(&self, unit: Option<Unit>, point: Point) -> String {
        match unit.and_then(|unit| self.points.root(unit, point)) {
            Some(root) => root.to_string(),
            None => format!("point {point}"),
        }
    }

    /// A control packet, about a point as `unit` names it.
    fn control(&self, unit: Option<Unit>, control: Control) -> String {
        match control.point() {
            Some(point) => format!("{} about {}", control.name(), self.tree(unit, point)),
            None => format!("{} {control:?}", control.name()),
        }
    }

    fn line(&self, place: Place, queue: QueueId) -> Option<LineId> {
        let normal = self.config.normal_queues[place.port.index()][place.side as usize];
        let line = u32::from(queue.0).checked_sub(normal)?;
        Some(LineId(line as u8))
    }

    fn queue(&self, place: Place, unit: Unit, queue: QueueId) -> String {
        let Some(line) = self.line(place, queue) else {
            return format!("queue {queue}");
        };
        match self.saqs.get(&(place, line)) {
            Some(&point) => format!("SAQ {line} for {}", self.tree(Some(unit), point)),
            None => format!("SAQ {line}"),
        }
    }

    fn waited(&mut self, now: Tick, place: Place, packet: PacketView) -> String {
        match self.since.remove(&(place, packet.id())) {
            Some(since) => format!(" after {} ns", self.ns(now.0 - since.0)),
            None => String::new(),
        }
    }

    /// All packets ahead of one in its queue have left.
    pub(super) fn head(&self, now: Tick, (place, queue): At, packet: Id) -> Words {
        let since = self.since.get(&(place, packet)).copied().unwrap_or(now);
        let after = self.ns(now.0.saturating_sub(since.0));
        let queue = match self.line(place, queue) {
            Some(line) => format!("SAQ {line}"),
            None => format!("queue {queue}"),
        };
        ("head", format!("is the head of {queue} after {after} ns"))
    }

    pub(super) fn ns(&self, ticks: u64) -> String {
        let ns = self.config.time_base.span_to_ns(Span(ticks));
        format!("{ns:.2}")
    }

    /// An event: its kind, and words.
    pub(super) fn words(
        &mut self,
        view: View<'_>,
        place: Place,
        unit: Unit,
        event: Event,
    ) -> Words {
        let now = view.now;
        let is_ingress = matches!(unit, Unit::Ingress { .. });
        match event {
            Event::Stored { packet, queue } => {
                self.since.insert((place, packet.id()), now);
                let (queue, born) = (self.queue(place, unit, queue), self.ns(packet.born.0));
                let text = match unit {
                    Unit::Injection { .. } => {
                        format!("admitted to {queue}, generated at {born} ns")
                    }
                    _ => format!("stored in {queue}"),
                };
                ("stored", text)
            }
            Event::Moved { queue, .. } => {
                ("moved", format!("moved by the PPU to {}", self.queue(place, unit, queue)))
            }
            Event::Departed { packet, output, .. } => {
                if is_ingress {
                    // As the packet has it until it starts: it may come to be watched only now.
                    let since = self.since.entry((place, packet.id()));
                    since.or_insert(packet.stored);
                }
                let waited = self.waited(now, place, packet);
                let whither = match is_ingress {
                    true => format!("starts over the crossbar to out{}", output.0),
                    false => "starts on the link".to_string(),
                };
                ("departed", whither + &waited)
            }
            Event::Lost { packet } => {
                self.since.remove(&(place, packet.id()));
                ("lost", "lost to a fault".to_string())
            }
            Event::Stranded { packet, .. } => {
                let waited = self.waited(now, place, packet);
                ("stranded", format!("removed: no port leads to its destination{waited}"))
            }
            Event::Hop { span, .. } => {
                (HOP, format!("a packet holds the link for {} ns", self.ns(span.0)))
            }
            Event::CreditSent { class, cells } => {
                (CREDIT, format!("credit for {cells} cells of class {class} starts on the link"))
            }
            Event::ControlSent(what) => {
                let control = self.control(Some(sender(unit, what)), what);
                ("control", format!("{control} starts on the link"))
            }
            Event::SaqAllocated { line, point, in_use } => {
                let tree = self.tree(Some(unit), point);
                ("saq-allocated", format!("SAQ {line} allocated for {tree}, {in_use} in use"))
            }
            Event::SaqFreed { line, point, in_use } => {
                let tree = self.tree(Some(unit), point);
                ("saq-freed", format!("SAQ {line} for {tree} freed, {in_use} in use"))
            }
            Event::Swapped { queue, saq } => {
                let whose = "of the SAQ, change places, packets and all";
                ("swapped", format!("queue {queue} and queue {saq}, {whose}"))
            }
            Event::SaqRefused(point) => {
                let tree = self.tree(Some(unit), point);
                ("saq-refused", format!("no SAQ is free for {tree}"))
            }
            Event::Internal(what) => {
                let named = what.point().and_then(|point| self.points.notified(unit, point));
                ("internal", format!("{} inside the switch", self.control(named, what)))
            }
            Event::Ignored(what) => {
                let control = self.control(Some(unit), what);
                ("ignored", format!("{control} came, and there is no SAQ for it"))
            }
            // What is left is rare.
            other => ("event", format!("{other:?}")),
        }
    }
}
