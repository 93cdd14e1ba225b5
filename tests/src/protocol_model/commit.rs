//! Steps 5 to 8 of a commit: those of the simulator ([`recn::commit`]), on the ports of the model.
//! An end node is an element of one port, which has no messages. And times, without a clock: a
//! timer runs, or it is over.

use super::broken::Mutant;
use super::events::Commit;
use super::network::{Element, NODE_PORT, PORTS, Side, width};
use super::queues::Queues;
use super::state::{Fault, Port};
use flow_control::Control;
use recn::commit::{self, At, Effect, Moment, Ports};
use recn::{Line, RecnPort};
use units::bits::ones;
use units::{LineId, PortId, QueueId, Span, Tick};

/// The present: what this commit has stamped.
pub(super) const NOW: Tick = Tick(2);
/// What an earlier commit has stamped, whose timer still runs.
const RUNNING: Tick = Tick(1);
/// What was stamped so long ago that its timer is over.
pub(super) const OVER: Tick = Tick(0);

/// Timers of SAQs and of repeated Xoff: over where the stamp is [`OVER`], not where it is
/// [`RUNNING`] or [`NOW`].
pub(super) const TIMER: Span = Span(2);
/// Between notifications: over in no commit, before its event.
pub(super) const RETRY: Span = Span::TICK;

pub(super) fn saq_timer_runs(line: &Line) -> bool {
    line.allocated != OVER
}

impl Commit<'_> {
    /// Steps 5 to 8.
    pub(super) fn settle(&mut self) -> Result<(), Fault> {
        let moment = Moment { now: NOW, config: &self.model.config, all: false };
        let mut messages = std::mem::take(&mut self.messages);
        let mut tokens = Vec::new();
        if let Some(mutant) = self.model.mutant {
            mutant.before_messages(&mut messages);
        }
        commit::carry_messages(self, &mut messages, &moment)?;
        commit::settle_markers(self, &moment)?;
        if let Some(mutant) = self.model.mutant {
            for unit in self.units() {
                mutant.before_free(self.state.port(unit), &self.model.config)?;
            }
        }
        commit::free_saqs(self, &mut tokens, &moment)?;
        if self.mutant(Mutant::InternalTokenLost) {
            tokens.clear();
        }
        Ok(commit::carry_tokens(self, &mut tokens)?)
    }

    /// The unit on a side of a port of the element, if a flow meets it.
    pub(super) fn unit_at(&self, at: At) -> Option<usize> {
        let (side, port) = match (self.element, at) {
            (Element::Switch(_), At::Ingress(port)) => (Side::Ingress, port),
            (Element::Switch(_), At::Egress(port)) => (Side::Egress, port),
            (Element::Node(_), At::Ingress(_)) => return None,
            (Element::Node(_), At::Egress(port)) => (Side::Injection, port),
        };
        self.model.network.find(self.element, side, port)
    }

    /// The unit of an egress port that has CAM lines, with queues or without.
    pub(super) fn lines_at(&self, egress: PortId) -> Option<usize> {
        let has_lines =
            |&unit: &usize| self.model.network.stores(unit) || self.model.config.iq_egress_lines;
        self.unit_at(At::Egress(egress)).filter(has_lines)
    }

    /// Short timers: all that run at the element end with this commit.
    pub(super) fn end_timers(&mut self) {
        for unit in self.units() {
            for line in ones(self.state.ports[unit].recn.cam().valid()).map(LineId::at) {
                let registers = *self.state.ports[unit].recn.registers(line);
                if saq_timer_runs(&registers) {
                    self.end_saq_timer(unit, line);
                }
                if registers.retry_at != OVER || registers.xoff_at != OVER {
                    let registers = self.state.port(unit).recn.registers_mut(line);
                    (registers.retry_at, registers.xoff_at) = (OVER, OVER);
                }
            }
        }
    }

    pub(super) fn end_saq_timer(&mut self, unit: usize, line: LineId) {
        let forgotten = self.mutant(Mutant::TimerForgotten);
        let recn = &mut self.state.port(unit).recn;
        recn.registers_mut(line).allocated = OVER;
        if !forgotten {
            recn.mark_check(line);
        }
    }

    /// The commit is over: what it has allocated is no longer of the present tick.
    pub(super) fn end(&mut self) {
        for unit in self.units() {
            for line in ones(self.state.ports[unit].recn.cam().valid()).map(LineId::at) {
                if self.state.ports[unit].recn.registers(line).allocated == NOW {
                    self.state.port(unit).recn.registers_mut(line).allocated = RUNNING;
                }
            }
        }
    }
}

impl Ports for Commit<'_> {
    type Queues = Queues;

    fn ports(&self) -> usize {
        match self.element {
            Element::Switch(_) => PORTS as usize,
            Element::Node(_) => NODE_PORT.index() + 1,
        }
    }

    fn width(&self) -> u32 {
        width()
    }

    fn side(&mut self, at: At) -> Option<(&mut RecnPort, &mut Queues)> {
        let unit = self.unit_at(at)?;
        if !self.model.network.stores(unit) {
            return None;
        }
        let Port { recn, queues, .. } = self.state.port(unit);
        Some((recn, queues))
    }

    fn lines(&mut self, egress: PortId) -> Option<&mut RecnPort> {
        let unit = self.lines_at(egress)?;
        Some(&mut self.state.port(unit).recn)
    }

    fn normal_queue(&self, output: PortId) -> QueueId {
        self.model.normal_queue(output)
    }

    /// A freed egress SAQ sends its token downstream; the rest is for observers, or
    /// for a mutant.
    fn carry(&mut self, effect: Effect) {
        if let Some(mutant) = self.model.mutant {
            self.carry_mutated(mutant, effect);
        }
        let Effect::Freed(At::Egress(port), freed) = effect else {
            return;
        };
        let Some(unit) = self.lines_at(port).filter(|_| self.model.rules.tokens) else {
            return;
        };
        if !self.mutant(Mutant::TokenLost) {
            self.send_downstream(unit, Control::Token(freed.point));
        }
        if self.mutant(Mutant::TokenTwice) {
            self.send_downstream(unit, Control::Token(freed.point));
        }
    }
}
