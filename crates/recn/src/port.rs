//! The registers of one port.

use crate::{Illegal, LifeEvent, LifeState, Rules};
use cam::Cam;
use flow_control::XoffRegister;
use units::{LineId, QueueId, Tick};

/// Registers of one CAM line beside those in the CAM. Ticks stand for timers that count down.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Line {
    /// Whether Xoff is in force upstream: 1 bit.
    pub xoff: XoffRegister,
    /// When the line was allocated: a timer of [`RecnConfig::saq_timer`](crate::RecnConfig).
    pub allocated: Tick,
    /// DD versions: when Xoff was sent last: a timer of
    /// [`RecnConfig::xoff_repeat`](crate::RecnConfig).
    pub xoff_at: Tick,
    /// Ingress: the egress port of this switch waits for a token from this line: 1 bit.
    pub owned: bool,
    /// Ingress: the upstream egress port was notified and has neither refused nor returned its
    /// token: 1 bit.
    pub notified: bool,
    /// Ingress: no notification before this tick: a timer of
    /// [`RecnConfig::retry`](crate::RecnConfig).
    pub retry_at: Tick,
    /// Egress: ingress ports of this switch that hold the child SAQs: a bit for each port.
    pub children: u64,
}

/// CAM, lines and the marks of what must be evaluated in steps 6 and 7 of the commit.
// What a port without SAQs in use reads is one cache line, with the bit vectors of the CAM.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[repr(C, align(64))]
pub struct RecnPort {
    /// Queue of line 0 = number of normal queues.
    base: QueueId,
    pub(crate) rules: Rules,
    /// Whether arrivals go through a cold queue, which is never a host (`recn-dd-iq`, ingress).
    pub(crate) cold_queue: bool,
    /// Normal queues whose markers must be evaluated.
    pub(crate) settle_normal: u64,
    /// Lines whose markers must be evaluated.
    pub(crate) settle_lines: u64,
    /// Lines that may have become free.
    pub(crate) check: u64,
    /// Line k goes with queue `base + k`.
    pub(crate) cam: Cam,
    /// One for each CAM line.
    lines: Box<[Line]>,
    /// Egress: ingress ports with a child of the root at this port's normal queue.
    pub(crate) root_children: u64,
    /// Egress: Xoff from the normal queue of a root (key `recn.root_xoff_packets`).
    pub(crate) root_xoff: XoffRegister,
}

const _: () = assert!(std::mem::offset_of!(RecnPort, cam) == 32);

impl RecnPort {
    /// A port with `saqs` lines above `base` normal queues, at most 64 each. With a cold queue
    /// (`recn-dd-iq`, ingress) that one is never a host.
    ///
    /// # Panics
    /// Above 64 lines.
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

    /// The rules of its version.
    #[inline]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Queue of line 0 = number of normal queues.
    #[inline]
    pub fn base(&self) -> QueueId {
        self.base
    }

    /// Whether arrivals go through a cold queue.
    #[inline]
    pub fn has_cold_queue(&self) -> bool {
        self.cold_queue
    }

    /// The CAM, to be looked up.
    #[inline]
    pub fn cam(&self) -> &Cam {
        &self.cam
    }

    /// Queue of a line.
    #[inline]
    pub fn queue(&self, line: LineId) -> QueueId {
        QueueId(self.base.0 + u16::from(line.0))
    }

    /// Line of a queue, if it is a SAQ.
    #[inline]
    pub fn line(&self, queue: QueueId) -> Option<LineId> {
        (queue >= self.base).then(|| LineId((queue.0 - self.base.0) as u8))
    }

    /// Registers of a line.
    #[inline]
    pub fn registers(&self, line: LineId) -> &Line {
        &self.lines[line.index()]
    }

    /// Registers of a line, to be written: for a model checker that ends timers itself.
    #[inline]
    pub fn registers_mut(&mut self, line: LineId) -> &mut Line {
        &mut self.lines[line.index()]
    }

    /// Egress: ingress ports with a child of the root at this port's normal queue, as a set.
    #[inline]
    pub fn root_children(&self) -> u64 {
        self.root_children
    }

    /// Egress: whether the normal queue of a root is at Xoff (key `recn.root_xoff_packets`).
    #[inline]
    pub fn root_xoff(&self) -> bool {
        self.root_xoff.is_set()
    }

    /// State of a line in its life cycle.
    pub fn state(&self, line: LineId) -> LifeState {
        if !self.cam.is_valid(line) {
            return LifeState::Idle;
        }
        let cam = &self.cam;
        LifeState::of(cam.ready(line), cam.blocked(line), cam.leaf(line))
    }

    /// A SAQ that is not ready or is blocked does not request; a normal queue always may.
    #[inline]
    pub fn may_request(&self, queue: QueueId) -> bool {
        self.line(queue).is_none_or(|line| self.cam.ready(line) && !self.cam.blocked(line))
    }

    /// One transition of a valid line, by the table of its version.
    pub(crate) fn step(&mut self, line: LineId, event: LifeEvent) -> Result<(), Illegal> {
        let next = self.state(line).next(self.rules.tokens, event)?;
        self.put_state(line, next);
        Ok(())
    }

    /// Writes the bits of a state into the CAM.
    pub(crate) fn put_state(&mut self, line: LineId, state: LifeState) {
        self.cam.set_flags(line, state.bits());
    }
}
