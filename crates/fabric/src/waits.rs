//! Who waits for whom: what keeps the head of a queue, the queues that can never move again ([`locked`]), and the dump of a run
//! that is stuck.

mod locked;

pub(crate) use locked::Locked;

use crate::part::{Part, Whole};
use flow_control::ClassCredits;
use std::fmt::Write as _;
use switch::{Memory, OutPort, Packet, RecnPort, Side};
use units::Unit;

const LINES_MAX: usize = 200;

/// A queue of the fabric. Elements: switches first, then end nodes, by their numbers in the whole fabric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct At {
    element: u32,
    side: Side,
    port: u8,
    queue: u16,
}

/// A side of a port, with all that its packets wait for.
#[derive(Clone, Copy)]
struct Port<'a> {
    part: &'a Part,
    memory: &'a Memory,
    recn: Option<&'a RecnPort>,
    unit: Unit,
    /// Ingress: the outputs of its switch. Egress: itself.
    outputs: &'a [OutPort],
}

impl<'a> Whole<'a> {
    /// One side of a port; the injection side of an end node is an egress.
    fn port(self, element: u32, side: Side, port: u8) -> Port<'a> {
        let switches = self.partition.switches.len() as u32;
        if element >= switches {
            let (part, node) = self.node(element - switches);
            return egress(part, &node.injection);
        }
        let (part, switch) = self.switch(element);
        let at = usize::from(port);
        match side {
            Side::Egress => egress(part, &switch.outputs[at]),
            Side::Ingress => Port {
                part,
                memory: &switch.inputs[at].memory,
                recn: switch.inputs[at].recn.as_deref(),
                unit: switch.inputs[at].unit,
                outputs: &switch.outputs,
            },
        }
    }

    fn port_of(self, at: At) -> Port<'a> {
        self.port(at.element, at.side, at.port)
    }

    /// Every side of every port that holds packets, in the order of [`At`].
    fn holding(self) -> impl Iterator<Item = (At, Port<'a>)> {
        let switches = self.partition.switches.len() as u32;
        let elements = switches + self.partition.nodes.len() as u32;
        let sides = (0..elements).flat_map(move |element| {
            let (ports, sides): (usize, &[Side]) = if element < switches {
                let (_, switch) = self.switch(element);
                (switch.inputs.len(), &[Side::Ingress, Side::Egress])
            } else {
                (1, &[Side::Egress])
            };
            let ports = move |&side| (0..ports as u8).map(move |port| (element, side, port));
            sides.iter().flat_map(ports)
        });
        sides.filter_map(move |(element, side, port)| {
            let here = self.port(element, side, port);
            let at = At {
                element,
                side,
                port,
                queue: 0,
            };
            (here.memory.pool_cells() > 0 && here.memory.queued_cells() > 0).then_some((at, here))
        })
    }
}

fn egress<'a>(part: &'a Part, port: &'a OutPort) -> Port<'a> {
    Port {
        part,
        memory: &port.memory,
        recn: port.recn.as_deref(),
        unit: port.link.unit,
        outputs: std::slice::from_ref(port),
    }
}

/// What keeps a queue from requesting.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Held {
    Marker,
    Xon,
}

impl<'a> Port<'a> {
    fn queues(&self) -> impl Iterator<Item = u16> + use<> {
        0..self.memory.queues() as u16
    }

    fn head(&self, queue: u16) -> Option<&'a Packet> {
        let id = self.memory.front(queue)?;
        Some(&self.part.medium.packets[id])
    }

    /// Why a SAQ does not request, if it does not.
    fn held(&self, queue: u16) -> impl Iterator<Item = Held> + use<> {
        let line = self.recn.and_then(|r| r.line(queue).map(|line| (r, line)));
        let marker = line.is_some_and(|(r, line)| !r.cam.ready(line));
        let xon = line.is_some_and(|(r, line)| r.cam.blocked(line));
        let marker = marker.then_some(Held::Marker);
        marker.into_iter().chain(xon.then_some(Held::Xon))
    }

    /// The output that a packet goes through.
    fn output_of(&self, packet: &Packet, side: Side) -> &'a OutPort {
        match side {
            Side::Ingress => &self.outputs[usize::from(packet.output)],
            Side::Egress => &self.outputs[0],
        }
    }
}

/// The cells that a packet needs next: in the output memory behind the crossbar where there is one, else in the memory behind the
/// link.
fn room(output: &OutPort, side: Side) -> &ClassCredits {
    match side {
        Side::Ingress => output.behind_crossbar(),
        Side::Egress => &output.link.credits,
    }
}

/// The head of a queue, and what it waits for.
fn line(port: &Port<'_>, at: At) -> Option<String> {
    let p = port.head(at.queue)?;
    let output = port.output_of(p, at.side);
    let available = room(output, at.side).available(p.class);
    let lacks = available < u32::from(p.cells);
    let why = match (port.held(at.queue).next(), at.side) {
        (Some(Held::Marker), _) => "its marker".to_string(),
        (Some(Held::Xon), _) => "Xon".to_string(),
        (None, Side::Ingress) if lacks => format!(
            "room behind {} ({available} of {} cells of class {})",
            output.link.unit, p.cells, p.class
        ),
        (None, Side::Ingress) => format!("the crossbar to {}", output.link.unit),
        (None, Side::Egress) if lacks => format!(
            "credit ({available} of {} cells of class {})",
            p.cells, p.class
        ),
        (None, Side::Egress) => "the link".to_string(),
    };
    Some(format!(
        "{} queue {}: {} packets, head n{}->n{} #{} waits for {why}",
        port.unit,
        at.queue,
        port.memory.packets(at.queue),
        p.source,
        p.destination,
        p.sequence
    ))
}

/// One line for each of these queues, as many as are of use.
pub(crate) fn list(whole: Whole<'_>, queues: impl Iterator<Item = At>) -> String {
    let (mut text, mut lines) = (String::new(), 0usize);
    for at in queues {
        let Some(what) = line(&whole.port_of(at), at) else {
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
pub(crate) fn dump(whole: Whole<'_>) -> String {
    let queues = whole.holding().flat_map(|(at, port)| {
        let all = port.queues();
        all.map(move |queue| At { queue, ..at })
    });
    list(whole, queues)
}
