//! What the units of a fabric say of packets that wait.

use super::port::{Held, Port};
use super::{At, Head, Needed, Signs, Standing, Why, needs};
use crate::part::Parts;
use observe::Side;
use units::{ElementId, PortId, Tick};

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

impl Standing for Parts<'_> {
    fn signs(&self) -> Signs {
        Signs {
            sent: self.part.transit.sent,
            ejected: self.part.transit.ejected,
            in_network: self.packets_in_network(),
        }
    }

    fn add_queues(&self, before: Tick, queues: &mut Vec<At>) {
        for (at, port) in holding(*self) {
            let stands = |&queue: &_| port.visible(queue).is_some_and(|tick| tick <= before);
            let stand = port.queues().filter(stands);
            queues.extend(stand.map(|queue| at.queue(queue)));
        }
    }

    fn visible(&self, at: At) -> Option<Tick> {
        Port::of(*self, at).visible(at.queue)
    }

    fn needs(&self, at: At, list: &mut Vec<At>, tell: &mut dyn FnMut(Needed<'_>)) {
        needs::needs_of(*self, at, list, tell);
    }

    fn head(&self, at: At) -> Option<Head> {
        let port = Port::of(*self, at);
        let p = port.head(at.queue)?;
        let output = port.output_of(p).unit();
        let room = port.room(port.output_of(p), p);
        let lacks = !room.fits(p);
        let why = match (port.held(at.queue).next(), at.side) {
            (Some(Held::Marker), _) => Why::Marker,
            (Some(Held::Xon), _) => Why::Xon,
            (None, Side::Ingress) if lacks => Why::Room(output, room.available, room.class),
            (None, Side::Ingress) => Why::Crossbar(output),
            (None, Side::Egress) if lacks => Why::Credit(room.available, room.class),
            (None, Side::Egress) => Why::Link,
        };
        Some(Head {
            unit: port.memory.unit(),
            packets: port.memory.packets(at.queue),
            packet: p.key(),
            cells: p.cells.into(),
            why,
        })
    }

    fn may_have_moved(&self, since: Tick) -> bool {
        let waiting = |port: &switch::Egress| port.link().has_control();
        let switches = || self.switches().map(|(_, switch)| switch);
        switches().any(|switch| switch.may_have_moved_since(since))
            || self.part.transit.wires.control_packets() > 0
            || switches().any(|switch| switch.outputs().iter().any(waiting))
            || self.nodes().any(|(_, node)| waiting(node.injection()))
    }
}
