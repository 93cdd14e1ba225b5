//! An ingress port: RU, PPU, MU, MMU, CDU, and its share of RECN with the FCU's registers.

mod bypass;
mod cdu;
mod decisions;
mod pauser;
mod ppu;
mod ru;
mod two_level;

pub use bypass::Bypass;
pub use cdu::Cdu;
pub use decisions::Decisions;
pub use pauser::{NextWord, Overflow, Pauser};
pub use ppu::{COLD, Ppu};
pub use ru::Ru;
pub use two_level::TwoLevel;

use crate::memory::{Head, PortMemory};
use crate::mu::Mu;
use crate::packet::Packet;
use flow_control::Control;
use observe::{PacketKey, Place};
use plan::{MemoryLayout, Params, short};
use recn::{Controls, RecnPort};
use saq::Mmu;
use turnpool::Route;
use units::{LineId, QueueId, Tick, Unit};

/// One ingress port.
#[derive(Debug)]
pub struct Ingress {
    pub(crate) memory: PortMemory,
    pub(crate) ru: Ru,
    mu: Mu,
    /// Its name for observers.
    pub place: Place,
    recn: Option<Box<RecnPort>>,
    pub(crate) ppu: Ppu,
    pub(crate) cdu: Cdu,
    pub(crate) decisions: Decisions,
    pub(crate) bypass: Bypass,
    /// Where links may go down: the packet that was stored last, and when its tail is.
    pub(crate) arriving: Option<(PacketKey, Tick)>,
}

impl Ingress {
    /// An empty port; without a memory where the organisation has none here. `unit` is its name in
    /// messages.
    pub fn new(
        params: &Params,
        memory: Option<MemoryLayout>,
        ru: Ru,
        place: Place,
        unit: Unit,
    ) -> Ingress {
        let layout = memory.unwrap_or_default();
        let saqs = if memory.is_some() { params.saqs() } else { 0 };
        let recn = params.rules.filter(|_| saqs > 0).map(|rules| {
            let base = QueueId(short(layout.queues));
            Box::new(RecnPort::new(saqs as usize, base, rules, rules.moves()))
        });
        let interval = params.recn.filter(|_| params.moves() && saqs > 0);
        Ingress {
            memory: PortMemory::new(layout, saqs, false, unit),
            mu: Mu::new(layout.queues, params.vcs),
            place,
            recn,
            ppu: Ppu::new(interval.map(|recn| recn.ppu_interval)),
            cdu: Cdu::new(params.rules, ru.ports.into()),
            ru,
            decisions: Decisions::default(),
            bypass: Bypass::new(params.config.max_bypass),
            arriving: None,
        }
    }

    /// Its name in messages.
    pub fn unit(&self) -> Unit {
        self.memory.unit()
    }

    /// Where links may go down: the packet whose head is stored and whose tail is not.
    pub fn arriving(&self, now: Tick) -> Option<PacketKey> {
        let (key, tail) = self.arriving?;
        (tail > now).then_some(key)
    }

    /// Its two-level router, where routing is two-level.
    pub fn two_level(&self) -> Option<&TwoLevel> {
        self.ru.two_level()
    }

    /// Its memory.
    pub fn memory(&self) -> &PortMemory {
        &self.memory
    }

    /// Its SAQs.
    pub fn recn(&self) -> Option<&RecnPort> {
        self.recn.as_deref()
    }

    /// CAM and lines, and the queues that they name.
    pub(crate) fn recn_mut(&mut self) -> Option<(&mut RecnPort, &mut Mmu<Head>)> {
        let recn = self.recn.as_deref_mut()?;
        Some((recn, self.memory.queues_mut()))
    }

    /// The next tick with anything by itself: a tail, a timer of a head, a move of the PPU.
    pub(crate) fn next_due(&self, now: Tick) -> Tick {
        let has_lines = || self.recn().is_some_and(|recn| recn.cam().in_use() > 0);
        if self.ppu.has_cold_queue() && has_lines() {
            return now.next();
        }
        let tail = self.memory.tail_end().map_or(Tick::MAX, Tick::before);
        tail.min(self.decisions.next())
    }

    /// Step 2, PPU and MU: the queue of an arriving packet, and whether it is a SAQ.
    pub(crate) fn queue_of(&self, params: &Params, packet: &Packet) -> (QueueId, bool) {
        match self.ppu.saq_on_arrival(self.recn(), &packet.route) {
            Some(saq) => (saq, true),
            None => (self.normal_queue(params, packet), false),
        }
    }

    pub(crate) fn normal_queue(&self, params: &Params, packet: &Packet) -> QueueId {
        self.mu.ingress(params, packet.vc, packet.output, packet.destination)
    }

    /// Whether a head of `queue` may request: SAQs that are not ready or are blocked may not.
    pub(crate) fn may_request(&self, queue: QueueId, route: &Route) -> bool {
        self.recn.as_deref().is_none_or(|recn| {
            recn.may_request(queue) && self.ppu.saq_of_head(Some(recn), queue, route).is_none()
        })
    }

    /// The line of a SAQ, and its packets.
    fn saq(&mut self, queue: QueueId) -> Option<(&mut RecnPort, LineId, u32)> {
        let recn = self.recn.as_deref_mut()?;
        let line = recn.line(queue)?;
        Some((recn, line, self.memory.packets(queue)))
    }

    /// FCU: a packet came to `queue`: the Xoff for upstream, repeated in the DD versions.
    pub(crate) fn rose(&mut self, params: &Params, queue: QueueId, now: Tick) -> Option<Control> {
        let config = params.recn.as_ref()?;
        let (recn, line, packets) = self.saq(queue)?;
        recn.ingress_rose(line, packets, now, config).message
    }

    /// FCU: a packet left `queue`: the Xon to be sent upstream when the SAQ has fallen to it.
    pub(crate) fn fell(&mut self, params: &Params, queue: QueueId, now: Tick) -> Option<Control> {
        let config = params.recn.as_ref()?;
        let (recn, queues) = self.recn_mut()?;
        recn.head_left(queues, queue);
        let (recn, line, packets) = self.saq(queue)?;
        recn.ingress_fell(line, packets, now, config).message
    }

    /// Whether a packet that left `queue` concerns SAQs.
    pub(crate) fn concerns_saqs(&self, queue: QueueId) -> bool {
        let Some(recn) = self.recn.as_deref() else {
            return false;
        };
        recn.line(queue).is_some() || self.memory.has_markers(queue)
    }

    /// CDU: a packet was stored in a SAQ: beyond the propagation threshold the upstream egress is
    /// notified, once, until it has answered (token versions).
    pub(crate) fn propagate(&mut self, params: &Params, queue: QueueId, now: Tick) -> Controls {
        let unit = self.unit();
        let (Some(config), Some((recn, line, packets))) = (&params.recn, self.saq(queue)) else {
            return Controls::default();
        };
        crate::must(recn.ingress_propagation(line, packets, now, config), unit, now)
    }

    /// Everything is at home: no packet, no marker, no SAQ. Names what is not.
    pub fn left_over(&self) -> Option<String> {
        let saqs = || {
            let in_use = self.recn()?.cam().in_use();
            (in_use > 0).then(|| format!("{}: {in_use} SAQs in use", self.unit()))
        };
        self.memory.left_over().or_else(saqs)
    }
}
