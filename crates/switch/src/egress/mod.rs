//! An egress port: MU and MMU of its memory (where the organisation has one), room for the crossbar
//! hop, credit for the link, the link and its arbiter. The injection side of an end node is one
//! too. This file holds the units and what the arbiters and links do with them; what SAQs do is in
//! `saqs.rs`.

mod fcu;
mod link_arbiter;
mod saqs;

pub use fcu::{Fcu, Settled};
pub use link_arbiter::LinkArbiter;

use crate::config::Organisation;
use crate::env::{Due, Env, Once};
use crate::event::{Event, Place};
use crate::heads::{Head, Requested};
use crate::link::{Link, LinkState, Peer, Started};
use crate::memory::PortMemory;
use crate::mu::{Mu, class_of};
use crate::packet::{Fifo, Packet, Packets};
use crate::params::{MemoryLayout, Params, short};
use crate::routing::{NextSwitch, RouteTable};
use crossbar::TransferTiming;
use recn::RecnPort;
use std::sync::Arc;
use units::{ClassId, PacketId, PortId, QueueId, Span, Tick, Unit, broken};

/// What an egress port is built from.
#[derive(Debug, Clone)]
pub struct EgressConfig {
    /// Its memory; `None` where the organisation has none here.
    pub memory: Option<MemoryLayout>,
    /// The memory at the other end of its link.
    pub next_memory: MemoryLayout,
    /// The switch there, if it is one.
    pub next_switch: Option<NextSwitch>,
    /// The other end of its link.
    pub peer: Peer,
    /// Classes of the memory at the ingress side, whose credit goes back over the link.
    pub own_classes: u32,
    /// Its number.
    pub port: PortId,
    /// Its name for observers.
    pub place: Place,
    /// Its name in messages.
    pub unit: Unit,
}

/// What the link does in this tick, decided on committed state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LinkGrant {
    /// A control packet starts.
    pub control: bool,
    /// The head of this queue starts.
    pub queue: Option<QueueId>,
}

impl LinkGrant {
    /// Nothing starts.
    #[inline]
    pub fn is_nothing(&self) -> bool {
        !self.control && self.queue.is_none()
    }
}

/// One egress port.
// In the order of use: arbiter, link, credit, memory.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct Egress {
    arbiter: LinkArbiter,
    evaluation: Once,
    /// The crossbar waits for room, and nothing is on the link.
    room_awaited: bool,
    port: PortId,
    /// Of a switch, whose hops end here.
    is_switch: bool,
    mu: Mu,
    /// Heads on their way from the crossbar.
    arrivals: Fifo,
    /// The ingress port that sent the packet that is leaving over the link (`oq`).
    sender: PortId,
    room_asked: Once,
    place: Place,
    link: Link,
    fcu: Fcu,
    memory: PortMemory,
    next: Option<NextSwitch>,
    recn: Option<Box<RecnPort>>,
}

impl Egress {
    /// An empty port.
    pub fn new(params: &Params, config: EgressConfig) -> Egress {
        let unit = config.unit;
        let layout = config.memory.unwrap_or_default();
        let saqs = if config.memory.is_some() {
            params.saqs()
        } else {
            0
        };
        // `iq`: lines without queues, where asked for.
        let lines = if config.memory.is_some() || params.config.recn.iq_egress_lines {
            params.saqs()
        } else {
            0
        };
        let recn = params.rules.filter(|_| lines > 0).map(|rules| {
            let base = QueueId(short(layout.queues));
            Box::new(RecnPort::new(lines as usize, base, rules, false))
        });
        let next = config.next_memory;
        Egress {
            arbiter: LinkArbiter::new((layout.queues + saqs) as usize),
            evaluation: Once::default(),
            room_awaited: false,
            port: config.port,
            is_switch: matches!(unit, Unit::Egress { .. }),
            mu: Mu::new(layout.queues, params.vcs),
            arrivals: Fifo::default(),
            sender: PortId(0),
            room_asked: Once::default(),
            place: config.place,
            link: Link::new(params, config.peer, config.own_classes),
            fcu: Fcu::new(short(next.classes), short(next.class_cells), unit),
            memory: PortMemory::new(layout, saqs, true, unit),
            next: config.next_switch,
            recn,
        }
    }

    /// Its name in messages.
    pub fn unit(&self) -> Unit {
        self.memory.unit()
    }

    /// Its name for observers.
    #[inline(always)]
    pub fn place(&self) -> Place {
        self.place
    }

    /// The sending end of its link.
    #[inline(always)]
    pub fn link(&self) -> &Link {
        &self.link
    }

    /// Its memory.
    #[inline(always)]
    pub fn memory(&self) -> &PortMemory {
        &self.memory
    }

    /// Credit for the next memory.
    #[inline(always)]
    pub fn fcu(&self) -> &Fcu {
        &self.fcu
    }

    /// Its SAQs.
    #[inline(always)]
    pub fn recn(&self) -> Option<&RecnPort> {
        self.recn.as_deref()
    }

    /// Heads on their way from the crossbar.
    #[inline(always)]
    pub fn arrivals(&self) -> &Fifo {
        &self.arrivals
    }

    /// The switch behind the link, if it is one.
    #[inline(always)]
    pub fn next_switch(&self) -> Option<&NextSwitch> {
        self.next.as_ref()
    }

    /// The table behind the link is another one from now on.
    pub fn set_next_table(&mut self, table: Arc<RouteTable>) {
        if let Some(next) = &mut self.next {
            next.table = Some(table);
        }
    }

    /// The link goes down, or comes up again.
    pub fn set_link_state(&mut self, state: LinkState, env: &mut impl Env) {
        self.link.set_state(state);
        self.ask(env.now().next(), env);
    }

    /// The output that a packet will request in the next switch, whose turn is `skip` bits on; 0
    /// before an end node.
    #[inline(always)]
    pub fn look_ahead(&self, packet: &Packet, skip: u32) -> PortId {
        match &self.next {
            Some(next) => next.output(&packet.route, skip, &packet.destination),
            None => PortId(0),
        }
    }

    /// What a transfer over the crossbar takes room in: the class of a packet in the memory here,
    /// or in `iq` in the next input memory.
    #[inline(always)]
    pub fn class_behind_crossbar(&self, params: &Params, packet: &Packet) -> ClassId {
        if self.memory.has_room() {
            let queue = || {
                self.mu
                    .egress(params, packet.next_vc, packet.ahead, &packet.destination)
            };
            class_of(params, packet.next_vc, queue)
        } else {
            self.class_in_next_memory(params, packet)
        }
    }

    /// Credit class that a packet takes in the memory behind the link.
    #[inline(always)]
    pub fn class_in_next_memory(&self, params: &Params, packet: &Packet) -> ClassId {
        match &self.next {
            Some(next) => class_of(params, packet.next_vc, || {
                let Packet { next_vc, ahead, .. } = *packet;
                next.mu.ingress(params, next_vc, ahead, &packet.destination)
            }),
            None => ClassId(0),
        }
    }

    /// Free cells of a class behind the crossbar.
    #[inline(always)]
    pub fn room(&self, class: ClassId, now: Tick) -> u32 {
        if self.memory.has_room() {
            self.memory.room(class, now)
        } else {
            self.fcu.counted(class)
        }
    }

    /// Whether the crossbar may start a packet here now; in `iq` it starts on the link.
    #[inline(always)]
    pub fn is_open(&self, now: Tick) -> bool {
        self.memory.has_room() || self.link.open_for_data(now)
    }

    /// Takes room for a packet that is granted the hop into this memory.
    #[inline(always)]
    pub fn reserve(&mut self, class: ClassId, cells: u32, now: Tick) {
        self.memory.reserve(class, cells, now);
    }

    /// A head comes over the crossbar, to be stored in its tick.
    #[inline(always)]
    pub(crate) fn expect(&mut self, id: PacketId, env: &mut impl Env) {
        let packets = env.packets();
        self.arrivals.push(packets, id);
        let stored = packets[id].stored;
        env.at(stored, Due::StoreEgress, self.port);
    }

    /// `oq`: a head has come through, and is stored in this tick in the order of the inputs.
    pub(crate) fn expect_now(&mut self, id: PacketId, env: &mut impl Env) {
        self.arrivals.insert_by_sender(env.packets(), id);
        env.at(env.now(), Due::StoreEgress, self.port);
    }

    /// Step 2: takes the head that is stored now, if one is.
    #[inline(always)]
    pub(crate) fn take_arrival(&mut self, env: &mut impl Env) -> Option<PacketId> {
        let now = env.now();
        let due = self.arrivals.due(env.packets())?;
        if due < now {
            broken(self.unit(), now, &"a head comes late");
        }
        if due > now {
            return None;
        }
        self.arrivals.pop(env.packets())
    }

    /// MU and PPU: the queue of a packet: the SAQ of the longest match, else by the scheme.
    #[inline(always)]
    pub fn queue_of(&self, params: &Params, packet: &Packet) -> QueueId {
        if let Some(recn) = &self.recn
            && let Some(line) = recn.cam().lookup(&packet.route)
        {
            return recn.queue(line);
        }
        self.mu
            .egress(params, packet.next_vc, packet.ahead, &packet.destination)
    }

    /// Step 2 (admittance: 3): stores a head, whose tail is in memory at [`Packet::tail`].
    #[inline(always)]
    pub fn store(&mut self, params: &Params, id: PacketId, env: &mut impl Env) -> QueueId {
        let now = env.now();
        let packet = &env.packets()[id];
        let queue = self.queue_of(params, packet);
        self.memory.push(queue, id, packet.cells, now);
        let (packet, place) = (id, self.place);
        env.observe(place, Event::Stored { packet, queue });
        if self.memory.packets(queue) == 1 {
            self.refresh(params, queue, env);
        }
        queue
    }

    /// Brings the head register and the request of a queue up to date.
    #[inline(always)]
    pub(crate) fn refresh(&mut self, params: &Params, queue: QueueId, env: &mut impl Env) {
        match self.memory.front(queue) {
            Some(id) if self.recn.as_ref().is_none_or(|r| r.may_request(queue)) => {
                let packet = &env.packets()[id];
                let visible = packet.stored + params.stages.arbitration;
                let class = self.class_in_next_memory(params, packet);
                *self.memory.head_mut(queue) = Head {
                    visible,
                    class,
                    cells: packet.cells,
                    output: PortId(0),
                    requested: Requested::One,
                };
                self.arbiter.raise(queue);
                self.ask(visible.max(env.now().next()), env);
            }
            _ => self.arbiter.withdraw(queue),
        }
    }

    /// Asks for an evaluation of the link as soon as it may do something, at `at` or later.
    #[inline(always)]
    pub(crate) fn ask(&mut self, at: Tick, env: &mut impl Env) {
        let at = self.link.open_from(at);
        if self.evaluation.ask(at) {
            env.at(at, Due::Link, self.port);
        }
    }

    /// Evaluate: control packets first, then round robin over the queues whose head is visible and
    /// has credit. Changes nothing that another evaluation reads.
    #[inline(always)]
    pub fn evaluate(&mut self, env: &mut impl Env) -> LinkGrant {
        let now = env.now();
        if !self.evaluation.begin(now) {
            return LinkGrant::default();
        }
        let mut grant = LinkGrant {
            control: self.link.grants_control(now),
            queue: None,
        };
        let mut invisible = Tick::MAX;
        if self.arbiter.has_requests() && self.link.open_for_data(now) {
            let wire = self.place.port;
            let credits = self.fcu.settle(now, || env.take_credit(wire));
            let found = self.arbiter.pick(&self.memory, credits, now);
            grant.queue = found.first.map(|(queue, _)| queue);
            invisible = found.invisible;
            if found.starved && found.first.is_none() {
                env.await_credit(wire);
            }
        }
        if grant.is_nothing() {
            self.ask_again(invisible, env);
        }
        grant
    }

    /// Asks for the next evaluation in which there may be something to do: `visible` is when the
    /// next head is.
    #[inline(always)]
    fn ask_again(&mut self, visible: Tick, env: &mut impl Env) {
        let now = env.now();
        if self.link.busy_until() > now {
            if self.arbiter.has_requests() || self.link.has_control(now) {
                self.ask(self.link.busy_until(), env);
            }
        } else if visible != Tick::MAX {
            self.ask(visible, env);
        }
        if let Some(start) = self.link.owed_start() {
            self.ask(start.max(now.next()), env);
        }
    }

    /// Step 1: what was granted starts. Returns the queue that a packet left.
    #[inline(always)]
    pub fn start(
        &mut self,
        params: &Params,
        grant: LinkGrant,
        env: &mut impl Env,
    ) -> Option<QueueId> {
        if grant.control {
            self.start_control(params, env);
        }
        if let Some(queue) = grant.queue {
            self.start_packet(params, queue, env);
        }
        let next = env.now().next();
        let more = self.arbiter.has_requests() || self.link.has_control(env.now());
        self.ask_again(if more { next } else { Tick::MAX }, env);
        grant.queue
    }

    /// A control packet starts, or out of band all that wait do.
    #[inline(always)]
    fn start_control(&mut self, params: &Params, env: &mut impl Env) {
        let (place, now) = (self.place, env.now());
        let Some(wire) = self.link.peer().wire else {
            broken(self.unit(), now, &"a control packet for nobody");
        };
        self.link
            .start_control(params, now, |started| match started {
                Started::Credit { due, class, cells } => {
                    env.observe(place, Event::CreditSent { class, cells });
                    env.send_credit(wire, due, class, cells);
                }
                Started::Named { due, control } => {
                    env.observe(place, Event::ControlSent(control));
                    env.send_control(wire, due, control);
                }
            });
    }

    /// The head of `queue` starts on the link.
    #[inline(always)]
    fn start_packet(&mut self, params: &Params, queue: QueueId, env: &mut impl Env) {
        let now = env.now();
        let lease = self.memory.pop(queue, now);
        let id = lease.packet;
        self.arbiter.granted(queue);
        let packet = &env.packets()[id];
        let held = packet.class;
        self.sender = packet.sender;
        let class = self.memory.head(queue).class;
        let end = self.send(params, id, class, Span::ZERO, env);
        self.memory.leave(lease, held, end);
        let place = self.place;
        let output = PortId(0);
        env.observe(
            place,
            Event::Departed {
                packet: id,
                queue,
                output,
            },
        );
        if self.is_switch {
            self.observe_hop(end, env);
            if params.config.organisation == Organisation::Oq {
                env.at(end.before(), Due::LinkTail, self.port);
            }
        }
        if std::mem::take(&mut self.room_awaited) {
            self.ask_for_room(env);
        }
        self.refresh(params, queue, env);
    }

    /// The tail of a packet that starts now will have left the switch by `end`.
    #[inline(always)]
    pub(crate) fn observe_hop(&mut self, end: Tick, env: &mut impl Env) {
        let (at, span) = (end.before(), end - env.now());
        env.observe(self.place, Event::Hop { at, span });
    }

    /// A packet starts on the link and takes credit of `class`; its head is `stage` late (the
    /// crossbar of `iq`). Returns when the link is free again.
    #[inline(always)]
    pub(crate) fn send(
        &mut self,
        params: &Params,
        id: PacketId,
        class: ClassId,
        stage: Span,
        env: &mut impl Env,
    ) -> Tick {
        let (now, peer) = (env.now(), *self.link.peer());
        let packet = &mut env.packets()[id];
        self.fcu.take(class, u32::from(packet.cells), now);
        packet.class = class;
        packet.vc = packet.next_vc;
        let length = Span(u64::from(packet.link_ticks));
        let end = TransferTiming::end(now, length, packet.tail, params.link_phit);
        let on_the_way = stage + peer.latency;
        if peer.is_switch {
            packet.tail = end + on_the_way + params.stages.ingress;
            packet.stored = if params.store_and_forward {
                packet.tail
            } else {
                now + on_the_way + params.stages.ingress
            };
        } else {
            packet.tail = end + on_the_way;
            packet.stored = packet.tail;
        }
        self.link.start_packet(end);
        match peer.wire {
            Some(wire) => env.send_packet(wire, id),
            None => broken(self.unit(), now, &"a packet for nobody"),
        }
        end
    }

    /// Step 1, `oq`: the tail of a packet leaves on the link. Returns the ingress port that had
    /// sent it, and its cells.
    pub(crate) fn link_tail(&mut self, now: Tick) -> Option<(PortId, u32)> {
        if self.memory.tail_end() != Some(now.next()) {
            return None;
        }
        let cells = self.memory.leaving_cells(now);
        self.memory.at(now.next());
        Some((self.sender, cells))
    }

    /// The crossbar lacks room here: it is evaluated for this output when the tail of a packet has
    /// left.
    #[inline]
    pub(crate) fn await_room(&mut self, env: &mut impl Env) {
        let leaves = self.memory.tail_end().is_some_and(|end| end > env.now());
        self.room_awaited = !leaves;
        if leaves {
            self.ask_for_room(env);
        }
    }

    #[inline]
    fn ask_for_room(&mut self, env: &mut impl Env) {
        if let Some(end) = self.memory.tail_end()
            && self.room_asked.ask_for(end)
        {
            env.at(end, Due::Crossbar, self.port);
        }
    }

    /// Step 4: credit from the other end, for the link.
    #[inline]
    pub fn credit(&mut self, class: ClassId, cells: u32, env: &mut impl Env) {
        self.fcu.give(class, cells, env.now());
        if self.arbiter.has_requests() {
            self.ask(env.now().next(), env);
        }
    }

    /// Counts credit that has come by now, for looks from outside at [`Fcu::credits`].
    pub fn count_credit(&mut self, now: Tick, come: impl FnMut() -> Option<(ClassId, u32)>) {
        self.fcu.settle(now, come);
    }

    /// Returns credit for a packet that is gone to the other end.
    #[inline]
    pub fn return_credit(&mut self, class: ClassId, cells: u32, env: &mut impl Env) {
        self.link.push_credit(class, cells);
        self.ask(env.now().next(), env);
    }

    /// Returns credit for a packet whose tail leaves in the tick before `from`.
    #[inline(always)]
    pub(crate) fn owe(&mut self, class: ClassId, cells: u32, from: Tick, env: &mut impl Env) {
        self.link.owe(class, cells, from, env.now());
        self.ask(from, env);
    }

    /// Everything is at home in tick `now`: no packet, no marker, no SAQ, all credits back. Names
    /// what is not.
    pub fn left_over(&self, now: Tick) -> Option<String> {
        let unit = self.unit();
        let control = || (!self.link.is_at_rest()).then(|| format!("{unit}: control packets wait"));
        let saqs = || {
            let recn = self.recn.as_ref()?;
            let (in_use, children) = (recn.cam().in_use(), recn.root_children());
            if in_use > 0 {
                return Some(format!("{unit}: {in_use} SAQs in use"));
            }
            (children != 0).then(|| format!("{unit}: tokens of children {children:#b} are away"))
        };
        self.memory
            .left_over(now)
            .or_else(|| self.fcu.left_over())
            .or_else(control)
            .or_else(saqs)
    }

    /// The record itself, ahead of its use.
    #[inline(always)]
    pub fn prefetch(&self) {
        prefetch::line(self);
        prefetch::line(&self.place);
        self.link.prefetch();
        prefetch::line(&self.fcu);
        self.memory.prefetch();
        prefetch::line(&self.recn);
    }

    /// For an evaluation of the link: the queue that goes next.
    #[inline(always)]
    pub fn prefetch_queue(&self) {
        if let Some(queue) = self.arbiter.first_in_turn() {
            self.memory.prefetch_queue(queue);
        }
    }

    /// For an evaluation of the link: the packet that goes next.
    #[inline(always)]
    pub fn prefetch_packet(&self, packets: &Packets) {
        if let Some(queue) = self.arbiter.first_in_turn()
            && let Some(id) = self.memory.front(queue)
        {
            prefetch::line(&packets[id]);
        }
    }

    /// For a store: the packet that arrives.
    #[inline(always)]
    pub fn prefetch_arrival(&self, packets: &Packets) {
        self.memory.prefetch_next_cell();
        if let Some(id) = self.arrivals.front() {
            prefetch::line(&packets[id]);
        }
    }
}
