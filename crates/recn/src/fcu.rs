//! FCU: Xoff and Xon of SAQs, sent and received.

use crate::{
    Answer, InternalKind, LifeEvent, MarkedQueues, Message, ProtocolError, RecnConfig, RecnPort,
};
use flow_control::Control;
use turnpool::Point;
use units::{LineId, PortId, QueueId, Tick};

/// What a change of a queue's occupancy led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change<M> {
    /// Whether Xoff changed, or is repeated.
    pub changed: bool,
    /// What is sent, where there is a receiver.
    pub message: Option<M>,
}

impl<M> Change<M> {
    /// Nothing changed, nothing is sent.
    pub const NONE: Change<M> = Change { changed: false, message: None };
}

/// What an internal Xoff or Xon meets at an ingress port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Met {
    /// This line is blocked or open now.
    Line(LineId),
    /// No match, and no packet of this port was the last: ignored.
    Nothing,
    /// DD versions: no match at the last sender, whose answer this is.
    Asked(Answer),
}

impl RecnPort {
    /// Egress: a packet from `sender` was stored in `queue`: Xoff, or its repetition, for ingress
    /// ports of the switch; of normal queues where roots have thresholds (token versions).
    #[inline]
    pub fn egress_rose(
        &mut self,
        queue: QueueId,
        packets: u32,
        sender: PortId,
        now: Tick,
        config: &RecnConfig,
    ) -> Change<Message> {
        let sender = Some(sender);
        let Some(line) = self.line(queue) else {
            let Some(thresholds) = self.root_thresholds(config) else {
                return Change::NONE;
            };
            let rises = self.root_xoff.rise(packets, &thresholds);
            return self.root_change(rises, InternalKind::Xoff { sender });
        };
        match self.rises(line, packets, now, config) {
            true => self.egress_change(line, InternalKind::Xoff { sender }),
            false => Change::NONE,
        }
    }

    /// Egress: a packet left `queue`: Xon for ingress ports of the switch.
    #[inline]
    pub fn egress_fell(
        &mut self,
        queue: QueueId,
        packets: u32,
        now: Tick,
        config: &RecnConfig,
    ) -> Change<Message> {
        let Some(line) = self.line(queue) else {
            let Some(thresholds) = self.root_thresholds(config) else {
                return Change::NONE;
            };
            let falls = self.root_xoff.fall(packets, &thresholds);
            return self.root_change(falls, InternalKind::Xon);
        };
        match self.falls(line, packets, now, config) {
            true => self.egress_change(line, InternalKind::Xon),
            false => Change::NONE,
        }
    }

    /// Thresholds of the normal queue of a root, where it has any.
    fn root_thresholds(&self, config: &RecnConfig) -> Option<flow_control::Thresholds> {
        config.root_thresholds().filter(|_| self.rules.tokens)
    }

    fn root_change(&self, changed: bool, kind: InternalKind) -> Change<Message> {
        let sent = changed && self.root_children != 0;
        Change { changed, message: sent.then_some((Point::EMPTY, kind)) }
    }

    /// To the children, or (DD versions) to all.
    fn egress_change(&self, line: LineId, kind: InternalKind) -> Change<Message> {
        let sent = self.registers(line).children != 0 || !self.rules.tokens;
        Change { changed: true, message: sent.then(|| (self.cam.point(line), kind)) }
    }

    /// Egress: the ingress ports, of `all`, that Xoff or Xon of `queue` is for: the children, or
    /// (DD versions) all.
    pub fn flow_goes_to(&self, queue: QueueId, all: u64) -> u64 {
        if !self.rules.tokens {
            return all;
        }
        self.line(queue).map_or(self.root_children, |line| self.registers(line).children)
    }

    /// Ingress: a packet came to the SAQ of `line`: Xoff, or its repetition, sent upstream.
    #[inline]
    pub fn ingress_rose(
        &mut self,
        line: LineId,
        packets: u32,
        now: Tick,
        config: &RecnConfig,
    ) -> Change<Control> {
        match self.rises(line, packets, now, config) {
            true => self.ingress_change(line, Control::Xoff),
            false => Change::NONE,
        }
    }

    /// Ingress: a packet left the SAQ of `line`: Xon, sent upstream.
    #[inline]
    pub fn ingress_fell(
        &mut self,
        line: LineId,
        packets: u32,
        now: Tick,
        config: &RecnConfig,
    ) -> Change<Control> {
        match self.falls(line, packets, now, config) {
            true => self.ingress_change(line, Control::Xon),
            false => Change::NONE,
        }
    }

    /// Upstream where it was notified, or (DD versions) always.
    fn ingress_change(&self, line: LineId, control: fn(Point) -> Control) -> Change<Control> {
        let sent = self.registers(line).notified || !self.rules.tokens;
        Change { changed: true, message: sent.then(|| control(self.cam.point(line))) }
    }

    /// Whether a SAQ that a packet came to is at Xoff now, or repeats it.
    #[inline]
    fn rises(&mut self, line: LineId, packets: u32, now: Tick, config: &RecnConfig) -> bool {
        let repeats = self.repeats_xoff(line, packets, now, config);
        let registers = self.registers_mut(line);
        let changes = registers.xoff.rise(packets, &config.thresholds) || repeats;
        if changes {
            registers.xoff_at = now;
        }
        changes
    }

    /// Whether a SAQ that a packet left is at Xon now.
    #[inline]
    fn falls(&mut self, line: LineId, packets: u32, now: Tick, config: &RecnConfig) -> bool {
        let registers = self.registers_mut(line);
        let changes = registers.xoff.fall(packets, &config.thresholds);
        if changes {
            registers.xoff_at = now;
            self.mark_check(line);
        }
        changes
    }

    /// DD versions: whether a SAQ with so many packets repeats its Xoff on an arrival now.
    pub fn repeats_xoff(&self, line: LineId, packets: u32, now: Tick, config: &RecnConfig) -> bool {
        let registers = self.registers(line);
        !self.rules.tokens
            && registers.xoff.is_set()
            && packets >= config.thresholds.xoff
            && now >= registers.xoff_at + config.xoff_repeat
    }

    /// Xoff or Xon for `point`, which must match exactly; the line, or nothing where it is to be
    /// ignored.
    pub fn flow(&mut self, point: &Point, xoff: bool) -> Result<Option<LineId>, ProtocolError> {
        let Some(line) = self.cam.find(point) else {
            return Ok(None);
        };
        if xoff {
            self.step(line, LifeEvent::Xoff)?;
        } else {
            self.step(line, LifeEvent::Xon)?;
            self.mark_check(line);
        }
        Ok(Some(line))
    }

    /// Ingress: Xoff or Xon from an egress port of this switch. In the DD versions the port that
    /// sent the last packet (`last`) sets aside what it does not know; in the token versions only
    /// children are told.
    ///
    /// # Errors
    /// A child that is missing; broken invariants.
    pub fn internal_flow(
        &mut self,
        memory: &mut impl MarkedQueues,
        point: Point,
        xoff: bool,
        last: bool,
        normal: QueueId,
        now: Tick,
    ) -> Result<Met, ProtocolError> {
        if let Some(line) = self.flow(&point, xoff)? {
            return Ok(Met::Line(line));
        }
        if self.rules.tokens {
            return Err(ProtocolError::MissingChild(point));
        }
        if !(xoff && last) {
            return Ok(Met::Nothing);
        }
        let answer = self.requested(memory, point, normal, true, now)?;
        Ok(answer.map_or(Met::Nothing, Met::Asked))
    }
}
