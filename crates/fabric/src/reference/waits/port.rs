//! A side of a port, as far as its packets wait there for something.

use crate::reference::Reference;
use crate::waits::At;
use observe::Side;
use plan::Params;
use recn::RecnPort;
use switch::{Egress, Packet, PortMemory, Switch};
use units::{ClassId, QueueId, Tick};

/// A side of a port, with all that its packets wait for.
#[derive(Clone, Copy)]
pub(super) struct Port<'a> {
    all: &'a Reference,
    pub(super) memory: &'a PortMemory,
    pub(super) recn: Option<&'a RecnPort>,
    leads: Leads<'a>,
}

/// Where packets go from a side of a port.
#[derive(Clone, Copy)]
enum Leads<'a> {
    /// Ingress: to the outputs of its switch.
    Crossbar(&'a Switch),
    /// Egress, and the injection side of an end node: over its own link.
    Link(&'a Egress),
}

/// What keeps a queue from requesting.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    /// The marker of the SAQ is not at the head of its queue yet.
    Marker,
    /// The SAQ is at Xoff.
    Xon,
}

/// Cells of the class that a packet takes next: in the output memory behind the crossbar where
/// there is one, else in the memory behind the link.
#[derive(Clone, Copy)]
pub(super) struct Room {
    pub(super) class: ClassId,
    pub(super) available: u32,
    capacity: u32,
}

impl Room {
    pub(super) fn fits(&self, packet: &Packet) -> bool {
        self.available >= u32::from(packet.cells)
    }

    /// Cells that packets hold, or that are on their way back.
    pub(super) fn in_use(&self) -> u32 {
        self.capacity - self.available
    }
}

impl<'a> Port<'a> {
    pub(super) fn of(all: &'a Reference, at: At) -> Port<'a> {
        let switches = all.elements.switches.len() as u32;
        let of_egress = |port: &'a Egress| Port {
            all,
            memory: port.memory(),
            recn: port.recn(),
            leads: Leads::Link(port),
        };
        if at.element.0 >= switches {
            let node = all.node(at.element.0 - switches);
            return of_egress(node.injection());
        }
        let switch = all.switch(at.element.0);
        if at.side == Side::Egress {
            return of_egress(&switch.outputs()[at.port.index()]);
        }
        let input = &switch.inputs()[at.port.index()];
        Port { all, memory: input.memory(), recn: input.recn(), leads: Leads::Crossbar(switch) }
    }

    pub(super) fn params(&self) -> &'a Params {
        &self.all.elements.params
    }

    pub(super) fn queues(&self) -> impl Iterator<Item = QueueId> + use<> {
        (0..self.memory.queues()).map(QueueId::at)
    }

    pub(super) fn head(&self, queue: QueueId) -> Option<&'a Packet> {
        let id = self.memory.front(queue)?;
        Some(&self.all.transit.packets[id])
    }

    /// Since when an arbiter has seen the head of a queue.
    pub(super) fn visible(&self, queue: QueueId) -> Option<Tick> {
        let head = self.head(queue)?;
        Some(head.stored + self.params().stages.arbitration)
    }

    /// Why a SAQ does not request, if it does not.
    pub(super) fn held(&self, queue: QueueId) -> impl Iterator<Item = Held> + use<> {
        let line = self.recn.and_then(|r| r.line(queue).map(|line| (r, line)));
        let marker = line.is_some_and(|(r, line)| !r.cam().ready(line));
        let xon = line.is_some_and(|(r, line)| r.cam().blocked(line));
        let marker = marker.then_some(Held::Marker);
        marker.into_iter().chain(xon.then_some(Held::Xon))
    }

    /// The output that a packet goes through.
    pub(super) fn output_of(&self, packet: &Packet) -> &'a Egress {
        match self.leads {
            Leads::Crossbar(switch) => &switch.outputs()[packet.output.index()],
            Leads::Link(port) => port,
        }
    }

    /// What a packet finds behind an output that it may go through. It takes one class behind all
    /// of them.
    pub(super) fn room(&self, output: &Egress, packet: &Packet) -> Room {
        let (params, first) = (self.params(), self.output_of(packet));
        match self.leads {
            Leads::Crossbar(_) => {
                let class = first.class_behind_crossbar(params, packet);
                let credits = output.memory().room_classes();
                let credits = credits.unwrap_or(output.fcu().credits());
                Room {
                    class,
                    available: output.room(class),
                    capacity: credits.class(class).capacity(),
                }
            }
            Leads::Link(_) => {
                let class = first.class_in_next_memory(params, packet);
                let credits = output.fcu().credits().class(class);
                Room { class, available: credits.available(), capacity: credits.capacity() }
            }
        }
    }
}
