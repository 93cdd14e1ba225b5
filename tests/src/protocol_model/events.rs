//! Steps 1 to 4 of a commit, one event each: departures, stores, admittance, PPU moves, control
//! packets; and timers. As the switch and the end node call the same units.

use super::broken::Mutant;
use super::commit::{NOW, OVER};
use super::model::ProtocolModel;
use super::network::{Element, NODE_PORT, Side};
use super::state::{Fault, Port, State};
use flow_control::Control;
use recn::{Detection, Internal, InternalKind, MarkedQueues, Message, ProtocolError, Received};
use std::sync::Arc;
use switch::COLD;
use units::{LineId, PortId, QueueId};

/// Something of steps 1 to 4 of a commit, or the end of a timer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    /// Step 1: the head of a queue leaves.
    Depart { unit: usize, queue: QueueId },
    /// Step 2: the first packet on its way is stored.
    Store { unit: usize },
    /// Step 3: the next packet of a flow enters the injection memory.
    Admit { flow: usize },
    /// Step 3: the PPU moves the head of the cold queue.
    Move { unit: usize },
    /// Step 4: the first control packet on its way is read.
    Control { unit: usize },
    /// A SAQ is old enough to be freed.
    SaqTimer { unit: usize, line: LineId },
    /// A refused notification may be repeated.
    Retry { unit: usize, line: LineId },
    /// DD versions: Xoff may be repeated.
    Repeat { unit: usize, line: LineId },
    /// Nothing but what the last commit has left to evaluate.
    Settle { element: Element },
}

/// What happens in one commit of one element: an event or two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Action {
    /// The only one, or the earlier one.
    pub(crate) first: Event,
    /// Of a later step, or of the same step elsewhere.
    pub(crate) second: Option<Event>,
}

pub(super) struct Commit<'m> {
    pub(super) model: &'m ProtocolModel,
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
            self.send_upstream(unit, change.message.filter(|_| !lost));
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
        let detected = port.recn.egress_detection(queue, packets, sender, config);
        self.send_inside(unit, queue, detected);
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
            let controls = port.recn.ingress_propagation(line, packets, NOW, config)?;
            self.send_notification(unit, controls);
            return Ok(());
        }
        let output = model.output(packet, unit);
        if !port.cdu.stored(output, packets, config) {
            return Ok(());
        }
        let (point, Port { recn, queues, .. }) = (model.turn_to(unit, output), port);
        let found = recn.ingress_detection(queues, queue, point, NOW, config)?;
        if let Detection::Root { line, controls } = found {
            if model.mutant == Some(Mutant::SwapOmitted) {
                queues.swap(queue, recn.queue(line)).map_err(ProtocolError::from)?;
            }
            self.send_notification(unit, controls);
        }
        Ok(())
    }

    /// FCU: a packet came to an ingress queue: Xoff upstream.
    fn rose_at_ingress(&mut self, unit: usize, queue: QueueId) {
        let config = &self.model.config;
        let Port { recn, queues, .. } = self.state.port(unit);
        if let Some(line) = recn.line(queue) {
            let change = recn.ingress_rose(line, queues.packets(queue), NOW, config);
            self.send_upstream(unit, change.message);
        }
    }

    /// FCU: a packet from `sender` came to an egress queue: Xoff inside the switch.
    fn rose_at_egress(&mut self, unit: usize, queue: QueueId, sender: PortId) {
        let config = &self.model.config;
        let Port { recn, queues, .. } = self.state.port(unit);
        let change = recn.egress_rose(queue, queues.packets(queue), sender, NOW, config);
        self.send_inside(unit, queue, change.message);
    }

    /// FCU: a packet left an egress queue: Xon inside the switch.
    fn fell_at_egress(&mut self, unit: usize, queue: QueueId) {
        let config = &self.model.config;
        let Port { recn, queues, .. } = self.state.port(unit);
        let change = recn.egress_fell(queue, queues.packets(queue), NOW, config);
        self.send_inside(unit, queue, change.message);
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
                    self.send_downstream(unit, nack);
                }
            }
            Received::Flow { .. } | Received::Ignored => {}
        }
        Ok(())
    }

    /// `iq`: a packet from `sender` starts through an output. One that matches a line there, which
    /// is at Xoff, has its input set the point aside.
    fn started_through(&mut self, egress: usize, sender: PortId, packet: u8) {
        if !self.model.config.iq_egress_lines {
            self.state.port(egress).last_sender = Some(sender);
            return;
        }
        let recn = &self.state.ports[egress].recn;
        let route = self.model.network.route(packet, egress);
        let Some(line) = recn.cam().lookup(route) else {
            return;
        };
        let kind = InternalKind::Request { sender, blocked: true };
        let message = (recn.cam().point(line), kind);
        self.send_inside(egress, recn.queue(line), Some(message));
    }

    /// Step 3: the PPU moves the head of the cold queue into its SAQ.
    fn move_cold_head(&mut self, unit: usize) {
        let model = self.model;
        let Some(saq) = model.saq_of_head(&self.state.ports[unit], COLD, unit) else {
            return;
        };
        let port = self.state.port(unit);
        if let Some(packet) = port.queues.move_front(COLD, saq) {
            port.cdu.left(COLD, model.output(packet, unit));
            self.rose_at_ingress(unit, saq);
        }
    }

    /// Step 4, `iq`: Xoff or Xon for a point behind an output goes on to all inputs.
    fn broadcast(&mut self, unit: usize, control: Control) -> Result<(), Fault> {
        let xoff = matches!(control, Control::Xoff(_));
        let Some(point) = control.point() else {
            return Ok(());
        };
        let kept = !xoff && self.mutant(Mutant::LineKept);
        let lines = self.model.config.iq_egress_lines && !kept;
        let port = self.state.port(unit);
        if lines {
            port.recn.queueless_flow(point, xoff)?;
        }
        let sender = port.last_sender;
        let kind = if xoff { InternalKind::Xoff { sender } } else { InternalKind::Xon };
        self.send_inside(unit, QueueId(0), Some((point, kind)));
        Ok(())
    }

    /// A notification, and the Xoff in force behind it.
    fn send_notification(&mut self, unit: usize, mut controls: recn::Controls) {
        if self.mutant(Mutant::XoffBehindNotificationOmitted) {
            controls.truncate(1);
        }
        self.send_upstream(unit, controls);
    }

    /// Sends control packets to the egress port upstream of an ingress port.
    fn send_upstream(&mut self, unit: usize, controls: impl IntoIterator<Item = Control>) {
        if let Some(upstream) = self.model.network.units[unit].peer {
            for control in controls {
                self.state.port(upstream).controls.push(control);
            }
        }
    }

    /// Sends a control packet to the ingress port downstream of an egress port.
    pub(super) fn send_downstream(&mut self, unit: usize, control: Control) {
        if let Some(downstream) = self.model.network.units[unit].peer {
            self.state.port(downstream).controls.push(control);
        }
    }

    /// A message of an egress port to the ingress ports of its switch, for step 5. An end node has
    /// none.
    fn send_inside(&mut self, unit: usize, queue: QueueId, message: Option<Message>) {
        let place = self.model.network.units[unit];
        if let (Some((point, kind)), Element::Switch(_)) = (message, place.element) {
            self.messages.push(Internal { egress: place.port, queue, point, kind });
        }
    }
}
