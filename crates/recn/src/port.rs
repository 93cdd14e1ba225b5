//! One port's share of the protocol: CAM, line registers, marks, and every decision about them.

use super::life_cycle::{Illegal, LifeEvent, LifeState};
use super::queues::MarkedQueues;
use super::rules::Rules;
use crate::config::RecnConfig;
use crate::requests::bits;
use cam::{Allocation, Cam, LineId};
use flow_control::XoffRegister;
use saq::QueueId;
use turnpool::Point;
use units::Tick;

/// Registers of one CAM line beside those in the CAM.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Line {
    /// Whether Xoff is in force upstream.
    pub xoff: XoffRegister,
    /// When the line was allocated.
    pub allocated: Tick,
    /// DD versions: when Xoff was sent last.
    pub xoff_at: Tick,
    /// Ingress: the egress port of this switch waits for a token from this line.
    pub owned: bool,
    /// Ingress: the upstream egress port was notified and has neither refused nor returned its
    /// token.
    pub notified: bool,
    /// Ingress: no notification before this tick.
    pub retry_at: Tick,
    /// Egress: ingress ports of this switch that hold the child SAQs.
    pub children: u64,
}

/// What a port says to a point that it is asked to set aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// A SAQ was allocated for it.
    Accepted(LineId),
    /// The port had found it by itself; now it owes a token for it.
    Adopted(LineId),
    /// No free SAQ, or (`recn-basic`) a less specific point is set aside already.
    Refused,
}

/// A line that was freed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Freed {
    /// Line.
    pub line: LineId,
    /// Point it stood for.
    pub point: Point,
    /// Ingress: owes a token to an egress port of its switch.
    pub owned: bool,
}

/// A broken invariant of the protocol.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProtocolError {
    /// A transition that the life cycle does not have.
    #[error(transparent)]
    Illegal(#[from] Illegal),
    /// A second notification for a point that is set aside for the same notifier.
    #[error("second notification for {0:?}")]
    Duplicate(Point),
    /// A token or NACK for a point that has no SAQ.
    #[error("answer for {0:?}, which has no SAQ")]
    Unknown(Point),
    /// A token or NACK where no child is away.
    #[error("answer for {0:?}, which has no such child")]
    NoChild(Point),
    /// An Xoff or Xon for a child that has no SAQ for it.
    #[error("child SAQ {0:?} is missing")]
    MissingChild(Point),
    /// A control packet that is not for this side of a port.
    #[error("{0} at a port that it is not for")]
    Misdirected(&'static str),
    /// A marker or queue that is not what it should be.
    #[error(transparent)]
    Memory(#[from] saq::MmuError),
    /// A line that is not valid.
    #[error(transparent)]
    Cam(#[from] cam::CamError),
}

/// CAM, lines and the marks of what must be looked at in steps 6 and 7 of the commit.
// What a port without SAQs in use looks at is one cache line, with the bit vectors of the CAM.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[repr(C, align(64))]
pub struct RecnPort {
    /// Queue of line 0 = number of normal queues.
    pub base: QueueId,
    /// The version.
    pub rules: Rules,
    /// Whether arrivals go through a cold queue, which is never a host (`recn-dd-iq`, ingress).
    pub cold_queue: bool,
    /// Normal queues whose markers must be looked at.
    pub settle_normal: u64,
    /// Lines whose markers must be looked at.
    pub settle_lines: u64,
    /// Lines that may have become free.
    pub check: u64,
    /// The CAM; line k goes with queue `base + k`.
    pub cam: Cam,
    /// One for each CAM line.
    pub lines: Box<[Line]>,
    /// Egress: ingress ports with a child of the root at this port's normal queue.
    pub root_children: u64,
    /// Egress: Xoff from the normal queue of a root (key `recn.root_xoff_packets`).
    pub root_xoff: XoffRegister,
}

const _: () = assert!(std::mem::offset_of!(RecnPort, cam) == 32);

impl RecnPort {
    /// A port with `saqs` lines above `base` normal queues.
    pub fn new(saqs: usize, base: QueueId, rules: Rules, cold_queue: bool) -> RecnPort {
        RecnPort {
            cam: Cam::new(saqs),
            lines: vec![Line::default(); saqs].into(),
            base,
            rules,
            cold_queue,
            root_children: 0,
            root_xoff: XoffRegister::default(),
            settle_normal: 0,
            settle_lines: 0,
            check: 0,
        }
    }

    /// Whether it has no SAQ and no Xoff in force: nothing here depends on what packets come or go,
    /// but for detection.
    #[inline]
    pub fn is_quiet(&self) -> bool {
        self.cam.valid() == 0 && !self.root_xoff.is_set()
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

    /// Registers of a line.
    #[inline]
    pub fn registers(&mut self, line: LineId) -> &mut Line {
        &mut self.lines[usize::from(line)]
    }

    /// State of a line in its life cycle.
    pub fn state(&self, line: LineId) -> LifeState {
        if !self.cam.is_valid(line) {
            return LifeState::Idle;
        }
        LifeState::of(
            self.cam.ready(line),
            self.cam.blocked(line),
            self.cam.leaf(line),
        )
    }

    /// One transition of a valid line, by the table of its version.
    pub(super) fn step(&mut self, line: LineId, event: LifeEvent) -> Result<(), Illegal> {
        let next = self.state(line).next(self.rules.tokens, event)?;
        let (ready, blocked, leaf) = next.bits();
        self.cam.set_ready(line, ready);
        self.cam.set_blocked(line, blocked);
        self.cam.set_leaf(line, leaf);
        Ok(())
    }

    /// A SAQ that is not ready or is blocked does not request; a normal queue always may.
    #[inline]
    pub fn may_request(&self, queue: QueueId) -> bool {
        self.line(queue)
            .is_none_or(|line| self.cam.ready(line) && !self.cam.blocked(line))
    }

    /// The queue in which a packet that matches a new `point` would have been stored until now: the
    /// SAQ of the longest prefix, else the normal queue. The cold queue of `recn-dd-iq` is never a
    /// host: order from it holds by itself.
    pub fn host(&self, point: &Point, normal: QueueId) -> Option<QueueId> {
        match self.cam.longest_prefix(point) {
            Some(line) => Some(self.queue(line)),
            None => (!self.cold_queue).then_some(normal),
        }
    }

    /// Allocates a line for `point` with its marker in `host`. It is ready at once only if the host
    /// is empty of packets and markers and itself ready, or if there is none.
    fn allocate(
        &mut self,
        memory: &mut impl MarkedQueues,
        point: Point,
        host: Option<QueueId>,
        now: Tick,
    ) -> Result<Allocation, ProtocolError> {
        let answer = self.cam.allocate(point);
        if let Allocation::Allocated(line) = answer {
            self.lines[usize::from(line)] = Line {
                allocated: now,
                ..Line::default()
            };
            let ready = match host {
                None => true,
                Some(host) => {
                    memory.is_vacant(host) && self.line(host).is_none_or(|h| self.cam.ready(h))
                }
            };
            let event = if ready {
                LifeEvent::AllocateReady
            } else {
                LifeEvent::AllocateWaiting
            };
            let (ready, blocked, leaf) = LifeState::Idle.next(self.rules.tokens, event)?.bits();
            self.cam.set_ready(line, ready);
            self.cam.set_blocked(line, blocked);
            self.cam.set_leaf(line, leaf);
            if let (false, Some(host)) = (ready, host) {
                memory.place_marker(line, host)?;
            }
        }
        Ok(answer)
    }

    /// Ingress detection: a line for a root, without a host, ready at once. `None`: the point is
    /// set aside already, or no SAQ is free (the flag).
    ///
    /// # Errors
    /// Broken invariants.
    pub fn found_root(
        &mut self,
        memory: &mut impl MarkedQueues,
        point: Point,
        now: Tick,
    ) -> Result<Result<LineId, bool>, ProtocolError> {
        Ok(match self.allocate(memory, point, None, now)? {
            Allocation::Allocated(line) => Ok(line),
            Allocation::Present(_) => Err(false),
            Allocation::Full => Err(true),
        })
    }

    /// A notification (token versions): at an ingress port from an egress port of its switch,
    /// `owned`; at an egress port from the ingress port downstream.
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
                self.registers(line).owned = owned;
                Ok(Answer::Accepted(line))
            }
            Allocation::Present(line) if owned && !self.lines[usize::from(line)].owned => {
                self.registers(line).owned = true;
                Ok(Answer::Adopted(line))
            }
            Allocation::Present(_) => Err(ProtocolError::Duplicate(point)),
            Allocation::Full => Ok(Answer::Refused),
        }
    }

    /// DD versions: a request to set `point` aside, from a root of this switch or by an Xoff
    /// (`blocked`: the new SAQ is at Xoff). `None`: it is set aside already.
    ///
    /// # Errors
    /// Broken invariants.
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

    /// Xoff or Xon for `point`, which must match exactly; the line, or nothing where it is to be
    /// ignored.
    ///
    /// # Errors
    /// Broken invariants.
    pub fn flow(&mut self, point: &Point, xoff: bool) -> Result<Option<LineId>, ProtocolError> {
        let Some(line) = self.cam.find(point) else {
            return Ok(None);
        };
        self.step(
            line,
            if xoff {
                LifeEvent::Xoff
            } else {
                LifeEvent::Xon
            },
        )?;
        if !xoff {
            self.check |= 1 << line;
        }
        Ok(Some(line))
    }

    /// DD versions: whether a SAQ with so many packets repeats its Xoff on an arrival now.
    pub fn repeats_xoff(&self, line: LineId, packets: u32, now: Tick, config: &RecnConfig) -> bool {
        let registers = &self.lines[usize::from(line)];
        !self.rules.tokens
            && registers.xoff.is_set()
            && packets >= config.thresholds.xoff
            && now >= registers.xoff_at + config.xoff_repeat
    }

    /// Notes that the head of `queue` left: markers may now be at its head, and an empty SAQ may be
    /// freed.
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

    /// Step 6: markers at the heads of queues, of all or of those marked. Returns the lines that
    /// became ready.
    ///
    /// # Errors
    /// Broken invariants.
    pub fn settle_marked(
        &mut self,
        memory: &mut impl MarkedQueues,
        all: bool,
    ) -> Result<u64, ProtocolError> {
        let (normal, lines) = if all {
            (normal_queues(self.base), self.cam.valid())
        } else {
            (self.settle_normal, self.settle_lines)
        };
        (self.settle_normal, self.settle_lines) = (0, 0);
        let mut ready = 0;
        for queue in bits(normal) {
            self.settle(memory, queue as QueueId, &mut ready)?;
        }
        for line in bits(lines) {
            self.settle(memory, self.queue(line as LineId), &mut ready)?;
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
        if self
            .line(queue)
            .is_some_and(|line| !self.cam.is_valid(line) || !self.cam.ready(line))
        {
            return Ok(());
        }
        while let Some(line) = memory.take_head_marker(queue) {
            self.step(line, LifeEvent::Marker)?;
            self.check |= 1 << line;
            if let Some(host) = self.line(queue) {
                self.check |= 1 << host;
            }
            *became_ready |= 1 << line;
            self.settle(memory, self.queue(line), became_ready)?;
        }
        Ok(())
    }

    /// Whether `line` may be freed: never while it is not empty, holds markers, is not ready, is
    /// blocked or has Xoff in force, nor in the tick of its allocation; in the token versions it
    /// must also be a leaf and old enough (spec: recn.md). What happens to a line of the DD
    /// versions in its first tick is made up for when its timer ends.
    pub fn may_free(
        &self,
        memory: &impl MarkedQueues,
        line: LineId,
        now: Tick,
        config: &RecnConfig,
    ) -> bool {
        let registers = &self.lines[usize::from(line)];
        self.cam.is_valid(line)
            && self.cam.ready(line)
            && !self.cam.blocked(line)
            && !registers.xoff.is_set()
            && memory.is_vacant(self.queue(line))
            && if self.rules.tokens {
                self.cam.leaf(line) && now >= registers.allocated + config.saq_timer.max(1)
            } else {
                now > registers.allocated
            }
    }

    /// Step 7: the lines to look at. Where nothing but the conditions decides (token versions)
    /// `all` may look at every line; in the DD versions a line is looked at only when something
    /// happened to it.
    pub fn take_checks(&mut self, all: bool) -> u64 {
        let marked = std::mem::take(&mut self.check);
        if all && self.rules.tokens {
            self.cam.valid()
        } else {
            marked
        }
    }

    /// Step 7: frees the first of the lines in `checks` that may be, and takes those looked at out
    /// of it.
    ///
    /// # Errors
    /// Broken invariants.
    pub fn free_next(
        &mut self,
        memory: &impl MarkedQueues,
        checks: &mut u64,
        now: Tick,
        config: &RecnConfig,
    ) -> Result<Option<Freed>, ProtocolError> {
        while *checks != 0 {
            let line = checks.trailing_zeros() as LineId;
            *checks &= *checks - 1;
            if self.may_free(memory, line, now, config) {
                let (point, owned) = self.free(line)?;
                return Ok(Some(Freed { line, point, owned }));
            }
        }
        Ok(None)
    }

    /// Frees a line; its point, and whether it owes a token to an egress port of its switch.
    ///
    /// # Errors
    /// Broken invariants.
    pub fn free(&mut self, line: LineId) -> Result<(Point, bool), ProtocolError> {
        self.state(line).next(self.rules.tokens, LifeEvent::Free)?;
        let registers = std::mem::take(self.registers(line));
        Ok((self.cam.free(line)?, registers.owned))
    }

    /// Marks the lines whose timer ends now and says when the next one ends.
    pub fn mark_timers(&mut self, now: Tick, config: &RecnConfig) -> Tick {
        let mut next = Tick::MAX;
        for line in bits(self.cam.valid()) {
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

/// The normal queues as a mask.
fn normal_queues(base: QueueId) -> u64 {
    u64::MAX.checked_shr(64 - u32::from(base)).unwrap_or(0)
}
