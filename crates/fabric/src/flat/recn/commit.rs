//! Steps 5 to 8: messages inside a switch, markers, frees, tokens. The steps are those of
//! [`recn::commit`]; here they meet the sides of ports.

use super::{Counts, lines_of};
use crate::flat::{Flat, Kind, Mode, T};
use flow_control::Control;
use observe::{Event, Observer, Side};
use recn::commit::{self, At, CommitError, Effect, Moment};
use recn::{Freed, InternalKind, RecnPort};
use units::{PortId, QueueId, Tick};

/// A switch in the commit of a tick.
struct Commit<'a, M: Mode, O> {
    flat: &'a mut Flat<M>,
    observer: &'a mut O,
    s: usize,
    t: T,
}

impl<M: Mode, O: Observer> Commit<'_, M, O> {
    fn port(&self, port: PortId) -> usize {
        self.flat.switches[self.s].first as usize + port.index()
    }
}

impl<M: Mode, O: Observer> commit::Ports for Commit<'_, M, O> {
    type Queues = Counts;

    fn ports(&self) -> usize {
        self.flat.switches[self.s].ports.into()
    }

    fn width(&self) -> u32 {
        self.flat.port[self.port(PortId(0))].width.into()
    }

    fn is_idle(&self, at: At) -> bool {
        let side = match at {
            At::Ingress(port) => self.port(port),
            At::Egress(port) => self.flat.egress_side(self.port(port)),
        };
        let is_idle = !self.flat.recn.timed[side];
        debug_assert!(!is_idle || self.flat.lines(side).is_none_or(|lines| !lines.is_marked()));
        is_idle
    }

    fn side(&mut self, at: At) -> Option<(&mut RecnPort, &mut Counts)> {
        let side = match at {
            At::Ingress(port) => self.port(port),
            At::Egress(port) => {
                // Lines without queues have nothing to settle or to free.
                let p = self.port(port);
                if self.flat.port[p].egress_queues == 0 {
                    return None;
                }
                self.flat.egress_side(p)
            }
        };
        let side = &mut self.flat.recn.sides[side];
        Some((side.lines.as_mut()?, &mut side.counts))
    }

    fn lines(&mut self, egress: PortId) -> Option<&mut RecnPort> {
        let side = self.flat.egress_side(self.port(egress));
        self.flat.recn.sides[side].lines.as_mut()
    }

    fn normal_queue(&self, output: PortId) -> QueueId {
        QueueId(self.flat.ingress_map.of_output(output.index()) as u16)
    }

    fn carry(&mut self, effect: Effect) {
        self.flat.carry(self.observer, self.s, effect, self.t);
    }
}

impl<M: Mode> Flat<M> {
    /// Steps 5 to 8 of an element.
    pub(crate) fn recn_step(&mut self, observer: &mut impl Observer, element: usize, t: T) {
        match element.checked_sub(self.switches.len()) {
            Some(n) => self.recn_step_of_node(observer, self.first_node + n, t),
            None => self.recn_step_of_switch(observer, element, t),
        }
    }

    fn recn_step_of_switch(&mut self, observer: &mut impl Observer, s: usize, t: T) {
        let ((config, _), first) = (self.recn_config(), self.switches[s].first as usize);
        self.mark_timers(s, t);
        let moment = Moment { now: Tick(t.into()), config: &config, all: false };
        let commits = &mut self.recn.switches[s];
        let mut messages = std::mem::take(&mut commits.messages);
        let mut tokens = std::mem::take(&mut commits.tokens);
        for message in &messages {
            // Only who sent a packet sets a point aside that it does not know.
            let sender = match message.kind {
                InternalKind::Notify { sender } | InternalKind::Request { sender, .. } => {
                    Some(sender)
                }
                InternalKind::Xoff { sender } => sender,
                InternalKind::Xon => None,
            };
            if let Some(sender) = sender {
                self.make_timed(observer, first + sender.index(), t);
            }
        }
        let mut ports = Commit { flat: self, observer, s, t };
        let done = commit::carry_messages(&mut ports, &mut messages, &moment)
            .and_then(|()| commit::settle_markers(&mut ports, &moment))
            .and_then(|()| commit::free_saqs(&mut ports, &mut tokens, &moment))
            .and_then(|()| commit::carry_tokens(&mut ports, &mut tokens));
        let commits = &mut self.recn.switches[s];
        (commits.messages, commits.tokens) = (messages, tokens);
        if M::EAGER {
            for p in first..first + usize::from(self.switches[s].ports) {
                let sides = [p, self.egress_side(p)].map(|side| side as u32);
                self.recn.calm.extend(sides);
            }
        }
        if let Err(CommitError { at, error }) = done {
            let (port, side) = match at {
                At::Ingress(port) => (port, Side::Ingress),
                At::Egress(port) => (port, Side::Egress),
            };
            self.broken(first + port.index(), side, t, &error.to_string());
        }
    }

    /// Lines whose timer ends now may be freed.
    fn mark_timers(&mut self, s: usize, t: T) {
        let ((config, _), now) = (self.recn_config(), Tick(t.into()));
        if t < self.recn.switches[s].next_timer {
            return;
        }
        let first = self.switches[s].first as usize;
        let mut next: Option<Tick> = None;
        for p in first..first + usize::from(self.switches[s].ports) {
            for side in [p, self.egress_side(p)] {
                let lines = self.recn.sides[side].lines.as_mut();
                let ends = lines.and_then(|lines| lines.mark_timers(now, &config));
                next = next.into_iter().chain(ends).min();
            }
        }
        let next = next.map_or(super::NONE, |next| T::try_from(next.0).unwrap_or(super::NONE));
        self.recn.switches[s].next_timer = next;
    }

    /// Steps 6 and 7 of an end node's injection port.
    fn recn_step_of_node(&mut self, observer: &mut impl Observer, p: usize, t: T) {
        let ((config, _), now) = (self.recn_config(), Tick(t.into()));
        let (at, place) = (self.egress_side(p), (p, Side::Egress));
        let side = &mut self.recn.sides[at];
        let Some(lines) = &mut side.lines else { return };
        lines.mark_timers(now, &config);
        let ready = lines.settle_marked(&mut side.counts, false);
        let base = lines.base().index();
        let ready = self.must(ready, place, t);
        for line in lines_of(ready) {
            self.refresh_egress(p, base + line.index(), t);
        }
        let lines = self.recn.sides[at].lines.as_mut();
        let mut checks = lines.map_or(0, |lines| lines.take_checks(false));
        loop {
            let side = &mut self.recn.sides[at];
            let Some(lines) = &mut side.lines else { return };
            let freed = lines.free_next(&side.counts, &mut checks, now, &config);
            match self.must(freed, place, t) {
                Some(freed) => self.freed_at_egress(observer, p, freed, t),
                None => return,
            }
        }
    }

    /// Carries out an effect of steps 5 to 8.
    fn carry(&mut self, observer: &mut impl Observer, s: usize, effect: Effect, t: T) {
        let first = self.switches[s].first as usize;
        let port = |port: PortId| first + port.index();
        match effect {
            Effect::Sent(egress, control) => {
                let place = (port(egress), Side::Egress);
                self.observe(observer, place, Event::Internal(control), t);
            }
            Effect::Allocated(input, line, point) => {
                let p = port(input);
                let event = Event::SaqAllocated { line, point, in_use: self.in_use(p) };
                self.observe(observer, (p, Side::Ingress), event, t);
                self.allocated(p, t + 1, t);
            }
            Effect::Refused(input, point) => {
                let place = (port(input), Side::Ingress);
                self.observe(observer, place, Event::SaqRefused(point), t);
            }
            Effect::Changed(At::Ingress(input), queue) => {
                self.refresh(port(input), queue.index(), t);
            }
            Effect::Changed(At::Egress(output), queue) => {
                self.refresh_egress(port(output), queue.index(), t);
            }
            Effect::Freed(At::Ingress(input), Freed { line, point, .. }) => {
                let p = port(input);
                let event = Event::SaqFreed { line, point, in_use: self.in_use(p) };
                self.observe(observer, (p, Side::Ingress), event, t);
                self.cold_head_changed(p, t + 1, t);
            }
            Effect::Freed(At::Egress(output), freed) => {
                self.freed_at_egress(observer, port(output), freed, t);
            }
            Effect::Leaf(_) => self.wheel.put(t + 1, Kind::Recn, s),
        }
    }

    fn in_use(&self, side: usize) -> u32 {
        self.lines(side).map_or(0, |lines| lines.cam().in_use())
    }

    /// A SAQ was freed: its token goes downstream over the link (token versions).
    fn freed_at_egress(&mut self, observer: &mut impl Observer, p: usize, freed: Freed, t: T) {
        let Freed { line, point, .. } = freed;
        self.lines_changed(p);
        let (_, rules) = self.recn_config();
        let event = Event::SaqFreed { line, point, in_use: self.in_use(self.egress_side(p)) };
        self.observe(observer, (p, Side::Egress), event, t);
        if rules.tokens {
            self.push_control(observer, p, Control::Token(point), t);
        }
    }
}
