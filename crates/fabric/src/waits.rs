//! Who waits for whom: what keeps the head of a queue, the queues that can never move again
//! ([`locked`]), and the dump of a run that is stuck.

mod locked;
mod needs;
mod port;

pub(crate) use locked::Locked;

use crate::part::Parts;
use observe::Side;
use port::{Held, Port};
use std::fmt::Write as _;
use units::{ElementId, PortId, QueueId};

const LINES_MAX: usize = 200;

/// A queue of the fabric. Elements: switches first, then end nodes, by their numbers in the whole
/// fabric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct At {
    pub(crate) element: ElementId,
    pub(crate) side: Side,
    pub(crate) port: PortId,
    pub(crate) queue: QueueId,
}

impl At {
    /// The first queue of a side of a port.
    fn first(element: ElementId, side: Side, port: PortId) -> At {
        At {
            element,
            side,
            port,
            queue: QueueId(0),
        }
    }

    /// Another queue there.
    fn queue(self, queue: QueueId) -> At {
        At { queue, ..self }
    }
}

/// Every side of every port that holds packets, in the order of [`At`].
fn holding(parts: Parts<'_>) -> impl Iterator<Item = (At, Port<'_>)> {
    let switches = parts.part.elements.switches.len();
    let elements = switches + parts.part.elements.nodes.len();
    let sides = (0..elements).flat_map(move |element| {
        let at = ElementId::at(element);
        let (ports, sides): (usize, &[Side]) = if element < switches {
            let (_, switch) = parts.switch(at.0);
            (switch.ports(), &[Side::Ingress, Side::Egress])
        } else {
            (1, &[Side::Egress])
        };
        let ports = move |&side| (0..ports).map(move |port| At::first(at, side, PortId::at(port)));
        sides.iter().flat_map(ports)
    });
    let ports = sides.map(move |at| (at, Port::of(parts, at)));
    ports.filter(|(_, port)| port.memory.queued_cells() > 0)
}

/// The head of a queue, and what it waits for.
fn line(parts: Parts<'_>, at: At) -> Option<String> {
    let port = Port::of(parts, at);
    let p = port.head(at.queue)?;
    let output = port.output_of(p).unit();
    let room = port.room(port.output_of(p), p);
    let (lacks, available, class) = (!room.fits(p), room.available, room.class);
    let why = match (port.held(at.queue).next(), at.side) {
        (Some(Held::Marker), _) => "its marker".to_string(),
        (Some(Held::Xon), _) => "Xon".to_string(),
        (None, Side::Ingress) if lacks => format!(
            "room behind {output} ({available} of {} cells of class {class})",
            p.cells
        ),
        (None, Side::Ingress) => format!("the crossbar to {output}"),
        (None, Side::Egress) if lacks => {
            format!("credit ({available} of {} cells of class {class})", p.cells)
        }
        (None, Side::Egress) => "the link".to_string(),
    };
    Some(format!(
        "{} queue {}: {} packets, head n{}->n{} #{} waits for {why}",
        port.memory.unit(),
        at.queue,
        port.memory.packets(at.queue),
        p.source,
        p.destination,
        p.sequence
    ))
}

/// One line for each of these queues, as many as are of use.
pub(crate) fn list(parts: Parts<'_>, queues: impl Iterator<Item = At>) -> String {
    let (mut text, mut lines) = (String::new(), 0usize);
    for at in queues {
        let Some(what) = line(parts, at) else {
            continue;
        };
        lines += 1;
        if lines <= LINES_MAX {
            let _ = writeln!(text, "  {what}");
        }
    }
    if lines > LINES_MAX {
        let _ = writeln!(text, "  and {} queues more", lines - LINES_MAX);
    }
    text
}

/// One line for each queue that holds packets: its head, and what it waits for.
pub(crate) fn dump(parts: Parts<'_>) -> String {
    let queues = holding(parts).flat_map(|(at, port)| port.queues().map(move |q| at.queue(q)));
    list(parts, queues)
}
