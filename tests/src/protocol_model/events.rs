//! Steps 1 to 4 of a commit, one event each: departures, stores, admittance, PPU moves, control
//! packets; and timers. As the switch and the end node call the same units.

use super::action::Event;
use super::model::ProtocolModel;
use super::mutants::Mutant;
use super::network::{Element, NODE_PORT, Side};
use super::state::{Fault, Port, State};
use super::time::{NOW, OVER};
use recn::{Change, Detection, Internal, MarkedQueues, ProtocolError, Received};
use std::sync::Arc;
use units::{PortId, QueueId};

/// A commit under way.
pub(super) struct Commit<'m> {
    pub(super) model: &'m ProtocolModel,
    /// Whose it is.
    pub(super) element: Element,
    pub(super) state: State,
    /// Messages inside the switch, for step 5.
    pub(super) messages: Vec<Internal>,
}

impl Commit<'_> {
    pub(super) fn mutant(&self, mutant: Mutant) -> bool {
        self.model.mutant == Some(mutant)
    }

    /// One event of steps 1 to 4, or the end of a timer.
    pub(super) fn event(&mut self, event: Event) -> Result<(), Fault> {
        match event {
            Event::Depart { unit, queue } => self.depart(unit, queue)?,
            Event::Store { unit } => self.store(unit)?,
            Event::Admit { flow } => self.admit(flow),
            Event::Move { unit } => self.move_cold_head(unit),
            Event::Control { unit } => self.control(unit)?,
            Event::SaqTimer { unit, line } => self.end_saq_timer(unit, line),
            Event::Retry { unit, line } => {
                self.state.port(unit).recn.registers_mut(line).retry_at = OVER;
            }
            Event::Repeat { unit, line } => {
                self.state.port(unit).recn.registers_mut(line).xoff_at = OVER;
            }
            Event::Settle { .. } => {}
        }
        Ok(())
    }

    /// The units of the element.
    pub(super) fn units(&self) -> impl Iterator<Item = usize> + use<> {
        let units = self.model.network.units.iter().enumerate();
        let here = units.filter(|(_, place)| place.element == self.element);
        here.map(|(unit, _)| unit).collect::<Vec<_>>().into_iter()
    }

    /// Step 1: the head of `queue` leaves: over the crossbar, over the link, or out of the network.
    fn depart(&mut self, unit: usize, queue: QueueId) -> Result<(), Fault> {
        let port = self.state.port(unit);
        let Some(packet) = port.queues.pop(queue) else {
            return Ok(());
        };
        port.recn.head_left(&port.queues, queue);
        if self.model.network.units[unit].side == Side::Ingress {
            self.left_ingress(unit, queue, packet);
        } else {
            self.fell_at_egress(unit, queue);
        }
        match self.model.network.next_memory(packet, unit) {
            Some(next) => self.state.port(next).arriving.push(packet),
            None => return self.eject(packet),
        }
        Ok(())
    }

    /// CDU and FCU of an ingress port; in `iq` the packet starts through its output.
    fn left_ingress(&mut self, unit: usize, queue: QueueId, packet: u8) {
        let model = self.model;
        let port = self.state.port(unit);
        port.cdu.left(queue, model.output(packet, unit));
        if let Some(line) = port.recn.line(queue) {
            let packets = port.queues.packets(queue);
            let change = port.recn.ingress_fell(line, packets, NOW, &model.config);
            let lost = self.mutant(Mutant::XonLost);
            self.say_upstream(unit, change.says.filter(|_| !lost));
        }
        let egress = model.network.neighbours(packet, unit).1;
        if let Some(egress) = egress.filter(|&egress| !model.network.stores(egress)) {
            self.started_through(egress, model.network.units[unit].port, packet);
        }
    }

    fn eject(&mut self, packet: u8) -> Result<(), Fault> {
        let network = &self.model.network;
        let flow = network.flow(packet);
        if packet != network.first_packet(flow) + self.state.ejected[flow] {
            return Err(Fault::Overtaken(packet));
        }
        self.state.ejected[flow] += 1;
        Ok(())
    }

    /// Step 2: the first packet on the way to `unit` is stored.
    fn store(&mut self, unit: usize) -> Result<(), Fault> {
        let packet = self.state.port(unit).arriving.remove(0);
        let queue = self.push(unit, packet);
        if self.model.network.units[unit].side == Side::Ingress {
            return self.stored_at_ingress(unit, packet, queue);
        }
        let sender = self.sender(unit, packet);
        self.rose_at_egress(unit, queue, sender);
        let port = &self.state.ports[unit];
        let packets = port.queues.packets(queue);
        let config = &self.model.config;
        let said = port.recn.egress_detection(queue, packets, sender, config);
        self.say_inside(unit, queue, said);
        Ok(())
    }

    /// Step 3: the next packet of a flow enters the injection memory.
    fn admit(&mut self, flow: usize) {
        let network = &self.model.network;
        let packet = network.first_packet(flow) + self.state.admitted[flow];
        let unit = network.ways[flow][0];
        self.state.admitted[flow] += 1;
        let queue = self.push(unit, packet);
        self.rose_at_egress(unit, queue, NODE_PORT);
    }

    /// Steers a packet and stores it; its queue.
    fn push(&mut self, unit: usize, packet: u8) -> QueueId {
        let queue = self.model.queue_of(&self.state.ports[unit], packet, unit);
        self.state.port(unit).queues.push(queue, packet);
        queue
    }

    /// The ingress port from which a packet came to an egress port.
    fn sender(&self, unit: usize, packet: u8) -> PortId {
        let network = &self.model.network;
        let before = network.neighbours(packet, unit).0;
        before.map_or(NODE_PORT, |b| network.units[b].port)
    }

    /// A packet was stored at ingress: FCU and propagation for a SAQ, else detection.
    fn stored_at_ingress(&mut self, unit: usize, packet: u8, queue: QueueId) -> Result<(), Fault> {
        let model = self.model;
        let config = &model.config;
        self.rose_at_ingress(unit, queue);
        let port = self.state.port(unit);
        let packets = port.queues.packets(queue);
        if let Some(line) = port.recn.line(queue) {
            let says = port.recn.ingress_propagation(line, packets, NOW, config)?;
            self.say_notification(unit, says);
            return Ok(());
        }
        let output = model.output(packet, unit);
        if !port.cdu.stored(output, packets, config) {
            return Ok(());
        }
        let (point, Port { recn, queues, .. }) = (model.turn_to(unit, output), port);
        let found = recn.ingress_detection(queues, queue, point, NOW, config)?;
        if let Detection::Root { line, says } = found {
            if model.mutant == Some(Mutant::SwapOmitted) {
                queues.swap(queue, recn.queue(line)).map_err(ProtocolError::from)?;
            }
            self.say_notification(unit, says);
        }
        Ok(())
    }

    /// FCU: a packet came to an ingress queue: Xoff upstream.
    pub(super) fn rose_at_ingress(&mut self, unit: usize, queue: QueueId) {
        let config = &self.model.config;
        let Port { recn, queues, .. } = self.state.port(unit);
        if let Some(line) = recn.line(queue) {
            let change = recn.ingress_rose(line, queues.packets(queue), NOW, config);
            self.say_upstream(unit, change.says);
        }
    }

    /// FCU: a packet from `sender` came to an egress queue: Xoff inside the switch.
    fn rose_at_egress(&mut self, unit: usize, queue: QueueId, sender: PortId) {
        let config = &self.model.config;
        let Port { recn, queues, .. } = self.state.port(unit);
        let mut change = Change::NONE;
        if recn.has_xoff(queue, config) {
            change = recn.egress_rose(queue, queues.packets(queue), sender, NOW, config);
        }
        self.say_inside(unit, queue, change.says);
    }

    /// FCU: a packet left an egress queue: Xon inside the switch.
    fn fell_at_egress(&mut self, unit: usize, queue: QueueId) {
        let config = &self.model.config;
        let Port { recn, queues, .. } = self.state.port(unit);
        let mut change = Change::NONE;
        if recn.has_xoff(queue, config) {
            change = recn.egress_fell(queue, queues.packets(queue), NOW, config);
        }
        self.say_inside(unit, queue, change.says);
    }

    /// Step 4: the first control packet on the way to `unit`.
    fn control(&mut self, unit: usize) -> Result<(), Fault> {
        let model = self.model;
        let control = self.state.port(unit).controls.remove(0);
        if !model.network.stores(unit) {
            return self.broadcast(unit, control);
        }
        let port = Arc::make_mut(&mut self.state.ports[unit]);
        let Port { recn, queues, .. } = port;
        if model.network.units[unit].side == Side::Ingress {
            return Ok(recn.ingress_control(control, NOW, &model.config)?);
        }
        match recn.egress_control(queues, control, NOW)? {
            Received::Allocated { line, .. } => {
                if let Some(mutant) = model.mutant {
                    mutant.allocated(port, line);
                }
            }
            Received::Refused { nack, .. } => {
                if let Some(nack) = nack.filter(|_| !self.mutant(Mutant::NackForgotten)) {
                    self.say_downstream(unit, nack);
                }
            }
            Received::Flow { .. } | Received::Ignored => {}
        }
        Ok(())
    }
}
