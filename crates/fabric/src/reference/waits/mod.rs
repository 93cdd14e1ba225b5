//! What the units of a fabric say of packets that wait.

mod needs;
mod port;

use crate::reference::Reference;
use crate::waits::{At, Head, Needed, Signs, Standing, Why};
use observe::Side;
use port::{Held, Port};
use switch::Switch;
use units::{ElementId, PortId, Tick};

/// Every side of every port that holds packets, in the order of [`At`].
fn holding(all: &Reference) -> impl Iterator<Item = (At, Port<'_>)> {
    let switches = all.elements.switches.len();
    let elements = switches + all.elements.nodes.len();
    let sides = (0..elements).flat_map(move |element| {
        let at = ElementId::at(element);
        let (ports, sides): (usize, &[Side]) = if element < switches {
            let switch = all.switch(at.0);
            (switch.ports(), &[Side::Ingress, Side::Egress])
        } else {
            (1, &[Side::Egress])
        };
        let ports = move |&side| (0..ports).map(move |port| At::first(at, side, PortId::at(port)));
        sides.iter().flat_map(ports)
    });
    let ports = sides.map(move |at| (at, Port::of(all, at)));
    ports.filter(|(_, port)| port.memory.queued_cells() > 0)
}

impl Standing for Reference {
    fn signs(&self) -> Signs {
        Signs {
            sent: self.transit.sent,
            ejected: self.transit.ejected,
            in_network: self.transit.packets.alive(),
        }
    }

    fn add_queues(&self, before: Tick, queues: &mut Vec<At>) {
        for (at, port) in holding(self) {
            let is_waiting = |&queue: &_| port.visible(queue).is_some_and(|tick| tick <= before);
            let waiting = port.queues().filter(is_waiting);
            queues.extend(waiting.map(|queue| at.queue(queue)));
        }
    }

    fn visible(&self, at: At) -> Option<Tick> {
        Port::of(self, at).visible(at.queue)
    }

    fn needs(&self, at: At, list: &mut Vec<At>, visit: &mut dyn FnMut(Needed<'_>)) {
        needs::needs_of(self, at, list, visit);
    }

    fn head(&self, at: At) -> Option<Head> {
        let port = Port::of(self, at);
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
        let mut outputs = self.switches().iter().flat_map(Switch::outputs);
        let mut switches = self.switches().iter();
        switches.any(|switch| switch.may_have_moved_since(since))
            || self.transit.wires.control_packets() > 0
            || outputs.any(waiting)
            || self.nodes().iter().any(|node| waiting(node.injection()))
    }
}
