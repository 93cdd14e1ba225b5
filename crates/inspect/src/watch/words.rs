//! Events in words.

use crate::points::Points;
use flow_control::Control;
use observe::{Event, Offered, PacketKey, PacketKind};
use turnpool::Point;
use units::{Tick, Unit};

/// Where events of a watch go.
const TARGET: &str = "setaside::watch";

/// An event in words.
#[derive(Debug, Clone)]
pub(super) struct Words {
    /// What kind of event.
    kind: &'static str,
    text: String,
    /// Told at level DEBUG.
    is_detail: bool,
}

impl Words {
    pub(super) fn new(kind: &'static str, text: String) -> Words {
        Words { kind, text, is_detail: false }
    }

    /// Of something that happens with every packet.
    pub(super) fn detail(kind: &'static str, text: String) -> Words {
        Words { is_detail: true, ..Words::new(kind, text) }
    }

    /// Says it.
    pub(super) fn tell(&self, tick: Tick, ns: f64, unit: Unit, packet: Option<PacketKey>) {
        let Words { kind, text, .. } = self;
        let name = packet.map(|key| key.to_string());
        let (tick, packet) = (tick.0, name.as_deref());
        if self.is_detail {
            tracing::debug!(target: TARGET, tick, ns, %unit, packet, event = kind, "{text}");
        } else {
            tracing::info!(target: TARGET, tick, ns, %unit, packet, event = kind, "{text}");
        }
    }
}

/// What a node is offered.
pub(super) fn offered(offered: &Offered, born: &str) -> Words {
    let Offered { destination, bytes, .. } = offered;
    let what = match offered.kind {
        PacketKind::Reply => "a reply",
        PacketKind::Data => "a message",
        PacketKind::Ack => "an ACK",
        PacketKind::Cnp => "a CNP",
    };
    let refused = if offered.refused { ", refused" } else { "" };
    Words::new(
        "offered",
        format!("{what} of {bytes} bytes for n{destination}, generated at {born} ns{refused}"),
    )
}

/// The output port that is the root of a tree, by a point as `unit` names it, else the point.
pub(super) fn tree(points: &Points, unit: Option<Unit>, point: Point) -> String {
    match unit.and_then(|unit| points.root(unit, point)) {
        Some(root) => root.to_string(),
        None => format!("point {point}"),
    }
}

/// Who says a control packet that starts on the link of `unit`: upstream go the words of the
/// ingress side, downstream those of the egress side.
pub(crate) fn speaker(unit: Unit, control: Control) -> Unit {
    match (unit, control) {
        (_, Control::Token(_) | Control::Nack(_)) => unit,
        (Unit::Egress { switch, port }, _) => Unit::Ingress { switch, port },
        _ => unit,
    }
}

/// A control packet, about a point as `unit` names it.
fn control(points: &Points, unit: Option<Unit>, control: Control) -> String {
    match control.point() {
        Some(point) => format!("{} about {}", control.name(), tree(points, unit, point)),
        None => format!("{} {control:?}", control.name()),
    }
}

/// Events of ports, not of packets.
pub(super) fn of_ports(event: Event, unit: Unit, points: &Points) -> Words {
    match event {
        Event::CreditSent { class, cells } => Words::detail(
            "credit",
            format!("credit for {cells} cells of class {class} starts on the link"),
        ),
        Event::ControlSent(what) => {
            let said = control(points, Some(speaker(unit, what)), what);
            Words::new("control", format!("{said} starts on the link"))
        }
        Event::SaqAllocated { line, point, in_use } => {
            let tree = tree(points, Some(unit), point);
            let what = format!("SAQ {line} allocated for {tree}, {in_use} in use");
            Words::new("saq-allocated", what)
        }
        Event::SaqFreed { line, point, in_use } => {
            let tree = tree(points, Some(unit), point);
            let what = format!("SAQ {line} for {tree} freed, {in_use} in use");
            Words::new("saq-freed", what)
        }
        Event::Swapped { queue, saq } => Words::new(
            "swapped",
            format!("queue {queue} and queue {saq}, of the SAQ, change places, packets and all"),
        ),
        Event::SaqRefused(point) => {
            let tree = tree(points, Some(unit), point);
            Words::new("saq-refused", format!("no SAQ is free for {tree}"))
        }
        Event::Internal(what) => {
            let named = what.point().and_then(|point| points.told(unit, point));
            let said = control(points, named, what);
            Words::new("internal", format!("{said} inside the switch"))
        }
        Event::Ignored(what) => {
            let said = control(points, Some(unit), what);
            Words::new("ignored", format!("{said} came, and there is no SAQ for it"))
        }
        // Those of packets are told by who knows the packet; what is left is rare.
        other => Words::new("event", format!("{other:?}")),
    }
}
