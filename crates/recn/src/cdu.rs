//! CDU: where congestion is, and which ports are notified.

use crate::{
    Controls, IngressDetection, InternalKind, LifeEvent, MarkedQueues, Message, ProtocolError,
    RecnConfig, RecnPort,
};
use cam::Allocation;
use flow_control::Control;
use turnpool::Point;
use units::{LineId, PortId, QueueId, Tick};

/// What became of a detection at an ingress port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Detection {
    /// The point is set aside already.
    Known,
    /// No free SAQ.
    Refused,
    /// A root.
    Root {
        /// The line.
        line: LineId,
        /// Sent to the upstream egress port at once.
        controls: Controls,
    },
}

impl RecnPort {
    /// Egress: a packet from ingress port `sender` was stored in `queue`: the normal queue detects
    /// a root, a SAQ propagates (token versions). Each turns to the ingress port that sent the
    /// packet, unless it is a child already.
    #[inline]
    pub fn egress_detection(
        &self,
        queue: QueueId,
        packets: u32,
        sender: PortId,
        config: &RecnConfig,
    ) -> Option<Message> {
        let root = packets > config.detection_egress_packets;
        let line = self.line(queue);
        let is_new = || self.children(line) >> sender.0 & 1 == 0;
        let notify = InternalKind::Notify { sender };
        let request = InternalKind::Request { sender, blocked: false };
        match (line, self.rules.tokens) {
            (None, true) => (root && is_new()).then_some((Point::EMPTY, notify)),
            (None, false) => root.then_some((Point::EMPTY, request)),
            (Some(_), false) => None,
            (Some(line), true) => (packets > config.propagation_packets && is_new())
                .then(|| (self.cam.point(line), notify)),
        }
    }

    /// Ingress: detection fired for `point` in `queue`. A detection queue becomes the SAQ, an empty
    /// one takes its place; it counts as congested: upstream is notified at once, by a notification
    /// or (DD versions) by Xoff if that is met. The line has no host and is ready at once.
    pub fn ingress_detection(
        &mut self,
        memory: &mut impl MarkedQueues,
        queue: QueueId,
        point: Point,
        now: Tick,
        config: &RecnConfig,
    ) -> Result<Detection, ProtocolError> {
        let line = match self.allocate(memory, point, None, now)? {
            Allocation::Allocated(line) => line,
            Allocation::Present(_) => return Ok(Detection::Known),
            Allocation::Full => return Ok(Detection::Refused),
        };
        let mut controls = Controls::new();
        if self.rules.ingress_detection == IngressDetection::Swap {
            let saq = self.queue(line);
            memory.swap(queue, saq)?;
            let packets = memory.packets(saq);
            let registers = self.registers_mut(line);
            let risen = registers.xoff.rise(packets, &config.thresholds);
            registers.xoff_at = now;
            if self.rules.tokens {
                controls = self.notification(line)?;
            } else if risen {
                controls.push(Control::Xoff(point));
            }
        }
        Ok(Detection::Root { line, controls })
    }

    /// Ingress: a packet was stored in the SAQ of `line`: beyond the propagation threshold the
    /// upstream egress port is notified, once, until it has answered (token versions).
    #[inline]
    pub fn ingress_propagation(
        &mut self,
        line: LineId,
        packets: u32,
        now: Tick,
        config: &RecnConfig,
    ) -> Result<Controls, ProtocolError> {
        let registers = self.registers(line);
        let beyond = self.rules.tokens && packets > config.propagation_packets;
        if beyond && !registers.notified && now >= registers.retry_at {
            self.notification(line)
        } else {
            Ok(Controls::new())
        }
    }

    /// The notification of `line` that is sent upstream, followed by Xoff where that is in force.
    /// The leaf bit clears with it.
    fn notification(&mut self, line: LineId) -> Result<Controls, ProtocolError> {
        self.step(line, LifeEvent::Child)?;
        let point = self.cam.point(line);
        let registers = self.registers_mut(line);
        registers.notified = true;
        let xoff = registers.xoff.is_set().then_some(Control::Xoff(point));
        Ok([Control::Notification(point)].into_iter().chain(xoff).collect())
    }
}
