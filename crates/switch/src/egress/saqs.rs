//! SAQs of an egress or injection port: carries out what [`recn::RecnPort`] decides.

use super::Egress;
use crate::env::Env;
use crate::must;
use flow_control::Control;
use observe::Event;
use plan::Params;
use recn::{Freed, Internal, InternalKind, Message, QueuelessLine, Received, RecnPort};
use saq::Mmu;
use units::{LineId, PortId, QueueId, Tick, broken};

impl Egress {
    /// CAM and lines, and the queues that they name.
    pub(crate) fn recn_mut(&mut self) -> Option<(&mut RecnPort, &mut Mmu<crate::Head>)> {
        let recn = self.recn.as_deref_mut()?;
        Some((recn, self.memory.queues_mut()))
    }

    /// Step 1: a packet left `queue`: FCU: Xon to the children when the SAQ has fallen to it;
    /// markers come to the head, an empty SAQ may be freed.
    pub fn fell(
        &mut self,
        params: &Params,
        queue: QueueId,
        messages: &mut Vec<Internal>,
        now: Tick,
    ) {
        let Some(recn) = self.recn.as_deref_mut() else {
            return;
        };
        recn.head_left(self.memory.queues_mut(), queue);
        let Some(config) = &params.recn else { return };
        let change = recn.egress_fell(queue, self.memory.packets(queue), now, config);
        messages.extend(change.message.map(|message| self.internal(queue, message)));
    }

    /// Step 2: a packet from `sender` was stored in `queue`: FCU: Xoff to the children when the SAQ
    /// has reached it; CDU: the normal queue detects a root, a SAQ propagates.
    pub fn rose(
        &mut self,
        params: &Params,
        queue: QueueId,
        sender: PortId,
        messages: &mut Vec<Internal>,
        now: Tick,
    ) {
        let (Some(config), Some(recn)) = (&params.recn, self.recn.as_deref_mut()) else {
            return;
        };
        let packets = self.memory.packets(queue);
        let change = recn.egress_rose(queue, packets, sender, now, config);
        let detected = recn.egress_detection(queue, packets, sender, config);
        let sent = change.message.into_iter().chain(detected);
        messages.extend(sent.map(|message| self.internal(queue, message)));
    }

    fn internal(&self, queue: QueueId, (point, kind): Message) -> Internal {
        Internal { egress: self.port, queue, point, kind }
    }

    /// Step 4: notification, Xoff, Xon, PAUSE or RESUME from the ingress port downstream.
    pub fn control(&mut self, params: &Params, control: Control, env: &mut impl Env) {
        let (now, unit, place) = (env.now(), self.unit(), self.place);
        if let Control::Pause(word, vc) = control {
            self.hear(word, vc, env);
            return;
        }
        let Some(recn) = self.recn.as_deref_mut() else {
            let what = format_args!("{} at a port without SAQs", control.name());
            broken(unit, now, &what)
        };
        let received = recn.egress_control(self.memory.queues_mut(), control, now);
        match must(received, unit, now) {
            Received::Allocated { line, point } => {
                let in_use = recn.cam().in_use();
                env.observe(place, Event::SaqAllocated { line, point, in_use });
            }
            Received::Refused { point, nack } => {
                env.observe(place, Event::SaqRefused(point));
                if let Some(nack) = nack {
                    self.link.control.push(nack);
                }
            }
            Received::Flow { line, .. } => {
                let queue = recn.queue(line);
                self.refresh(params, queue, env);
            }
            Received::Ignored => env.observe(place, Event::Ignored(control)),
        }
    }

    /// `recn-dd-iq`: Xoff or Xon for a point behind this output, which may have lines without
    /// queues.
    pub(crate) fn line_without_queue(
        &mut self,
        point: turnpool::Point,
        xoff: bool,
        env: &mut impl Env,
    ) {
        let (place, unit, now) = (self.place, self.unit(), env.now());
        let Some(recn) = self.recn.as_deref_mut() else {
            return;
        };
        let line = must(recn.queueless_flow(point, xoff), unit, now);
        let in_use = recn.cam().in_use();
        match line {
            QueuelessLine::Unchanged => {}
            QueuelessLine::Refused => env.observe(place, Event::SaqRefused(point)),
            QueuelessLine::Allocated(line) => {
                env.observe(place, Event::SaqAllocated { line, point, in_use })
            }
            QueuelessLine::Freed(line) => {
                env.observe(place, Event::SaqFreed { line, point, in_use })
            }
        }
    }

    /// Steps 6 and 7 of an end node's injection port, which has no messages.
    pub fn recn_step(&mut self, params: &Params, env: &mut impl Env) {
        let (unit, now) = (self.unit(), env.now());
        let (Some(config), Some((recn, queues))) = (&params.recn, self.recn_mut()) else {
            return;
        };
        recn.mark_timers(now, config);
        let ready = must(recn.settle_marked(queues, true), unit, now);
        let mut checks = recn.take_checks(true);
        for line in units::bits::ones(ready).map(LineId::at) {
            let queue = self.recn().expect("a port with lines").queue(line);
            self.refresh(params, queue, env);
        }
        while let Some((recn, queues)) = self.recn_mut()
            && let Some(freed) = must(recn.free_next(queues, &mut checks, now, config), unit, now)
        {
            self.freed(freed, env);
        }
    }

    /// A SAQ was freed: its token goes downstream over the link (token versions).
    pub(crate) fn freed(&mut self, freed: Freed, env: &mut impl Env) {
        let Freed { line, point, .. } = freed;
        let Some(recn) = self.recn.as_deref() else {
            return;
        };
        let (in_use, tokens) = (recn.cam().in_use(), recn.rules().tokens);
        env.observe(self.place, Event::SaqFreed { line, point, in_use });
        if tokens {
            self.link.control.push(Control::Token(point));
        }
    }

    /// `iq_egress_lines`: a packet from `input` started through this output; if it matches a line
    /// here, which is at Xoff, its input sets the point aside, blocked.
    pub(crate) fn request_for_line(
        &self,
        input: PortId,
        route: &turnpool::Route,
    ) -> Option<Internal> {
        let recn = self.recn.as_deref()?;
        let line = recn.cam().lookup(route)?;
        let kind = InternalKind::Request { sender: input, blocked: true };
        Some(self.internal(recn.queue(line), (recn.cam().point(line), kind)))
    }
}
