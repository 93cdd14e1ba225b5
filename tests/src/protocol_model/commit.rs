//! Steps 5 to 8 of a commit: internal messages, markers, frees, internal tokens. As
//! `Switch::recn_step` and, for the injection port of an end node, `Node::recn_step` do it.

use super::events::{Commit, NOW};
use super::mutants::{Mutant, MutatedQueues};
use super::network::{Element, PORTS, Side, width};
use super::state::Port;
use flow_control::Control;
use recn::{Answer, Freed, IngressDetection, Internal, InternalKind, ProtocolError};
use saq::QueueId;
use std::sync::Arc;
use switch::bits;
use turnpool::Point;

impl Commit<'_> {
    /// Steps 5 to 8 at `element`.
    pub(super) fn settle(&mut self, element: Element) -> Result<(), ProtocolError> {
        self.carry_messages(element)?;
        let units = self.units_of(element);
        for &unit in &units {
            if self.state.ports[unit].recn.is_marked() {
                let Port { recn, queues, .. } = self.state.port(unit);
                recn.settle_marked(queues, false)?;
            }
        }
        let mut tokens = Vec::new();
        for &unit in &units {
            if self.state.ports[unit].recn.check != 0 {
                self.free(unit, &mut tokens)?;
            }
        }
        for (input, point) in tokens {
            self.carry_token(element, input, point)?;
        }
        Ok(())
    }

    /// The units of an element: by port, ingress before egress.
    pub(super) fn units_of(&self, element: Element) -> Vec<usize> {
        let units = &self.model.network.units;
        let mut here: Vec<usize> = (0..units.len())
            .filter(|&u| units[u].element == element)
            .collect();
        here.sort_by_key(|&u| (units[u].port, units[u].side == Side::Egress));
        here
    }

    /// Step 5, by egress port, then queue.
    fn carry_messages(&mut self, element: Element) -> Result<(), ProtocolError> {
        let mut messages = std::mem::take(&mut self.messages);
        messages.sort_by_key(|m| (m.egress, m.queue));
        for message in messages {
            match message.kind {
                InternalKind::Notify { sender } => self.notify(element, message, sender)?,
                InternalKind::Request { sender, blocked } => {
                    self.set_aside(element, message, sender, blocked)?
                }
                InternalKind::Xoff { sender } => self.flow(element, message, Some(sender))?,
                InternalKind::Xon => self.flow(element, message, None)?,
            }
        }
        Ok(())
    }

    /// The point of a message as ingress port `input` names it; none where no packet can take that
    /// turn.
    fn point_at(message: Internal, input: u8) -> Option<Point> {
        let turn = turnpool::turn(u32::from(input), u32::from(message.egress), PORTS);
        if turn >> width() != 0 {
            return None;
        }
        message.point.prepend(turn, width()).ok()
    }

    /// Normal queue of packets for output `egress` at an ingress port.
    pub(super) fn normal(&self, egress: u8) -> QueueId {
        match self.model.rules.ingress_detection {
            IngressDetection::Swap => QueueId::from(egress),
            _ => 0,
        }
    }

    /// A notification from an egress queue to ingress port `input`.
    fn notify(
        &mut self,
        element: Element,
        message: Internal,
        input: u8,
    ) -> Result<(), ProtocolError> {
        let network = &self.model.network;
        let Some(point) = Self::point_at(message, input) else {
            return Ok(());
        };
        let ports = [
            network.find(element, Side::Ingress, input),
            network.find(element, Side::Egress, message.egress),
        ];
        let [Some(ingress), Some(egress)] = ports else {
            return Ok(());
        };
        let normal = self.normal(message.egress);
        let mutant = self.model.mutant;
        let Ok([port, out]) = self.state.ports.get_disjoint_mut([ingress, egress]) else {
            return Ok(());
        };
        let (Port { recn, queues, .. }, out) = (Arc::make_mut(port), Arc::make_mut(out));
        let base = recn.base;
        let mut memory = MutatedQueues::new(queues, base, mutant);
        let (answer, _) = recn.notified_by(
            &mut memory,
            &mut out.recn,
            message.queue,
            point,
            usize::from(input),
            normal,
            NOW,
        )?;
        match answer {
            Answer::Adopted(line) if mutant == Some(Mutant::AdoptionForgotten) => {
                recn.registers(line).owned = false;
            }
            Answer::Refused if mutant == Some(Mutant::RefusalForgotten) => {
                out.recn.child_accepted(message.queue, usize::from(input))?;
            }
            _ => {}
        }
        Ok(())
    }

    /// DD versions: an ingress port is asked to set a point aside.
    fn set_aside(
        &mut self,
        element: Element,
        message: Internal,
        input: u8,
        blocked: bool,
    ) -> Result<(), ProtocolError> {
        let Some(point) = Self::point_at(message, input) else {
            return Ok(());
        };
        let Some(ingress) = self.model.network.find(element, Side::Ingress, input) else {
            return Ok(());
        };
        let (normal, mutant) = (self.normal(message.egress), self.model.mutant);
        let Port { recn, queues, .. } = self.state.port(ingress);
        let base = recn.base;
        let mut memory = MutatedQueues::new(queues, base, mutant);
        recn.requested(&mut memory, point, normal, blocked, NOW)?;
        Ok(())
    }

    /// Xoff (with its sender) or Xon from an egress queue: to its child ports, or (DD versions) to
    /// all.
    fn flow(
        &mut self,
        element: Element,
        message: Internal,
        xoff: Option<u8>,
    ) -> Result<(), ProtocolError> {
        let network = &self.model.network;
        let Some(egress) = network.find(element, Side::Egress, message.egress) else {
            return Ok(());
        };
        if xoff.is_none() && self.mutant(Mutant::InternalXonLost) {
            return Ok(());
        }
        let all = u64::MAX >> (64 - PORTS);
        let inputs = self.state.ports[egress]
            .recn
            .flow_goes_to(message.queue, all);
        let (normal, mutant) = (self.normal(message.egress), self.model.mutant);
        for input in bits(inputs) {
            let input = input as u8;
            let ingress = network.find(element, Side::Ingress, input);
            let (Some(point), Some(ingress)) = (Self::point_at(message, input), ingress) else {
                continue;
            };
            let Port { recn, queues, .. } = self.state.port(ingress);
            let base = recn.base;
            let mut memory = MutatedQueues::new(queues, base, mutant);
            let last = xoff == Some(input);
            recn.internal_flow(&mut memory, point, xoff.is_some(), last, normal, NOW)?;
        }
        Ok(())
    }

    /// Step 7 at one unit: a freed ingress SAQ owes its egress port a token (step 8), a freed
    /// egress SAQ sends one downstream.
    fn free(&mut self, unit: usize, tokens: &mut Vec<(u8, Point)>) -> Result<(), ProtocolError> {
        let config = &self.model.config;
        let place = self.model.network.units[unit];
        let mutant = self.model.mutant;
        let Port { recn, queues, .. } = self.state.port(unit);
        let checks = recn.take_checks(false);
        if let Some(mutant) = mutant {
            mutant.before_free(recn, queues, checks, config)?;
        }
        // The timer of a line may run on after the commit that made it. In the DD versions only
        // that commit itself counts.
        let fresh = if self.model.rules.tokens {
            u64::MAX
        } else {
            !self.before.ports[unit].recn.cam.valid()
        };
        let mut freed = Vec::new();
        for (mut checks, now) in [(checks & fresh, NOW), (checks & !fresh, NOW + 1)] {
            while let Some(line) = recn.free_next(queues, &mut checks, now, config)? {
                freed.push(line);
            }
        }
        for Freed { point, owned, .. } in freed {
            if place.side == Side::Ingress && owned {
                tokens.push((place.port, point));
            }
            if place.side != Side::Ingress && self.model.rules.tokens {
                if mutant != Some(Mutant::TokenLost) {
                    self.say_downstream(unit, Control::Token(point));
                }
                if mutant == Some(Mutant::TokenTwice) {
                    self.say_downstream(unit, Control::Token(point));
                }
            }
        }
        Ok(())
    }

    /// Step 8: a token from ingress port `input` to the egress queue that had notified it.
    fn carry_token(
        &mut self,
        element: Element,
        input: u8,
        point: Point,
    ) -> Result<(), ProtocolError> {
        if self.mutant(Mutant::InternalTokenLost) {
            return Ok(());
        }
        let output = turnpool::forward(u32::from(input), point.first(width()), PORTS);
        let network = &self.model.network;
        if let Some(egress) = network.find(element, Side::Egress, output as u8) {
            let recn = &mut self.state.port(egress).recn;
            recn.internal_token(point, width(), usize::from(input))?;
        }
        Ok(())
    }
}
