//! What an egress port does with its link: evaluation, packets and control packets that start, and
//! credit, which comes for its own packets and goes back for those of the ingress side.

use super::{Egress, LinkGrant};
use crate::config::Organisation;
use crate::env::{Due, Env};
use crate::link::Started;
use crate::params::Params;
use crossbar::TransferTiming;
use observe::Event;
use units::{ClassId, PacketId, PortId, QueueId, Span, Tick, broken};

impl Egress {
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
        let paused = &mut self.paused;
        self.link
            .start_control(params, now, |started| match started {
                Started::Credit { due, class, cells } => {
                    env.observe(place, Event::CreditSent { class, cells });
                    env.send_credit(wire, due, class, cells);
                }
                Started::Named { due, control } => {
                    if let Some(paused) = paused {
                        paused.starts(control);
                    }
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
        let (packet, output) = (env.packets()[id].view(), PortId(0));
        env.observe(
            place,
            Event::Departed {
                packet,
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

    /// What waits to be told of faults is forgotten: the link is down.
    pub(crate) fn forget_recovery(&mut self) {
        self.link.forget_recovery();
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
        if self.paused.is_none() {
            self.fcu.take(class, u32::from(packet.cells), now);
        }
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

    /// Step 4: credit from the other end, for the link.
    #[inline]
    pub fn credit(&mut self, class: ClassId, cells: u32, env: &mut impl Env) {
        self.fcu.give(class, cells, env.now());
        if self.arbiter.has_requests() {
            self.ask(env.now().next(), env);
        }
    }

    /// Counts credit that has come by now, for looks from outside at the credits of the FCU.
    pub fn count_credit(&mut self, now: Tick, come: impl FnMut() -> Option<(ClassId, u32)>) {
        self.fcu.settle(now, come);
    }

    /// Returns credit for a packet that is gone to the other end, if there is credit.
    #[inline]
    pub fn return_credit(&mut self, class: ClassId, cells: u32, env: &mut impl Env) {
        if self.paused.is_some() {
            return;
        }
        self.link.push_credit(class, cells);
        self.ask(env.now().next(), env);
    }

    /// Returns credit for a packet whose tail leaves in the tick before `from`.
    #[inline(always)]
    pub(crate) fn owe(&mut self, class: ClassId, cells: u32, from: Tick, env: &mut impl Env) {
        self.link.owe(class, cells, from, env.now());
        self.ask(from, env);
    }
}
