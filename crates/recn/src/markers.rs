//! Markers: what was queued before a SAQ leaves first.

use crate::{LifeEvent, MarkedQueues, ProtocolError, RecnPort};
use units::bits::ones;
use units::{LineId, QueueId};

impl RecnPort {
    /// Notes that the head of `queue` left: markers may now be at its head, and an empty SAQ may be
    /// freed. Whether there is anything to evaluate.
    #[inline]
    pub fn head_left(&mut self, memory: &impl MarkedQueues, queue: QueueId) -> bool {
        let mut marked = false;
        if memory.has_markers(queue) {
            self.mark_settle(queue);
            marked = true;
        }
        if let Some(line) = self.line(queue)
            && memory.is_empty(queue)
        {
            self.mark_check(line);
            marked = true;
        }
        marked
    }

    /// Notes that the markers of a queue must be evaluated.
    #[inline]
    fn mark_settle(&mut self, queue: QueueId) {
        match self.line(queue) {
            Some(line) => self.settle_lines |= 1 << line.0,
            None => self.settle_normal |= 1 << queue.0,
        }
    }

    /// Whether steps 6 and 7 have anything to evaluate.
    #[inline]
    pub fn is_marked(&self) -> bool {
        self.settle_normal | self.settle_lines | self.check != 0
    }

    /// Step 6: markers at the heads of queues, of all or of those marked. Returns the lines that
    /// became ready, as a set.
    pub fn settle_marked(
        &mut self,
        memory: &mut impl MarkedQueues,
        all: bool,
    ) -> Result<u64, ProtocolError> {
        let (normal, lines) = if all {
            (normal_queues(self.base()), self.cam.valid())
        } else {
            (self.settle_normal, self.settle_lines)
        };
        (self.settle_normal, self.settle_lines) = (0, 0);
        let mut ready = 0;
        for queue in ones(normal) {
            self.settle(memory, QueueId::at(queue), &mut ready)?;
        }
        for line in ones(lines) {
            self.settle(memory, self.queue(LineId::at(line)), &mut ready)?;
        }
        Ok(ready)
    }

    /// Consumes the markers at the head of `queue` if it is ready, and of every queue that this
    /// makes ready.
    fn settle(
        &mut self,
        memory: &mut impl MarkedQueues,
        queue: QueueId,
        became_ready: &mut u64,
    ) -> Result<(), ProtocolError> {
        let host = self.line(queue);
        if host.is_some_and(|line| !self.cam.is_valid(line) || !self.cam.ready(line)) {
            return Ok(());
        }
        while let Some(line) = memory.take_head_marker(queue) {
            self.step(line, LifeEvent::Marker)?;
            self.mark_check(line);
            if let Some(host) = host {
                self.mark_check(host);
            }
            *became_ready |= 1 << line.0;
            self.settle(memory, self.queue(line), became_ready)?;
        }
        Ok(())
    }
}

fn normal_queues(base: QueueId) -> u64 {
    u64::MAX.checked_shr(64 - u32::from(base.0)).unwrap_or(0)
}
