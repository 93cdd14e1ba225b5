//! Ports with SAQs (spec: recn.md). What is decided is `recn`'s; here is what it finds in the
//! records, and what follows.
//!
//! A side of a port is *timed* while anything there may concern a SAQ: what is stored at it is
//! stored in its tick. What is stored at another, in an eager fabric, is so as it starts.

mod commit;
mod control;
mod crossbar;
mod queues;
mod stores;
mod timed;

pub(crate) use queues::Counts;

use super::{Flat, Mode, NONE, T};
use ::crossbar::AnyArbiter;
use flow_control::Control;
use recn::{Internal, MarkedQueues, RecnConfig, RecnPort, Rules};
use std::collections::VecDeque;
use turnpool::Point;
use units::bits::ones;
use units::{LineId, PortId, QueueId};

/// One side of a port.
#[derive(Debug)]
pub(crate) struct Side {
    /// CAM and lines, where there are any.
    pub(crate) lines: Option<RecnPort>,
    pub(crate) counts: Counts,
    /// Queues of which a head requests, or will as it becomes visible: normal, SAQs.
    asks: [u64; 2],
    /// `recn-dd-iq`: packets in the cold queue by output, and when the PPU may move the next.
    cold: Box<[u32]>,
    pub(super) next_move: T,
}

impl Side {
    pub(crate) fn new(
        lines: Option<RecnPort>,
        (normal, saqs): (usize, usize),
        outputs: usize,
    ) -> Side {
        Side {
            lines,
            counts: Counts::new(normal + saqs, saqs),
            asks: [0; 2],
            cold: vec![0; outputs].into(),
            next_move: 0,
        }
    }

    /// Class of a queue, 1 for SAQs, and its number in it.
    #[inline]
    fn class_of(&self, queue: usize) -> (usize, usize) {
        let base = self.lines.as_ref().map_or(usize::MAX, |lines| lines.base().index());
        match queue.checked_sub(base) {
            Some(line) => (1, line),
            None => (0, queue),
        }
    }

    /// Whether the head of a queue requests.
    #[inline]
    pub(crate) fn asks(&self, queue: usize) -> bool {
        let (class, number) = self.class_of(queue);
        self.asks[class] >> number & 1 == 1
    }

    /// From now on it does, or does not. Whether it did.
    #[inline]
    fn set_asks(&mut self, queue: usize, asks: bool) -> bool {
        let (class, number) = self.class_of(queue);
        let did = self.asks[class] >> number & 1 == 1;
        self.asks[class] = self.asks[class] & !(1 << number) | u64::from(asks) << number;
        did
    }

    /// Packets of a queue, where the side is timed.
    pub(crate) fn packets(&self, queue: usize) -> u32 {
        self.counts.packets(QueueId(queue as u16))
    }
}

/// Requests of SAQs at a port.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SaqRequests {
    /// As an output: inputs with a visible head that requests it.
    pub(crate) inputs: u64,
    /// As an input: outputs that visible heads request.
    pub(crate) outputs: u64,
}

/// What a switch keeps for steps 5 to 8.
#[derive(Debug)]
pub(crate) struct Commits {
    pub(crate) messages: Vec<Internal>,
    pub(crate) tokens: Vec<(PortId, Point)>,
    /// When the next timer of a SAQ ends.
    pub(crate) next_timer: T,
    /// Outputs that SAQs request.
    pub(crate) wanted: u64,
    /// The arbiter of SAQs.
    pub(crate) arbiter: AnyArbiter,
}

/// All of a fabric; of one without SAQs nothing.
#[derive(Debug, Default)]
pub(crate) struct Recn {
    pub(crate) config: Option<(RecnConfig, Rules)>,
    /// Packets of a SAQ from which on it is at Xoff.
    pub(crate) xoff_packets: u32,
    /// Ticks of a named control packet on a link.
    pub(crate) named_span: T,
    /// Packets are moved from a cold queue (`recn-dd-iq`).
    pub(crate) moves: bool,
    /// Normal queues go before SAQs always.
    pub(crate) strict: bool,
    /// Ingress sides by port, then egress sides.
    pub(crate) sides: Vec<Side>,
    /// By side: it is timed.
    pub(crate) timed: Vec<bool>,
    /// Queues of sides that are not hold fewer packets, with those on their way.
    pub(crate) ingress_below: u32,
    pub(crate) egress_below: u32,
    /// Sides that may be so no longer.
    pub(crate) calm: Vec<u32>,
    /// Of a side that becomes it, used again.
    pub(crate) ahead: Vec<(T, u32)>,
    pub(crate) requests: Vec<SaqRequests>,
    pub(crate) switches: Vec<Commits>,
    /// By pair of ports: SAQs with a visible head, and where their round robin begins.
    pub(crate) pairs: Vec<u32>,
    pub(crate) saqs_of: Vec<u64>,
    pub(crate) pointers: Vec<u8>,
    pub(crate) saq_of: Vec<u8>,
    /// By output: inputs of which a SAQ may go; zero between evaluations.
    pub(crate) inputs_of: Vec<u64>,
    /// By port: named control packets that wait, and that are on the wire that ends there.
    pub(crate) waiting: Vec<VecDeque<Control>>,
    pub(crate) wires: Vec<VecDeque<(T, Control)>>,
    /// By element: steps 5 to 8 are asked for in this tick.
    pub(crate) asked: Vec<T>,
    /// Elements of which they are.
    pub(crate) due: Vec<u32>,
}

impl Recn {
    /// Named control packets go over links, of so many ticks each, whether there are SAQs or not.
    pub(crate) fn have_named(&mut self, ports: usize, span: T) {
        self.named_span = span;
        self.waiting.resize_with(ports, VecDeque::new);
        self.wires.resize_with(ports, VecDeque::new);
    }
}

impl<M: Mode> Flat<M> {
    /// The number of an egress side.
    #[inline(always)]
    pub(crate) fn egress_side(&self, p: usize) -> usize {
        self.port.len() + p
    }

    /// Whether a side is timed since SAQs may be concerned.
    #[inline(always)]
    pub(crate) fn has_saqs(&self, side: usize) -> bool {
        self.rare.saqs && self.recn.timed[side]
    }

    /// Whether the head of an ingress queue that holds packets requests.
    #[inline(always)]
    pub(crate) fn asks(&self, p: usize, queue: usize) -> bool {
        (!self.has_saqs(p) || self.recn.sides[p].asks(queue))
            && self.may_pass(p, self.port[p].ingress as usize + queue)
    }

    /// Thresholds and rules.
    pub(crate) fn recn_config(&self) -> (RecnConfig, Rules) {
        self.recn.config.expect("a fabric with SAQs")
    }

    /// Number of the element of a port: switches first.
    pub(crate) fn element_of(&self, p: usize) -> usize {
        let port = &self.port[p];
        let first = if port.at_switch { 0 } else { self.switches.len() };
        first + port.element as usize
    }

    /// Steps 5 to 8 of an element are asked for in this tick.
    pub(crate) fn ask_for_recn(&mut self, element: usize, t: T) {
        if self.recn.asked[element] != t {
            self.recn.asked[element] = t;
            self.recn.due.push(element as u32);
        }
    }

    /// Whether the head of an ingress queue may request: a SAQ that is not ready or is blocked may
    /// not, nor what the PPU moves.
    fn may_request(&self, p: usize, queue: usize) -> bool {
        if !self.may_pass(p, self.port[p].ingress as usize + queue) {
            return false;
        }
        let Some(lines) = &self.recn.sides[p].lines else {
            return true;
        };
        lines.may_request(QueueId(queue as u16)) && self.saq_of_cold_head(p, queue).is_none()
    }

    /// `recn-dd-iq`: the SAQ into which the head of an ingress queue is to be moved.
    pub(super) fn saq_of_cold_head(&self, p: usize, queue: usize) -> Option<usize> {
        let lines = self.lines(p)?;
        if !lines.has_cold_queue() || queue != 0 || lines.cam().in_use() == 0 {
            return None;
        }
        let head = self.queues[self.port[p].ingress as usize].head;
        let line = lines.cam().lookup(&self.packets.slots.get(head as usize)?.route)?;
        Some(lines.queue(line).index())
    }

    /// Brings the request of an ingress queue up to date, whose head is the one that it was.
    pub(super) fn refresh(&mut self, p: usize, queue: usize, t: T) {
        let record = self.port[p].ingress as usize + queue;
        if self.queues[record].head != NONE && self.may_request(p, queue) {
            self.raise(p, queue, t);
        } else {
            self.lower(p, queue, t);
        }
    }

    /// The head requests from the next tick on, or as it becomes visible, if it does not.
    fn raise(&mut self, p: usize, queue: usize, t: T) {
        if self.recn.sides[p].set_asks(queue, true) {
            return;
        }
        let record = self.port[p].ingress as usize + queue;
        let head = &mut self.packets.slots[self.queues[record].head as usize];
        head.visible = (head.stored + self.times.arbitration).max(t + 1);
        let visible = head.visible;
        self.wheel.put(visible, super::wheel::Kind::Head, record);
    }

    /// It requests no more.
    fn lower(&mut self, p: usize, queue: usize, t: T) {
        if !self.recn.sides[p].set_asks(queue, false) {
            return;
        }
        let record = self.port[p].ingress as usize + queue;
        let head = self.queues[record].head;
        if let Some(packet) = self.packets.slots.get(head as usize) {
            let out = usize::from(packet.out);
            self.withdraw(self.input(p), queue, out);
        }
        self.free_reserved(p, t);
    }

    /// A head that was overdue may have reserved what others can have now.
    fn free_reserved(&mut self, p: usize, t: T) {
        let s = self.port[p].element as usize;
        if t >= self.switches[s].waiting.from {
            self.ask_crossbar(s, t + 1);
        }
    }

    /// Another packet is at the head of an ingress queue, or none; what was requested is withdrawn.
    /// Whether it requests as it becomes visible.
    pub(crate) fn renew(&mut self, p: usize, queue: usize) -> bool {
        let record = self.port[p].ingress as usize + queue;
        let asks = self.queues[record].head != NONE && self.may_request(p, queue);
        self.recn.sides[p].set_asks(queue, asks);
        asks
    }

    /// Brings the request of an egress queue up to date.
    pub(super) fn refresh_egress(&mut self, p: usize, queue: usize, t: T) {
        let port = &self.port[p];
        let head = self.queues[port.egress as usize + queue].head;
        let may = |lines: &RecnPort| lines.may_request(QueueId(queue as u16));
        let may = self.recn.sides[self.port.len() + p].lines.as_ref().is_none_or(may);
        let port = &mut self.port[p];
        let words = self.rare.words(port.egress_words);
        if head == NONE || !may {
            return super::links::remove(&mut port.eligible, words, &mut self.wide, queue);
        }
        super::links::insert(&mut port.eligible, words, &mut self.wide, queue);
        let visible = self.packets.slots[head as usize].visible;
        let at = visible.max(port.busy).max(t + 1);
        self.ask_link(p, at);
    }

    /// The queue of a packet by the CAM of a side, else `normal`.
    #[inline]
    pub(crate) fn queue_by_cam(
        &self,
        side: usize,
        route: &turnpool::Route,
        normal: usize,
    ) -> usize {
        let lines = self.recn.sides[side].lines.as_ref();
        let found = lines.and_then(|l| Some(l.queue(l.cam().lookup(route)?)));
        found.map_or(normal, QueueId::index)
    }

    /// PPU: the queue of a packet that comes to an input, `normal` where it matches no line.
    pub(crate) fn queue_on_arrival(&self, p: usize, k: usize, normal: usize) -> usize {
        if self.recn.moves {
            return normal;
        }
        self.queue_by_cam(p, &self.packets.slots[k].route, normal)
    }

    /// The injection queue that takes a packet of this route for which there is room: a SAQ below
    /// Xoff.
    pub(crate) fn injection_queue_of(&self, p: usize, route: &turnpool::Route) -> Option<usize> {
        let at = self.egress_side(p);
        let queue = self.queue_by_cam(at, route, 0);
        self.takes_another(at, queue).then_some(queue)
    }

    /// Whether a SAQ of an injection port is below Xoff; its normal queue takes all.
    #[inline(always)]
    pub(crate) fn takes_another(&self, at: usize, queue: usize) -> bool {
        queue == 0 || self.recn.sides[at].packets(queue) < self.recn.xoff_packets
    }

    /// A line at an egress port has come or gone.
    pub(super) fn lines_changed(&mut self, p: usize) {
        if let Some(n) = p.checked_sub(self.first_node) {
            self.nodes[n].forget_queues();
        }
    }

    /// Queues of an ingress port, SAQs included.
    pub(crate) fn ingress_queues(&self, p: usize) -> usize {
        usize::from(self.port[p].ingress_queues) + self.saqs(p)
    }

    /// SAQs of a side.
    pub(crate) fn saqs(&self, side: usize) -> usize {
        self.lines(side).map_or(0, |lines| lines.cam().lines())
    }

    /// CAM and lines of a side, where it has them.
    pub(crate) fn lines(&self, side: usize) -> Option<&RecnPort> {
        self.recn.sides.get(side)?.lines.as_ref()
    }

    /// Why the head of a SAQ does not request: its marker is ahead, it is blocked.
    pub(crate) fn held(&self, side: usize, queue: usize) -> [bool; 2] {
        let line = self.lines(side).and_then(|l| Some((l.cam(), l.line(QueueId::at(queue))?)));
        line.map_or([false; 2], |(cam, line)| [!cam.ready(line), cam.blocked(line)])
    }

    /// The queue of this side that must move for the marker of a SAQ to come on.
    pub(crate) fn marker_host(&self, side: usize, queue: usize) -> Option<usize> {
        let side = &self.recn.sides[side];
        let lines = side.lines.as_ref()?;
        let mut queue = queue;
        for _ in 0..=lines.cam().lines() {
            queue = side.counts.host_of(lines.line(QueueId(queue as u16))?)?;
            if side.packets(queue) > 0 {
                return Some(queue);
            }
        }
        None
    }

    /// The queue at Xoff on a side `there` that holds back the SAQ of a queue on side `here`,
    /// `skip` bits of whose point are behind it.
    pub(crate) fn xon_from(
        &self,
        here: usize,
        queue: usize,
        skip: u32,
        there: &Side,
    ) -> Option<usize> {
        let lines = self.lines(here)?;
        let own = lines.cam().point(lines.line(QueueId(queue as u16))?);
        let point = if skip == 0 { own } else { own.without_first(skip)? };
        let there = there.lines.as_ref()?;
        if point.bits() == 0 {
            return there.root_xoff().then_some(0);
        }
        let line = there.cam().find(&point)?;
        let at_xoff = there.registers(line).xoff.is_set();
        at_xoff.then(|| there.queue(line).index())
    }
}

/// Lines by their numbers.
fn lines_of(set: u64) -> impl Iterator<Item = LineId> {
    ones(set).map(LineId::at)
}
