//! Allocation of SAQs: by notification, by request, by detection.

use crate::{LifeEvent, LifeState, Line, MarkedQueues, ProtocolError, RecnPort};
use cam::Allocation;
use turnpool::Point;
use units::{LineId, PortId, QueueId, Tick};

/// The answer of a port that is asked to set a point aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// A SAQ was allocated for it.
    Accepted(LineId),
    /// The port had detected it; from now on a token is due for it.
    Adopted(LineId),
    /// No free SAQ, or (`recn-basic`) a less specific point is set aside already.
    Refused,
}

impl RecnPort {
    /// Where packets that match a new `point` were stored until now: the SAQ of the longest prefix,
    /// else the normal queue. The cold queue of `recn-dd-iq` is never a host: order from it holds
    /// by itself.
    pub fn host(&self, point: &Point, normal: QueueId) -> Option<QueueId> {
        match self.cam.longest_prefix(point) {
            Some(line) => Some(self.queue(line)),
            None => (!self.cold_queue).then_some(normal),
        }
    }

    /// Allocates a line for `point` with its marker in `host`. It is ready at once only if the host
    /// is empty of packets and markers and itself ready, or if there is none.
    pub(crate) fn allocate(
        &mut self,
        memory: &mut impl MarkedQueues,
        point: Point,
        host: Option<QueueId>,
        now: Tick,
    ) -> Result<Allocation, ProtocolError> {
        let answer = self.cam.allocate(point);
        if let Allocation::Allocated(line) = answer {
            *self.registers_mut(line) = Line { allocated: now, ..Line::default() };
            let waits_in = host.filter(|&host| !self.is_passed(memory, host));
            let event = match waits_in {
                None => LifeEvent::AllocateReady,
                Some(_) => LifeEvent::AllocateWaiting,
            };
            let state = LifeState::Idle.next(self.rules.tokens, event)?;
            self.put_state(line, state);
            if let Some(host) = waits_in {
                memory.place_marker(line, host)?;
            }
        }
        Ok(answer)
    }

    /// Whether nothing that is in `host`, or on its way there, must leave before a new SAQ.
    fn is_passed(&self, memory: &impl MarkedQueues, host: QueueId) -> bool {
        memory.is_vacant(host) && self.line(host).is_none_or(|line| self.cam.ready(line))
    }

    /// Token versions: a notification, at an ingress port from an egress port of its switch
    /// (`owned`), at an egress port from the ingress port downstream.
    ///
    /// # Errors
    /// A second notification is a broken invariant.
    pub fn notified(
        &mut self,
        memory: &mut impl MarkedQueues,
        point: Point,
        normal: QueueId,
        owned: bool,
        now: Tick,
    ) -> Result<Answer, ProtocolError> {
        if self.rules.refuses_more_specific
            && self.cam.find(&point).is_none()
            && self.cam.longest_prefix(&point).is_some()
        {
            return Ok(Answer::Refused);
        }
        let host = self.host(&point, normal);
        match self.allocate(memory, point, host, now)? {
            Allocation::Allocated(line) => {
                self.registers_mut(line).owned = owned;
                Ok(Answer::Accepted(line))
            }
            Allocation::Present(line) if owned && !self.registers(line).owned => {
                self.registers_mut(line).owned = true;
                Ok(Answer::Adopted(line))
            }
            Allocation::Present(_) => Err(ProtocolError::Duplicate(point)),
            Allocation::Full => Ok(Answer::Refused),
        }
    }

    /// Egress: the ingress port `input` has accepted the notification of `queue` (normal: the
    /// root); whether Xoff follows.
    pub fn child_accepted(&mut self, queue: QueueId, input: PortId) -> Result<bool, ProtocolError> {
        let Some(line) = self.line(queue) else {
            self.root_children |= 1 << input.0;
            return Ok(self.root_xoff.is_set());
        };
        self.step(line, LifeEvent::Child)?;
        let registers = self.registers_mut(line);
        registers.children |= 1 << input.0;
        Ok(registers.xoff.is_set())
    }

    /// DD versions: a request to set `point` aside, from a root of this switch or by an Xoff
    /// (`blocked`: the new SAQ is at Xoff). `None`: it is set aside already.
    pub fn requested(
        &mut self,
        memory: &mut impl MarkedQueues,
        point: Point,
        normal: QueueId,
        blocked: bool,
        now: Tick,
    ) -> Result<Option<Answer>, ProtocolError> {
        let host = self.host(&point, normal);
        Ok(match self.allocate(memory, point, host, now)? {
            Allocation::Allocated(line) => {
                if blocked {
                    self.flow(&point, true)?;
                }
                Some(Answer::Accepted(line))
            }
            Allocation::Present(_) => None,
            Allocation::Full => Some(Answer::Refused),
        })
    }
}
