//! What an egress port does with its link: evaluation, packets and control packets that start, and
//! credit, which comes for its own packets and goes back for those of the ingress side.

use super::{Egress, LinkGrant};
use crate::env::Env;
use crate::link::Started;
use crate::packet::Packets;
use crossbar::transfer_end;
use observe::Event;
use plan::LinkState;
use plan::Params;
use units::{ClassId, PacketId, PortId, QueueId, Span, Tick, broken};

impl Egress {
    /// Evaluate: control packets first, then round robin over the queues.
    #[inline]
    pub fn evaluate(&self, now: Tick) -> LinkGrant {
        let is_open = self.arbiter.has_requests() && self.link.open_for_data(now);
        let pick = || self.arbiter.pick(&self.memory, &self.fcu, now);
        LinkGrant { control: self.link.grants_control(now), queue: is_open.then(pick).flatten() }
    }

    /// The next tick at which the link may start something, if nothing comes to this port before.
    #[inline]
    pub fn link_due(&self, now: Tick) -> Tick {
        let next = now.next();
        let mut due = Tick::MAX;
        if self.link.has_control() {
            due = self.link.open_from(next).unwrap_or(Tick::MAX);
        }
        if self.arbiter.has_requests() && self.link.state == LinkState::Up {
            let free = self.link.busy_until.max(next);
            self.arbiter.for_each(|queue| {
                let head = self.memory.head(queue);
                if self.fcu.available(head.class) >= u32::from(head.cells) {
                    due = due.min(head.visible.max(free));
                }
            });
        }
        due
    }

    /// The next tick with anything by itself: on the link, a tail that leaves, a head that crosses.
    pub fn next_due(&self, packets: &Packets, now: Tick) -> Tick {
        let tail = self.memory.tail_end().map_or(Tick::MAX, Tick::before);
        let arrival = self.arrivals.front().map_or(Tick::MAX, |&id| packets[id].stored);
        self.link_due(now).min(tail).min(arrival)
    }

    /// The next tick at whose end a pause runs out by itself.
    pub fn pause_due(&self, now: Tick) -> Tick {
        let paused = self.paused.as_ref();
        paused.map_or(Tick::MAX, |paused| paused.next_due(now))
    }

    /// Step 1: what was granted starts. Returns the queue that a packet left.
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
        grant.queue
    }

    /// A control packet starts, or out of band all that wait do.
    fn start_control(&mut self, params: &Params, env: &mut impl Env) {
        let (place, now) = (self.place, env.now());
        let Some(wire) = self.link.peer.wire else {
            broken(self.unit(), now, &"a control packet for nobody");
        };
        let paused = &mut self.paused;
        self.link.start_control(params, now, |due, started| match started {
            Started::Credit(class, cells) => {
                env.observe(place, Event::CreditSent { class, cells });
                env.send_credit(wire, due, class, cells);
            }
            Started::Named(control) => {
                if let Some(paused) = paused {
                    paused.starts(control);
                }
                env.observe(place, Event::ControlSent(control));
                env.send_control(wire, due, control);
            }
        });
    }

    /// The head of `queue` starts on the link.
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
        env.observe(place, Event::Departed { packet, queue, output });
        if self.is_switch {
            self.observe_hop(end, env);
        }
        self.refresh(params, queue, env);
    }

    /// The tail of a packet that starts now will have left the switch by `end`.
    pub(crate) fn observe_hop(&mut self, end: Tick, env: &mut impl Env) {
        let (at, span) = (end.before(), end - env.now());
        env.observe(self.place, Event::Hop { at, span });
    }

    /// A packet starts on the link and takes credit of `class`; its head is `stage` late (the
    /// crossbar of `iq`). Returns when the link is free again.
    pub(crate) fn send(
        &mut self,
        params: &Params,
        id: PacketId,
        class: ClassId,
        stage: Span,
        env: &mut impl Env,
    ) -> Tick {
        let (now, peer) = (env.now(), self.link.peer);
        let packet = &mut env.packets()[id];
        if self.paused.is_none() {
            self.fcu.take(class, u32::from(packet.cells), now);
        }
        packet.class = class;
        packet.vc = packet.next_vc;
        let length = Span(u64::from(packet.link_ticks));
        let end = transfer_end(now, length, packet.tail, params.link_phit);
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

    /// Step 1: the tail of a packet leaves on the link: the ingress port that sent it, its cells.
    #[inline]
    pub fn tail_leaves(&mut self, now: Tick) -> Option<(PortId, u32)> {
        let (_, cells) = self.memory.tail_leaves(now)?;
        Some((self.sender, cells))
    }

    /// Step 4: credit from the other end, for the link.
    pub fn credit(&mut self, class: ClassId, cells: u32, now: Tick) {
        self.fcu.give(class, cells, now);
    }

    /// Returns credit for free cells of the ingress side, where there is credit.
    pub fn return_credit(&mut self, class: ClassId, cells: u32) {
        if self.paused.is_none() {
            self.link.control.add_credit(class, cells);
        }
    }
}
