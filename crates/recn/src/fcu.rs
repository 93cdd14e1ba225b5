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
        let line = self.line(queue);
        let changed = match (line, self.root_thresholds(config)) {
            (Some(line), _) => self.rises(line, packets, now, config),
            (None, Some(thresholds)) => self.root_xoff.rise(packets, &thresholds),
            (None, None) => false,
        };
        self.egress_change(changed, line, InternalKind::Xoff { sender: Some(sender) })
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
        let line = self.line(queue);
        let changed = match (line, self.root_thresholds(config)) {
            (Some(line), _) => self.falls(line, packets, now, config),
            (None, Some(thresholds)) => self.root_xoff.fall(packets, &thresholds),
            (None, None) => false,
        };
        self.egress_change(changed, line, InternalKind::Xon)
    }

    /// Thresholds of the normal queue of a root, where it has any.
    #[inline]
    fn root_thresholds(&self, config: &RecnConfig) -> Option<flow_control::Thresholds> {
        config.root_thresholds().filter(|_| self.rules.tokens)
    }

    /// To the children of a line or of the root, or (DD versions) to all.
    #[inline]
    fn egress_change(
        &self,
        changed: bool,
        line: Option<LineId>,
        kind: InternalKind,
    ) -> Change<Message> {
        let point = || line.map_or(Point::EMPTY, |line| self.cam.point(line));
        let sent = changed && (self.children(line) != 0 || !self.rules.tokens);
        Change { changed, message: sent.then(|| (point(), kind)) }
    }

    /// Egress: ingress ports that hold the children of a line, or of the root.
    #[inline]
    pub(crate) fn children(&self, line: Option<LineId>) -> u64 {
        line.map_or(self.root_children, |line| self.registers(line).children)
    }

    /// Egress: the ingress ports, of `all`, that Xoff or Xon of `queue` is for: the children, or
    /// (DD versions) all.
    pub fn flow_goes_to(&self, queue: QueueId, all: u64) -> u64 {
        if self.rules.tokens { self.children(self.line(queue)) } else { all }
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
        let changed = self.rises(line, packets, now, config);
        self.ingress_change(changed, line, Control::Xoff)
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
        let changed = self.falls(line, packets, now, config);
        self.ingress_change(changed, line, Control::Xon)
    }

    /// Upstream where it was notified, or (DD versions) always.
    #[inline]
    fn ingress_change(
        &self,
        changed: bool,
        line: LineId,
        control: fn(Point) -> Control,
    ) -> Change<Control> {
        let sent = changed && (self.registers(line).notified || !self.rules.tokens);
        Change { changed, message: sent.then(|| control(self.cam.point(line))) }
    }

    /// Whether a SAQ that a packet came to is at Xoff now, or (DD versions) repeats it.
    #[inline]
    fn rises(&mut self, line: LineId, packets: u32, now: Tick, config: &RecnConfig) -> bool {
        let is_dd = !self.rules.tokens;
        let registers = self.registers_mut(line);
        let repeats = is_dd
            && registers.xoff.is_set()
            && packets >= config.thresholds.xoff
            && now >= registers.xoff_at + config.xoff_repeat;
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
    /// children are sent it.
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
