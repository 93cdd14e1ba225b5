//! What an egress port decides beside allocation: detection, propagation, Xoff and Xon inside the
//! switch, and what comes from downstream. The injection side of an end node is one too.

use super::port::{Answer, ProtocolError, RecnPort};
use super::queues::MarkedQueues;
use crate::config::RecnConfig;
use crate::messages::InternalKind;
use crate::recn::LifeEvent;
use cam::LineId;
use flow_control::{Control, Edge, Thresholds};
use saq::QueueId;
use turnpool::Point;
use units::Tick;

/// What a control packet from downstream did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Received {
    /// A SAQ was allocated.
    Allocated {
        /// Its line.
        line: LineId,
        /// Its point.
        point: Point,
    },
    /// No SAQ for this point.
    Refused {
        /// The point.
        point: Point,
        /// What is answered (token versions).
        nack: Option<Control>,
    },
    /// Xoff or Xon of this line.
    Flow {
        /// The line.
        line: LineId,
        /// Which of the two.
        xoff: bool,
    },
    /// No match: ignored.
    Ignored,
}

/// An internal message: about this point, empty for a root at the port itself, and what is said.
pub type Message = (Point, InternalKind);

impl RecnPort {
    /// A packet from ingress port `sender` was stored in `queue`: the normal queue detects a root,
    /// a SAQ propagates (token versions). Each turns to the ingress port that sent the packet,
    /// unless it is a child already.
    #[inline]
    pub fn egress_detection(
        &self,
        queue: QueueId,
        packets: u32,
        sender: u8,
        config: &RecnConfig,
    ) -> Option<Message> {
        let root = packets > config.detection_egress_packets;
        let notify = InternalKind::Notify { sender };
        let request = InternalKind::Request {
            sender,
            blocked: false,
        };
        match (self.line(queue), self.rules.tokens) {
            (None, true) => {
                let child = self.root_children >> sender & 1 == 1;
                (root && !child).then_some((Point::EMPTY, notify))
            }
            (None, false) => root.then_some((Point::EMPTY, request)),
            (Some(_), false) => None,
            (Some(line), true) => {
                let child = self.lines[usize::from(line)].children >> sender & 1 == 1;
                let beyond = packets > config.propagation_packets;
                (beyond && !child).then(|| (self.cam.point(line), notify))
            }
        }
    }

    /// Whether `queue` ever says Xoff inside the switch: SAQs do, normal queues where roots have
    /// thresholds (token versions).
    #[inline]
    pub fn has_xoff(&self, queue: QueueId, config: &RecnConfig) -> bool {
        queue >= self.base || self.rules.tokens && root_thresholds(config).is_some()
    }

    /// A packet from `sender` was stored in `queue`, or one left it (`None`): nothing, or a change
    /// of Xoff (or its repetition) and what the ingress ports of the switch are told.
    #[inline]
    pub fn egress_flow(
        &mut self,
        queue: QueueId,
        packets: u32,
        sender: Option<u8>,
        now: Tick,
        config: &RecnConfig,
    ) -> Option<Option<Message>> {
        let line = self.line(queue);
        let repeats =
            sender.is_some() && line.is_some_and(|l| self.repeats_xoff(l, packets, now, config));
        let tokens = self.rules.tokens;
        let (register, thresholds, children) = match line {
            Some(line) => {
                let registers = &mut self.lines[usize::from(line)];
                (&mut registers.xoff, config.thresholds, registers.children)
            }
            None => match root_thresholds(config).filter(|_| tokens) {
                Some(thresholds) => (&mut self.root_xoff, thresholds, self.root_children),
                None => return None,
            },
        };
        let changed = match sender {
            Some(_) => register.rise(packets, &thresholds),
            None => register.fall(packets, &thresholds),
        };
        if !changed && !repeats {
            return None;
        }
        if let Some(line) = line {
            self.registers(line).xoff_at = now;
            if sender.is_none() {
                self.check |= 1 << line;
            }
        }
        let kind = match sender {
            Some(sender) => InternalKind::Xoff { sender },
            None => InternalKind::Xon,
        };
        let point = line.map_or(Point::EMPTY, |l| self.cam.point(l));
        Some((children != 0 || !tokens).then_some((point, kind)))
    }

    /// The ingress ports, of `all`, that Xoff or Xon of `queue` is for: the children, or (DD
    /// versions) all.
    pub fn flow_goes_to(&self, queue: QueueId, all: u64) -> u64 {
        if !self.rules.tokens {
            return all;
        }
        self.line(queue)
            .map_or(self.root_children, |l| self.lines[usize::from(l)].children)
    }

    /// A control packet from the ingress port downstream.
    ///
    /// # Errors
    /// One that is not for an egress port of this version; broken invariants.
    pub fn egress_control(
        &mut self,
        memory: &mut impl MarkedQueues,
        control: Control,
        now: Tick,
    ) -> Result<Received, ProtocolError> {
        let tokens = self.rules.tokens;
        let (answer, point) = match control {
            Control::Notification(point) if tokens => {
                (Some(self.notified(memory, point, 0, false, now)?), point)
            }
            Control::Xoff(point) | Control::Xon(point) => {
                let xoff = matches!(control, Control::Xoff(_));
                if let Some(line) = self.flow(&point, xoff)? {
                    return Ok(Received::Flow { line, xoff });
                }
                if tokens || !xoff {
                    return Ok(Received::Ignored);
                }
                // DD versions: an Xoff without a match is the notification.
                (self.requested(memory, point, 0, true, now)?, point)
            }
            other => return Err(ProtocolError::Misdirected(other.name())),
        };
        Ok(match answer {
            Some(Answer::Accepted(line) | Answer::Adopted(line)) => {
                Received::Allocated { line, point }
            }
            Some(Answer::Refused) => Received::Refused {
                point,
                nack: tokens.then_some(Control::Nack(point)),
            },
            None => Received::Ignored,
        })
    }

    /// The ingress port `input` has accepted the notification of `queue` (normal: the root);
    /// whether Xoff follows.
    ///
    /// # Errors
    /// Broken invariants.
    pub fn child_accepted(&mut self, queue: QueueId, input: usize) -> Result<bool, ProtocolError> {
        let Some(line) = self.line(queue) else {
            self.root_children |= 1 << input;
            return Ok(self.root_xoff.is_set());
        };
        self.step(line, LifeEvent::Child)?;
        let registers = self.registers(line);
        registers.children |= 1 << input;
        Ok(registers.xoff.is_set())
    }

    /// The token of the child at `input` for `point`, whose first turn, `width` bits, is in this
    /// switch. Whether the line is a leaf again.
    ///
    /// # Errors
    /// A token that nobody waits for is a broken invariant.
    pub fn internal_token(
        &mut self,
        point: Point,
        width: u32,
        input: usize,
    ) -> Result<bool, ProtocolError> {
        self.child_token(point.without_first(width).unwrap_or(Point::EMPTY), input)
    }

    /// The token of the child at `input`; `rest` is its point without the turn in this switch,
    /// empty for the root. Whether the line is a leaf again.
    ///
    /// # Errors
    /// A token that nobody waits for is a broken invariant.
    pub fn child_token(&mut self, rest: Point, input: usize) -> Result<bool, ProtocolError> {
        let bit = 1u64 << input;
        let line = if rest.bits() == 0 {
            None
        } else {
            Some(self.cam.find(&rest).ok_or(ProtocolError::Unknown(rest))?)
        };
        let children = match line {
            None => &mut self.root_children,
            Some(line) => &mut self.lines[usize::from(line)].children,
        };
        if *children & bit == 0 {
            return Err(ProtocolError::NoChild(rest));
        }
        *children &= !bit;
        let leaf = *children == 0;
        if let (true, Some(line)) = (leaf, line) {
            self.step(line, LifeEvent::Childless)?;
            self.check |= 1 << line;
            return Ok(true);
        }
        Ok(false)
    }
}

/// Thresholds of [`RecnConfig::root_xoff_packets`]: Xon at half.
fn root_thresholds(config: &RecnConfig) -> Option<Thresholds> {
    let xoff = config.root_xoff_packets?;
    Thresholds::new(xoff, xoff / 2, Edge::Reached).ok()
}
