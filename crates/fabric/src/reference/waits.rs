//! What the units of a fabric say of packets that wait.

use super::Reference;
use super::audit::class_of_queue;
use super::wires::Wire;
use crate::waits::{At, Head, Signs, Standing};
use observe::{Side, Waits};
use plan::Params;
use recn::RecnPort;
use switch::{Egress, Packet, PortMemory, Switch};
use units::{ClassId, ElementId, PortId, QueueId, Tick, VcId};

/// A side of a port, with all that its packets wait for.
#[derive(Clone, Copy)]
struct Port<'a> {
    all: &'a Reference,
    memory: &'a PortMemory,
    recn: Option<&'a RecnPort>,
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

impl<'a> Port<'a> {
    fn of(all: &'a Reference, at: At) -> Port<'a> {
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

    fn params(&self) -> &'a Params {
        &self.all.elements.params
    }

    fn queues(&self) -> impl Iterator<Item = QueueId> + use<> {
        (0..self.memory.queues()).map(QueueId::at)
    }

    fn head(&self, queue: QueueId) -> Option<&'a Packet> {
        let id = self.memory.front(queue)?;
        Some(&self.all.transit.packets[id])
    }

    fn visible(&self, packet: &Packet) -> Tick {
        packet.stored + self.params().stages.arbitration
    }

    /// The output that a packet goes through.
    fn output_of(&self, packet: &Packet) -> &'a Egress {
        match self.leads {
            Leads::Crossbar(switch) => &switch.outputs()[packet.output.index()],
            Leads::Link(port) => port,
        }
    }

    /// The class that a packet takes next, in the output memory behind the crossbar where there is
    /// one, else in the memory behind the link: cells of it that are free, and that are not.
    fn room(&self, packet: &Packet) -> (ClassId, u32, u32) {
        let (params, output) = (self.params(), self.output_of(packet));
        let credits = output.fcu().credits();
        let (class, credits) = match self.leads {
            Leads::Crossbar(_) => (
                output.class_behind_crossbar(params, packet),
                output.memory().room_classes().unwrap_or(credits),
            ),
            Leads::Link(_) => (output.class_in_next_memory(params, packet), credits),
        };
        let credits = credits.class(class);
        (class, credits.available, credits.in_use())
    }

    /// The memory that the head of a queue goes to next, its first queue; none for an end node.
    fn holder(&self, at: At) -> Option<At> {
        let (owners, output) = (&self.all.transit.owners, self.output_of(self.head(at.queue)?));
        if at.side == Side::Ingress && output.memory().has_room() {
            let port = owners[output.place.port.index()].port;
            return Some(At::first(at.element, Side::Egress, port));
        }
        let there = owners[output.link().peer.wire?.index()];
        let is_switch = there.element.index() < self.all.elements.switches.len();
        is_switch.then(|| At::first(there.element, Side::Ingress, there.port))
    }
}

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

impl Reference {
    /// What the packets of a side of a port wait for, by the best placed of its visible heads.
    pub(super) fn waits(&self, element: ElementId, side: Side, port: PortId) -> Waits {
        let at = At::first(element, side, port);
        let heads = Port::of(self, at).queues().filter_map(|queue| self.head(at.queue(queue)));
        let visible = heads.filter(|head| head.visible <= self.now);
        visible.map(|head| head.waits()).max().unwrap_or(Waits::Nothing)
    }
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
            let is_visible = |packet: &Packet| port.visible(packet) <= before;
            let is_waiting = |&queue: &QueueId| port.head(queue).is_some_and(is_visible);
            queues.extend(port.queues().filter(is_waiting).map(|queue| at.queue(queue)));
        }
    }

    fn head(&self, at: At) -> Option<Head> {
        let port = Port::of(self, at);
        let packet = port.head(at.queue)?;
        let (class, free, in_use) = port.room(packet);
        let line = port.recn.and_then(|recn| Some((recn, recn.line(at.queue)?)));
        let is_cold = |recn: &RecnPort| recn.has_cold_queue() && line.is_none();
        let matches = |recn: &RecnPort| recn.cam().lookup(&packet.route).is_some();
        Some(Head {
            unit: port.memory.unit(),
            packet: packet.key(),
            cells: packet.cells.into(),
            visible: port.visible(packet),
            behind_marker: line.is_some_and(|(recn, line)| !recn.cam().ready(line)),
            is_blocked: line.is_some_and(|(recn, line)| recn.cam().blocked(line)),
            is_moved: port.recn.is_some_and(|recn| is_cold(recn) && matches(recn)),
            output: port.output_of(packet).unit(),
            class,
            free,
            in_use,
        })
    }

    fn packets(&self, at: At) -> usize {
        Port::of(self, at).memory.packets(at.queue) as usize
    }

    fn marker_host(&self, at: At) -> Option<At> {
        let Port { memory, recn, .. } = Port::of(self, at);
        let (recn, mut queue) = (recn?, at.queue);
        for _ in 0..=recn.cam().lines() {
            queue = memory.marker_host(recn.line(queue)?)?;
            if memory.packets(queue) > 0 {
                return Some(at.queue(queue));
            }
        }
        None
    }

    fn xon_from(&self, at: At) -> Option<At> {
        let port = Port::of(self, at);
        let recn = port.recn?;
        let own = recn.cam().point(recn.line(at.queue)?);
        let point = match port.leads {
            Leads::Link(_) => own,
            Leads::Crossbar(switch) => own.without_first(switch.turn_width())?,
        };
        let holder = port.holder(at)?;
        let there = Port::of(self, holder).recn?;
        if point.bits() == 0 {
            return there.root_xoff().then_some(holder);
        }
        let line = there.cam().find(&point)?;
        let at_xoff = there.registers(line).xoff.is_set();
        at_xoff.then(|| holder.queue(there.queue(line)))
    }

    fn add_holders(&self, at: At, head: &Head, list: &mut Vec<At>) -> bool {
        let Some(holder) = Port::of(self, at).holder(at) else {
            return false;
        };
        let (there, mut queued) = (Port::of(self, holder), 0);
        for queue in there.queues() {
            let cells = there.memory.cells(queue);
            if cells > 0 && class_of_queue(there.params(), there.memory, queue) == head.class {
                queued += cells;
                list.push(holder.queue(queue));
            }
        }
        if there.params().pause.is_some() && holder.side == Side::Ingress {
            // Until some of them move it stays paused; else RESUME is on its way, or will be.
            let pauser = self.switch(holder.element.0).pauser(holder.port);
            let stays = pauser.and_then(|p| p.wanted_down_to(VcId(head.class.0 as u8)));
            return stays.is_some_and(|stays| queued > stays);
        }
        queued == head.in_use
    }

    fn may_have_moved(&self, since: Tick) -> bool {
        let mut switches = self.switches().iter();
        switches.any(|switch| switch.may_have_moved_since(since))
            || self.transit.wires.iter().any(Wire::has_control)
            || self.egresses().any(|port| port.link().has_control())
    }
}
