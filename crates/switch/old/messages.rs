//! Messages inside a switch and what they lead to: steps 5 to 8 of the commit (scheduler and global flow control: "internal
//! broadcasts").

use crate::env::{Env, Event, Wake};
use crate::mu::normal_queue;
use crate::out_port::OutPort;
use crate::params::Params;
use crate::recn::{Answer, Freed, Met, ProtocolError};
use crate::requests::bits;
use crate::switch::Switch;
use flow_control::Control;
use saq::QueueId;
use turnpool::Point;
use units::{Tick, Unit, broken};

/// "No input".
pub(crate) const NO_SENDER: u8 = u8::MAX;

/// Message from an egress port to ingress ports of its switch; carried out in step 5 of the commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Internal {
    /// Egress port.
    pub egress: u8,
    /// Its queue.
    pub queue: QueueId,
    /// Point as the egress port names it; empty for a root there.
    pub point: Point,
    /// What is said.
    pub kind: InternalKind,
}

/// Kinds of [`Internal`] messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InternalKind {
    /// Token versions: congestion notification to the ingress port that sent the last packet.
    Notify {
        /// Ingress port.
        sender: u8,
    },
    /// DD versions: allocation request to the ingress port that sent the last packet.
    Request {
        /// Ingress port.
        sender: u8,
        /// Whether the new SAQ is blocked (`iq_egress_lines`).
        blocked: bool,
    },
    /// Xoff: to the child ports; DD versions: to all ingress ports, and the sender allocates where it has no match.
    Xoff {
        /// Ingress port that sent the last packet.
        sender: u8,
    },
    /// Xon.
    Xon,
}

/// The value, or the end of the run: a broken invariant of the protocol.
pub(crate) fn must<T>(result: Result<T, ProtocolError>, unit: Unit, now: Tick) -> T {
    result.unwrap_or_else(|error| broken(unit, now, &error))
}

impl Switch {
    /// Steps 5 to 8: internal messages, markers, frees, internal tokens. `all` looks at every queue and line, else only
    /// at those marked; both do the same.
    pub fn recn_step(&mut self, params: &Params, all: bool, env: &mut impl Env) {
        let Some(config) = params.recn else { return };
        let now = env.now();
        if now >= self.next_timer {
            let ports = self
                .inputs
                .iter_mut()
                .map(|p| &mut p.recn)
                .chain(self.outputs.iter_mut().map(|p| &mut p.recn));
            self.next_timer = ports
                .flatten()
                .map(|r| r.mark_timers(now, &config))
                .min()
                .unwrap_or(Tick::MAX);
        }
        self.carry_messages(params, env);
        for port in 0..self.inputs.len() {
            if all
                || self.inputs[port]
                    .recn
                    .as_ref()
                    .is_some_and(|r| r.is_marked())
            {
                self.settle_ingress(port, all, env);
            }
            if all
                || self.outputs[port]
                    .recn
                    .as_ref()
                    .is_some_and(|r| r.is_marked())
            {
                self.outputs[port].settle(all, env);
            }
        }
        for port in 0..self.inputs.len() {
            self.free_ingress(params, port, all, env);
            self.outputs[port].free(params, all, env);
        }
        self.carry_tokens(params, env);
    }

    /// Step 5, by egress port, then queue. An egress queue says at most one thing of each kind in a tick, and departures
    /// (Xon) come before stores.
    fn carry_messages(&mut self, params: &Params, env: &mut impl Env) {
        let mut messages = std::mem::take(&mut self.messages);
        // Insertion sort: stable, in place, nearly always one or two messages.
        for i in 1..messages.len() {
            let mut j = i;
            while j > 0
                && (messages[j - 1].egress, messages[j - 1].queue)
                    > (messages[j].egress, messages[j].queue)
            {
                messages.swap(j - 1, j);
                j -= 1;
            }
        }
        for &message in &messages {
            self.outputs[usize::from(message.egress)].stir(params, env);
            match message.kind {
                InternalKind::Notify { sender } => {
                    self.notify(params, message, usize::from(sender), env)
                }
                InternalKind::Request { sender, blocked } => {
                    // Asked for by a line without a queue as a packet started: Xon may have freed it in this very tick, and
                    // nobody would open the SAQ again.
                    let line = |r: &crate::recn::RecnPort| r.cam.find(&message.point).is_some();
                    let port = &self.outputs[usize::from(message.egress)];
                    if blocked && !port.recn.as_deref().is_some_and(line) {
                        continue;
                    }
                    self.set_aside(params, message, usize::from(sender), blocked, env);
                }
                InternalKind::Xoff { sender } => self.flow(params, message, Some(sender), env),
                InternalKind::Xon => self.flow(params, message, None, env),
            }
        }
        messages.clear();
        self.messages = messages;
    }

    /// The point of a message as ingress port `input` names it; none where no packet can take that turn.
    fn point_at(&self, message: Internal, input: usize) -> Option<Point> {
        let turn = turnpool::turn(input as u32, u32::from(message.egress), self.ports);
        if u64::from(turn) >> self.width != 0 {
            return None;
        }
        message.point.prepend(turn, self.width).ok()
    }

    /// A notification from an egress queue to ingress port `input`: adopted if it found the congestion itself, accepted
    /// while a SAQ is free, else refused at once.
    fn notify(&mut self, params: &Params, message: Internal, input: usize, env: &mut impl Env) {
        let now = env.now();
        let Some(point) = self.point_at(message, input) else {
            return;
        };
        self.stir(params, input, env);
        let normal = normal_queue(params, message.egress, &0);
        let (port, out) = (
            &mut self.inputs[input],
            &mut self.outputs[usize::from(message.egress)],
        );
        let (Some(recn), Some(egress)) = (port.recn.as_mut(), out.recn.as_mut()) else {
            return;
        };
        env.observe(
            out.link.place,
            Event::Internal(Control::Notification(point)),
        );
        let (memory, queue) = (&mut port.memory, message.queue);
        let answer = recn.notified_by(memory, egress, queue, point, input, normal, now);
        let (answer, blocked) = must(answer, port.unit, now);
        let line = match answer {
            Answer::Refused => return env.observe(port.place, Event::SaqRefused(point)),
            Answer::Adopted(line) => line,
            Answer::Accepted(line) => {
                let in_use = recn.cam.in_use();
                env.observe(
                    port.place,
                    Event::SaqAllocated {
                        line,
                        point,
                        in_use,
                    },
                );
                self.allocated(input, params, now + 1, env);
                line
            }
        };
        if blocked {
            let base = self.inputs[input].normal;
            self.refresh(input, base + QueueId::from(line), env);
        }
    }

    /// DD versions: an ingress port is asked to set a point aside.
    fn set_aside(
        &mut self,
        params: &Params,
        message: Internal,
        input: usize,
        blocked: bool,
        env: &mut impl Env,
    ) {
        let now = env.now();
        let Some(point) = self.point_at(message, input) else {
            return;
        };
        self.stir(params, input, env);
        let normal = normal_queue(params, message.egress, &0);
        let port = &mut self.inputs[input];
        let Some(recn) = port.recn.as_mut() else {
            return;
        };
        let answer = must(
            recn.requested(&mut port.memory, point, normal, blocked, now),
            port.unit,
            now,
        );
        if let Some(answer) = answer {
            // What a notification is in the token versions. An egress port that asks on every arrival for what has been set
            // aside says nothing new.
            let place = self.outputs[usize::from(message.egress)].link.place;
            env.observe(place, Event::Internal(Control::Notification(point)));
            self.answer(params, input, point, answer, env);
        }
    }

    /// What an ingress port said to a request.
    fn answer(
        &mut self,
        params: &Params,
        input: usize,
        point: Point,
        answer: Answer,
        env: &mut impl Env,
    ) {
        let port = &mut self.inputs[input];
        match answer {
            Answer::Adopted(_) => {}
            Answer::Refused => env.observe(port.place, Event::SaqRefused(point)),
            Answer::Accepted(line) => {
                let in_use = port.recn.as_ref().map_or(0, |r| r.cam.in_use());
                env.observe(
                    port.place,
                    Event::SaqAllocated {
                        line,
                        point,
                        in_use,
                    },
                );
                self.allocated(input, params, env.now() + 1, env);
            }
        }
    }

    /// Xoff (with its sender) or Xon from an egress queue: to its child ports, or (DD versions) to all.
    fn flow(&mut self, params: &Params, message: Internal, xoff: Option<u8>, env: &mut impl Env) {
        let port = &self.outputs[usize::from(message.egress)];
        let control = if xoff.is_some() {
            Control::Xoff
        } else {
            Control::Xon
        };
        let inputs = port.recn.as_ref().map_or(self.ports_mask, |r| {
            r.flow_goes_to(message.queue, self.ports_mask)
        });
        let (place, now) = (port.link.place, env.now());
        for input in bits(inputs) {
            let Some(point) = self.point_at(message, input) else {
                continue;
            };
            if self.inputs[input].recn.is_none() {
                continue;
            }
            env.observe(place, Event::Internal(control(point)));
            // A child has a SAQ already.
            let last = xoff == Some(input as u8);
            if last {
                self.stir(params, input, env);
            }
            let normal = normal_queue(params, message.egress, &0);
            let port = &mut self.inputs[input];
            let Some(recn) = port.recn.as_mut() else {
                continue;
            };
            let memory = &mut port.memory;
            let met = recn.internal_flow(memory, point, xoff.is_some(), last, normal, now);
            match must(met, port.unit, now) {
                Met::Line(line) => {
                    let queue = recn.queue(line);
                    self.refresh(input, queue, env);
                }
                Met::Nothing => {}
                Met::Asked(answer) => self.answer(params, input, point, answer, env),
            }
        }
    }

    /// A SAQ was allocated at `input`: its timer will end, and the head of a cold queue may match it, from `ppu_at` on.
    pub(crate) fn allocated(
        &mut self,
        input: usize,
        params: &Params,
        ppu_at: Tick,
        env: &mut impl Env,
    ) {
        let ends = env.now() + params.recn.map_or(1, |c| c.saq_timer.max(1));
        self.next_timer = self.next_timer.min(ends);
        env.wake(ends, Wake::Recn, self.index, 0);
        if self.inputs[input]
            .recn
            .as_ref()
            .is_some_and(|r| r.cold_queue)
        {
            self.refresh(input, 0, env);
            self.wake_ppu(input, ppu_at, env);
        }
    }

    /// A SAQ was allocated at an egress port: its timer will end.
    pub(crate) fn egress_timer(&mut self, params: &Params, now: Tick) {
        let ends = now + params.recn.map_or(1, |c| c.saq_timer.max(1));
        self.next_timer = self.next_timer.min(ends);
    }

    /// Step 6 at an ingress port.
    fn settle_ingress(&mut self, input: usize, all: bool, env: &mut impl Env) {
        let port = &mut self.inputs[input];
        let Some(recn) = port.recn.as_mut() else {
            return;
        };
        let ready = must(
            recn.settle_marked(&mut port.memory, all),
            port.unit,
            env.now(),
        );
        let base = recn.base;
        for line in bits(ready) {
            self.refresh(input, base + line as QueueId, env);
        }
    }

    /// Step 7 at an ingress port: a freed SAQ owes its egress port a token.
    fn free_ingress(&mut self, params: &Params, input: usize, all: bool, env: &mut impl Env) {
        let Some(config) = params.recn else { return };
        let now = env.now();
        let port = &mut self.inputs[input];
        let Some(recn) = port.recn.as_mut() else {
            return;
        };
        let mut freed = false;
        let mut checks = recn.take_checks(all);
        while let Some(Freed { line, point, owned }) = must(
            recn.free_next(&port.memory, &mut checks, now, &config),
            port.unit,
            now,
        ) {
            let in_use = recn.cam.in_use();
            env.observe(
                port.place,
                Event::SaqFreed {
                    line,
                    point,
                    in_use,
                },
            );
            freed = true;
            if owned {
                self.tokens.push((input as u8, point));
            }
        }
        if freed && recn.cold_queue {
            self.refresh(input, 0, env);
            self.wake_ppu(input, now + 1, env);
        }
    }

    /// Step 8: tokens from freed ingress SAQs to the egress queues that notified them.
    fn carry_tokens(&mut self, params: &Params, env: &mut impl Env) {
        let mut tokens = std::mem::take(&mut self.tokens);
        for &(input, point) in &tokens {
            let output = turnpool::forward(u32::from(input), point.first(self.width), self.ports);
            let port = &mut self.outputs[output as usize];
            port.stir(params, env);
            env.observe(port.link.place, Event::Internal(Control::Token(point)));
            let Some(recn) = port.recn.as_mut() else {
                continue;
            };
            if must(
                recn.internal_token(point, self.width, usize::from(input)),
                port.link.unit,
                env.now(),
            ) {
                env.wake(env.now() + 1, Wake::Recn, self.index, 0);
            }
        }
        tokens.clear();
        self.tokens = tokens;
    }
}

impl OutPort {
    /// Step 1: a packet left `queue`: Xon to the children when the SAQ has fallen to it, markers come to the head, an empty
    /// SAQ may be freed.
    #[inline(always)]
    pub fn fell(
        &mut self,
        params: &Params,
        egress: u8,
        queue: QueueId,
        messages: &mut Vec<Internal>,
        env: &mut impl Env,
    ) {
        if !self.is_quiet(env) {
            self.fell_where_saqs_are(params, egress, queue, messages, env);
        }
    }

    #[inline(never)]
    fn fell_where_saqs_are(
        &mut self,
        params: &Params,
        egress: u8,
        queue: QueueId,
        messages: &mut Vec<Internal>,
        env: &mut impl Env,
    ) {
        let Some(recn) = self.recn.as_mut() else {
            return;
        };
        let marked = recn.head_left(&self.memory, queue);
        if self.xoff(params, egress, queue, None, env.now(), messages) || marked {
            self.wake_recn(env);
        }
    }

    /// Step 2: a packet from `sender` was stored in `queue`: Xoff to the children when the SAQ has reached it. Returns whether
    /// there may be a message.
    #[inline]
    pub fn rose(
        &mut self,
        params: &Params,
        egress: u8,
        queue: QueueId,
        sender: u8,
        now: Tick,
        messages: &mut Vec<Internal>,
    ) -> bool {
        self.xoff(params, egress, queue, Some(sender), now, messages)
    }

    /// Asks for steps 5-8 of this tick.
    #[inline]
    pub(crate) fn wake_recn(&self, env: &mut impl Env) {
        env.wake(env.now(), Wake::Recn, self.link.element, self.link.port);
    }

    /// A SAQ was allocated: it may not be freed before its timer ends.
    pub(crate) fn set_timer(&self, params: &Params, env: &mut impl Env) {
        let ends = env.now() + params.recn.map_or(1, |c| c.saq_timer.max(1));
        env.wake(ends, Wake::Recn, self.link.element, self.link.port);
    }

    /// Step 6: markers at the heads of queues; all queues, or those that are marked.
    pub fn settle(&mut self, all: bool, env: &mut impl Env) {
        let Some(recn) = self.recn.as_mut() else {
            return;
        };
        if self.memory.pool_cells() == 0 {
            return;
        }
        let ready = must(
            recn.settle_marked(&mut self.memory, all),
            self.link.unit,
            env.now(),
        );
        let base = recn.base;
        for line in bits(ready) {
            self.refresh(base + line as QueueId, env);
        }
    }

    /// Step 7: a freed SAQ sends its token downstream over the link (token versions).
    pub fn free(&mut self, params: &Params, all: bool, env: &mut impl Env) {
        let (Some(config), Some(recn)) = (params.recn, self.recn.as_mut()) else {
            return;
        };
        if self.memory.pool_cells() == 0 {
            return;
        }
        let (mut checks, now) = (recn.take_checks(all), env.now());
        while let Some(Freed { line, point, .. }) = must(
            recn.free_next(&self.memory, &mut checks, now, &config),
            self.link.unit,
            now,
        ) {
            let in_use = recn.cam.in_use();
            env.observe(
                self.link.place,
                Event::SaqFreed {
                    line,
                    point,
                    in_use,
                },
            );
            if recn.rules.tokens {
                self.link.push_control(Control::Token(point), env);
            }
        }
    }
}
