//! What every port memory with SAQs has: a CAM, the line registers, and the rules of order that hold in every version.

use crate::config::RecnConfig;
use cam::{Allocation, Cam, LineId};
use flow_control::{Edge, Thresholds, XoffRegister};
use saq::{Mmu, QueueId};
use turnpool::Point;
use units::Tick;

/// Registers of one CAM line beside those in the CAM.
#[derive(Debug, Clone, Copy, Default)]
pub struct Line {
    /// Whether Xoff is in force towards the children.
    pub xoff: XoffRegister,
    /// When the line was allocated.
    pub allocated: Tick,
    /// Ingress: the egress port of this switch waits for a token from this line.
    pub owned: bool,
    /// Ingress: the upstream egress port was notified and has neither refused nor returned its token.
    pub notified: bool,
    /// Ingress: no notification before this tick.
    pub retry_at: Tick,
    /// Egress: ingress ports of this switch that hold the child SAQs.
    pub children: u64,
}

/// CAM, lines and the marks of what must be looked at in steps 6 and 7 of the commit.
#[derive(Debug, Clone)]
pub struct RecnPort {
    /// The CAM; line k goes with queue `base + k`.
    pub cam: Cam,
    /// One for each CAM line.
    pub lines: Box<[Line]>,
    /// Queue of line 0 = number of normal queues.
    pub base: QueueId,
    /// Egress: ingress ports with a child of the root at this port's normal queue.
    pub root_children: u64,
    /// Egress: Xoff from the normal queue of a root (key `recn.root_xoff_packets`).
    pub root_xoff: XoffRegister,
    /// Normal queues whose markers must be looked at.
    pub settle_normal: u64,
    /// Lines whose markers must be looked at.
    pub settle_lines: u64,
    /// Lines that may have become free.
    pub check: u64,
}

impl RecnPort {
    /// A port with `saqs` lines above `base` normal queues.
    pub fn new(saqs: usize, base: QueueId) -> RecnPort {
        RecnPort {
            cam: Cam::new(saqs),
            lines: vec![Line::default(); saqs].into(),
            base,
            root_children: 0,
            root_xoff: XoffRegister::default(),
            settle_normal: 0,
            settle_lines: 0,
            check: 0,
        }
    }

    /// Queue of a line.
    #[inline]
    pub fn queue(&self, line: LineId) -> QueueId {
        self.base + QueueId::from(line)
    }

    /// Line of a queue, if it is a SAQ.
    #[inline]
    pub fn line(&self, queue: QueueId) -> Option<LineId> {
        (queue >= self.base).then(|| (queue - self.base) as LineId)
    }

    /// A SAQ that is not ready or is blocked does not request; a normal queue always may.
    #[inline]
    pub fn may_request(&self, queue: QueueId) -> bool {
        self.line(queue)
            .is_none_or(|line| self.cam.ready(line) && !self.cam.blocked(line))
    }

    /// The queue in which a packet that matches a new `point` would have been stored until now: the SAQ of the longest
    /// prefix, else the normal queue.
    pub fn host(&self, point: &Point, normal: QueueId) -> QueueId {
        self.cam
            .longest_prefix(point)
            .map_or(normal, |line| self.queue(line))
    }

    /// Allocates a line for `point` with its marker in `host`. It is ready at once only if the host is empty of packets
    /// and markers and itself ready.
    pub fn allocate(
        &mut self,
        memory: &mut Mmu,
        point: Point,
        host: QueueId,
        now: Tick,
    ) -> Allocation {
        let answer = self.cam.allocate(point);
        if let Allocation::Allocated(line) = answer {
            self.lines[usize::from(line)] = Line {
                allocated: now,
                ..Line::default()
            };
            let host_ready = self.line(host).is_none_or(|h| self.cam.ready(h));
            let ready = host_ready && memory.is_vacant(host);
            self.cam.set_ready(line, ready);
            if !ready {
                memory
                    .place_marker(line, host)
                    .expect("a line just allocated has its marker record at home");
            }
        }
        answer
    }

    /// Allocates a line without a host, ready at once: for a queue that is swapped in (ingress detection).
    pub fn allocate_root(&mut self, point: Point, now: Tick) -> Allocation {
        let answer = self.cam.allocate(point);
        if let Allocation::Allocated(line) = answer {
            self.lines[usize::from(line)] = Line {
                allocated: now,
                ..Line::default()
            };
            self.cam.set_ready(line, true);
        }
        answer
    }

    /// Notes that the head of `queue` left: markers may now be at its head, and an empty SAQ may be freed.
    #[inline]
    pub fn head_left(&mut self, memory: &Mmu, queue: QueueId) -> bool {
        let mut marked = false;
        if memory.has_markers(queue) {
            self.mark_settle(queue);
            marked = true;
        }
        if let Some(line) = self.line(queue)
            && memory.is_empty(queue)
        {
            self.check |= 1 << line;
            marked = true;
        }
        marked
    }

    /// Notes that the markers of a queue must be looked at.
    #[inline]
    pub fn mark_settle(&mut self, queue: QueueId) {
        match self.line(queue) {
            Some(line) => self.settle_lines |= 1 << line,
            None => self.settle_normal |= 1 << queue,
        }
    }

    /// Consumes the markers at the head of `queue` if it is ready, and of every queue that this makes ready.
    /// `became_ready` is told the lines.
    pub fn settle(
        &mut self,
        memory: &mut Mmu,
        queue: QueueId,
        became_ready: &mut impl FnMut(LineId),
    ) {
        if self
            .line(queue)
            .is_some_and(|line| !self.cam.is_valid(line) || !self.cam.ready(line))
        {
            return;
        }
        while let Some(line) = memory.take_head_marker(queue) {
            self.cam.set_ready(line, true);
            self.check |= 1 << line;
            if let Some(host) = self.line(queue) {
                self.check |= 1 << host;
            }
            became_ready(line);
            self.settle(memory, self.queue(line), became_ready);
        }
    }

    /// Whether `line` may be freed: leaf, old enough, and never while it is not empty, holds markers, is not ready, is
    /// blocked or has Xoff in force (spec: recn.md).
    pub fn may_free(&self, memory: &Mmu, line: LineId, now: Tick, config: &RecnConfig) -> bool {
        let registers = &self.lines[usize::from(line)];
        self.cam.is_valid(line)
            && self.cam.leaf(line)
            && self.cam.ready(line)
            && !self.cam.blocked(line)
            && !registers.xoff.is_set()
            && memory.is_vacant(self.queue(line))
            && now >= registers.allocated + config.saq_timer.max(1)
    }

    /// Marks the lines whose timer ends now and says when the next one ends.
    pub fn mark_timers(&mut self, now: Tick, config: &RecnConfig) -> Tick {
        let mut next = Tick::MAX;
        for line in crate::requests::bits(self.cam.valid()) {
            let ends = self.lines[line].allocated + config.saq_timer.max(1);
            if ends == now {
                self.check |= 1 << line;
            } else if ends > now {
                next = next.min(ends);
            }
        }
        next
    }

    /// Whether steps 6 and 7 have anything to look at.
    #[inline]
    pub fn is_marked(&self) -> bool {
        self.settle_normal | self.settle_lines | self.check != 0
    }
}

/// Thresholds of [`RecnConfig::root_xoff_packets`]: Xon at half.
pub(crate) fn root_thresholds(config: &RecnConfig) -> Option<Thresholds> {
    let xoff = config.root_xoff_packets?;
    Thresholds::new(xoff, xoff / 2, Edge::Reached).ok()
}
