//! Steps 1 to 4 of a commit, one event each: departures, stores, admittance, control packets. As
//! `Switch::start_transfer`, `Switch::store`, `OutPort::start`, `Switch::control` and their like do
//! it.

use super::model::{Event, ProtocolModel};
use super::mutants::{Mutant, MutatedQueues};
use super::network::{Element, Side};
use super::state::{Fault, Port, State};
use cam::LineId;
use flow_control::Control;
use recn::{Detection, Internal, MarkedQueues, ProtocolError, Received};
use saq::QueueId;
use std::sync::Arc;
use switch::bits;
use units::Tick;

/// The present: what was stamped with it is not over, what was stamped with [`OVER`] is.
pub(super) const NOW: Tick = 1;
/// A time that is over.
pub(super) const OVER: Tick = 0;

/// A commit under way.
pub(super) struct Commit<'m> {
    pub(super) model: &'m ProtocolModel,
    /// As it was before this commit.
    pub(super) before: &'m State,
    pub(super) state: State,
    /// Messages inside the switch, for step 5.
    pub(super) messages: Vec<Internal>,
}

impl Commit<'_> {
    pub(super) fn mutant(&self, mutant: Mutant) -> bool {
        self.model.mutant == Some(mutant)
    }

    /// One event of steps 1 to 4, or the end of a timer.
    pub(super) fn event(&mut self, event: Event) -> Result<(), ProtocolError> {
        match event {
            Event::Depart { unit, queue } => self.depart(unit, queue),
            Event::Store { unit } => self.store(unit),
            Event::Admit { flow } => self.admit(flow),
            Event::Control { unit } => self.control(unit),
            Event::SaqTimer { unit, line } => {
                self.end_saq_timer(unit, line);
                Ok(())
            }
            Event::Retry { unit, line } => {
                self.state.port(unit).recn.registers(line).retry_at = OVER;
                Ok(())
            }
            Event::Repeat { unit, line } => {
                self.state.port(unit).recn.registers(line).xoff_at = OVER;
                Ok(())
            }
            Event::Settle { .. } => Ok(()),
        }
    }

    /// Short timers: all that run at `element` end with this commit.
    pub(super) fn end_timers(&mut self, element: Element) {
        for unit in self.units_of(element) {
            for line in bits(self.state.ports[unit].recn.cam.valid()) {
                let line = line as LineId;
                let registers = self.state.ports[unit].recn.lines[usize::from(line)];
                if registers.allocated == NOW {
                    self.end_saq_timer(unit, line);
                }
                if registers.retry_at != OVER || registers.xoff_at != OVER {
                    let registers = self.state.port(unit).recn.registers(line);
                    (registers.retry_at, registers.xoff_at) = (OVER, OVER);
                }
            }
        }
    }

    fn end_saq_timer(&mut self, unit: usize, line: LineId) {
        let forgotten = self.mutant(Mutant::TimerForgotten);
        let recn = &mut self.state.port(unit).recn;
        recn.registers(line).allocated = OVER;
        if !forgotten {
            recn.check |= 1 << line;
        }
    }

    /// Step 1: the head of `queue` leaves: over the crossbar, over the link, or out of the network.
    fn depart(&mut self, unit: usize, queue: QueueId) -> Result<(), ProtocolError> {
        let config = &self.model.config;
        let port = self.state.port(unit);
        let Some(packet) = port.queues.pop(queue) else {
            return Ok(());
        };
        port.recn.head_left(&port.queues, queue);
        if self.model.network.units[unit].side == Side::Ingress {
            if let Some(line) = port.recn.line(queue) {
                let packets = port.queues.packets(queue);
                let (_, control) = port.recn.ingress_fell(line, packets, NOW, config);
                let lost = self.model.mutant == Some(Mutant::XonLost);
                self.say_upstream(unit, control.filter(|_| !lost));
            }
        } else {
            self.egress_flow(unit, queue, None);
        }
        match self.model.network.neighbours(packet, unit).1 {
            Some(next) => self.state.port(next).arriving.push(packet),
            None => self.eject(packet),
        }
        Ok(())
    }

    fn eject(&mut self, packet: u8) {
        let network = &self.model.network;
        let flow = network.flow(packet);
        if packet == network.first_packet(flow) + self.state.ejected[flow] {
            self.state.ejected[flow] += 1;
        } else {
            self.state.fault = Some(Fault::Overtaken(packet));
        }
    }

    /// Step 2: the first packet on the way to `unit` is stored.
    fn store(&mut self, unit: usize) -> Result<(), ProtocolError> {
        let packet = self.state.port(unit).arriving.remove(0);
        let queue = self.push(unit, packet);
        if self.model.network.units[unit].side == Side::Ingress {
            return self.stored_at_ingress(unit, packet, queue);
        }
        let sender = self.sender(unit, packet);
        self.egress_flow(unit, queue, Some(sender));
        let config = &self.model.config;
        let port = &self.state.ports[unit];
        let packets = port.queues.packets(queue);
        let said = port.recn.egress_detection(queue, packets, sender, config);
        self.messages.extend(said.map(|(point, kind)| Internal {
            egress: self.model.network.units[unit].port,
            queue,
            point,
            kind,
        }));
        Ok(())
    }

    /// Step 3: the next packet of a flow enters the injection memory.
    fn admit(&mut self, flow: usize) -> Result<(), ProtocolError> {
        let network = &self.model.network;
        let packet = network.first_packet(flow) + self.state.admitted[flow];
        let unit = network.ways[flow][0];
        self.state.admitted[flow] += 1;
        let queue = self.push(unit, packet);
        self.egress_flow(unit, queue, Some(0));
        Ok(())
    }

    /// Steers a packet and stores it; its queue.
    fn push(&mut self, unit: usize, packet: u8) -> QueueId {
        let queue = self.model.queue_of(&self.state.ports[unit], packet, unit);
        self.state.port(unit).queues.push(queue, packet);
        queue
    }

    /// Number of the ingress port from which a packet came to an egress port.
    fn sender(&self, unit: usize, packet: u8) -> u8 {
        let before = self.model.network.neighbours(packet, unit).0;
        before.map_or(0, |b| self.model.network.units[b].port)
    }

    /// A packet was stored at ingress: FCU and propagation for a SAQ, else detection.
    fn stored_at_ingress(
        &mut self,
        unit: usize,
        packet: u8,
        queue: QueueId,
    ) -> Result<(), ProtocolError> {
        let config = &self.model.config;
        let output = self.model.output(packet, unit);
        let point = self.model.turn_to(unit, output);
        let unswapped = self.mutant(Mutant::SwapOmitted);
        let silent = self.mutant(Mutant::XoffBehindNotificationOmitted);
        let port = self.state.port(unit);
        let packets = port.queues.packets(queue);
        if let Some(line) = port.recn.line(queue) {
            let xoff = port.recn.ingress_rose(line, packets, NOW, config);
            let says = port.recn.ingress_propagation(line, packets, NOW, config)?;
            self.say_upstream(unit, xoff);
            let behind = says[1].filter(|_| !silent);
            self.say_upstream(unit, says[0].into_iter().chain(behind));
        } else if port.recn.detects_at_ingress(packets, config) {
            let (recn, queues) = (&mut port.recn, &mut port.queues);
            let found = recn.ingress_detection(queues, queue, point, NOW, config)?;
            if let Detection::Root { line, says } = found {
                if unswapped {
                    queues.swap(queue, recn.queue(line))?;
                }
                let behind = says[1].filter(|_| !silent);
                self.say_upstream(unit, says[0].into_iter().chain(behind));
            }
        }
        Ok(())
    }

    /// Sends control packets to the egress port upstream of an ingress port.
    fn say_upstream(&mut self, unit: usize, says: impl IntoIterator<Item = Control>) {
        if let Some(upstream) = self.model.network.units[unit].peer {
            for control in says {
                self.state.port(upstream).controls.push(control);
            }
        }
    }

    /// Sends a control packet to the ingress port downstream of an egress port.
    pub(super) fn say_downstream(&mut self, unit: usize, control: Control) {
        if let Some(downstream) = self.model.network.units[unit].peer {
            self.state.port(downstream).controls.push(control);
        }
    }

    /// A packet from `sender` came to an egress queue, or one left it: Xoff or Xon inside the
    /// switch.
    fn egress_flow(&mut self, unit: usize, queue: QueueId, sender: Option<u8>) {
        let config = &self.model.config;
        let port = self.state.port(unit);
        let packets = port.queues.packets(queue);
        let said = port
            .recn
            .egress_flow(queue, packets, sender, NOW, config)
            .flatten();
        let place = self.model.network.units[unit];
        // An end node has no ingress ports to tell.
        if let (Some((point, kind)), Element::Switch(_)) = (said, place.element) {
            self.messages.push(Internal {
                egress: place.port,
                queue,
                point,
                kind,
            });
        }
    }

    /// Step 4: the first control packet on the way to `unit`.
    fn control(&mut self, unit: usize) -> Result<(), ProtocolError> {
        let control = self.state.port(unit).controls.remove(0);
        let nack_lost = self.mutant(Mutant::NackForgotten);
        let mutant = self.model.mutant;
        let Port { recn, queues, .. } = Arc::make_mut(&mut self.state.ports[unit]);
        if self.model.network.units[unit].side == Side::Ingress {
            return recn.ingress_control(control, NOW, &self.model.config);
        }
        let base = recn.base;
        let mut memory = MutatedQueues::new(queues, base, mutant);
        if let Received::Refused {
            nack: Some(nack), ..
        } = recn.egress_control(&mut memory, control, NOW)?
            && !nack_lost
        {
            self.say_downstream(unit, nack);
        }
        Ok(())
    }
}
