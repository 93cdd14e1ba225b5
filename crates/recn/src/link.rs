//! Control packets that arrive over links, at ports with queues and at CAM lines without.

use crate::{Answer, LifeEvent, MarkedQueues, ProtocolError, RecnConfig, RecnPort};
use cam::Allocation;
use flow_control::Control;
use turnpool::Point;
use units::{LineId, QueueId, Tick};

/// The normal queue of an egress port with SAQs: there is one.
const NORMAL: QueueId = QueueId(0);

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

/// What Xoff or Xon does to a CAM line without a queue (`iq_egress_lines`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueuelessLine {
    /// Xoff: this line was allocated.
    Allocated(LineId),
    /// Xoff: no line is free.
    Refused,
    /// Xon: this line was freed.
    Freed(LineId),
    /// Xoff for a point that has a line, Xon for one that has none.
    Unchanged,
}

impl RecnPort {
    /// Egress: a control packet from the ingress port downstream. The injection side of an end node
    /// is an egress port too.
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
        let Some(point) = control.point() else {
            return Err(ProtocolError::Misdirected(control.name()));
        };
        let answer = match control {
            Control::Notification(_) if tokens => {
                Some(self.notified(memory, point, NORMAL, false, now)?)
            }
            Control::Xoff(_) | Control::Xon(_) => {
                let xoff = matches!(control, Control::Xoff(_));
                if let Some(line) = self.flow(&point, xoff)? {
                    return Ok(Received::Flow { line, xoff });
                }
                if tokens || !xoff {
                    return Ok(Received::Ignored);
                }
                // DD versions: an Xoff without a match is the notification.
                self.requested(memory, point, NORMAL, true, now)?
            }
            other => return Err(ProtocolError::Misdirected(other.name())),
        };
        Ok(match answer {
            Some(Answer::Accepted(line) | Answer::Adopted(line)) => {
                Received::Allocated { line, point }
            }
            Some(Answer::Refused) => {
                Received::Refused { point, nack: tokens.then_some(Control::Nack(point)) }
            }
            None => Received::Ignored,
        })
    }

    /// Ingress: a control packet from upstream, token or NACK.
    ///
    /// # Errors
    /// Any other, and an answer that no line waits for, is a broken invariant.
    pub fn ingress_control(
        &mut self,
        control: Control,
        now: Tick,
        config: &RecnConfig,
    ) -> Result<(), ProtocolError> {
        let (point, is_refused) = match control {
            Control::Token(point) => (point, false),
            Control::Nack(point) => (point, true),
            other => return Err(ProtocolError::Misdirected(other.name())),
        };
        let line = self.cam.find(&point).ok_or(ProtocolError::Unknown(point))?;
        let registers = self.registers_mut(line);
        if !registers.notified {
            return Err(ProtocolError::NoChild(point));
        }
        registers.notified = false;
        if is_refused {
            registers.retry_at = now + config.retry;
        }
        self.step(line, LifeEvent::Childless)?;
        self.mark_check(line);
        Ok(())
    }

    /// `iq_egress_lines`: Xoff or Xon from downstream at an output, whose lines have no queues:
    /// Xoff allocates the line, Xon frees it.
    pub fn queueless_flow(
        &mut self,
        point: Point,
        xoff: bool,
    ) -> Result<QueuelessLine, ProtocolError> {
        if !xoff {
            let Some(line) = self.cam.find(&point) else {
                return Ok(QueuelessLine::Unchanged);
            };
            self.cam.free(line)?;
            return Ok(QueuelessLine::Freed(line));
        }
        Ok(match self.cam.allocate(point) {
            Allocation::Allocated(line) => QueuelessLine::Allocated(line),
            Allocation::Full => QueuelessLine::Refused,
            Allocation::Present(_) => QueuelessLine::Unchanged,
        })
    }
}
