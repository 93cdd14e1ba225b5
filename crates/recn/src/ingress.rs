//! What an ingress port decides beside allocation: detection, propagation, Xoff and Xon to the
//! upstream egress port, and what comes back from there.

use super::port::{Answer, ProtocolError, RecnPort};
use super::queues::MarkedQueues;
use super::rules::IngressDetection;
use crate::config::RecnConfig;
use crate::recn::LifeEvent;
use cam::LineId;
use flow_control::Control;
use saq::QueueId;
use turnpool::Point;
use units::Tick;

/// What is said over a link at once, in this order: a notification, and the Xoff that follows it.
pub type Says = [Option<Control>; 2];

/// What became of a detection at an ingress port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detection {
    /// The point is set aside already.
    Known,
    /// No free SAQ.
    Refused,
    /// A root: its line, and what the upstream egress port is told at once.
    Root {
        /// The line.
        line: LineId,
        /// Said upstream.
        says: Says,
    },
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
    /// Whether so many packets of a detection queue or (`recn-dd-iq`) of an output are congestion.
    #[inline]
    pub fn detects_at_ingress(&self, packets: u32, config: &RecnConfig) -> bool {
        self.rules.detects_at_ingress(packets, config)
    }

    /// Ingress detection fired for `point` in `queue`. A detection queue becomes the SAQ, an empty
    /// one takes its place; it counts as congested: upstream is told at once, by a notification or
    /// (DD versions) by Xoff if that is met.
    ///
    /// # Errors
    /// Broken invariants.
    pub fn ingress_detection(
        &mut self,
        memory: &mut impl MarkedQueues,
        queue: QueueId,
        point: Point,
        now: Tick,
        config: &RecnConfig,
    ) -> Result<Detection, ProtocolError> {
        let line = match self.found_root(memory, point, now)? {
            Ok(line) => line,
            Err(false) => return Ok(Detection::Known),
            Err(true) => return Ok(Detection::Refused),
        };
        let mut says = Says::default();
        if self.rules.ingress_detection == IngressDetection::Swap {
            let saq = self.queue(line);
            memory.swap(queue, saq)?;
            let packets = memory.packets(saq);
            let registers = self.registers(line);
            let risen = registers.xoff.rise(packets, &config.thresholds);
            registers.xoff_at = now;
            if self.rules.tokens {
                says = self.notification(line)?;
            } else if risen {
                says[0] = Some(Control::Xoff(point));
            }
        }
        Ok(Detection::Root { line, says })
    }

    /// Whether a SAQ with so many packets notifies upstream now.
    pub fn propagates(&self, line: LineId, packets: u32, now: Tick, config: &RecnConfig) -> bool {
        let registers = &self.lines[usize::from(line)];
        packets > config.propagation_packets && !registers.notified && now >= registers.retry_at
    }

    /// A packet was stored in the SAQ of `line`: beyond the propagation threshold the upstream
    /// egress port is notified, once, until it has answered (token versions).
    ///
    /// # Errors
    /// Broken invariants.
    #[inline]
    pub fn ingress_propagation(
        &mut self,
        line: LineId,
        packets: u32,
        now: Tick,
        config: &RecnConfig,
    ) -> Result<Says, ProtocolError> {
        if self.rules.tokens && self.propagates(line, packets, now, config) {
            self.notification(line)
        } else {
            Ok(Says::default())
        }
    }

    /// The notification of `line`, followed by Xoff where that is in force.
    fn notification(&mut self, line: LineId) -> Result<Says, ProtocolError> {
        let (point, xoff) = self.notify(line)?;
        Ok([
            Some(Control::Notification(point)),
            xoff.then_some(Control::Xoff(point)),
        ])
    }

    /// The notification of `line` is sent upstream; whether Xoff follows it. The leaf bit clears
    /// with it.
    ///
    /// # Errors
    /// Broken invariants.
    pub fn notify(&mut self, line: LineId) -> Result<(Point, bool), ProtocolError> {
        self.step(line, LifeEvent::Child)?;
        let point = self.cam.point(line);
        let registers = self.registers(line);
        registers.notified = true;
        Ok((point, registers.xoff.is_set()))
    }

    /// A packet came to the SAQ of `line`: the Xoff to be sent upstream, if any.
    #[inline]
    pub fn ingress_rose(
        &mut self,
        line: LineId,
        packets: u32,
        now: Tick,
        config: &RecnConfig,
    ) -> Option<Control> {
        let repeats = self.repeats_xoff(line, packets, now, config);
        let registers = self.registers(line);
        let rises = registers.xoff.rise(packets, &config.thresholds);
        if !rises && !repeats {
            return None;
        }
        registers.xoff_at = now;
        let told = registers.notified || !self.rules.tokens;
        told.then(|| Control::Xoff(self.cam.point(line)))
    }

    /// A packet left the SAQ of `line`: whether Xoff ended, and the Xon to be sent upstream, if
    /// any.
    #[inline]
    pub fn ingress_fell(
        &mut self,
        line: LineId,
        packets: u32,
        now: Tick,
        config: &RecnConfig,
    ) -> (bool, Option<Control>) {
        let registers = self.registers(line);
        if !registers.xoff.fall(packets, &config.thresholds) {
            return (false, None);
        }
        registers.xoff_at = now;
        let told = registers.notified || !self.rules.tokens;
        self.check |= 1 << line;
        (true, told.then(|| Control::Xon(self.cam.point(line))))
    }

    /// A control packet from upstream: token or NACK.
    ///
    /// # Errors
    /// Any other, and an answer that nobody waits for, is a broken invariant.
    pub fn ingress_control(
        &mut self,
        control: Control,
        now: Tick,
        config: &RecnConfig,
    ) -> Result<(), ProtocolError> {
        match control {
            Control::Token(point) => self.answered(point, None),
            Control::Nack(point) => self.answered(point, Some(now + config.retry)),
            other => Err(ProtocolError::Misdirected(other.name())),
        }
    }

    /// Token or NACK (`retry_at`) from upstream.
    ///
    /// # Errors
    /// An answer that nobody waits for is a broken invariant.
    pub fn answered(&mut self, point: Point, retry_at: Option<Tick>) -> Result<(), ProtocolError> {
        let line = self.cam.find(&point).ok_or(ProtocolError::Unknown(point))?;
        let registers = self.registers(line);
        if !registers.notified {
            return Err(ProtocolError::NoChild(point));
        }
        registers.notified = false;
        registers.retry_at = retry_at.unwrap_or(registers.retry_at);
        self.step(line, LifeEvent::Childless)?;
        self.check |= 1 << line;
        Ok(())
    }

    /// Token versions: a notification from `queue` of `egress`, a port of this switch, to this
    /// port, number `input`. If it is accepted this port's SAQ is a child there, and at Xoff if
    /// that is in force (the flag).
    ///
    /// # Errors
    /// Broken invariants.
    #[allow(
        clippy::too_many_arguments,
        reason = "two ports and what passes between them"
    )]
    pub fn notified_by(
        &mut self,
        memory: &mut impl MarkedQueues,
        egress: &mut RecnPort,
        queue: QueueId,
        point: Point,
        input: usize,
        normal: QueueId,
        now: Tick,
    ) -> Result<(Answer, bool), ProtocolError> {
        let answer = self.notified(memory, point, normal, true, now)?;
        let accepted = !matches!(answer, Answer::Refused);
        let blocked = accepted && egress.child_accepted(queue, input)?;
        if blocked && self.flow(&point, true)?.is_none() {
            return Err(ProtocolError::MissingChild(point));
        }
        Ok((answer, blocked))
    }

    /// Xoff or Xon from an egress port of this switch. In the DD versions the port that sent the
    /// last packet (`last`) sets aside what it does not know; in the token versions only children
    /// are told.
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
